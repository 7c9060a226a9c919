"""What a wrapper decided about a page, in lines for people: which answer was used and why, the places it knew, the furniture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from newscrawler.page.blocks import Block
from newscrawler.wrappers.portal.model import Explained
from newscrawler.wrappers.portal.signatures import Places
from newscrawler.wrappers.portal.weigh import Table

_MOST_PLACES, _LONGEST_LINE = 12, 90


def decision(explained: Explained) -> Iterator[str]:
    """Which answer was used, and what it rests on."""
    used = "the wrapper's answer is used" if explained.used == "wrapper" else "the page-level answer is used"
    yield f"wrapper   {used}: {explained.why}; confidence {explained.confidence:.2f}"
    layout = f"it knows the page as {explained.template}" if explained.template else "it knows no such layout"
    yield f"          {layout}; {explained.known:.0%} of the text stands where it expects text"
    yield f"          both answers agree by {explained.agreement:.0%}; {explained.furniture:.0%} of the text recurs on other pages"
    if explained.fields:
        yield f"          it gave: {', '.join(explained.fields)}"
    if explained.broken:
        yield f"          set by hand, but not found on this page: {', '.join(explained.broken)}"


def places_found(table: Table | None, places: Places, taken: Sequence[Block]) -> Iterator[str]:
    """The places at which the text was found, those of most text first, and what was learned of them."""
    sizes: dict[str, list[int]] = {}
    for block in taken:
        sizes.setdefault(places.of(block), []).append(block.size)
    if not sizes:
        return
    yield "Where the text stands, and what the learned pages had there:"
    for place, found in sorted(sizes.items(), key=lambda item: -sum(item[1]))[:_MOST_PLACES]:
        known = table.nearest(place) if table is not None else None
        if known is None:
            told = "nothing like it"
        else:
            level, figure = known
            pages = "1 page" if figure.pages == 1 else f"{figure.pages} pages"
            told = f"text with a chance of {figure.chance:.2f} on {pages}{', at places like it' if level else ''}"
        yield f"  {len(found):>3} × {place}: {told}"


def furniture_found(blocks: Sequence[Block], furniture: frozenset[int]) -> Iterator[str]:
    """The blocks that recur on other pages of the portal."""
    if furniture:
        yield "Furniture, for it recurs on other pages:"
        for block in blocks:
            if block.index in furniture:
                yield f"  {block.text if len(block.text) <= _LONGEST_LINE else block.text[: _LONGEST_LINE - 1] + '…'}"
