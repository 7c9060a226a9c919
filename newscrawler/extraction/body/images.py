"""The pictures of an article: those among its paragraphs and around its headline, with captions."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from newscrawler.article import Image
from newscrawler.extraction.body.block_class import BlockClass, classify_blocks
from newscrawler.extraction.body.extractor import default_extractor
from newscrawler.extraction.body.headline import headline_of
from newscrawler.extraction.body.inline_markup import orders
from newscrawler.page import Document
from newscrawler.page.blocks import PICTURES, Block
from newscrawler.page.document import squeeze, visible_text
from newscrawler.page.marks import BOXES_BESIDE

#: Attributes in which pages that load pictures late keep the address, in the order in which they are tried.
_SOURCES = ("data-src", "data-original", "data-lazy-src", "src")
_IMAGE_FILE = re.compile(r"\.(?:jpe?g|png|webp|gif|avif|svg)(?:[?#]|$)", re.IGNORECASE)
#: Pixels; smaller ones are icons and counters.
_SMALLEST = 64


def images_of(page: Document, blocks: Sequence[Block | None]) -> tuple[Image, ...]:
    """Return the images of an article.

    Args:
        page: the page.
        blocks: of each paragraph the block that it was made of, where it is known.
    """
    shown = [block for block in blocks if block is not None]
    if not shown:
        return ()
    return tuple(_Finder.of(page, shown, [*blocks]).images())


def comments_of(page: Document) -> tuple[str, ...]:
    """Return the comments of readers, a text for each block that is part of one."""
    classes = classify_blocks(default_extractor().examine(page))
    return tuple(block.text for block, kind in zip(page.layout.blocks, classes, strict=True) if kind is BlockClass.COMMENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finder:
    page: Document
    order: dict[etree._Element, int]
    #: The first and the last element, in page order, between which images belong to the article.
    first: int
    last: int
    #: Places of the paragraphs in page order.
    places: Sequence[int]
    #: Where captions stand, and what they say, in page order.
    captions: Sequence[tuple[int, str]]

    @classmethod
    def of(cls, page: Document, shown: Sequence[Block], blocks: Sequence[Block | None]) -> _Finder:
        order = orders(page)
        headline = page.view(headline_of)
        elements = [block.element for block in shown]
        if headline is not None and headline.element in order:
            elements.append(headline.element)
        around = _common(elements)
        last = max(order[deep] for element in elements for deep in [_last_inside(element)] if deep in order)
        known, places = 0, []
        for block in blocks:  # paragraphs without a block stand where the one before does
            known = order.get(block.element, known) if block is not None else known
            places.append(known)
        classes = classify_blocks(default_extractor().examine(page))
        captions = [
            (order[block.element], block.text)
            for block, kind in zip(page.layout.blocks, classes, strict=True)
            if kind is BlockClass.CAPTION and block.element in order
        ]
        return cls(page=page, order=order, first=order.get(around, 0), last=last, places=sorted(places), captions=captions)

    def images(self) -> Iterator[Image]:
        beside = {box.element: bool(box.within & BOXES_BESIDE) for box in self.page.layout.boxes}
        seen: set[str] = set()
        for element in self.page.body.iter(*PICTURES):
            place = self.order[element]
            if (
                element.tag == "picture"
                or not self.first <= place <= self.last
                or _is_beside(element, beside)
                or _is_small(element)
            ):
                continue
            url = self._url(element)
            caption = self._caption(element, place)
            if url is None or url in seen or (caption is None and _leads_elsewhere(element)):
                continue
            seen.add(url)
            alt = squeeze(element.get("alt")) or None
            yield Image(url=url, alt=alt, caption=caption, position=bisect_left(self.places, place))

    def _url(self, element: etree._Element) -> str | None:
        written = next((said for name in _SOURCES if (said := squeeze(element.get(name))) and not said.startswith("data:")), None)
        if written is None and (several := squeeze(element.get("srcset") or element.get("data-srcset"))):
            written = several.split(",")[-1].split()[0] if several.split(",")[-1].split() else None
        url = self.page.resolve(written) if written else None
        return url if url and url.startswith(("http://", "https://")) else None

    def _caption(self, element: etree._Element, place: int) -> str | None:
        figure = next(element.iterancestors("figure"), None)
        if figure is not None:
            caption = next(figure.iter("figcaption"), None)
            return (visible_text(caption) or None) if caption is not None else None
        number = bisect_right([at for at, _ in self.captions], place)
        if number == len(self.captions):
            return None
        at, text = self.captions[number]
        return text if bisect_left(self.places, at) == bisect_left(self.places, place) else None


def _common(elements: Sequence[etree._Element]) -> etree._Element:
    """Return the innermost element that holds all."""
    lines = [[*reversed([element, *element.iterancestors()])] for element in elements]
    same: list[etree._Element] = [each[0] for each in zip(*lines, strict=False) if all(one is each[0] for one in each)]
    return same[-1]


def _last_inside(element: etree._Element) -> etree._Element:
    while len(element):
        element = element[-1]
    return element


def _is_beside(element: etree._Element, beside: dict[etree._Element, bool]) -> bool:
    return next((beside[outer] for outer in element.iterancestors() if outer in beside), False)


def _is_small(element: etree._Element) -> bool:
    sizes = [element.get(name, "") for name in ("width", "height")]
    return any(size.isdecimal() and int(size) < _SMALLEST for size in sizes)


def _leads_elsewhere(element: etree._Element) -> bool:
    link = next(element.iterancestors("a"), None)
    return link is not None and bool(link.get("href")) and not _IMAGE_FILE.search(link.get("href") or "")
