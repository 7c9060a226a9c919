"""Lists of few words that belong to the text: ingredients, results, what to take along. Each item alone reads like a menu's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from newscrawler.blocks.default.mass import DOUBTFUL
from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout
from newscrawler.page.likeness import key_of

#: Items of a list, and characters that one has at most.
_LEAST_ITEMS, _LONGEST_ITEM = 3, 80


def with_short_lists(page: Document, taken: list[Block]) -> list[Block]:
    """Take the ingredients that JSON-LD names, and lists amid the text without links.

    Of these both neighbours are text, and the one above stands in one box with the list.
    """
    if len(taken) < 2:
        return taken
    layout = page.layout
    more = _ingredients(page, taken)
    for above, below in pairwise(taken):
        between = layout.blocks[above.index + 1 : below.index]
        if len(between) >= _LEAST_ITEMS and between[0].kind == "li" and _is_list(layout, above, between):
            more.update((block.index, block) for block in between)
    if not more:
        return taken
    more.update((block.index, block) for block in taken)
    return [more[index] for index in sorted(more)]


def _ingredients(page: Document, taken: Sequence[Block]) -> dict[int, Block]:
    """The blocks from the headline to the end of the text that say what JSON-LD names as ingredients, by their numbers."""
    declared = [value for placed in page.placed_json_ld if isinstance(value := placed.value.get("recipeIngredient"), list)]
    if not declared:
        return {}
    keys = {key_of(text) for value in declared for text in value if isinstance(text, str)}
    headline = page.headline.block if page.headline else None
    first = headline.index + 1 if headline is not None and headline.index < taken[0].index else taken[0].index
    blocks = page.layout.blocks[first : taken[-1].index]
    found = {block.index: block for block in blocks if len(block.text) <= _LONGEST_ITEM and key_of(block.text) in keys}
    return found if len(found) >= _LEAST_ITEMS else {}


def _is_list(layout: Layout, above: Block, items: Sequence[Block]) -> bool:
    whole = items[0].element.getparent()
    if whole is None or above.element.getparent() is not whole.getparent():
        return False
    return all(
        item.kind == "li"
        and item.links == 0
        and len(item.text) <= _LONGEST_ITEM
        and item.element.getparent() is whole
        and not (item.marks | layout.boxes[item.box].marks | layout.boxes[layout.boxes[item.box].parent].marks) & DOUBTFUL
        for item in items
    )
