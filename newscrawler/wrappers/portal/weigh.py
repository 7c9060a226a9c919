"""What the learned pages say of each block, weighed with what the page-level detector says of it.

The wrapper speaks where it is clear: at places that held text of the article on every learned page, or on none, and about lines
that recur. Elsewhere the page-level chance stands. A block at a place that no learned page had is the page-level detector's: what
is known of less specific places moves it only as far as that detector is in doubt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from newscrawler.page.blocks import Block
from newscrawler.page.blocks import Layout as PageLayout
from newscrawler.page.marks import Mark
from newscrawler.wrappers.portal.model import Figure, Layout
from newscrawler.wrappers.portal.signatures import levels, totals

#: Mean chances from which on all learned pages are clear about a place, and how many pages must know it. .7/.2 to .9/.1 were tried
#: on fe and fundus: the results differ by less than .001.
SURE, NEVER, LEAST_PAGES = 0.8, 0.15, 2
#: Weight of a learned page against the page-level chance, and how many count at most; .125 to .5 gave the same within .0005.
_WEIGHT, _MOST_COUNTED = 0.25, 4
#: Log-odds that a recurring line loses: a short one or a heading ("What we know") may head two articles, a sentence is decided.
_RECURS, _RECURS_FOR_SURE, _SURE_LENGTH = 4.0, 14.0, 40
#: Chances are cut off here before they are turned into log-odds.
_SHARPEST, _PAGE_SHARPEST = 0.02, 0.0001
#: A place known by so many pages, and so clearly, needs no weighing.
_BEYOND_DOUBT, _NEVER_AT_ALL, MANY_PAGES = 0.9, 0.05, 3
_NOT_LOOKED_UP = -1.0
#: What is left of the weight at less specific places; one that knows the box alone, but not what is around it, says nothing.
_BY_LEVEL = (1.0, 0.5, 0.0, 0.0)
#: A block less likely than this is not taken in for its place: other things stand at it, too.
_UNLIKELY = 0.05
#: What the names of a block's own boxes, or their tags, may say for it not to be taken in for a less specific place.
_FURNITURE = int(
    Mark.NAVIGATION | Mark.FOOTER | Mark.ASIDE | Mark.RELATED | Mark.PROMOTION | Mark.SOCIAL | Mark.COMMENT | Mark.CAPTION
    | Mark.BYLINE | Mark.TAGS | Mark.POPUP | Mark.WIDGET | Mark.HIDDEN | Mark.PULL_QUOTE | Mark.FORM | Mark.FIGURE | Mark.CONSENT
)  # fmt: skip
#: Characters from which on a block at a place beyond doubt is taken without weighing; shorter ones are not all alike.
_LEAST_PLAIN = 20
_MOST_SEEN = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One layout, ready to be looked up at all levels of places."""

    layout: Layout
    rows: Sequence[Mapping[str, Figure]]
    #: Figures by place as they were looked up; pages of a portal have the same places.
    _seen: dict[str, tuple[int, Figure] | None]
    #: The chances that are beyond doubt, likewise; None: there is doubt.
    _clear: dict[str, float | None]
    #: Figures at the second level, where the pages of all places count: what a box further outwards is called is not asked.
    _around: Mapping[str, Figure]
    #: Where headlines stand, at the second level; the kinds of their blocks alone, if all are of one.
    _headlines: frozenset[str]
    _kind: str

    @classmethod
    def of(cls, layout: Layout) -> Table:
        """Prepare a layout."""
        headlines = frozenset(levels(place)[1] for place in layout.headlines)
        kinds = {place.partition("|")[0] for place in layout.headlines}
        kind = "h1|" if kinds == {"h1"} and layout.pages >= MANY_PAGES else ""
        return cls(layout, totals(layout.places), {}, {}, together(layout), headlines, kind)

    def nearest(self, place: str) -> tuple[int, Figure] | None:
        """What was learned of a place, or of the nearest one that is known, and at which level; 0: of the very place."""
        if (own := self.rows[0].get(place)) is not None:
            return 0, own
        if place in self._seen:
            return self._seen[place]
        names = enumerate(zip(self.rows, levels(place), strict=True))
        found = next(((level, row[name]) for level, (row, name) in names if name in row), None)
        if len(self._seen) < _MOST_SEEN:
            self._seen[place] = found
        return found

    def holds_text(self, place: str) -> bool:
        """Tell whether blocks at a place, whatever classes their own box has, were text of the article as a rule.

        A layout without articles holds only what stands at the very same places: a page of a new layout, whose classes nobody
        knows, is not to be taken for a listing because both are made of boxes in boxes.
        """
        if self.layout.barren:
            return place in self.rows[0]
        found = self.nearest(place)
        return found is not None and found[1].chance >= 0.5

    def beyond_doubt(self, place: str) -> float | None:
        """The chance of a block at a place about which many pages agree; None where they do not.

        Where few pages have the very place, those count whose text stands in the same two boxes, if all of them agree.
        """
        found = self._clear.get(place, _NOT_LOOKED_UP)
        if found == _NOT_LOOKED_UP:
            figure = self.rows[0].get(place)
            if figure is not None and figure.pages < MANY_PAGES:
                figure = self._around.get(levels(place)[1])
            found = figure.chance if figure is not None and _is_clear(figure) else None
            if len(self._clear) < _MOST_SEEN:
                self._clear[place] = found
        return found

    def heads(self, place: str) -> bool:
        """Tell whether headlines stand at a place; if all are the page's `h1`, any such place will do."""
        return bool(self._kind and place.startswith(self._kind)) or levels(place)[1] in self._headlines

    def is_strange(self, place: str) -> bool:
        """Tell whether no learned page had anything like this place."""
        found = self.nearest(place)
        return found is None or found[0] > 1


def together(layout: Layout) -> dict[str, Figure]:
    """Figures at the second level, with the pages of all places that are alike there: each page has one of them as a rule."""
    pages: dict[str, int] = {}
    for place, figure in layout.places.items():
        name = levels(place)[1]
        pages[name] = pages.get(name, 0) + figure.pages
    return {name: replace(figure, pages=min(pages[name], layout.pages)) for name, figure in totals(layout.places)[1].items()}


def _is_clear(figure: Figure) -> bool:
    return figure.pages >= MANY_PAGES and (figure.highest <= _NEVER_AT_ALL or figure.lowest >= _BEYOND_DOUBT)


def is_plain(block: Block, page: PageLayout) -> bool:
    """Tell whether a block looks like text and nothing else: some length, hardly a link, and no name that says otherwise."""
    return block.size >= _LEAST_PLAIN and 5 * block.linked <= len(block.text) and not named_furniture(block, page)


def named_furniture(block: Block, page: PageLayout) -> bool:
    """Tell whether tags or names of a block's box and the one around it say that it is no text of the article."""
    box = page.boxes[block.box]
    marks = block.marks | box.marks | (page.boxes[box.parent].marks if box.parent >= 0 else 0)
    return bool(marks & _FURNITURE)


def loss(block: Block) -> float:
    """What it costs a block that it recurs on other pages."""
    return _RECURS if block.kind[0] == "h" or block.size < _SURE_LENGTH else _RECURS_FOR_SURE


def weighed(chance: float, known: tuple[int, Figure] | None, loss: float = 0.0, *, bars: bool = False) -> float:
    """The chance of a block by both, less what it loses in log-odds.

    Args:
        chance: the page-level one.
        known: what `Table.nearest` knows of its place.
        loss: of a line that recurs.
        bars: the block carries names of furniture.
    """
    odds = _odds(chance, _PAGE_SHARPEST)
    if known is not None and (weight := _weight_at(known, chance, bars=bars)):
        odds = (odds + weight * _odds(known[1].chance, _SHARPEST)) / (1 + weight)
    return 1 / (1 + exp(loss - odds))


def _weight_at(known: tuple[int, Figure], chance: float, *, bars: bool) -> float:
    level, figure = known
    if figure.chance > chance and (chance < _UNLIKELY or (level and bars)):
        return 0.0
    doubt = 4 * chance * (1 - chance) if level else 1.0
    return _weight(figure) * _BY_LEVEL[level] * doubt


def _weight(figure: Figure) -> float:
    """What the learned pages weigh against the page-level chance: nothing where they do not agree, or are too few."""
    if figure.pages < LEAST_PAGES or (figure.lowest < SURE and figure.highest > NEVER):
        return 0.0
    return _WEIGHT * min(figure.pages, _MOST_COUNTED)


def _odds(chance: float, sharpest: float) -> float:
    chance = min(max(chance, sharpest), 1 - sharpest)
    return log(chance / (1 - chance))


def likeness(one: Sequence[Block], other: Sequence[Block]) -> float:
    """Characters that two answers share, twice, over those of both; 1 where both are empty."""
    sizes = sum(block.size for block in one) + sum(block.size for block in other)
    numbers = {block.index for block in other}
    return 2 * sum(block.size for block in one if block.index in numbers) / sizes if sizes else 1.0


def share(blocks: Sequence[Block], chosen: frozenset[int]) -> float:
    """Share of the characters of blocks that stand in some of them."""
    total = sum(block.size for block in blocks)
    return sum(block.size for block in blocks if block.index in chosen) / total if total else 0.0
