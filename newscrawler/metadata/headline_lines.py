"""Authors in the lines beside the headline: behind a word like "By", or beside the date without any word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml import etree

from newscrawler.extraction.headline import headline_block
from newscrawler.languages import alternatives
from newscrawler.metadata.bylines import begins_with_by, byline_text, is_office, shown_names
from newscrawler.metadata.mentions import is_spoken_of
from newscrawler.metadata.rubrics import is_rubric
from newscrawler.metadata.signatures import lines_of
from newscrawler.page import Document
from newscrawler.page.blocks import Block, holds_time

#: Lines below the headline in which its date is expected, and of one that may name authors without a word that says so.
_LINES_TO_DATE, _MOST_BESIDE = 6, 2
#: Share of a line beside the date that is names.
_LEAST_OF_LINE = 0.3
_DATED = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\d{1,2}\. ?\d{1,2}\.")
_HOURS = alternatives("hour_words", "years_short")
_BEHIND_DATE = re.compile(rf"\d(?:\s?(?:[ap]\.?m\.?|hs?|{_HOURS}))?[\s,|·•/–—)-]+", re.IGNORECASE)
_LONGEST_LINE, _ENDS_OF_SENTENCES = 120, frozenset("!?…:")
_PICTURED = frozenset({"figure", "figcaption"})
#: Lines below the headline in which a byline is expected.
_LINES_BELOW = 14


def after_by(page: Document) -> list[str]:
    """Give the names in the line beside the headline, or an element of it, that begins with "By", "von", "Autor:" and the like."""
    heading = headline_block(page)
    if heading is None:
        return []
    parts: dict[etree._Element, list[str]] = {}  # of the element that the lines of an old page share
    for block in page.layout.blocks[heading.index : heading.index + _LINES_BELOW]:
        if len(block.text) > _LONGEST_LINE + len(heading.text) * (block is heading) or block.text[-1:] in _ENDS_OF_SENTENCES:
            continue
        lines = lines_of(block)
        for line in lines[1:] if block is heading else lines:
            if len(line) > _LONGEST_LINE:
                continue
            if names := shown_names(line) if begins_with_by(line) else _behind_date(line, block.index - heading.index):
                return names
        if block is not heading and len(block.text) <= _LONGEST_LINE:
            if block.element not in parts:
                parts[block.element] = _parts_by(block.element)
            if names := [name for part in parts[block.element] for name in shown_names(part)]:
                return names
    return []


def _parts_by(line: etree._Element) -> list[str]:
    """The elements of a line that begin with a word like "By", where the line shows something else before: its date, a number."""
    said = (byline_text(element) for element in line if element.tag != "br")
    return [text for text in said if text and begins_with_by(text)]


def _behind_date(line: str, below: int) -> list[str]:
    """Give the full names behind a "By" word that follows the date of a line close below the headline."""
    said = _BEHIND_DATE.split(line)[-1] if below <= _LINES_TO_DATE and _DATED.search(line) else line
    if said == line or not begins_with_by(said):
        return []
    return [name for name in shown_names(said) if " " in name and ":" not in name]


def beside_date(page: Document, body: Sequence[etree._Element]) -> list[str]:
    """Give the full names that stand, without a link, in or beside the first line under the headline that holds a date.

    What the page calls its menus and topics by is no author, nor is what the text itself speaks of: a place, a club, who is seen
    in a picture.
    """
    heading = headline_block(page)
    if heading is None:
        return []
    layout = page.layout
    lines = layout.blocks[heading.index + 1 : heading.index + _LINES_TO_DATE]
    dated = next((n for n, block in enumerate(lines) if _tells_date(block) and not block.is_sentence), None)
    if dated is None:
        return []
    for number in (dated, dated - 1, dated + 1):
        block = lines[number] if 0 <= number < len(lines) else None
        if (
            block is None
            or block.link_density > 0.5
            or len(block.text) > _LONGEST_LINE
            or block.is_sentence
            or block.kind[0] == "h"
            or layout.boxes[block.box].tag in _PICTURED
        ):
            continue
        linked = " ".join("".join(map(str, link.itertext())) for link in block.element.iter("a"))
        said = shown_names(byline_text(block.element) or block.text)
        names = [
            name
            for name in said
            if " " in name
            and ":" not in name
            and name[0].isupper()
            and not is_office(name)
            and not is_rubric(name)
            and name not in heading.text
            and name not in linked
        ]
        if number != dated and _LEAST_OF_LINE * len(block.text) > sum(map(len, names)):
            continue  # the caption of a picture, cut where its words get small
        if 0 < len(names) <= _MOST_BESIDE and not any(is_spoken_of(page, name, heading, body) for name in names):
            return names
    return []


def _tells_date(block: Block) -> bool:
    """Tell whether a short line holds a date, or a time however it is worded ("3 hours ago")."""
    return len(block.text) <= _LONGEST_LINE and (_DATED.search(block.text) is not None or holds_time(block))
