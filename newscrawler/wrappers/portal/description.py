"""How a template read a page, in lines for people: how the body was found, the places that it knows, the boilerplate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from newscrawler.page.blocks import Block
from newscrawler.plural import counted
from newscrawler.wrappers.portal.layouts import KnownLayout
from newscrawler.wrappers.portal.model import Explained
from newscrawler.wrappers.portal.signatures import Places

_MOST_PLACES, _LONGEST_LINE = 12, 90


def decision(explained: Explained) -> Iterator[str]:
    """Yield how the body was found, and how the template fits the page."""
    yield f"template  {explained.why}; confidence {explained.confidence:.2f}"
    layout = f"the page fits {explained.template}" if explained.template else "no learned layout fits the page"
    yield f"          {layout}; {explained.known:.0%} of the text stands where the learned articles have theirs"
    yield (
        f"          text at these places and text found agree by {explained.agreement:.0%}; "
        f"{explained.boilerplate:.0%} of the text recurs on other pages"
    )
    if explained.fields:
        yield f"          changed or given by the template: {', '.join(explained.fields)}"
    if explained.broken:
        yield f"          set by hand, but not found on this page: {', '.join(explained.broken)}"


def known_places(layout: KnownLayout | None, places: Places, taken: Sequence[Block]) -> Iterator[str]:
    """Yield the places at which the text stands, those of most text first, and what was learned of them."""
    sizes: dict[str, list[int]] = {}
    for block in taken:
        sizes.setdefault(places.of(block), []).append(block.size)
    if sizes:
        yield "Where the text stands, and what the learned pages have there:"
    for place, found in sorted(sizes.items(), key=lambda item: -sum(item[1]))[:_MOST_PLACES]:
        level, known = (layout.places.nearest(place) if layout is not None else None) or (0, None)
        said = "nothing like it"
        if known is not None:
            said = f"text with a probability of {known.probability:.2f} on {counted(known.pages, 'page')}"
        yield f"  {len(found):>3} × {place}: {said}{', at places like it' if level else ''}"


def boilerplate_lines(blocks: Sequence[Block], boilerplate: frozenset[int]) -> Iterator[str]:
    """Yield the blocks that recur on other pages of the portal."""
    if boilerplate:
        yield "Boilerplate, as it recurs on other pages:"
    for text in (block.text for block in blocks if block.index in boilerplate):
        yield f"  {text if len(text) <= _LONGEST_LINE else text[: _LONGEST_LINE - 1] + '…'}"
