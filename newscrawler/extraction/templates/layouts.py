"""The learned layouts, ready to be compared with a page: which of them it fits, and where they expect text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from newscrawler.extraction.body.extractor import Examination
from newscrawler.extraction.templates.model import Layout
from newscrawler.extraction.templates.signatures import KnownPlaces, Places
from newscrawler.page import Document
from newscrawler.page.blocks import Block

#: Pages that a layout must be learned from; of fewer learned articles, all must be of it.
_LEAST_PAGES = 3
#: Characters from which on a block is more than a scrap.
_SHORTEST_TEXT = 60


@dataclass(frozen=True, slots=True, eq=False)
class KnownLayout:
    """One layout with its places at all levels."""

    layout: Layout
    places: KnownPlaces

    def expected(self, places: Places, blocks: Iterable[Block]) -> list[Block]:
        """Return the blocks at places where text of the article stands as a rule."""
        return [block for block in blocks if self.places.is_text(places.of(block))]


def known_layouts(layouts: Sequence[Layout]) -> list[KnownLayout]:
    """Return the layouts that were learned from enough pages, or from one whose text is known."""
    least = min(_LEAST_PAGES, sum(layout.pages for layout in layouts))
    return [KnownLayout(layout, KnownPlaces(layout.places)) for layout in layouts if layout.pages >= least or layout.labelled]


def best_layout(layouts: Sequence[KnownLayout], page: Document, places: Places) -> KnownLayout | None:
    """Return the layout at whose places most of the page's text stands; None where none expects any."""
    text = [block for block in page.layout.blocks if block.size > _SHORTEST_TEXT and 2 * block.linked < len(block.text)]
    sizes = {known: size_of(known.expected(places, text)) for known in layouts}
    best = max(layouts, key=lambda known: (sizes[known], known.layout.pages), default=None)
    return best if best is not None and sizes[best] else None


def size_of(blocks: Iterable[Block]) -> int:
    """Return the characters of blocks."""
    return sum(block.size for block in blocks)


def agreement_of(one: Iterable[str], other: Iterable[str]) -> float:
    """Return the characters of paragraphs that two texts share, twice, over those of both; 1 where both are empty."""
    first, second = set(one), set(other)
    total = sum(map(len, first)) + sum(map(len, second))
    return 2 * sum(map(len, first & second)) / total if total else 1.0


def likeness_of(one: Examination, other: Examination) -> float:
    """Return the agreement of two bodies."""
    first, second = ([paragraph.text for paragraph in found.body.paragraphs] if found.body else [] for found in (one, other))
    return agreement_of(first, second)
