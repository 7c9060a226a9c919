"""What is no text of the article where names say nothing (classes made by a machine): told by how it is built.

A caption shares its small box with a picture and ends with a credit; a player begins with its button; a letter to subscribe to asks
for an address; the next story has a headline of the same make, in a box beside that of this one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from lxml import etree

from newscrawler.blocks.default.beside import CREDIT, is_credit, is_heading_of_comments
from newscrawler.page import Document
from newscrawler.page.blocks import PICTURES, Block, Box, Layout, holds_time, make_of
from newscrawler.page.likeness import likeness

_LONGEST_CAPTION, _LONGEST_CREDIT, _CAPTION_AND_CREDIT = 400, 120, 2
_CREDIT_AT_END = re.compile(rf"[\s(/|–—.。-](?:{CREDIT.pattern}).{{2,60}}$", re.IGNORECASE)
#: One of them stands in every credit; to look for them first is ten times faster than the expression.
_OF_CREDITS = re.compile(r"[:：©]|ot\.|dj\.")
#: Whose the page is, and since when: what stands in its foot, whatever the foot is called.
_COPYRIGHT = re.compile(r"\W{0,3}(?:copyright\s*)?(?:©|\(c\))\s*(?:copyright\s*)?(?:19|20)\d\d\b", re.IGNORECASE)
_LONGEST_COPYRIGHT, _BEFORE_COPYRIGHT = 400, frozenset("©(Cc&|–—-•· ")
#: Characters of a box with a control of its own, and its share of what was taken; what of an article remains without it.
_LARGEST_CONTROL, _MOST_OF_TEXT, _LEAST_LEFT = 400, 0.34, 100
_CONTROLS = frozenset({"button", "audio", "video"})
_PASSED_BEFORE = frozenset({"svg", "style", "script", "noscript", "template", "source", "path"})
_LONGEST_ON_BUTTON = 25
#: Lines below the headline of a story among which one holds its date, and characters of this line.
_LINES_TO_DATE, _LONGEST_DATE_LINE = 6, 120
_DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,2}[:.]\d\d\b")
#: Characters without links of a story, and how alike its headline and the page's title are.
_LEAST_STORY, _ALIKE = 150, 0.5


def is_unnamed_foreign(layout: Layout, block: Block) -> bool:
    """Tell whether a block is the caption of a picture that ends with a credit, or the notice of who owns the page."""
    text = block.text
    if len(text) <= _LONGEST_COPYRIGHT and text[0] in _BEFORE_COPYRIGHT and _COPYRIGHT.match(text):
        return True
    if block.size > _LONGEST_CAPTION or block.kind[0] == "h":
        return False
    if begins_with_comments(block):
        return True
    box = layout.boxes[block.box]
    named = _OF_CREDITS.search(text) and (
        _CREDIT_AT_END.search(text) or (box.last - box.first <= _CAPTION_AND_CREDIT and _ends_with_credit(block))
    )
    return bool(named or _is_followed_by_credit(layout, block)) and _is_below_picture(layout, block)


def begins_with_comments(block: Block) -> bool:
    """Tell whether a block begins with the heading of comments in an element of its own: <span>Comments</span><span>42 …</span>."""
    first = next(iter(block.element), None) if block.kind == "div" else None
    if first is None or first.tag != "span" or first.tail or not first.text or first.getnext() is None:
        return False
    return is_heading_of_comments(first.text.strip()) and not (block.element.text or "").strip()


def _is_followed_by_credit(layout: Layout, block: Block) -> bool:
    """Tell whether the next block is nothing but a credit, and that of a picture above both: not of one between them."""
    following = layout.blocks[block.index + 1] if block.index + 1 < len(layout.blocks) else None
    if following is None or len(following.text) > _LONGEST_CREDIT or not _OF_CREDITS.search(following.text):
        return False
    if not is_credit(following) or layout.boxes[following.box].images:
        return False
    small = next(box for box in layout.outer(block.box) if box.first <= following.index < box.last)
    if block.kind == "p" and not (small.images and small.last - small.first == _CAPTION_AND_CREDIT):
        return False
    return not _is_picture_before(layout, following.index)


def _is_picture_before(layout: Layout, number: int) -> bool:
    """Tell whether a box with nothing but pictures stands right before a block."""
    boxes = layout.boxes
    for place in range(bisect_left(boxes, number, key=_first), len(boxes)):
        box = boxes[place]
        if box.first != number:
            return False
        if box.images and box.last == number:
            return True
    return False


def _first(box: Box) -> int:
    return box.first


def _is_below_picture(layout: Layout, block: Block) -> bool:
    """Tell whether a block stands in one small box with a picture, or right behind a picture or a box of nothing else."""
    small = layout.boxes[block.box]
    for box in layout.outer(block.box):
        if box.last - box.first > _CAPTION_AND_CREDIT:
            break
        small = box
        if box.images:
            return True
    if _is_picture_before(layout, small.first):
        return True
    before = small.element.getprevious()
    return before is not None and before.tag in PICTURES


def _ends_with_credit(block: Block) -> bool:
    """Tell whether the last element of a block is nothing but a credit, as in "The bridge <span>Photo: Ann Lee</span>"."""
    last = block.element
    while len(last) and isinstance(last[-1].tag, str) and not (last[-1].tail or "").strip():
        last = last[-1]
        said = " ".join("".join(map(str, last.itertext())).split())
        if said and said != block.text and len(said) <= _LONGEST_CREDIT:
            return is_credit(Block(0, block.box, said, "div", last, len(said), 0, 0))
    return False


def next_stories(page: Document, headline: Block | None) -> list[Box]:
    """The boxes of other stories, below the page's own and built as it is: side by side, with a headline of the same make each.

    Only where the page's title is this headline: the front page of a weblog is built so too, and is not about its first post.
    """
    layout = page.layout
    if headline is None or headline.kind not in ("h1", "h2") or headline.linked:
        return []
    make = make_of(layout, headline)
    others = [
        block
        for block in layout.blocks[headline.index + 1 :]
        if block.kind == headline.kind and block.text != headline.text and make_of(layout, block) == make
    ]
    if not others or (headline.kind == "h2" and not make[1]):
        return []
    own = None
    for box in layout.outer(headline.box):
        if box.first <= others[0].index < box.last:
            break
        own = box
    if own is None or own.characters - own.linked < _LEAST_STORY or own.index == headline.box:
        return []
    if not any(likeness(headline.text, text) > _ALIKE for text in page.declared_headline.texts):
        return []
    if not any(_is_dated_below(layout, block) for block in others):
        return []  # the parts of one long story, each in a section with a heading of the first rank
    found = [_beside(layout, own, block) for block in others]
    return [] if any(box is None for box in found) else [box for box in found if box is not None]


def _is_dated_below(layout: Layout, headline: Block) -> bool:
    """Tell whether a line with a date stands close below a headline, as below those of whole stories."""
    near = layout.blocks[headline.index + 1 : headline.index + 1 + _LINES_TO_DATE]
    return any(
        len(block.text) <= _LONGEST_DATE_LINE
        and not block.is_sentence
        and (_DATED.search(block.text) is not None or holds_time(block))
        for block in near
    )


def _beside(layout: Layout, own: Box, headline: Block) -> Box | None:
    """The box around a headline that stands beside that of the page's own story, or in a box of its own beside it."""
    story = None
    for box in layout.outer(headline.box):
        if box.first <= own.first < box.last:
            break
        story = box
    if story is None or story.index == headline.box or story.tag != own.tag or story.characters - story.linked < _LEAST_STORY:
        return None
    return story


def without_controls(page: Document, taken: list[Block]) -> list[Block]:
    """Leave out what stands in a small box with a control of its own: a player's button before it, a field for an address."""
    most = min(_LARGEST_CONTROL, _MOST_OF_TEXT * sum(block.size for block in taken))
    headline = page.headline.block if page.headline else None
    boxes: dict[int, bool] = {}
    kept = [block for block in taken if not _is_control(page.layout, block, headline, most, boxes)]
    left = sum(block.size for block in kept if block.kind[0] != "h")
    if len(kept) == len(taken) or left < _LEAST_LEFT:
        return taken
    while kept and kept[-1].kind[0] == "h":
        kept.pop()
    return kept


def _is_control(layout: Layout, block: Block, headline: Block | None, most: float, known: dict[int, bool]) -> bool:
    for box in layout.outer(block.box):
        if box.parent < 0 or box.characters > most:
            return False
        if headline is not None and box.first <= headline.index < box.last:
            return False
        if box.index not in known:
            known[box.index] = (
                box.tag != "p" and not box.images and (_begins_with_control(box.element) or _asks_for_address(box.element))
            )
        if known[box.index]:
            return True
    return False


def _begins_with_control(box: etree._Element) -> bool:
    """Tell whether the first thing in a box is a button or a player, and no text."""
    element = box
    while True:
        if element.text and not element.text.isspace():
            return False
        first = next((child for child in element if isinstance(child.tag, str) and child.tag not in _PASSED_BEFORE), None)
        if first is None:
            return False
        if first.tag in _CONTROLS or first.get("role") == "button":
            # what opens a part of the text, as the question above an answer, is no player
            return "aria-expanded" not in first.attrib and "aria-controls" not in first.attrib and _is_mere_sign(first)
        element = first


def _is_mere_sign(button: etree._Element) -> bool:
    return len(" ".join("".join(map(str, button.itertext())).split())) <= _LONGEST_ON_BUTTON


def _asks_for_address(box: etree._Element) -> bool:
    return any(field.get("type") == "email" for field in box.iter("input")) and next(box.iter("textarea"), None) is None


def boxes_within(layout: Layout, boxes: Sequence[Box]) -> set[int]:
    """Numbers of the boxes that are, or lie in, one of these."""
    found: set[int] = {box.index for box in boxes}
    if not found:
        return found
    for box in layout.boxes[min(found) :]:
        if box.parent in found:
            found.add(box.index)
    return found
