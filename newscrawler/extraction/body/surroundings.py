"""Lines among those of the body that belong to the page: hidden parts, offers of subscriptions, headings of links."""

from __future__ import annotations

from itertools import zip_longest
from operator import attrgetter

from newscrawler.extraction.body.cues import LONGEST_LINE, opens_reference
from newscrawler.languages import pattern
from newscrawler.page import UNSEEN, Block, Layout, Mark

#: Share of the text from which on a hidden part is the article itself.
MOST_BESIDES = 0.4
_OFFER, _LONGEST_OFFER, _MOST_OF_OFFER = int(Mark.POPUP | Mark.PROMOTION), 1200, 20
#: Blocks behind a heading that may be its links, and characters of a line that is set as a heading.
_NEAR, _LONGEST_HEADING = 4, 60
_get_size = attrgetter("size")


def remove_surroundings(layout: Layout, chosen: list[Block]) -> list[Block]:
    """Return the blocks without hidden parts, offers of subscriptions and headings of links that were left out."""
    return remove_orphans(layout, remove_offers(layout, remove_unseen(layout, chosen)))


def remove_unseen(layout: Layout, chosen: list[Block]) -> list[Block]:
    """Return the blocks without those that nobody sees, unless they are most of the text, which a script then shows."""
    unseen = [block for block in chosen if layout.boxes[block.box].within & UNSEEN]
    if not unseen or sum(map(_get_size, unseen)) > MOST_BESIDES * sum(map(_get_size, chosen)):
        return chosen
    return [block for block in chosen if not layout.boxes[block.box].within & UNSEEN]


def remove_orphans(layout: Layout, chosen: list[Block]) -> list[Block]:
    """Return the blocks without headings of links that were left out: "See also" and its like, wherever they are."""
    orphans: set[int] = set()
    for block, following in zip_longest(chosen, chosen[1:]):
        left_out = layout.blocks[block.index + 1 : following.index if following is not None else block.index + 1 + _NEAR]
        if not left_out or not _is_heading(block):
            continue
        is_list = len(left_out) > 1 and any(other.kind == "li" for other in left_out[:_NEAR])
        if (is_list or opens_reference(block.text)) and all(2 * other.linked > len(other.text) for other in left_out[:_NEAR]):
            orphans.add(block.index)
    return [block for block in chosen if block.index not in orphans] if orphans else chosen


def _is_heading(block: Block) -> bool:
    """Return whether a block is a heading, or a short line that is set as one."""
    is_bold = block.bold >= len(block.text) - 1 and len(block.text) <= _LONGEST_HEADING
    return block.kind[0] == "h" or (is_bold and not block.is_sentence)


def remove_offers(layout: Layout, chosen: list[Block]) -> list[Block]:
    """Return the blocks without the boxes below a teaser that offer a subscription, as their names and their words say."""
    boxes: dict[int, list[Block]] = {}
    for block in chosen:
        if layout.boxes[block.box].within & _OFFER:
            outermost = [box.index for box in layout.outer(block.box) if box.marks & _OFFER]
            if outermost:
                boxes.setdefault(outermost[-1], []).append(block)
    offers: set[int] = set()
    for number, blocks in boxes.items():
        whole = layout.blocks[layout.boxes[number].first : layout.boxes[number].last]
        words = " ".join(block.text for block in whole[:_MOST_OF_OFFER] if len(block.text) <= LONGEST_LINE).lower()
        if pattern("subscribe", "paywall", "sign_in").search(words) and sum(map(_get_size, blocks)) <= _LONGEST_OFFER:
            offers.update(block.index for block in blocks)
    return [block for block in chosen if block.index not in offers] if 0 < len(offers) < len(chosen) else chosen
