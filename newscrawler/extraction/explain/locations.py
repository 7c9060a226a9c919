"""Find where a page shows the date and the authors, which may have been read from its invisible head."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta

from lxml import etree

from newscrawler.extraction.body.block_class import BlockClass
from newscrawler.extraction.body.headline import headline_of
from newscrawler.extraction.dates import DateCandidate, Dates, Role
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.document import visible_text

#: Lines about an article; of the others, an element that holds a date is not its date line.
_BYLINES = frozenset({BlockClass.BYLINE, BlockClass.HEADLINE})
_DAY = timedelta(days=1)
_ATTRIBUTES = ("datetime", "content", "title")


def date_element(page: Document, dates: Dates, classes: Sequence[BlockClass]) -> etree._Element | None:
    """Return the element that shows the date of publication; None where none does."""
    if dates.published is None:
        return None
    texts = _texts_of(dates.published, dates.candidates)
    for block in _by_distance(page, classes):
        element = _holder(block.element, texts)
        if element is not None:
            return element
    return None


def author_elements(page: Document, authors: Sequence[str], classes: Sequence[BlockClass]) -> list[etree._Element]:
    """Return the elements that show the authors' names, one for each name that is shown."""
    found: list[etree._Element] = []
    for name in authors:
        blocks = (block for block in _by_distance(page, classes) if name.casefold() in block.text.casefold())
        block = next(blocks, None)
        if block is not None:
            element = _smallest(block.element, name)
            if all(element is not other for other in found):
                found.append(element)
    return found


def _texts_of(published: DateCandidate, candidates: Iterable[DateCandidate]) -> list[str]:
    """Return what was read of the day of publication wherever it is, the date that was chosen first.

    A page may show the day before or after the one that it declares: its own clock and that of its system lie in other zones.
    """
    near = [other for other in candidates if other.role == Role.PUBLISHED and abs(other.value - published.value) <= _DAY]
    near.sort(key=lambda other: other.value.date() != published.value.date())
    return list(dict.fromkeys(other.text for other in (published, *near) if other.text))


def _by_distance(page: Document, classes: Sequence[BlockClass]) -> list[Block]:
    """Return the blocks in the order in which they are likely to give date and author."""
    headline = page.view(headline_of)
    start = headline.block.index if headline is not None and headline.block is not None else 0

    def rank(block: Block) -> tuple[bool, bool, int]:
        kind = classes[block.index]
        return kind not in _BYLINES, kind in (BlockClass.TEASER, BlockClass.COMMENT), abs(block.index - start)

    return sorted(page.layout.blocks, key=rank)


def _holder(element: etree._Element, texts: Collection[str]) -> etree._Element | None:
    """Return the smallest element that states one of the texts in an attribute or shows it."""
    for inner in element.iter(etree.Element):
        if any(inner.get(name) in texts for name in _ATTRIBUTES if inner.get(name)):
            return inner
    shown = visible_text(element)
    text = next((text for text in texts if text in shown), None)
    return _smallest(element, text) if text is not None else None


def _smallest(element: etree._Element, text: str) -> etree._Element:
    """Return the smallest element at or below one that shows a text."""
    folded = text.casefold()
    while (child := next(_showing(element, folded), None)) is not None:
        element = child
    return element


def _showing(element: etree._Element, folded: str) -> Iterator[etree._Element]:
    return (child for child in element.iterchildren(etree.Element) if folded in visible_text(child).casefold())
