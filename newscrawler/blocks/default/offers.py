"""The wall at the end of an article that is not free: an offer to subscribe, in a box of its own or said to be there.

What it says is told by the stem of one word in each language, since walls are made in a hundred ways; and by where it stands:
behind the text, short, and beside a button or a link, or on a page that says that it is not free.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from newscrawler.page import Document
from newscrawler.page.blocks import Block, Box, Layout

_SUBSCRIBE = re.compile(
    r"subscri|suscri|subscrev|souscri|abonn|abonel|abonează|abonați|abbonat|assinan|assine|předpla[tť]|predpla[tť]|prenumer|předplác|előfizet|"
    r"подпи[сш]|передплат|абонир|абонат|претплат|pretplat|naročnin|συνδρομ|abone|tilaaj|tellij|abonent|premium|"
    r"מנוי|מינוי|اشترك|مشترك|مشترک|اشتراک|订阅|訂閱|会员|會員|会員|購読|구독|유료|สมาชิก|đăng ký|berlangganan|सदस्य",
    re.IGNORECASE,
)
#: Characters of an offer, and of all that may follow it; blocks at the end in which it may begin.
_LONGEST, _LONGEST_REST, _AT_THE_END = 250, 600, 6
#: Characters of an article that must stand before it.
_LEAST_BEFORE = 60


def without_offer(page: Document, taken: list[Block]) -> list[Block]:
    """Leave out the offer to subscribe with which the text ends, and what follows it."""
    layout = page.layout
    for number in range(max(1, len(taken) - _AT_THE_END), len(taken)):
        block = taken[number]
        if (
            len(block.text) <= _LONGEST
            and (around := _apart(layout, taken, number)) is not None
            and _is_the_rest(taken, number)
            and _SUBSCRIBE.search(block.text)
            and _is_wall(page, layout, around, block)
        ):
            return without_last_headings(taken[:number])
    return taken


def without_last_headings(taken: list[Block]) -> list[Block]:
    """Drop headings that nothing follows any more."""
    while taken and taken[-1].kind[0] == "h":
        taken = taken[:-1]
    return taken


def _is_the_rest(taken: Sequence[Block], number: int) -> bool:
    """Tell whether little stands from the block on, and an article before it."""
    rest = sum(other.size for other in taken[number:])
    before = sum(other.size for other in taken[:number] if other.kind[0] != "h")
    return rest <= _LONGEST_REST and rest <= before + _LONGEST and before >= _LEAST_BEFORE


def _apart(layout: Layout, taken: Sequence[Block], number: int) -> Box | None:
    """The box around the block that is as large as it can be without what stands before it; None where it is a mere paragraph."""
    before = taken[number - 1].index
    around = None
    for box in layout.outer(taken[number].box):
        if box.first <= before:
            break
        around = box
    return None if around is None or (around.tag == "p" and around.last - around.first == 1) else around


def _is_wall(page: Document, layout: Layout, around: Box, block: Block) -> bool:
    """Tell whether a box has a button or a link to press beside the block, or the page says that it is not free."""
    if next(around.element.iter("button"), None) is not None or _is_not_free(page):
        return True
    return any(other.link_density > 0.9 for other in layout.blocks[around.first : around.last] if other is not block)


def _is_not_free(page: Document) -> bool:
    return any(str(item.get("isAccessibleForFree")).lower() == "false" for item in page.json_ld)
