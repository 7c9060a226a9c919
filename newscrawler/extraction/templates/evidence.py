"""What the learned pages of a portal show of the blocks of another one: labels at their places, lines that recur."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from newscrawler.extraction.body.extractor import Examination
from newscrawler.extraction.body.headline import headline_index
from newscrawler.extraction.templates.lines import key_of_line
from newscrawler.extraction.templates.model import Labels, Line, Place
from newscrawler.extraction.templates.signatures import NOTHING, KnownPlaces, Places, learn_places
from newscrawler.page.blocks import Block

#: Probability from which on the line of a block is compared, and that of a block which no forest weighs.
_LEAST_LIKELY, _NOT_WEIGHED = 0.02, 0.005
#: Probability from which on a block is text for sure enough.
_IS_TEXT = 0.5
#: Amount of text that the balance of text and other things must outweigh.
_DOUBT = 3.0
#: Pages of a line that recurs; more than these say no more.
_MOST_PAGES = 4
_NO_PLACE = [0.0] * 11


class LabelledPage(NamedTuple):
    """A page whose text is known."""

    found: Examination
    places: Places
    #: Of each block: the share of it that is text of the article.
    shares: Sequence[float]


def learn_labels(pages: Sequence[LabelledPage]) -> Labels:
    """Return what labelled pages have at their places, and what the block model expects there."""
    places = learn_places((each.found.page, each.places, each.shares) for each in pages)
    expected = learn_places((each.found.page, each.places, each.found.probabilities.tolist()) for each in pages)
    return Labels(pages=len(pages), places=places, expected=expected)


@dataclass(frozen=True, slots=True, eq=False)
class KnownEvidence:
    """Labels and recurring lines, ready to be looked up."""

    labels: Labels
    places: KnownPlaces
    expected: KnownPlaces
    lines: Mapping[str, Line]

    @classmethod
    def of(cls, labels: Labels, lines: Sequence[Line]) -> KnownEvidence:
        """Make labels and lines ready."""
        known = {key: line for line in lines if (key := key_of_line(line.text))}
        return cls(labels, KnownPlaces(labels.places), KnownPlaces(labels.expected), known)

    def recurs(self, text: str) -> bool:
        """Tell whether a line recurs on several learned pages."""
        return key_of_line(text) in self.lines

    def of_page(self, found: Examination, places: Places) -> dict[int, list[float]]:
        """Return the evidence of the blocks of a page that have any, by index.

        It is in the order of `newscrawler.extraction.body.evidence.NAMES` behind the first.
        """
        likely, headline = found.probabilities.tolist(), headline_index(found.page)
        weighed = [block for block in found.page.layout.blocks if likely[block.index] > _NOT_WEIGHED and block.index != headline]
        compared = [block for block in weighed if likely[block.index] >= _LEAST_LIKELY] if self.lines else []
        if compared and headline is not None and self.recurs(found.page.layout.blocks[headline].text):
            first = next((block for block in compared if likely[block.index] > _IS_TEXT), None)
            compared = [block for block in compared if block is not first]  # other pages announce the article by headline and lead
        found_lines = ((block.index, self.lines.get(key_of_line(block.text))) for block in compared)
        lines, rows = {index: min(line.pages, _MOST_PAGES) for index, line in found_lines if line is not None}, {}
        for block in weighed:
            of_place, of_line = self._of_place(places.of(block)), lines.get(block.index, 0)
            if of_place is not None or of_line:
                rows[block.index] = [*(of_place or _NO_PLACE), of_line, *_kind_of(block)]
        return rows

    def _of_place(self, place: str) -> list[float] | None:
        if not self.labels.pages or (found := self.places.at(place))[-1] is None:
            return None
        own, near, *further = (each or NOTHING for each in found)
        row = [self.labels.pages, *own, _balance(own, own.other), *near, _balance(near, near.other)]
        row += [_balance(each, each.other) for each in further]
        expected = [(each or NOTHING).text for each in self.expected.at(place)]
        return [*row, _balance(own, expected[0]), _balance(near, expected[1])]


def _balance(place: Place, against: float) -> float:
    return (place.text - against) / (place.text + place.other + _DOUBT)


def _kind_of(block: Block) -> tuple[float, ...]:
    return math.log2(block.size + 1), block.kind[0] == "h", block.kind == "tr"
