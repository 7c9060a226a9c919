"""What need not be weighed again on a page of a portal whose pages agree: that is what pays for the wrapper's own work.

Blocks at places about which all learned pages agree have their chance from there. If nothing else on the page may be text, nothing
is weighed at all; otherwise the others are, and every fifth of those taken for text, as a check. Every so many pages are weighed as
a whole, so that drift has the detector's own answer to hold the wrapper's against.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from newscrawler.extraction.body import Examination
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.wrappers.portal.lines import Furniture
from newscrawler.wrappers.portal.signatures import Places
from newscrawler.wrappers.portal.weigh import MANY_PAGES, Table, is_plain

#: Of what is taken for text, every so many blocks are weighed as a check.
_EVERY_BLOCK = 5
#: Characters that must stand at places beyond doubt for a page not to be weighed.
_LEAST_HELD = 300
#: Characters up to which a block that is nothing but a link is no text.
_LONGEST_LINK = 120
#: Characters from which on an unlinked block may be text.
_SHORTEST_TEXT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLevel:
    """The page-level answer, as far as it was needed."""

    found: Examination
    #: Blocks whose chance is the one of their place.
    spared: frozenset[int] = field(default_factory=frozenset)

    @property
    def is_whole(self) -> bool:
        """The answer owes nothing to the wrapper."""
        return not self.spared


@dataclass(frozen=True, slots=True)
class Sparing:
    """Reads pages at page level, and spares what is beyond doubt."""

    detector: object
    furniture: Furniture
    #: One page of so many is weighed as a whole.
    every_page: int
    #: Mass of what the page was laid out without.
    beyond: float = 0.0

    def read(self, page: Document, places: Places, table: Table | None) -> PageLevel:
        """Find the page-level answer."""
        if table is None or table.layout.barren or table.layout.pages < MANY_PAGES or not page.size % self.every_page:
            return PageLevel(found=self._weighed(page, {}))
        clear, others = beyond_doubt(page, places, table)
        text = [index for index, chance in clear.items() if chance >= 0.5]
        if not text or self._is_mostly_open(page, text, others):
            return PageLevel(found=self._weighed(page, {}))
        spared = frozenset(clear)
        if not self._may_be_text(others, text[0], text[-1]):
            found = Examination(chances=clear, taken=self.taken(page, clear))
            if sum(block.size for block in found.taken) >= max(_LEAST_HELD, table.layout.shortest // 2):
                return PageLevel(found=found, spared=spared)
        checked = frozenset(text[len(text) % _EVERY_BLOCK :: _EVERY_BLOCK])
        found = self._weighed(page, {index: chance for index, chance in clear.items() if index not in checked})
        if self._differs(page, checked, found):
            return PageLevel(found=self._weighed(page, {}))
        return PageLevel(found=found, spared=spared - checked)

    def _is_mostly_open(self, page: Document, text: Sequence[int], others: Sequence[Block]) -> bool:
        """Tell whether more may be text than is clear: the detector then needs the page as a whole."""
        held = sum(page.layout.blocks[index].size for index in text)
        return held < sum(block.size for block in others if block.size > _SHORTEST_TEXT and 2 * block.linked < len(block.text))

    def _may_be_text(self, others: Sequence[Block], first: int, last: int) -> bool:
        """Tell whether any of the other blocks may be text; a line that recurs is none, unless it stands amid the text."""
        recurring = self.furniture.of([block for block in others if not first < block.index < last], ())
        return any(block.index not in recurring for block in others)

    def _weighed(self, page: Document, spared: Mapping[int, float]) -> Examination:
        """The page-level answer, where the chances of some blocks need no weighing."""
        found = Examination(evidence=gather(page, spared=spared.keys(), beyond=self.beyond))
        if found.evidence is not None:
            self.detector.weigh(page, found.evidence, found)
        if spared:
            found.chances = dict(sorted({**found.chances, **spared}.items()))
            found.taken = self.taken(page, found.chances)
        return found

    def taken(self, page: Document, chances: Mapping[int, float]) -> list[Block]:
        """The blocks that are likely enough, as the detector would have them."""
        blocks = page.layout.blocks
        return settled(page, [blocks[index] for index, chance in chances.items() if chance >= self.detector.threshold])

    def _differs(self, page: Document, checked: frozenset[int], found: Examination) -> bool:
        """Tell whether blocks that were weighed as a check are no text after all."""
        sizes = {index: page.layout.blocks[index].size for index in checked}
        other = sum(size for index, size in sizes.items() if found.chances.get(index, 0.0) < self.detector.threshold)
        return 5 * other > sum(sizes.values())


def settled(page: Document, chosen: Sequence[Block]) -> list[Block]:
    """Drop what the detector drops of the blocks that it has chosen."""
    return without_labels(settle(chosen, page.headline.block if page.headline else None), page.layout.blocks)


def beyond_doubt(page: Document, places: Places, table: Table) -> tuple[dict[int, float], list[Block]]:
    """Chances of the blocks that need no weighing, and the others that may be text."""
    clear: dict[int, float] = {}
    others: list[Block] = []
    headline = page.headline.block if page.headline else None
    for block in page.layout.blocks:
        if block is headline or (10 * block.linked >= 9 * len(block.text) and block.size <= _LONGEST_LINK):
            continue
        chance = table.beyond_doubt(places.of(block))
        if chance is not None and (chance < 0.5 or is_plain(block, page.layout)):
            clear[block.index] = chance
        else:
            others.append(block)
    return clear, others
