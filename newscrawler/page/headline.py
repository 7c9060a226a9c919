"""The headline: the heading that the page's own declarations agree with, worded as the page declares it.

Where JSON-LD gives the article's headline, that wording is taken, since the heading on the page often has a kicker or a rubric
glued to it; otherwise og:title, unless the title is worded as the heading is; otherwise the heading itself. The name of the site
is left out of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from string import ascii_letters, digits
from typing import TYPE_CHECKING

from lxml import etree

from newscrawler.page.blocks import Block, Layout
from newscrawler.page.marks import Mark
from newscrawler.page.site_names import headings_of_the_site, without_site

if TYPE_CHECKING:
    from newscrawler.page.document import Document

_WORDS = re.compile(r"\w+")
_WORD_STARTS = re.compile(r"(?<=\s)\S")
_NOISE = int(
    Mark.NAVIGATION
    | Mark.FOOTER
    | Mark.ASIDE
    | Mark.RELATED
    | Mark.PROMOTION
    | Mark.COMMENT
    | Mark.POPUP
    | Mark.HIDDEN
    | Mark.SOCIAL
)
_ARTICLE_TYPES = ("article", "posting", "report", "review", "recipe", "interview")
#: Between a headline and what is no part of it, whatever that is.
_BAR = re.compile(r"\s+(?:[|»·•*]+|::)\s+|\s*[|｜]\s*")
_DASH = re.compile(r"\s+[–—-]+\s+")
#: Before a headline: a kicker, the name of a series.
_BEFORE = re.compile(r"(?:\s[|»·•*–—-]+\s|[|｜])\s*$")
_TAGS = re.compile(r"<[^>]{1,40}>")
_CUT_OFF = ("…", "...")
#: What may close a headline and be cut off with nothing else: "Who pays for it?".
_CLOSING = frozenset("?!.…”“\"»«')？！。」』")
#: Soft hyphens and blanks without width.
_UNSEEN = dict.fromkeys((0xAD, 0x200B, 0x2060, 0xFEFF))
_LONGEST_HEADLINE = 300
#: A text that begins with one of them has it, in small letters, as the first letter of its key.
_INITIALS = frozenset(ascii_letters + digits)
_SHORTEST_PART, _SHORTEST_HELD = 15, 8
#: Likeness of a text to a much longer one that begins with it.
_BEGINNING = 0.85
#: Longer texts are no headlines; their keys are not asked for twice.
_LONGEST_KEPT = 300
#: Anything but ASCII, and the dashes and quotes that stand in texts otherwise written in it.
_OTHER_LETTER = re.compile("[^\x00-\x7f\u2010-\u203a]")
#: ASCII in small letters, and what of it is no part of a key.
_FOLDED = bytes(range(256)).lower()
_LEFT_OUT = bytes(code for code in range(128) if not chr(code).isalnum() and chr(code) != "_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The headline of a page."""

    text: str
    #: Its block on the page; None where only the page's head states it.
    block: Block | None = None
    element: etree._Element | None = None
    #: Which evidence gave the wording.
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What a page declares its headline to be."""

    #: Headline, name and alternative headline of the article in JSON-LD.
    json_ld: tuple[str, ...] = ()
    #: JSON-LD describes no other article.
    sole: bool = True
    open_graph: str | None = None
    #: Content of the title element.
    title: str = ""
    #: What the page calls its site, letters only.
    names: frozenset[str] = frozenset()

    @property
    def texts(self) -> tuple[str, ...]:
        """All wordings, without repetitions; of a title without others beside it, also what is left without the site's name.

        That may stand before a colon too ("The Courier: Headline"), which parts nothing unless the page shows the rest alone.
        """
        found = [*self.json_ld[:1], self.open_graph or "", self.title]
        if not self.open_graph and not self.json_ld:
            found += [title_alone(self.title, self.names), self.title.partition(": ")[2]]
        return tuple(dict.fromkeys(text for text in found if text and key_of(text) not in self.names))


def key_of(text: str) -> str:
    """What two ways to write the same text have in common: its letters and digits, folded."""
    return _short_key(text) if len(text) <= _LONGEST_KEPT else _key(text)


def _key(text: str) -> str:
    if _OTHER_LETTER.search(text) is None:
        return text.encode("ascii", "ignore").translate(_FOLDED, _LEFT_OUT).decode()
    return "".join(_WORDS.findall(text.casefold()))


_short_key = lru_cache(maxsize=1024)(_key)  # a page's headline is compared with all of its headings


def likeness(one: str, other: str) -> float:
    """Likeness of two headlines, 0 to 1: 1 for the same letters, near 1 where one begins with most of the other."""
    first, second = key_of(one), key_of(other)
    if not first or not second:
        return 0.0
    if first == second:
        return 1.0
    short, long = (first, second) if len(first) < len(second) else (second, first)
    if short in long and 2 * len(short) >= len(long):
        return 0.95 if long.startswith(short) else 0.9
    if len(short) >= 12 and short in long:
        return _BEGINNING if long.startswith(short) else 0.5
    words, others = _pieces(one), _pieces(other)
    return 0.85 * len(words & others) / max(len(words), len(others), 1)


@lru_cache(maxsize=512)
def _pieces(text: str) -> frozenset[str]:
    words = _WORDS.findall(text.casefold())
    if len(words) < 3:  # a script that parts no words
        joined = "".join(words)
        return frozenset(joined[i : i + 2] for i in range(len(joined) - 1))
    return frozenset(words)


def title_alone(title: str, names: frozenset[str]) -> str:
    """What of a title is the headline: without the site's name; where that is not known, without what looks like it."""
    text = without_site(title, names)
    pieces = _BAR.split(text)
    if text == title:
        pieces = [part for piece in pieces for part in _DASH.split(piece)]
    return max(pieces, key=len).strip() or title


def declared_headline(page: Document) -> Declared:
    """Collect what the page's head says of its headline."""
    articles = list(_from_json_ld(page))
    return Declared(
        json_ld=tuple(articles[0]) if articles else (),
        sole=len(articles) == 1,
        open_graph=_plain(page.first_meta("og:title", "twitter:title")),
        title=_plain(page.title) or "",
        names=page.site_names,
    )


def _from_json_ld(page: Document) -> Iterator[list[str]]:
    for item in page.json_ld:
        kinds = item.get("@type")
        names = kinds if isinstance(kinds, list) else [kinds]
        if any(isinstance(name, str) and name.lower().endswith(_ARTICLE_TYPES) for name in names):
            texts = [_plain(item.get(field)) for field in ("headline", "name", "alternativeHeadline")]
            if texts[0] or texts[1]:
                yield [text for text in texts if text]


def _plain(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    text = unescape(unescape(value)) if "&" in value else value
    text = _TAGS.sub("", text) if "<" in text else text
    return " ".join((text if text.isascii() else text.translate(_UNSEEN)).split()) or None


def find_headline(page: Document) -> Headline | None:
    """Find the headline of a page; None where nothing on it could be one."""
    declared = page.declared_headline
    block = _best_heading(page.layout, declared.texts, headings_of_the_site(page))
    heading = block.text if block is not None else None
    element = block.element if block is not None else None
    source, text = wording(declared, heading)
    if source != "json-ld" and element is not None:
        part = _part(element, declared) or (_behind_kicker(text, declared) if source == "heading" else None)
        source, text = ("heading", part) if part else (source, text)
    if not text:
        return None
    return Headline(
        text=text if text.isascii() else text.translate(_UNSEEN),
        block=block,
        element=element,
        source=block.kind if block is not None and source == "heading" else source,
    )


def wording(declared: Declared, heading: str | None) -> tuple[str, str]:
    """Choose how the headline is worded: (source, text); the text is empty where there is none.

    A declared wording counts only where the heading or the title knows it: systems that give every page the name of the
    site as og:title are common.
    """
    known = [text for text in (heading, declared.title) if text]
    if declared.json_ld:
        first = declared.json_ld[0]
        for other in declared.json_ld[1:]:
            if heading and key_of(other) == key_of(heading) and key_of(first) != key_of(declared.open_graph or ""):
                return "json-ld", other
        cleaned = without_site(first, declared.names)
        if heading and (_is_cut_off(first, heading) or (cleaned != first and _is_or_holds(cleaned, heading))):
            return "heading", heading
        if declared.sole or not known or any(likeness(first, text) >= 0.2 for text in (*known, declared.open_graph or "")):
            return "json-ld", cleaned
    if declared.open_graph:
        text = without_site(declared.open_graph, declared.names)
        agree = _is_or_holds if text != declared.open_graph else _holds
        if heading and (_is_cut_off(text, heading) or agree(text, heading) or _words_alike(declared.title, heading, text)):
            return "heading", heading
        if not heading:
            text = title_alone(text, declared.names)
        if key_of(text) not in declared.names and (not known or any(likeness(text, other) >= 0.5 for other in known)):
            return "og:title", text
    if heading:
        return "heading", heading
    return "title", title_alone(declared.title, declared.names)


def _part(element: etree._Element, declared: Declared) -> str | None:
    """The part of a heading in an element of its own that is the headline, where a kicker stands before it, or a date behind it.

    It is what the page declares, or that with which what is shared ends, where another kicker stands before it there.
    """
    if not len(element):
        return None
    last = " ".join(("".join(map(str, element[-1].itertext())) + (element[-1].tail or "")).split())
    whole = " ".join("".join(map(str, element.itertext())).split())
    key, first = key_of(last), whole.removesuffix(last).strip()
    if not first or first == whole or not key:
        return None
    shared = key_of(declared.open_graph or "")
    given = {key_of(without_site(text, declared.names)) for text in (declared.open_graph or "", declared.title)}
    if key_of(whole) in given:
        return None
    for part in (last, first):
        if len(key_of(part)) >= _SHORTEST_PART and key_of(part) in given:
            return part
    return last if len(key) >= _SHORTEST_PART and 2 * len(key) >= len(shared) > len(key) and shared.endswith(key) else None


def _behind_kicker(heading: str, declared: Declared) -> str | None:
    """The end of a heading that the title gives alone, where what stands before it is no part of its sentence."""
    key, whole = key_of(without_site(declared.title, declared.names)), key_of(heading)
    if not _SHORTEST_PART <= len(key) < len(whole) < 2 * len(key) or not whole.endswith(key):
        return None
    for word in _WORD_STARTS.finditer(heading):
        if key_of(heading[word.start() :]) == key:
            return heading[word.start() :] if heading[: word.start()].rstrip()[-1:].isalnum() else None
    return None


def _words_alike(title: str, heading: str, shared: str) -> bool:
    """Tell whether the title is worded as the heading and not as what is shared: on 40 of 45 such pages JSON-LD was the heading.

    It may hold both: behind the longer heading the name of the site, which is shared with every page.
    """
    key, whole, other = key_of(heading), key_of(title), key_of(shared)
    if len(key) < _SHORTEST_PART or key not in whole or other in key:
        return False
    return other not in whole or (len(key) > len(other) and whole == key + other)


def _is_or_holds(text: str, heading: str) -> bool:
    return key_of(text) == key_of(heading) or _holds(text, heading)


def _holds(text: str, heading: str) -> bool:
    """Tell whether the text is the heading with something behind a separator, or before one."""
    if len(heading) < _SHORTEST_HELD or len(text) <= len(heading):
        return False
    key, behind, before = key_of(heading), text[len(heading) :], text[: -len(heading)]
    return (key_of(text[: len(heading)]) == key and (_BAR.match(behind) or _DASH.match(behind)) is not None) or (
        key_of(text[-len(heading) :]) == key and _BEFORE.search(before) is not None
    )


def _is_cut_off(text: str, heading: str) -> bool:
    """Tell whether the text is only the beginning of the heading, as systems make it that allow 70 or 110 characters."""
    start = key_of(text.rstrip("….")) if text.endswith(_CUT_OFF) else key_of(text)
    whole = key_of(heading)
    if whole == start:  # maybe without its last sign
        return heading.startswith(text) and _CLOSING.issuperset(heading[len(text) :]) and heading != text
    return len(start) > 20 and whole.startswith(start)


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
        elif not layout.boxes[block.box].within & _NOISE and key_of(text) in keys:
            same = block
    best: tuple[float, Block] | None = None
    for kind, bonus, least in (("h1", 2.0, 0.0), ("h2", 0.8, 0.5), ("h3", 0.3, 0.7)):
        for block in ranks[kind][:40]:
            agreement = max((likeness(block.text, text) for text in texts), default=0.0)
            if kind != "h1" and agreement == _BEGINNING and not any(2 * len(block.text) >= len(text) for text in texts):
                agreement = 0.5  # a rubric with which the title begins
            if agreement < least:
                continue
            score = bonus + 4 * agreement - (1.5 if layout.boxes[block.box].within & _NOISE else 0.0)
            if agreement < 0.3 and (block.linked > 0.5 * len(block.text) or len(ranks["h1"]) > 1 or len(block.text) < 12):
                score -= 2.0
            if score > 0.4 and (best is None or score > best[0]):
                best = (score, block)
        if best is not None and best[0] >= 5.0:
            break
    if same is not None and (best is None or best[0] < 3.0):
        return same
    return best[1] if best is not None else None
