"""Where on a page a date is shown: how far from headline and body, and among what kind of text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain, islice, takewhile

from lxml import etree

from newscrawler.extraction.dates.candidate import Spot
from newscrawler.languages import alternatives
from newscrawler.page import Document
from newscrawler.page.blocks import Block

#: What is not known; below every real value.
UNKNOWN = -999.0
_FARTHEST = 150.0
#: Blocks on either side that say something of the text around a date, and the probability from which on a block is text.
_AROUND, _LIKELY = 5, 0.35
_MOSTLY = 0.5
#: Words in small letters, which make a sentence; names and labels have few.
_SMALL_WORD = re.compile(r"(?<![^\W_])(?=[^\W\d_]{2})[a-zß-öø-ÿąćčďęěğıłńňřśšťůźżžа-яёіїєґ][^\W\d_]+")
_MOST_WORDS, _DEEPEST = 8, 30
_DIGITS = re.compile(r"\d+")
#: Names of boxes that hold other dates than the article's: today's, of events, of comments, of other articles.
_OTHER_NAME = re.compile(alternatives("element_names/no_date", "element_names/other_text"))
#: Beside the marks of a spot: such a name.
OTHER_TEXT = 1 << 40


@lru_cache(maxsize=16_384)  # the names of a site's pages are always the same
def names_other_text(name: str) -> bool:
    """Tell whether a class or id is that of a box whose dates are not the article's."""
    return _OTHER_NAME.search(name.lower()) is not None


class Spots:
    """The places of one page."""

    def __init__(
        self, page: Document, headline: etree._Element | None, body: Sequence[etree._Element], likely: Sequence[float]
    ) -> None:
        self._blocks, self._boxes = page.layout.blocks, page.layout.boxes
        #: Of the elements that are blocks or boxes the first block, the one behind the last, and the box.
        self._places = {block.element: (block.index, block.index + 1, block.box) for block in reversed(self._blocks)}
        self._places |= {box.element: (box.first, box.last, box.index) for box in self._boxes}
        inner = [element for element in (headline, *body[:1]) if element is not None]
        self._own = frozenset(chain.from_iterable(element.iterancestors() for element in inner))
        place = self._locate(headline) if headline is not None else None
        #: Index of the headline's block.
        self.headline = place[0] if place is not None else None
        self._likely = likely if len(likely) == len(self._blocks) else ()
        text = [index for index, probability in enumerate(self._likely) if probability >= _LIKELY]
        if not self._likely:
            text = [i for element in body for i in range(*self._places.get(element, (0, 0))[:2])]
        self._first, self._last = min(text, default=None), max(text, default=None)
        self._links = [0, *accumulate(block.link_density > _MOSTLY for block in self._blocks)]
        self._sizes = [0.0, *accumulate(block.size for block in self._blocks)]
        self._expected = [0.0, *accumulate(block.size * p for block, p in zip(self._blocks, self._likely, strict=False))]

    def spot(self, element: etree._Element, block: Block | None, text: str) -> Spot | None:
        """Describe the place of a date that an element, or a block, shows."""
        place = self._locate(element, text) if block is None else (block.index, block.box)
        if place is None:
            return None
        (index, box), headline = place, self.headline
        block = self._blocks[index]
        is_shown = block.box == box
        begin, end = sorted((index, headline if headline is not None else index))
        low, high = max(0, index - _AROUND), min(len(self._blocks), index + _AROUND + 1)
        words = islice(_SMALL_WORD.finditer(block.text), _MOST_WORDS) if is_shown else ()
        return Spot(
            from_headline=_apart(index, headline),
            from_body=_apart(index, self._first),
            from_body_end=_apart(index, self._last),
            likely=float(self._likely[index]) if self._likely and is_shown else UNKNOWN,
            likely_around=(self._expected[high] - self._expected[low]) / max(1.0, self._sizes[high] - self._sizes[low])
            if self._likely else UNKNOWN,
            within=self._boxes[box].within | (block.marks if is_shown else 0) | (OTHER_TEXT if self._is_other(element) else 0),
            linked=block.link_density if is_shown else 0.0,
            links_between=float(self._links[end] - self._links[begin]),
            rest=float(max(0, len(block.text) - len(text))) if is_shown else 0.0,
            prose=float(sum(1 for _ in words)),
            signature=_DIGITS.sub("", "<".join(f"{node.tag}.{node.get('class', '')}" for node in islice(_up(element), 3))),
        )  # fmt: skip

    def _locate(self, element: etree._Element, text: str = "") -> tuple[int, int] | None:
        """Return the indices of the block that shows an element, or of the next one where it shows nothing, and of its box."""
        node = next((node for node in islice(_up(element), _DEEPEST) if node in self._places), None)
        if node is None or not self._blocks:
            return None
        first, last, box = self._places[node]
        showing = (index for index in range(first, last) if text and text in self._blocks[index].text)
        index = next(showing, min(first, len(self._blocks) - 1))
        return index, self._blocks[index].box if first <= index < last and last - first > 1 else box

    def _is_other(self, element: etree._Element) -> bool:
        """Tell whether an element, or a box around it that holds neither headline nor body, is named as another text's."""
        outer = takewhile(lambda node: node not in self._own and node.tag not in ("body", "html"), _up(element))
        return any(names_other_text(f"{node.get('class', '')} {node.get('id', '')}") for node in outer)


def _up(element: etree._Element) -> Iterator[etree._Element]:
    return chain((element,), element.iterancestors())


def _apart(index: int, other: int | None) -> float:
    """Return how many blocks one lies behind another."""
    return UNKNOWN if other is None else max(-_FARTHEST, min(_FARTHEST, float(index - other)))
