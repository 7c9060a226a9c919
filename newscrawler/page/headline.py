"""The headline: what the page's own declarations and its headings agree on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import unescape
from typing import TYPE_CHECKING

from lxml import etree

from newscrawler.page.blocks import Block, Layout
from newscrawler.page.marks import Mark

if TYPE_CHECKING:
    from newscrawler.page.document import Document

_LETTERS = re.compile(r"\w+")
_NOISE = int(
    Mark.NAVIGATION | Mark.FOOTER | Mark.ASIDE | Mark.RELATED | Mark.PROMOTION | Mark.COMMENT | Mark.POPUP | Mark.HIDDEN | Mark.SOCIAL
)
_SITE_SEPARATORS = re.compile(r"\s+[|»·•–—-]\s+|\s+::\s+|\s*\|\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The headline of a page."""

    text: str
    #: Its block on the page; None where only the page's head states it.
    block: Block | None = None
    element: etree._Element | None = None
    #: Which evidence gave it.
    source: str


def key_of(text: str) -> str:
    """What two ways to write the same headline have in common: its letters and digits, folded."""
    return "".join(_LETTERS.findall(text.casefold()))


def alike(one: str, other: str) -> float:
    """Likeness of two keys, 0 to 1; 1 where one begins with the other and is long enough to be no accident."""
    if not one or not other:
        return 0.0
    if one == other:
        return 1.0
    short, long = sorted((one, other), key=len)
    if len(short) >= 12 and long.startswith(short):
        return 0.95
    if len(short) >= 12 and short in long:
        return 0.9
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() > 0.6 and matcher.quick_ratio() > 0.6 else 0.0


def title_parts(title: str) -> tuple[str, ...]:
    """The title as a whole and its pieces between the marks that sites put around their own name."""
    parts = [part.strip() for part in _SITE_SEPARATORS.split(title)]
    return (title, *(part for part in parts if part and part != title))


_ARTICLE_TYPES = ("article", "posting", "newsarticle", "report", "review", "recipe", "interview")


def declared_headlines(page: Document) -> list[tuple[str, str]]:
    """What the page's head says the headline is: (source, text), best first."""
    found: list[tuple[str, str]] = []
    for item in page.json_ld:
        kinds = item.get("@type")
        names = kinds if isinstance(kinds, list) else [kinds]
        if any(str(name).lower().endswith(_ARTICLE_TYPES) for name in names):
            text = item.get("headline") or item.get("name")
            if isinstance(text, str) and text.strip():
                found.append(("json-ld", " ".join(unescape(text).split())))
                break
    for name in ("og:title", "twitter:title", "dc.title", "headline", "title"):
        if text := page.first_meta(name):
            found.append((name, " ".join(unescape(text).split())))
    found.extend(("title", part) for part in title_parts(page.title) if part)
    return found


def find_headline(page: Document) -> Headline | None:
    """Find the headline of a page: the heading that the page's own declarations agree with."""
    declared = [(source, text, key_of(text)) for source, text in declared_headlines(page)]
    layout = page.layout
    best: tuple[float, Block] | None = None
    for block in layout.blocks:
        score = _heading_score(block, layout, declared)
        if score > 0 and (best is None or score > best[0]):
            best = (score, block)
    if best is not None:
        block = best[1]
        return Headline(text=block.text, block=block, element=block.element, source=block.kind)
    if declared and declared[0][0] != "title":
        return Headline(text=declared[0][1], source=declared[0][0])
    if page.title:
        parts = title_parts(page.title)
        return Headline(text=max(parts[1:] or parts, key=len), source="title")
    return None


def _heading_score(block: Block, layout: Layout, declared: list[tuple[str, str, str]]) -> float:
    """Weigh a block as the headline; 0 or less: it is none."""
    text = block.text
    if len(text) > 300 or (len(text) < 4 and block.size < 6):
        return 0.0
    rank = {"h1": 2.0, "h2": 0.8, "h3": 0.3}.get(block.kind, 0.0)
    box = layout.boxes[block.box]
    names = ""
    if not rank:
        if box.depth > 40:
            return 0.0
        names = f"{box.element.get('class') or ''} {box.element.get('itemprop') or ''}".lower()
        if not ("headline" in names or "title" in names):
            return 0.0
    key = key_of(text)
    agreement = 0.0
    for _, _, other in declared:
        agreement = max(agreement, alike(key, other))
        if agreement == 1.0:
            break
    if not rank and agreement < 0.9:
        return 0.0
    if rank < 2.0 and agreement < 0.7:
        return 0.0
    score = rank + 4.0 * agreement
    if box.within & _NOISE:
        score -= 2.0
    if block.kind == "h1" and agreement < 0.4:
        score -= 1.0
    return score - block.index * 1e-4
