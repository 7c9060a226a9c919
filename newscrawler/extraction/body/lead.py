"""The lead: what stands first and is set apart, by a name, by its place, by its type or by the page's own description."""

from __future__ import annotations

from collections.abc import Sequence

from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout
from newscrawler.page.likeness import key_of
from newscrawler.page.marks import Mark

_LEAD = int(Mark.LEAD)
#: A lead is seldom longer, and never this much of the article.
_LONGEST_LEAD = 1000
_MOST_LEADS = 3
#: Characters that are enough for one.
_SHORTEST_LEAD = 20


def lead_of(page: Document, taken: Sequence[Block]) -> tuple[Block, ...]:
    """Say which of the first blocks of the body are its lead; none where nothing sets them apart."""
    texts = [block for block in taken if block.kind != "tr"]
    if not texts:
        return ()
    layout = page.layout
    described = _key_of_description(page)
    lead: list[Block] = []
    for block in texts[:_MOST_LEADS]:
        rest = texts[len(lead) + 1 :]
        if block.size > _LONGEST_LEAD or not _is_apart(layout, block, rest, described):
            break
        lead.append(block)
    return tuple(lead) if sum(block.size for block in lead) >= _SHORTEST_LEAD else ()


def _key_of_description(page: Document) -> str:
    """Return the description that a page declares, in the form in which texts are compared."""
    return key_of(page.first_meta("description", "og:description", "twitter:description") or "")


def _is_described(block: Block, described: str) -> bool:
    """Return whether a block begins with the page's description, or the description with the block."""
    key = key_of(block.text)
    return len(key) > 25 and len(described) > 25 and (key.startswith(described[:80]) or described.startswith(key))


def _is_apart(layout: Layout, block: Block, rest: Sequence[Block], described: str) -> bool:
    box = layout.boxes[block.box]
    named = (box.marks | (layout.boxes[box.parent].marks if box.parent >= 0 else 0)) & _LEAD
    if named and _others_named(layout, rest) < 0.3:
        return True
    if _is_described(block, described):
        return True
    if not rest:
        return False
    if block.kind[0] == "h":
        return block.size >= 60 and block.is_sentence
    if block.bold > 0.9 * len(block.text) and sum(other.bold > 0.9 * len(other.text) for other in rest) * 4 <= len(rest):
        return True
    if block.size < 60:
        return False
    return _stands_outside(layout, block, rest)


def _stands_outside(layout: Layout, block: Block, rest: Sequence[Block]) -> bool:
    """Tell whether a box holds the text that follows, or most of it, and not this block.

    A box around each paragraph alone, as many systems make them, sets nothing apart.
    """
    if len(rest) == 1:
        own, other = layout.boxes[block.box], layout.boxes[rest[0].box]
        return own.depth < other.depth and layout.boxes[other.parent].first > block.index
    middle = rest[len(rest) // 2].index
    holding = next(box for box in layout.outer(rest[0].box) if box.last > middle)
    return holding.first > block.index


def _others_named(layout: Layout, rest: Sequence[Block]) -> float:
    """Share of the other blocks that bear the same kind of name: a name that all bear sets nothing apart."""
    if not rest:
        return 0.0
    named = 0
    for block in rest:
        box = layout.boxes[block.box]
        named += bool((box.marks | (layout.boxes[box.parent].marks if box.parent >= 0 else 0)) & _LEAD)
    return named / len(rest)
