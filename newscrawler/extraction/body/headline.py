"""The headline: the heading that the page's own declarations agree with, worded as the page declares it.

Where JSON-LD gives the article's headline, that wording is taken, since the heading on the page often has a kicker or a rubric
glued to it; else the heading, unless og:title says the same without these; else og:title or the title. The name of the site is left
out of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_letters, digits

from lxml import etree

from newscrawler.extraction.body.declared_titles import UNSEEN, declared_titles, plain_text
from newscrawler.extraction.body.largest_line import largest_line, line_of_title
from newscrawler.extraction.body.named_headline import named_headline
from newscrawler.extraction.body.site_names import headings_of_the_site
from newscrawler.extraction.body.state import read_state
from newscrawler.extraction.body.wording import behind_kicker, part_of, wording
from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout
from newscrawler.page.likeness import BEGINNING, key_of, likeness
from newscrawler.page.marks import BOXES_BESIDE

_LONGEST_HEADLINE = 300
#: A text that begins with one of them has it, in small letters, as the first letter of its key.
_INITIALS = frozenset(ascii_letters + digits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The headline of a page."""

    text: str
    #: Its block on the page; None where only the page's head states it.
    block: Block | None = None
    element: etree._Element | None = None
    #: Which evidence gave the wording.
    source: str
    #: The wording of the page's head, where that is another.
    declared: str | None = None


def headline_of(page: Document) -> Headline | None:
    """Find the headline of a page; None where nothing on it could be one."""
    declared = page.view(declared_titles)
    block = _best_heading(page.layout, declared.texts, headings_of_the_site(page))
    heading = block.text if block is not None else None
    element = block.element if block is not None else None
    if block is None and not declared.open_graph and not declared.json_ld:
        heading, element, block = named_headline(page) or largest_line(page) or (None, None, None)
    source, text = wording(declared, heading)
    if source != "json-ld" and element is not None:
        part = part_of(element, declared) or (behind_kicker(text, declared) if source == "heading" else None)
        source, text = ("heading", part) if part else (source, text)
    if block is None and not declared.open_graph and not declared.json_ld and (state := page.view(read_state)) is not None:
        source, text = ("state", plain_text(state.headline) or text)
    if not text:
        return None
    if block is None and source == "title" and (block := line_of_title(page, text)) is not None:
        element = block.element
    text = text if text.isascii() else text.translate(UNSEEN)
    said = declared.headline
    return Headline(
        text=text,
        block=block,
        element=element,
        source=block.kind if block is not None and source == "heading" else source,
        declared=said if said is not None and key_of(said) != key_of(text) else None,
    )


def headline_block(page: Document) -> Block | None:
    """Return the block of the headline; None where there is no headline, or only the page's head states it."""
    headline = page.view(headline_of)
    return headline.block if headline is not None else None


def headline_index(page: Document) -> int | None:
    """Return the index of that block."""
    block = headline_block(page)
    return block.index if block is not None else None


def _best_heading(layout: Layout, texts: Sequence[str], names: frozenset[str]) -> Block | None:
    """The block that is the headline; headings of the first rank before others, blocks of any kind only if worded as declared."""
    ranks: dict[str, list[Block]] = {"h1": [], "h2": [], "h3": []}
    keys = {key_of(text) for text in texts}
    others = _INITIALS.difference(*((key[0], key[0].upper()) for key in keys if key))
    same: Block | None = None
    for block in layout.blocks:
        kind, text = block.kind, block.text
        if kind in ranks:
            if len(text) <= _LONGEST_HEADLINE and key_of(text) not in names:
                ranks[kind].append(block)
        elif text[0] in others or same is not None or block.size <= 15 or len(text) > _LONGEST_HEADLINE:
            continue
        elif not layout.boxes[block.box].within & BOXES_BESIDE and key_of(text) in keys:
            same = block
    best: tuple[float, Block] | None = None
    for kind, bonus, least in (("h1", 2.0, 0.0), ("h2", 0.8, 0.5), ("h3", 0.3, 0.7)):
        for block in ranks[kind][:40]:
            agreement = max((likeness(block.text, text) for text in texts), default=0.0)
            if kind != "h1" and agreement == BEGINNING and not any(2 * len(block.text) >= len(text) for text in texts):
                agreement = 0.5  # a rubric with which the title begins
            if agreement < least:
                continue
            score = bonus + 4 * agreement - (1.5 if layout.boxes[block.box].within & BOXES_BESIDE else 0.0)
            if agreement < 0.3 and (block.linked > 0.5 * len(block.text) or len(ranks["h1"]) > 1 or len(block.text) < 12):
                score -= 2.0
            if score > 0.4 and (best is None or score > best[0]):
                best = (score, block)
        if best is not None and best[0] >= 5.0:
            break
    if same is not None and (best is None or best[0] < 3.0):
        return same
    return best[1] if best is not None else None
