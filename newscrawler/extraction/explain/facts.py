"""Headline, date and authors of a page: what was read, from which evidence, and where the page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.extraction.body.block_class import BlockClass
from newscrawler.extraction.body.extractor import Examination
from newscrawler.extraction.body.headline import headline_of
from newscrawler.extraction.dates import DateContext, Dates, find_dates
from newscrawler.extraction.explain.locations import author_elements, date_element
from newscrawler.extraction.pipeline import ExtractionOptions, ExtractionState, read_dates, read_metadata


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
    headline = found.page.view(headline_of)
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
    elements = tuple(author_elements(draft.page, metadata.authors, classes))
    source = f"{metadata.authors_source}, confidence {metadata.authors_confidence:.2f}"
    return Fact(text=", ".join(metadata.authors), source=source, elements=elements)


def read_date(draft: ExtractionState, reading: ExtractionOptions, classes: Sequence[BlockClass]) -> Fact | None:
    """Return the date of publication, which the language in the draft's metadata helps to read; fills the draft's dates."""
    read_dates(draft, reading)
    published = draft.dates.published if draft.dates else None
    if published is None:
        return None
    source = f"{published.source}, {published.place}" if published.place else published.source
    element = date_element(draft.page, _all_dates(draft, reading), classes)
    is_exact = published.precision == DatePrecision.MINUTE
    return Fact(
        text=published.value.isoformat(sep=" ", timespec="minutes") if is_exact else f"{published.value.date()}",
        source=f'{source}: "{published.text}"' if published.text else source,
        elements=() if element is None else (element,),
    )


def _all_dates(draft: ExtractionState, reading: ExtractionOptions) -> Dates:
    """Return the date that was chosen among all that the page states, also those that nobody had to look at."""
    body, dates = draft.body, draft.dates or Dates()
    language = draft.metadata.language if draft.metadata else None
    context = DateContext(fetched_at=draft.fetched_at, time_zone=reading.time_zone, language=language, thorough=True)
    thorough = find_dates(
        draft.page, context,
        headline_element=body.headline_element if body else None, body_elements=body.elements if body else (),
    )  # fmt: skip
    return Dates(published=dates.published, candidates=(*dates.candidates, *thorough.candidates))
