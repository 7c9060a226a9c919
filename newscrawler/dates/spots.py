"""Where on a page a date is shown: how far from headline and body, and among what kind of text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate

from lxml import etree

from newscrawler.dates.candidate import Spot
from newscrawler.languages import words
from newscrawler.page import Document
from newscrawler.page.blocks import Block, Box

#: What is not known; below every real value.
UNKNOWN = -999.0
_FARTHEST = 150.0
#: Characters that a box holds to say something of the text around a date, and the probability from which on a block is text.
_SOME_TEXT, _LIKELY = 300, 0.35
_MOSTLY = 0.5
#: Words in small letters, which make a sentence; names and labels have few.
_SMALL_WORD = re.compile(r"(?<![^\W_])(?=[^\W\d_]{2})[a-zß-öø-ÿąćčďęěğıłńňřśšťůźżžа-яёіїєґ][^\W\d_]+")
_MOST_WORDS, _DEEPEST = 8, 30
_DIGITS = re.compile(r"\d+")
#: Names of boxes that hold other dates than the article's: today's, of events, of comments, of other articles.
_NAMES = frozenset().union(*(words(f"element_names/{name}") for name in ("no_date", "other_text")))
_CORES = tuple(sorted(word.strip("*") for word in _NAMES))
#: Beside the marks of a spot: such a name.
OTHER_TEXT = 1 << 40


@lru_cache(maxsize=16_384)  # the names of a site's pages are always the same
def names_other_text(name: str) -> bool:
    """Tell whether a class or id is that of a box whose dates are not the article's."""
    lower = name.lower()
    return any(core in lower for core in _CORES)


class Spots:
    """The places of one page."""

    def __init__(
        self, page: Document, headline: etree._Element | None, body: Sequence[etree._Element], likely: Sequence[float]
    ) -> None:
        self._layout = page.layout
        blocks = self._layout.blocks
        self._likely = likely if len(likely) == len(blocks) else ()
        self._headline = headline
        self._body = body

    def locate(self, element: etree._Element, text: str = "") -> tuple[int, Box] | None:
        """Return the index of the block that shows an element, or of the next one where it shows nothing, and its box."""
        blocks, boxes = self._layout.blocks, self._layout.boxes
        node: etree._Element | None = element
        for _ in range(_DEEPEST):
            if node is None or not blocks:
                return None
            if (box := self._boxes.get(node)) is not None:
                inside = range(box.first, box.last)
                index = next((i for i in inside if text and text in blocks[i].text), min(box.first, len(blocks) - 1))
                return index, box if index not in inside or len(inside) == 1 else boxes[blocks[index].box]
            if (block := self._first_blocks.get(node)) is not None:
                return block.index, boxes[block.box]
            node = node.getparent()
        return None

    def spot(self, element: etree._Element, block: Block | None, text: str) -> Spot | None:
        """Describe the place of a date that an element, or a block, shows."""
        place = self.locate(element, text) if block is None else (block.index, self._layout.boxes[block.box])
        if place is None:
            return None
        index, box = place
        block = self._layout.blocks[index]
        is_shown = block.box == box.index
        headline, (first, last) = self.headline, self._extent
        begin, end = sorted((index, headline if headline is not None else index))
        words = zip(range(_MOST_WORDS), _SMALL_WORD.finditer(block.text), strict=False) if is_shown else ()
        return Spot(
            from_headline=UNKNOWN if headline is None else _clipped(index - headline),
            from_body=UNKNOWN if first is None else _clipped(index - first),
            from_body_end=UNKNOWN if last is None else _clipped(index - last),
            likely=float(self._likely[index]) if len(self._likely) and is_shown else UNKNOWN,
            box_likely=self._box_likely(box.index),
            within=box.within | (block.marks if is_shown else 0) | (OTHER_TEXT if self._is_other(element) else 0),
            linked=block.link_density if is_shown else 0.0,
            links_between=float(self._links[end] - self._links[begin]),
            rest=float(max(0, len(block.text) - len(text))) if is_shown else 0.0,
            prose=float(sum(1 for _ in words)),
            signature=_signature(element),
        )

    def _is_other(self, element: etree._Element) -> bool:
        """Tell whether an element, or a box around it that holds neither headline nor body, is named as another text's."""
        for node in (element, *element.iterancestors()):
            if node in self._own or node.tag in ("body", "html"):
                return False
            if names_other_text(f"{node.get('class', '')} {node.get('id', '')}"):
                return True
        return False

    @cached_property
    def _own(self) -> frozenset[etree._Element]:
        """The elements around the headline and the first of the body."""
        inner = [element for element in (self._headline, *self._body[:1]) if element is not None]
        return frozenset(node for element in inner for node in element.iterancestors())

    @cached_property
    def headline(self) -> int | None:
        """The index of the headline's block."""
        place = self.locate(self._headline) if self._headline is not None else None
        return place[0] if place is not None else None

    @cached_property
    def _boxes(self) -> dict[etree._Element, Box]:
        return {box.element: box for box in self._layout.boxes}

    @cached_property
    def _first_blocks(self) -> dict[etree._Element, Block]:
        return {block.element: block for block in reversed(self._layout.blocks)}

    @cached_property
    def _extent(self) -> tuple[int | None, int | None]:
        """The first and the last block of the body."""
        if len(self._likely):
            text = [index for index, likely in enumerate(self._likely) if likely >= _LIKELY]
            return (text[0], text[-1]) if text else (None, None)
        boxes = [box for element in self._body if (box := self._boxes.get(element)) is not None]
        if not boxes:
            return None, None
        return min(box.first for box in boxes), max(box.last for box in boxes) - 1

    @cached_property
    def _links(self) -> list[int]:
        return [0, *accumulate(block.link_density > _MOSTLY for block in self._layout.blocks)]

    @cached_property
    def _sizes(self) -> tuple[list[float], list[float]]:
        """Characters of all blocks before each, and the expected characters of the body among them."""
        sizes = [block.size for block in self._layout.blocks]
        return [0.0, *accumulate(sizes)], [0.0, *accumulate(a * b for a, b in zip(sizes, self._likely, strict=True))]

    def _box_likely(self, index: int) -> float:
        """Return the share of the text of the smallest box with some text that is expected to be the body."""
        if not len(self._likely):
            return UNKNOWN
        known = self._known.get(index)
        if known is None:
            sizes, expected = self._sizes
            box = next((box for box in self._layout.outer(index) if box.characters >= _SOME_TEXT), self._layout.boxes[0])
            known = (expected[box.last] - expected[box.first]) / max(1.0, sizes[box.last] - sizes[box.first])
            self._known[index] = known
        return known

    @cached_property
    def _known(self) -> dict[int, float]:
        return {}


def _clipped(distance: int) -> float:
    return max(-_FARTHEST, min(_FARTHEST, float(distance)))


def _signature(element: etree._Element) -> str:
    """Return tag and class of an element and of two around it, without numbers."""
    parts = []
    node: etree._Element | None = element
    while node is not None and len(parts) < 3:
        parts.append(f"{node.tag}.{node.get('class', '')}")
        node = node.getparent()
    return _DIGITS.sub("", "<".join(parts))
