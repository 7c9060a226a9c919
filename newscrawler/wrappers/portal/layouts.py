"""The learned layouts, ready to be compared with a page: which of them it fits, and where they expect text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from newscrawler.extraction.body import Examination
from newscrawler.extraction.headline import headline_of
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.wrappers.portal.model import Layout, Place
from newscrawler.wrappers.portal.signatures import KnownPlaces, Places

#: Share of the text at known places from which on a page fits the layout.
FITS = 0.6
#: Pages that a layout must be learned from; of fewer learned articles, all must be of it.
LEAST_PAGES = 3
#: How far beyond the lengths of the learned articles another one may be; only what is absurd counts.
_SHORTER, _LONGER, _LEAST_SIZE, _LEAST_LONGEST = 0.2, 4.0, 100, 5000
#: Characters from which on a block is more than a scrap.
_SHORTEST_TEXT = 60


@dataclass(frozen=True, slots=True, eq=False)
class KnownLayout:
    """One layout with its places at all levels."""

    layout: Layout
    places: KnownPlaces[Place]

    def expects_text(self, place: str) -> bool:
        """Tell whether blocks at a place, whatever classes their own box has, are text of the article as a rule.

        A listing expects only what stands at the very same places: a page of a new layout, whose classes are unknown, is not to be
        taken for a listing because both are made of boxes in boxes.
        """
        if self.layout.is_listing:
            return self.places.at(place)[0] is not None
        found = self.places.nearest(place)
        return found is not None and found[1].probability >= 0.5

    def share_expected(self, places: Places, blocks: Sequence[Block]) -> float:
        """Return the share of the characters of blocks at places where text is expected."""
        total = sum(block.size for block in blocks)
        return sum(block.size for block in blocks if self.expects_text(places.of(block))) / total if total else 0.0

    def fits(self, page: Document, size: int, known: float) -> bool:
        """Tell whether a page fits, given the size of its body and the share of it at known places."""
        layout = self.layout
        if known < FITS or layout.is_listing:
            return known >= FITS
        least, most = max(_LEAST_SIZE, _SHORTER * layout.shortest), _LONGER * max(layout.longest, _LEAST_LONGEST)
        return page.view(headline_of) is not None and least <= size <= most


def known_layouts(layouts: Sequence[Layout]) -> list[KnownLayout]:
    """Return the layouts that were learned from enough pages, or from one whose text is known."""
    articles = sum(layout.pages for layout in layouts if not layout.is_listing)
    least = min(LEAST_PAGES, articles)
    return [
        KnownLayout(layout, KnownPlaces(layout.places, Place.plus))
        for layout in layouts
        if layout.pages >= (LEAST_PAGES if layout.is_listing else least) or layout.labelled
    ]


def best_layout(layouts: Sequence[KnownLayout], page: Document, places: Places) -> KnownLayout | None:
    """Return the layout at whose places most of the page's text stands; None where none expects any."""
    text = [block for block in page.layout.blocks if block.size > _SHORTEST_TEXT and 2 * block.linked < len(block.text)]
    best: tuple[int, int, KnownLayout] | None = None
    for known in layouts:
        size = sum(block.size for block in text if known.expects_text(places.of(block)))
        if size and (best is None or (size, known.layout.pages) > best[:2]):
            best = (size, known.layout.pages, known)
    return best[2] if best is not None else None


def agreement_of(one: Sequence[Block], other: Sequence[Block]) -> float:
    """Return the characters that two bodies share, twice, over those of both; 1 where both are empty."""
    sizes = sum(block.size for block in one) + sum(block.size for block in other)
    numbers = {block.index for block in other}
    return 2 * sum(block.size for block in one if block.index in numbers) / sizes if sizes else 1.0


def likeness_of(one: Examination, other: Examination) -> float:
    """Return the characters of paragraphs that two bodies share, twice, over those of both; 1 where both are empty."""
    first, second = ({p.text for p in found.body.paragraphs} if found.body else set[str]() for found in (one, other))
    total = sum(map(len, first)) + sum(map(len, second))
    return 2 * sum(map(len, first & second)) / total if total else 1.0
