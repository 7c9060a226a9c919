"""The headline of a page without headings, whose elements have no names either: the line set in the largest type above the text.

Pages of the 1990s and 2000s write `<font size="5"><b>Headline</b></font>`, and have the name of the site, or none, for a title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from newscrawler.extraction.body.declared_titles import declared_titles
from newscrawler.extraction.body.named_headline import ALIKE, LONGEST, MOST_BESIDE, WORDS_OF_NAME, NamedHeadline
from newscrawler.extraction.body.site_names import calls_the_site, is_day, without_site
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.likeness import key_of, likeness
from newscrawler.page.marks import BOXES_BESIDE
from newscrawler.page.named import short_text

#: Characters of a headline, and of the paragraph below it; blocks between the two.
_SHORTEST, _PARAGRAPH, _BELOW = 10, 80, 8
#: Blocks of a page, elements of a block, and elements around them among which a size of type is looked for.
_MOST_BLOCKS, _MOST_INNER, _OUTER = 400, 60, 3
#: The size of type of a text of which nothing is said, as `<font size>` counts it, and of one in bold.
_USUAL, _BOLD = 3.0, 3.1
#: Headings that no title knows, as sizes.
_HEADINGS = {"h1": 6.05, "h2": 5.05, "h3": 4.05}
#: Words of a title that says nothing, as "Untitled" and "News" do: only beside such a one a merely bold line is a headline.
_WORDS_OF_NONE = 2
_STYLED = re.compile(r"font-size:\s*(?P<number>\d{1,3}(?:\.\d{1,2})?)\s*(?P<unit>px|pt|em|rem|%)", re.IGNORECASE)
_WORDED = re.compile(r"font-size:\s*(?P<word>large|x-large|xx-large|larger)", re.IGNORECASE)
_UNITS = {"px": 16.0, "pt": 12.0, "em": 1.0, "rem": 1.0, "%": 100.0}
_WORDS = {"large": 4.0, "larger": 4.0, "x-large": 5.0, "xx-large": 6.0}
_SIZE = re.compile(r"([+-]?)(\d)")
_SET = ("font", "span", "big", "b", "strong", "p", "div", "center", "td")
#: Letters in the block of a title beside it: of a rubric.
_BESIDE_TITLE, _SHORTEST_TITLE = 40, 15


def largest_line(page: Document) -> NamedHeadline | None:
    """Find the line above the first paragraph whose type is larger than all others there; None where none is."""
    declared = page.view(declared_titles)
    title = key_of(page.title)
    found = [
        (size, NamedHeadline(text, element, block))
        for block in _above_text(page)
        for size, element, text in _set_lines(block)
        if key_of(text) not in declared.names and not calls_the_site(text, declared.names) and not is_day(text)
    ]
    if len(page.title.split()) <= WORDS_OF_NAME:  # it may be the name of the site, and the line its logo
        found = [each for each in found if key_of(each[1].text) != title] or found
    if not found:
        return None
    largest = max(size for size, _ in found)
    lines = [line for size, line in found if size == largest]
    line = lines[-1] if largest in _HEADINGS.values() else lines[0]
    if _gives_more(page, largest) and not any(likeness(line.text, other) >= ALIKE for other in declared.texts):
        return None  # the title says something else
    return line


def _gives_more(page: Document, size: float) -> bool:
    """Tell whether the title says more than the name of the site or of a section, which a merely bold line does not outweigh."""
    names, words = page.view(declared_titles).names, page.title.split()
    if size in _HEADINGS.values():
        return len(without_site(page.title, names).split()) > _WORDS_OF_NONE
    return len(words) > (WORDS_OF_NAME if size > _BOLD or calls_the_site(page.title, names) else _WORDS_OF_NONE)


def line_of_title(page: Document, title: str) -> Block | None:
    """Find the line above the first paragraph that ends with the title, behind a rubric in the same line."""
    key = key_of(title)
    if len(key) < _SHORTEST_TITLE:
        return None
    return next(
        (
            block
            for block in _above_text(page)
            if key_of(block.text).endswith(key) and len(block.text) - len(title) <= _BESIDE_TITLE
        ),
        None,
    )


def _above_text(page: Document) -> list[Block]:
    """The lines right above the first paragraph that stand in no box beside the article, and are no links."""
    layout = page.layout
    first = next((block.index for block in layout.blocks[:_MOST_BLOCKS] if _is_paragraph(block)), 0)
    return [
        block
        for block in layout.blocks[max(0, first - _BELOW) : first]
        if 2 * block.linked <= len(block.text) and not layout.boxes[block.box].within & BOXES_BESIDE
    ]


def _is_paragraph(block: Block) -> bool:
    return block.is_sentence and block.size >= _PARAGRAPH and 2 * block.linked < len(block.text)


def _set_lines(block: Block) -> Iterator[tuple[float, etree._Element, str]]:
    """Yield the lines of a block that are set larger than text, or in bold, each with the size of its type."""
    if block.kind in _HEADINGS:
        yield _HEADINGS[block.kind], block.element, block.text
        return
    for element in islice(block.element.iter(*_SET), _MOST_INNER):
        text = short_text(element, LONGEST)
        if text is None or len(text) < _SHORTEST or text not in block.text or text[-1:] in ":：":
            continue
        if len(block.text) - len(text) > MOST_BESIDE:
            continue
        around = [element, *islice(element.iterancestors(), _OUTER)]
        size = next((size for each in around if (size := _size_of(each))), 0.0)
        if size <= _USUAL:
            bold = any(each.tag in ("b", "strong") for each in around) or block.bold == len(block.text)
            size = _BOLD if bold and size in (0.0, _USUAL) and text[-1:] not in ".," else 0.0
        if size:
            yield size, element, text


def _size_of(element: etree._Element) -> float:
    """The size of type that an element sets, as `<font size>` counts it; 0 where it says nothing of it."""
    if element.tag == "big":
        return _USUAL + 1
    if element.tag == "font" and (match := _SIZE.match((element.get("size") or "").strip())):
        return {"": 0.0, "+": _USUAL, "-": _USUAL}[match[1]] + (-1 if match[1] == "-" else 1) * float(match[2])
    style = element.get("style") or ""
    if match := _STYLED.search(style):
        return _USUAL + 3 * (float(match["number"]) / _UNITS[match["unit"].lower()] - 1)
    return _WORDS[match["word"].lower()] if (match := _WORDED.search(style)) else 0.0
