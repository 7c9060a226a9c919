"""Rows of tables: some hold figures or words, and are read as one line; others arrange the page, and are boxes like any other."""

from __future__ import annotations

from lxml import etree

from newscrawler.page.blocks import extent_of

_LAYOUT_INSIDE = frozenset({
    "table", "div", "h1", "h2", "h3", "form", "section", "article", "ul", "ol", "blockquote", "figure", "center",
})  # fmt: skip


#: A cell with as many characters, a link and a line break is running text; behind a blank line there is another paragraph.
_STORY = 80
#: Links on lines of their own that are a menu's.
_LEAST_MENU = 3


def is_data_row(row: etree._Element) -> bool:
    """Tell a row of figures or words from a row that arranges parts of a page: paragraphs, stories side by side, a menu."""
    paragraphs = cells = filled = characters = breaks = lines = 0
    stories = links = broken = parted = start = 0
    for element in row.iter():
        tag = element.tag
        if tag in _LAYOUT_INSIDE:
            return False
        if tag == "p":
            paragraphs += 1
        elif tag == "a":
            links += 1
        elif tag == "br":
            breaks += 1
            below = element.getnext()
            if below is not None and not (element.tail and element.tail.strip()):
                if below.tag == "br" and characters - start >= _STORY:
                    return False
                lines += below.tag == "a" and _is_link_alone(element.getprevious())
        elif tag in ("td", "th"):
            size = characters - start
            filled += size > 0
            stories += size >= _STORY and (paragraphs > parted or (links > 0 and breaks > broken))
            cells, links, broken, parted, start = cells + 1, 0, breaks, paragraphs, characters
        if text := element.text:
            characters += 0 if text.isspace() else len(text) if text.isascii() else extent_of(text)
        if text := element.tail:
            characters += 0 if text.isspace() else len(text) if text.isascii() else extent_of(text)
    size = characters - start
    filled += size > 0
    stories += size >= _STORY and (paragraphs > parted or (links > 0 and breaks > broken))
    if stories > 1 or lines > _LEAST_MENU - 2 or (filled == 1 and cells > 1 and characters >= _STORY):
        return False
    return cells > 1 and paragraphs <= cells and characters < 250 * cells and breaks <= 2 * cells


def _is_link_alone(element: etree._Element | None) -> bool:
    return element is not None and element.tag == "a" and not (element.tail and element.tail.strip())
