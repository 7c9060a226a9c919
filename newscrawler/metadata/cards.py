"""Authors in markup that says nothing: "By" parted from the name by elements, and the card of a name, a portrait and a date.

What stands in elements of their own is read without blanks between ("ByJane Doe"), since blanks that a style sheet makes are not in
the source; and a name in Chinese, Japanese or Korean is two to five signs, as a rubric is: beside a portrait it is a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from lxml import etree

from newscrawler.extraction.headline import headline_block
from newscrawler.metadata.bylines import byline_text, is_label_alone, is_office, shown_names
from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout, holds_time
from newscrawler.page.marks import Mark
from newscrawler.page.named import pieces_of_small

_OTHERS = int(Mark.COMMENT | Mark.RELATED | Mark.NAVIGATION | Mark.PROMOTION)
#: Lines below the headline, in the text's end and behind it, and lines of a card; characters of a name's line, and of a card.
_BELOW, _WITHIN, _BEHIND, _MOST_LINES = 12, 3, 5, 4
#: Characters of a link that announces another article.
_SHORTEST_TITLE = 25
_LONGEST_LINE, _LONGEST_NAME, _LONGEST_CARD = 120, 60, 160
_EASTERN = re.compile(
    r"[\u3040-\u30ff\u4e00-\u9fff々]{2,5}|[\u4e00-\u9fff]{1,4}[ \u3000][\u4e00-\u9fff\u3040-\u30ff]{1,4}|[\uac00-\ud7af]{2,4}"
)
_DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,2}[:.]\d\d\b")


def named_apart(page: Document, body: Sequence[etree._Element]) -> list[str]:
    """Give the names behind a "By" word in an element, or in a line, of its own: below the headline or behind the text."""
    heading = headline_block(page)
    if heading is None:
        return []
    blocks, boxes = page.layout.blocks, page.layout.boxes
    end = _end_of(page, body)
    below = blocks[heading.index + 1 : min(heading.index + _BELOW, end or len(blocks))]
    for block in chain(below, _lines_behind(blocks, end)):
        if len(block.text) > _LONGEST_LINE or block.is_sentence or block.kind[0] == "h" or boxes[block.box].within & _OTHERS:
            continue
        if is_label_alone(block.text):
            following = blocks[block.index + 1] if block.index + 1 < len(blocks) else None
            if following is None or len(following.text) > _LONGEST_NAME or not _side_by_side(page.layout, block, following):
                continue
            names = shown_names(byline_text(following.element) or following.text)
            if names and not all(map(is_office, names)):  # whom a page declares goes before an agency
                return names
            continue
        lines = _pieces(block.element) if len(block.element) else []
        if lines and is_label_alone(lines[0]) and (names := shown_names("\n".join(lines)) or shown_names(lines[1])):
            return names
    return []


def _pieces(element: etree._Element) -> list[str]:
    """The texts of the elements of a small line, two at least."""
    pieces = pieces_of_small(element, _LONGEST_LINE) or []
    texts = [text for piece in pieces if (text := " ".join(piece.split()))]
    return texts if len(texts) > 1 else []


def _side_by_side(layout: Layout, block: Block, other: Block) -> bool:
    """Tell whether two lines stand in one small box."""
    box = next(box for box in layout.outer(block.box) if box.first <= other.index < box.last)
    return box.last - box.first <= _MOST_LINES or layout.boxes[other.box].parent == box.index


def _end_of(page: Document, body: Sequence[etree._Element]) -> int:
    """Number of the first block behind the text; 0 where it is not known."""
    if not body:
        return 0
    return next((box.last for box in page.layout.boxes if box.element is body[-1]), 0)


def _lines_behind(blocks: Sequence[Block], end: int) -> Iterator[Block]:
    """The last lines of the text and the first behind it."""
    if not end:
        return
    yield from blocks[max(end - _WITHIN, 0) : end]
    for block in blocks[end : end + _BEHIND]:
        if block.kind[0] == "h" or block.linked >= _SHORTEST_TITLE:  # what announces other articles names their authors
            return
        yield block


def carded(page: Document) -> list[str]:
    """Give the name in Chinese, Japanese or Korean that shares a small box with a portrait of that name, or with one and a date."""
    heading = headline_block(page)
    if heading is None:
        return []
    layout = page.layout
    for block in layout.blocks[heading.index + 1 : heading.index + _BELOW]:
        if _EASTERN.fullmatch(block.text) and _is_in_card(layout, block):
            return shown_names(block.text)
    return []


def _is_in_card(layout: Layout, block: Block) -> bool:
    for box in layout.outer(block.box):
        if box.last - box.first > _MOST_LINES or box.characters > _LONGEST_CARD:
            return False
        if not box.images:
            continue
        if any((image.get("alt") or "").strip() == block.text for image in box.element.iter("img")):
            return True
        near = layout.blocks[box.first : min(box.last + 1, len(layout.blocks))]
        return box.tag != "a" and any(_tells_time(each) for each in near if each is not block)
    return False


def _tells_time(block: Block) -> bool:
    return len(block.text) <= _LONGEST_NAME and (_DATED.search(block.text) is not None or holds_time(block))
