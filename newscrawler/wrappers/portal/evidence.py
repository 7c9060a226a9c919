"""What the learned pages of a portal show of the blocks of another one: labels at their places, lines that recur."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from newscrawler.extraction.body import Examination
from newscrawler.extraction.headline import headline_index
from newscrawler.page.blocks import Block, Layout
from newscrawler.wrappers.portal.lines import key_of_line
from newscrawler.wrappers.portal.model import MOST_PLACES, LabelledPlace, Labels, Line
from newscrawler.wrappers.portal.signatures import KnownPlaces, Places

#: Probability from which on the line of a block is compared, and that of a block which no forest weighs.
LEAST_LIKELY, _NOT_WEIGHED = 0.02, 0.005
#: Probability from which on a block is text for sure enough.
_IS_TEXT = 0.5
#: Amount of text that the balance of right and wrong text must outweigh.
_DOUBT = 3.0
#: Pages on which a line must stand to recur; more than these, or more labels against it, say no more.
_RECURS, _MOST_PAGES, _MOST_WRONG = 2, 4, 3
_NOTHING = LabelledPlace(0.0, 0.0, 0.0, 0)


class LabelledPage(NamedTuple):
    """A page whose text is known."""

    layout: Layout
    places: Places
    #: Of each block: the share of it that is text of the article, and the probability by the page itself.
    shares: Sequence[float]
    likely: Sequence[float]
    #: Index of the block of the headline.
    headline: int | None


def learn_labels(pages: Sequence[LabelledPage]) -> Labels:
    """Put together by place what is known of the blocks of labelled pages."""
    found: dict[str, LabelledPlace] = {}
    for layout, places, shares, likely, headline in pages:
        seen: set[str] = set()
        for block in layout.blocks:
            if block.index == headline:
                continue
            amount, share = math.sqrt(block.size), shares[block.index]
            place, own = places.of(block), LabelledPlace(amount * share, amount * (1 - share), amount * likely[block.index], 1)
            old = found.get(place, _NOTHING)
            found[place] = old.plus(own, old.pages + (place not in seen))
            seen.add(place)
    best = sorted(found.items(), key=lambda item: (-item[1].right - item[1].wrong, item[0]))[:MOST_PLACES]
    return Labels(pages=len(pages), places={name: place.rounded() for name, place in sorted(best)})


@dataclass(frozen=True, slots=True, eq=False)
class KnownEvidence:
    """Labels and recurring lines, ready to be looked up."""

    labelled: int
    lines: Mapping[str, Line]
    _places: KnownPlaces[LabelledPlace]

    @classmethod
    def of(cls, labels: Labels, lines: Sequence[Line]) -> KnownEvidence:
        """Make labels and lines ready."""
        places = KnownPlaces(labels.places, lambda one, other: one.plus(other, max(one.pages, other.pages)))
        return cls(labels.pages, {key: line for line in lines if (key := key_of_line(line.text))}, places)

    def recurs(self, text: str) -> bool:
        """Tell whether a line recurs on several learned pages."""
        line = self.lines.get(key_of_line(text))
        return line is not None and line.pages >= _RECURS

    def of_page(self, found: Examination, places: Places) -> dict[int, list[float]]:
        """Return the evidence of the blocks of a page that was read by itself."""
        return self.rows(found.page.layout, places, found.probabilities.tolist(), headline_index(found.page))

    def rows(self, layout: Layout, places: Places, likely: Sequence[float], headline: int | None) -> dict[int, list[float]]:
        """Return the evidence of the blocks that have any, by index, in the order of `newscrawler.extraction.evidence.NAMES`."""
        weighed = [block for block in layout.blocks if likely[block.index] > _NOT_WEIGHED and block.index != headline]
        compared = [block for block in weighed if likely[block.index] >= LEAST_LIKELY] if self.lines else []
        if compared and headline is not None and self.recurs(layout.blocks[headline].text):
            first = next((block for block in compared if likely[block.index] > _IS_TEXT), None)
            compared = [block for block in compared if block is not first]  # other pages announce the article by headline and lead
        found = [self.lines.get(key_of_line(block.text)) for block in compared]
        known = [True, *(line is not None and (line.pages >= _RECURS or line.wrong > 0) for line in found), True]
        lines = {
            block.index: (*_of_line(line), before, after)
            for block, line, before, after in zip(compared, found, known, known[2:], strict=False)
        }
        rows = {}
        for block in weighed:
            of_place, of_line = self._of_place(places.of(block)), lines.get(block.index, (0, 0, 0, 0))
            if of_place is not None or of_line[0] or of_line[1]:
                rows[block.index] = [*(of_place or _NO_PLACE), *of_line, *_kind_of(block)]
        return rows

    def _of_place(self, place: str) -> list[float] | None:
        found = self._places.at(place) if self.labelled else (None,)
        return self._features([each or _NOTHING for each in found]) if found[-1] is not None and found[-1].pages else None

    def _features(self, found: Sequence[LabelledPlace]) -> list[float]:
        own, near, around, of_tag = found
        row: list[float] = [self.labelled]
        for place in (own, near):
            row += [place.right, place.wrong, place.pages, _balance(place, place.wrong)]
        for place in (around, of_tag):
            row += [_balance(place, place.wrong), place.pages]
        return [*row, _balance(own, own.expected), _balance(near, near.expected)]


_NO_PLACE = [0.0] * 15


def _balance(place: LabelledPlace, against: float) -> float:
    return (place.right - against) / (place.right + place.wrong + _DOUBT)


def _of_line(line: Line | None) -> tuple[int, int]:
    if line is None:
        return 0, 0
    return (min(line.pages, _MOST_PAGES) if line.pages >= _RECURS else 0), min(line.wrong, _MOST_WRONG)


def _kind_of(block: Block) -> tuple[float, ...]:
    digits = any(map(str.isdigit, block.text))
    return math.log2(block.size + 1), block.kind[0] == "h", block.kind == "tr", digits
