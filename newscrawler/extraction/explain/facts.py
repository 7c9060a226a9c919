"""Find where a page shows the date and the authors, which may have been read from its invisible head."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.extraction.body.block_class import BlockClass
from newscrawler.extraction.body.extractor import Examination
from newscrawler.extraction.body.headline import find_headline
from newscrawler.extraction.dates import DateCandidate, DateContext, DateRole, Dates, find_dates
from newscrawler.extraction.pipeline import ExtractionOptions, ExtractionState, read_dates, read_metadata
from newscrawler.page import Block, Document, extract_visible_text

#: Lines about an article; of the others, an element with a date is not its date line.
_BYLINES = frozenset({BlockClass.BYLINE, BlockClass.HEADLINE})
_DAY = timedelta(days=1)
_ATTRIBUTES = ("datetime", "content", "title")


def find_date_element(page: Document, dates: Dates, classes: Sequence[BlockClass]) -> etree._Element | None:
    """Return the element that shows the date of publication; None where none does."""
    if dates.published is None:
        return None
    texts = _collect_texts(dates.published, dates.candidates)
    for block in _sort_by_distance(page, classes):
        element = _find_holder(block.element, texts)
        if element is not None:
            return element
    return None


def find_author_elements(page: Document, authors: Sequence[str], classes: Sequence[BlockClass]) -> list[etree._Element]:
    """Return the elements that show the authors' names, one for each name that is shown."""
    found: list[etree._Element] = []
    for name in authors:
        blocks = (block for block in _sort_by_distance(page, classes) if name.casefold() in block.text.casefold())
        block = next(blocks, None)
        if block is not None:
            element = _find_smallest(block.element, name)
            if all(element is not other for other in found):
                found.append(element)
    return found


def _collect_texts(published: DateCandidate, candidates: Iterable[DateCandidate]) -> list[str]:
    """Return what was read of the day of publication wherever it is, the date that was chosen first.

    A page may show the day before or after the one that it declares: its own clock and that of its system lie in other zones.
    """
    near = [other for other in candidates if _is_of_day(other, published)]
    near.sort(key=lambda other: other.value.date() != published.value.date())
    return list(dict.fromkeys(other.text for other in (published, *near) if other.text))


def _is_of_day(other: DateCandidate, published: DateCandidate) -> bool:
    is_exact = other.precision != DatePrecision.MONTH or other.text == published.text
    return is_exact and other.role == DateRole.PUBLISHED and abs(other.value - published.value) <= _DAY


def _sort_by_distance(page: Document, classes: Sequence[BlockClass]) -> list[Block]:
    """Return the blocks in the order in which they are likely to give date and author."""
    headline = page.view(find_headline)
    start = headline.block.index if headline is not None and headline.block is not None else 0

    def rank(block: Block) -> tuple[bool, bool, int]:
        kind = classes[block.index]
        return kind not in _BYLINES, kind in (BlockClass.TEASER, BlockClass.COMMENT), abs(block.index - start)

    return sorted(page.layout.blocks, key=rank)


def _find_holder(element: etree._Element, texts: Collection[str]) -> etree._Element | None:
    """Return the smallest element that states one of the texts in an attribute or shows it."""
    for inner in element.iter(etree.Element):
        if any(inner.get(name) in texts for name in _ATTRIBUTES if inner.get(name)):
            return inner
    shown = extract_visible_text(element)
    text = next((text for text in texts if text in shown), None)
    return _find_smallest(element, text) if text is not None else None


def _find_smallest(element: etree._Element, text: str) -> etree._Element:
    """Return the smallest element at or below one that shows a text."""
    folded = text.casefold()
    while (child := next(_find_showing(element, folded), None)) is not None:
        element = child
    return element


def _find_showing(element: etree._Element, folded: str) -> Iterator[etree._Element]:
    return (child for child in element.iterchildren(etree.Element) if folded in extract_visible_text(child).casefold())


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A value of an article besides its text."""

    text: str
    #: Which kind of evidence gave it.
    source: str
    #: The elements of the page that show it; empty where only its head states it.
    elements: tuple[etree._Element, ...]


def read_headline(found: Examination) -> Fact | None:
    """Return the headline of the body, or of the page where it has no body."""
    headline = found.page.view(find_headline)
    text = (found.body.headline if found.body else None) or (headline.text if headline else None)
    if not text:
        return None
    element = headline.element if headline is not None else None
    return Fact(text=text, source=headline.source if headline else "body", elements=() if element is None else (element,))


def read_authors(draft: ExtractionState, reading: ExtractionOptions, classes: Sequence[BlockClass]) -> Fact | None:
    """Return the authors; fills the draft's metadata."""
    read_metadata(draft, reading)
    metadata = draft.metadata
    if metadata is None or not metadata.authors:
        return None
    elements = tuple(find_author_elements(draft.page, metadata.authors, classes))
    source = f"{metadata.authors_source}, confidence {metadata.authors_confidence:.2f}"
    return Fact(text=", ".join(metadata.authors), source=source, elements=elements)


def read_section(draft: ExtractionState) -> Fact | None:
    """Return the section in the draft's metadata."""
    metadata = draft.metadata
    if metadata is None or metadata.section is None:
        return None
    return Fact(text=metadata.section, source=metadata.section_source or "template", elements=())


def read_date(
    draft: ExtractionState, reading: ExtractionOptions, classes: Sequence[BlockClass]
) -> tuple[Fact | None, Sequence[DateCandidate]]:
    """Return the date of publication, which the language in the draft's metadata helps to read, and all dates of the page.

    Fills the draft's dates.
    """
    read_dates(draft, reading)
    published = draft.dates.published if draft.dates else None
    if published is None:
        return None, ()
    source = f"{published.source}, {published.place}" if published.place else published.source
    every = _read_all_dates(draft, reading)
    element = find_date_element(draft.page, every, classes)
    is_exact = published.precision == DatePrecision.MINUTE
    fact = Fact(
        text=published.value.isoformat(sep=" ", timespec="minutes") if is_exact else f"{published.value.date()}",
        source=f'{source}: "{published.text}"' if published.text else source,
        elements=() if element is None else (element,),
    )
    return fact, every.candidates


def _read_all_dates(draft: ExtractionState, reading: ExtractionOptions) -> Dates:
    """Return the date that was chosen among all that the page states, also those that nobody had to look at."""
    body, dates = draft.body, draft.dates or Dates()
    language = draft.metadata.language if draft.metadata else None
    context = DateContext(fetched_at=draft.fetched_at, time_zone=reading.time_zone, language=language, thorough=True)
    thorough = find_dates(
        draft.page, context,
        headline_element=body.headline_element if body else None, body_elements=body.elements if body else (),
    )  # fmt: skip
    return Dates(published=dates.published, candidates=(*dates.candidates, *thorough.candidates))
