"""Lines that recur over the pages of a portal, and yet are the article's: they stand amid what is said on this page only.

The header of a table recurs ("Place | Number"), a subheading does ("How it began"), and so does a sentence in which only the
numbers are others. Such a line is furniture where its neighbours recur as well, or at the edges of the text, not in the midst.
"""

from __future__ import annotations

from collections.abc import Sequence

from newscrawler.page.blocks import Block, Layout

_ROWS = ("li", "tr")
_LISTS = frozenset({"table", "ul", "ol", "dl"})


def amid(page: Layout, text: Sequence[Block], recurring: frozenset[int]) -> frozenset[int]:
    """Numbers of the recurring blocks that are the article's.

    Args:
        page: the blocks of the page.
        text: what the page-level detector takes for its text, in page order.
        recurring: numbers of blocks that recur.
    """
    own = {block.index for block in text if block.index not in recurring}
    found: set[int] = set()
    if len(own) == len(text) or not own:
        return frozenset()
    first, last = min(own), max(own)
    for block in text:
        if block.index in recurring and first < block.index < last and any(sign.isdigit() for sign in block.text):
            found.add(block.index)
    lists = {_list_of(page, page.blocks[index]) for index in own | found if page.blocks[index].kind in _ROWS}
    for block in reversed(text):
        if block.index not in recurring:
            continue
        row = block.kind in _ROWS and (of := _list_of(page, block)) is not None and of in lists
        if row or (block.kind[0] == "h" and block.index > first and block.index + 1 in own | found):
            found.add(block.index)
    return frozenset(found)


def _list_of(page: Layout, block: Block) -> int | None:
    """The list or table that a row stands in."""
    return next((box.index for box in page.outer(block.box) if box.tag in _LISTS), None)
