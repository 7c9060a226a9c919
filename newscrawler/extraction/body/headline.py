"""The headline: the heading that the page's own declarations agree with, worded as the page declares it.

Where JSON-LD gives the article's headline, that wording is taken, since the heading on the page often has a kicker or a rubric
glued to it; else the heading, unless og:title says the same without these; else og:title or the title. The name of the site is left
out of all of them.

On a page without headings it is the line in the largest type above the text: pages of the 1990s write
`<font size="5"><b>Headline</b></font>`. A class or id that calls an element the title counts as more than bold type: systems of the
2000s write `<span id="ctl00_lblTitle" class="ArticleTitle">`, and give every page the name of the site as its title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from string import ascii_letters, digits

from lxml import etree

from newscrawler.extraction.body.site_names import find_site_headings, is_day, is_site_name, remove_site
from newscrawler.extraction.body.state import read_state
from newscrawler.extraction.body.titles import find_behind_kicker, find_part, read_declared_titles, wording
from newscrawler.page import (
    BEGINNING,
    BOXES_BESIDE,
    Block,
    Document,
    Layout,
    clean_text,
    key_of,
    likeness,
    remove_invisible_signs,
    short_text,
)

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
    why: str = ""
    #: Why declared wordings were refused, by source.
    refused: Mapping[str, str] = field(default_factory=dict)


def find_headline(page: Document) -> Headline | None:
    """Find the headline of a page; None where nothing on it could be one."""
    declared = page.view(read_declared_titles)
    block = _choose_heading(page.layout, declared.texts, find_site_headings(page))
    heading, element = (block.text, block.element) if block is not None else (None, None)
    if block is None and not declared.open_graph and not declared.json_ld:
        heading, element, block = find_largest_line(page) or (None, None, None)
    source, text, why, refused = wording(declared, heading)
    part = find_part(element, declared) if source != "json-ld" and element is not None else None
    if part := part or (find_behind_kicker(text, declared) if source == "heading" else None):
        source, text, why = "heading", part, "the part of the heading that the page declares"
    if block is None and not declared.open_graph and not declared.json_ld and (state := page.view(read_state)) is not None:
        source, text, why = "state", clean_text(state.headline) or text, "the page shows no heading; its state has one"
    if not text:
        return None
    text = text if text.isascii() else remove_invisible_signs(text)
    said = declared.headline
    return Headline(
        text=text,
        block=block,
        element=element,
        source=block.kind if block is not None and source == "heading" else source,
        declared=said if said is not None and key_of(said) != key_of(text) else None,
        why=why,
        refused=refused,
    )


def find_headline_block(page: Document) -> Block | None:
    """Return the block of the headline; None where there is no headline, or only the page's head states it."""
    headline = page.view(find_headline)
    return headline.block if headline is not None else None


def find_headline_index(page: Document) -> int | None:
    """Return the index of that block."""
    block = find_headline_block(page)
    return block.index if block is not None else None


def _choose_heading(layout: Layout, texts: Sequence[str], names: frozenset[str]) -> Block | None:
    """The block that is the headline; headings of the first rank before others, blocks of any kind only if worded as declared."""
    ranks: dict[str, list[Block]] = {"h1": [], "h2": [], "h3": []}
    keys = set(map(key_of, texts))
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
    best, heading = _LEAST_SCORE, None
    for found in ranks.values():
        for block in found[:40]:
            score = _rate_heading(layout, block, texts, is_only=len(ranks["h1"]) < 2)
            if score > best:
                best, heading = score, block
        if best >= 5.0:
            break
    return same if same is not None and best < 3.0 else heading


#: Rank of a heading, and how alike the titles in the head it must be.
_RANKS = {"h1": (2.0, 0.0), "h2": (0.8, 0.5), "h3": (0.3, 0.7)}
_LEAST_SCORE = 0.4


def _rate_heading(layout: Layout, block: Block, texts: Sequence[str], *, is_only: bool) -> float:
    """Return the score of a heading by its rank and its likeness to the titles in the head, 0 where that is too little."""
    bonus, least = _RANKS[block.kind]
    agreement = max(map(partial(likeness, block.text), texts), default=0.0)
    if block.kind != "h1" and agreement == BEGINNING and not any(2 * len(block.text) >= len(text) for text in texts):
        agreement = 0.5  # a rubric with which the title begins
    if agreement < least:
        return 0.0
    score = bonus + 4 * agreement - (1.5 if layout.boxes[block.box].within & BOXES_BESIDE else 0.0)
    if agreement < 0.3 and (block.linked > 0.5 * len(block.text) or not is_only or len(block.text) < 12):
        score -= 2.0
    return score


def explain_headings(page: Document) -> Iterator[tuple[Block, str]]:
    """Yield the headings that are not the headline although they could be, and why."""
    texts, names = page.view(read_declared_titles).texts, find_site_headings(page)
    headline = find_headline_block(page)
    headings = [block for block in page.layout.blocks if block.kind in _RANKS and block is not headline]
    is_only = sum(block.kind == "h1" for block in (*headings, *([headline] if headline else []))) < 2
    for block in headings:
        if len(block.text) > _LONGEST_HEADLINE:
            yield block, "longer than a headline"
        elif key_of(block.text) in names:
            yield block, "the name of the site"
        elif block.kind == "h1" or _rate_heading(page.layout, block, texts, is_only=is_only) > _LEAST_SCORE:
            yield block, "agrees less with the titles in the page's head, or is of a lower rank"


_HEADLINE_WORDS = (
    "title", "headline", "nadpis", "titul", "tytul", "titre", "titolo", "naslov", "überschrift", "ueberschrift", "titel",
)  # fmt: skip
_CALLED = re.compile(
    rf"(?:article|story|news|post|entry|page|content|lbl|main|detail|clanek|clanku|artikel|beitrag|txt)?-?(?:{'|'.join(_HEADLINE_WORDS)}(?:o|ek)?)"
)
_OTHERS = re.compile(
    r"site|blog|box|widget|side|section|sub|rel|logo|foot|comment|im(?:g|age)|pic|photo|foto|galler|block|menu|tab|cat|part"
)
#: Words that the name of a site has at most, and how alike a headline and the page's title are.
_WORDS_OF_NAME, _ALIKE = 5, 0.5


def _is_called_title(element: etree._Element) -> bool:
    """Return whether a class or the id of an element calls it the title of an article."""
    names = f"{element.get('class', '')} {element.get('id', '')}".lower().split()
    return any(_CALLED.fullmatch(name.rsplit("_", 1)[-1]) and not _OTHERS.search(name) for name in names)


#: The size of type of a text of which nothing is said, as `<font size>` counts it, of one in bold.
_USUAL, _BOLD = 3.0, 3.1
#: Headings that no title knows, as sizes.
_HEADINGS = {"h1": 6.05, "h2": 5.05, "h3": 4.05}
#: Words of a title that says nothing, as "Untitled" and "News" do: only beside such a one a merely bold line is a headline.
_WORDS_OF_NONE = 2
_WORDED = re.compile(r"font-size:\s*(?P<word>large|x-large|xx-large|larger)", re.IGNORECASE)
_UNITS = {"px": 16.0, "pt": 12.0, "em": 1.0, "rem": 1.0, "%": 100.0}
_WORDS = {"large": 4.0, "larger": 4.0, "x-large": 5.0, "xx-large": 6.0}


def find_largest_line(page: Document) -> tuple[str, etree._Element, Block] | None:
    """Find the line above the first paragraph whose type is larger than all others there, its element and its block."""
    declared = page.view(read_declared_titles)
    title = key_of(page.title)
    found = [
        (size, (text, element, block))
        for block in _is_above_text(page)
        for size, element, text in _set_lines(block)
        if key_of(text) not in declared.names and not is_site_name(text, declared.names) and not is_day(text)
    ]
    if len(page.title.split()) <= _WORDS_OF_NAME:  # it may be the name of the site, and the line its logo
        found = [each for each in found if key_of(each[1][0]) != title] or found
    if not found:
        return None
    largest = max(size for size, _ in found)
    lines = [line for size, line in found if size == largest]
    line = lines[-1] if largest in _HEADINGS.values() else lines[0]
    if _gives_more(page, largest) and not any(likeness(line[0], other) >= _ALIKE for other in declared.texts):
        return None  # the title says something else
    return line


def _gives_more(page: Document, size: float) -> bool:
    """Return whether the title says more than the name of the site or of a section, which a merely bold line does not outweigh."""
    names, words = page.view(read_declared_titles).names, page.title.split()
    if size in _HEADINGS.values():
        return len(remove_site(page.title, names).split()) > _WORDS_OF_NONE
    return len(words) > (_WORDS_OF_NAME if size > _BOLD or is_site_name(page.title, names) else _WORDS_OF_NONE)


def _is_above_text(page: Document) -> list[Block]:
    """Those of the eight lines above the first paragraph that stand in no box beside the article, and are no links."""
    layout = page.layout
    texts = (block for block in layout.blocks[:400] if block.is_sentence and 2 * block.linked < len(block.text))
    first = next((block.index for block in texts if block.size >= 80), 0)
    return [
        block
        for block in layout.blocks[max(0, first - 8) : first]
        if 2 * block.linked <= len(block.text) and not layout.boxes[block.box].within & BOXES_BESIDE
    ]


def _set_lines(block: Block) -> Iterator[tuple[float, etree._Element, str]]:
    """Yield the lines of a block that are set larger than text, or in bold, each with the size of its type."""
    if block.kind in _HEADINGS:
        yield _HEADINGS[block.kind], block.element, block.text
        return
    for element in islice(block.element.iter("font", "span", "big", "b", "strong", "p", "div", "center", "td"), 60):
        text = short_text(element, _LONGEST_HEADLINE)
        if text is None or len(text) < 10 or text not in block.text or text[-1:] in ":：":
            continue
        if len(block.text) - len(text) > 120:  # more than a rubric, a date and names
            continue
        around = [element, *islice(element.iterancestors(), 3)]
        size = next((size for each in around if (size := _read_size(each))), 0.0)
        if size <= _USUAL:
            bold = any(each.tag in ("b", "strong") for each in around) or block.bold == len(block.text)
            size = _BOLD if bold and size in (0.0, _USUAL) and text[-1:] not in ".," else 0.0
            size = 3.2 if _is_called_title(element) else size  # counts as more than bold type
        if size:
            yield size, element, text


def _read_size(element: etree._Element) -> float:
    """The size of type that an element sets, as `<font size>` counts it; 0 where it says nothing of it."""
    if element.tag == "big":
        return _USUAL + 1
    if element.tag == "font" and (match := re.match(r"([+-]?)(\d)", (element.get("size") or "").strip())):
        return {"": 0.0, "+": _USUAL, "-": _USUAL}[match[1]] + (-1 if match[1] == "-" else 1) * float(match[2])
    style = element.get("style") or ""
    if match := re.search(r"font-size:\s*(?P<number>\d{1,3}(?:\.\d{1,2})?)\s*(?P<unit>px|pt|em|rem|%)", style, re.IGNORECASE):
        return _USUAL + 3 * (float(match["number"]) / _UNITS[match["unit"].lower()] - 1)
    return _WORDS[match["word"].lower()] if (match := _WORDED.search(style)) else 0.0
