"""Summaries of other pages: what stands under a heading, or beside a link, that leads to another page of the site.

A page that is made of them is a listing (`verdict`); below an article, or in a box amid it, those with a heading are left out: a
mere link stands as well beside the lead. A list as article, whose headings may be links, has longer texts, or no such boxes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from newscrawler.page import Document
from newscrawler.page.blocks import Block, Box, Layout
from newscrawler.page.kind import Teasers

#: Characters; what stands longer under a single heading is no summary of another page.
LONGEST_TEASER = 900
#: Summaries that outweigh the article are left out only if they are all this short, and this much of an article remains.
_SHORT_TEASER = 300
_LEAST_LEFT = 100
#: Boxes alike, each with a link and a text, that are a list of other pages.
_LEAST_CARDS = 3
#: Blocks above a text of which one may announce it.
_ABOVE = 6
_SHORTEST_TITLE = 15
#: Headings of an article that is a list, and characters that lead into it.
_LEAST_NUMBERED, _LEAST_INTRODUCTION = 3, 100
_NUMBER = re.compile(r"\W{0,3}(\d{1,3})(?!\d)")
#: "10 places", but not "page 10 of 12".
_COUNT = re.compile(r"(?<!\d)(\d{1,3})\s?(?=[^\W\d_]{4}|[\u3040-\u9fff])(?!.*\d)")


@dataclass(slots=True)
class Teaser:
    """What announces another page, and the text of the body that belongs to it."""

    announcing: Block
    texts: list[Block] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Characters of its text."""
        return sum(block.size for block in self.texts)

    @property
    def last(self) -> int:
        """Number of its last block."""
        return self.texts[-1].index if self.texts else self.announcing.index


def _around(page: Document, taken: Sequence[Block]) -> Sequence[Block]:
    """The blocks from a little above what was taken to its end."""
    return page.layout.blocks[max(taken[0].index - _ABOVE, 0) : taken[-1].index + 1] if taken else ()


def teasers_of(page: Document, taken: Sequence[Block]) -> list[Teaser]:
    """Find what announces other pages among and right before the blocks that were taken."""
    layout, window = page.layout, _around(page, taken)
    if not any(2 * block.linked > len(block.text) for block in window):
        return []
    links = Teasers(page)
    chosen = {block.index for block in taken}
    found: list[Teaser] = []
    under: Teaser | None = None
    before = last = -1
    for block in window:
        heading = block.kind[0] == "h"
        if heading or (block.link_density > 0.5 and block.size >= 15 and (block.index not in chosen or block.link_density > 0.9)):
            if links.announces(block):
                if not heading and under is not None and _rules_on(under) and links.announce_the_same(under.announcing, block):
                    continue
                under = Teaser(block)
                before = last
                found.append(under)
            elif heading:
                under = None
        elif block.index in chosen:
            if under is not None and _together(layout, under.announcing, block, before):
                under.texts.append(block)
            last = block.index
    return found


def _rules_on(teaser: Teaser) -> bool:
    """Tell whether what stands below a heading may still be its date, as a link to the same page."""
    return teaser.announcing.kind[0] == "h" and not teaser.texts


def without_teasers(page: Document, taken: list[Block]) -> list[Block]:
    """Leave out the summaries of other pages that stand in boxes of their own."""
    taken = without_cards(page, taken)
    if not any(block.kind[0] == "h" and 2 * block.linked > len(block.text) for block in _around(page, taken)):
        return taken
    teasers = [teaser for teaser in teasers_of(page, taken) if teaser.announcing.kind[0] == "h"]
    if not teasers or is_numbered(page, taken, teasers):
        return taken
    layout = page.layout
    teased = {number for teaser in teasers for number in (teaser.announcing.index, *(block.index for block in teaser.texts))}
    rest = [block for block in taken if block.index not in teased and block.kind[0] != "h"]
    left = sum(block.size for block in rest)
    if left < _LEAST_LEFT:
        return taken
    own = {block.index for block in rest}
    if page.headline is not None and page.headline.block is not None:
        own.add(page.headline.block.index)
    apart: list[Teaser] = []
    for run in _runs(teasers, own):
        if len(run) == 1 and run[0].announcing.index < rest[0].index:  # the rubric or a series, as a heading above the lead
            continue
        around = _shared(layout, run[0].announcing, run[-1].last)
        if not _holds(around, own):
            apart += run
        else:
            apart += [
                teaser for teaser in run if not teaser.texts or not _holds(_shared(layout, teaser.announcing, teaser.last), own)
            ]
    if sum(teaser.size for teaser in apart) > left and any(teaser.size > _SHORT_TEASER for teaser in apart):
        return taken
    out = {number for teaser in apart for number in (teaser.announcing.index, *(block.index for block in teaser.texts))}
    return [block for block in taken if block.index not in out]


def without_cards(page: Document, taken: list[Block]) -> list[Block]:
    """Leave out three boxes or more of one make, side by side below more text than they hold: in each a link, and a short text."""
    cards = [Teaser(block, [block]) for block in taken if block.links == 1 and _begins_with_title(page, block)]
    if len(cards) + _links_above_text(page, taken) < _LEAST_CARDS:
        return taken
    cards = [teaser for teaser in teasers_of(page, taken) if teaser.announcing.kind[0] != "h" and teaser.texts] + cards
    if len(cards) < _LEAST_CARDS or any(card.size > _SHORT_TEASER for card in cards):
        return taken
    layout, rows = page.layout, dict[tuple[int, str, str | None], list[Teaser]]()
    for card in cards:
        box = _shared(layout, card.announcing, card.last)
        rows.setdefault((box.parent, box.tag, box.element.get("class")), []).append(card)
    out: set[int] = set()
    for row in rows.values():
        boxes = {_shared(layout, card.announcing, card.last).index for card in row}
        above = sum(block.size for block in taken if block.index < row[0].announcing.index and block.kind[0] != "h")
        if len(boxes) == len(row) >= _LEAST_CARDS and above >= max(_LEAST_LEFT, sum(card.size for card in row)):
            out.update(block.index for card in row for block in (card.announcing, *card.texts))
    own = {block.index for block in taken} - out
    if any(_holds(_shared(layout, card.announcing, card.last), own) for card in cards if card.announcing.index in out):
        return taken
    return [block for block in taken if block.index not in out]


def _links_above_text(page: Document, taken: Sequence[Block]) -> int:
    """How often a link, and no heading, stands right above what was taken: a card has one."""
    chosen = {block.index for block in taken}
    found, below_link = 0, False
    for block in _around(page, taken):
        taken_too = block.index in chosen
        if block.link_density > (0.9 if taken_too else 0.5):
            below_link = block.kind[0] != "h"
        elif taken_too:
            found += below_link
            below_link = False
    return found


def _begins_with_title(page: Document, block: Block) -> bool:
    """Tell whether a paragraph begins with a line that is nothing but a title, as a link to another page."""
    element = block.element
    if block.kind not in ("p", "li", "div") or (element.text and not element.text.isspace()) or len(element) < 2:
        return False
    link, below = element[0], element[1]
    alone = link.tag == "a" and below.tag == "br" and not (link.tail and link.tail.strip())
    return alone and block.linked >= _SHORTEST_TITLE and page.layout.boxes[block.box].element is element


def is_numbered(page: Document, taken: Sequence[Block], teasers: Sequence[Teaser]) -> bool:
    """Tell whether an article that is a list links its headings: "10 places", numbered from 1 or to it, below an introduction.

    Its headings bear numbers one by one, or there are as many as the headline says. Lists of the latest and the most read bear
    numbers too, but nothing leads into them.
    """
    headings = [teaser.announcing for teaser in teasers if teaser.announcing.kind[0] == "h" and teaser.texts]
    if len(headings) < _LEAST_NUMBERED or page.headline is None or page.headline.block is None:
        return False
    start = page.headline.block.index
    above = [block for block in taken if start < block.index < headings[0].index and block.is_sentence and block.kind[0] != "h"]
    introduction = sum(block.size for block in above)
    if introduction < _LEAST_INTRODUCTION or sum(teaser.size for teaser in teasers) < introduction:
        return False
    numbers = [int(found[1]) if (found := _NUMBER.match(heading.text)) else 0 for heading in headings]
    steps = {after - before for before, after in pairwise(numbers)}
    if steps in ({1}, {-1}) and 1 in (numbers[0], numbers[-1]):
        return True
    return str(len(headings)) in _COUNT.findall(page.headline.text)


def _runs(teasers: Sequence[Teaser], own: set[int]) -> list[list[Teaser]]:
    """Group the teasers between which nothing of the article stands."""
    runs: list[list[Teaser]] = []
    for teaser in teasers:
        if runs and own.isdisjoint(range(runs[-1][-1].announcing.index, teaser.announcing.index)):
            runs[-1].append(teaser)
        else:
            runs.append([teaser])
    return runs


def _shared(layout: Layout, block: Block, other: int) -> Box:
    """The innermost box that holds both."""
    return next(box for box in layout.outer(block.box) if box.first <= other < box.last)


def _holds(box: Box, numbers: set[int]) -> bool:
    return any(box.first <= number < box.last for number in numbers)


def _together(layout: Layout, announcing: Block, text: Block, before: int) -> bool:
    """Tell whether the text belongs to what announces it.

    A heading rules what follows beside it, or what lies with it in a box that holds no text from before it; a mere link only what
    shares its small box.
    """
    shared = _shared(layout, announcing, text.index)
    if announcing.kind[0] == "h":
        parents = layout.boxes[announcing.box].parent, layout.boxes[text.box].parent
        return shared.first > before or parents[0] == parents[1]
    return shared.last - shared.first <= 8 and shared.characters < LONGEST_TEASER
