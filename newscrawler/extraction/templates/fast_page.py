"""A page that was read at the learned places: its fields, from the sources that proved right on other pages of the portal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from newscrawler.article import Body
from newscrawler.extraction.body.extractor import Examination
from newscrawler.extraction.body.titles import declared_titles
from newscrawler.extraction.dates import DateContext, Dates
from newscrawler.extraction.dates.candidate import Clock
from newscrawler.extraction.dates.decision import find_hint_dates
from newscrawler.extraction.metadata import Metadata
from newscrawler.extraction.metadata.authors import Authors, find_authors, is_institution
from newscrawler.extraction.metadata.record import build_metadata
from newscrawler.extraction.metadata.section import find_section
from newscrawler.extraction.templates.model import FastPath
from newscrawler.extraction.templates.sources import (
    AUTHORS,
    MODIFIED,
    PUBLISHED,
    SECTION,
    FieldReader,
    find_declared_change,
    make_date_candidate,
    make_portal_clock,
)
from newscrawler.page import Document
from newscrawler.page.likeness import key_of

_AHEAD = timedelta(days=1)
#: Probability to be part of the body of a block that was taken at a learned place, and of any other.
_TEXT, _OTHER = 0.97, 0.03


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FastPage:
    """A page that was read at the learned places."""

    found: Examination
    body: Body
    #: The element with the text, read as if it were the page, where it holds the headline; else the page.
    part: Document
    path: FastPath
    #: Name of the layout that it fits.
    layout: str
    fields: FieldReader

    def agrees(self, full: Metadata) -> bool:
        """Return whether headline and authors of the page are those of the full reading, as far as they are known for sure."""
        return self.body.headline == full.headline and self._authors() in (None, full.authors)

    def likely(self, page: Document) -> list[float]:
        """Return the probability of each block of the page to be part of the body: the text is known, and so is the rest."""
        text = {(block.element, block.text) for block in self.found.taken}
        return [_TEXT if (block.element, block.text) in text else _OTHER for block in page.layout.blocks]

    def _authors(self) -> tuple[str, ...] | None:
        """Return the authors; None where they are not known for sure, or one is called as the site or a section is."""
        is_sure, _, found = self.fields.read(self.found.page, AUTHORS, Clock())
        names: tuple[str, ...] = found or ()
        return names if is_sure and not any(is_institution(self.part, name) for name in names) else None

    def metadata(self, language: str | None) -> Metadata:
        """Return the metadata; authors that no source gives for sure are read around the text, the section as in full."""
        page, body = self.found.page, self.body
        names = self._authors()
        authors = Authors(names=names) if names is not None else find_authors(self.part, body.elements)
        is_sure, *read = self.fields.read(page, SECTION, Clock())
        source, section = read if is_sure else reversed(find_section(page))
        return build_metadata(
            page,
            headline=body.headline,
            declared_headline=_declared_title(page, body.headline or ""),
            authors=authors,
            section=section,
            section_source=source,
            language=language,
            body_text=body.text,
            walled=body.elements if self.path.shows_walls else (),
        )

    def dates(self, context: DateContext, read: Callable[[Document], Dates]) -> Dates:
        """Return the dates; where no source is sure, they are read around the text, and where that says nothing, on the page."""
        found = self._stated_dates(context) or read(self.part)
        return found if found.published is not None or self.part is self.found.page else read(self.found.page)

    def _stated_dates(self, context: DateContext) -> Dates | None:
        """Return the dates of the portal's sources; None where none is sure, or the crawl saw another day."""
        page, clock = self.found.page, make_portal_clock(context)
        (sure, kind, published), (sure_too, kind_too, modified) = (
            self.fields.read(page, name, clock) for name in (PUBLISHED, MODIFIED)
        )
        if not (sure and sure_too) or published is None or _is_doubted(published.value, context, clock):
            return None
        if modified is None:
            modified = find_declared_change(page, clock)
            if modified is not None and modified.value != published.value:
                return None  # the first change that a page of the portal declares
        if modified is not None and modified.value < published.value:
            return None
        return Dates(
            published=make_date_candidate(kind, published), modified=make_date_candidate(kind_too, modified) if modified else None,
            confidence=self.path.date_confidence, why="the portal's other pages show their date there",
        )  # fmt: skip


def _declared_title(page: Document, title: str) -> str | None:
    """Return how the page's head words the headline, where that is otherwise."""
    key = key_of(title)
    written = [*page.meta.get("og:title", ()), *(item.get("headline") for item in page.article_json_ld)]
    if all(key_of(text) == key for text in written if isinstance(text, str)):
        return None
    said = page.view(declared_titles).headline
    return said if said is not None and key_of(said) != key else None


def _is_doubted(value: Any, context: DateContext, clock: Clock) -> bool:
    """Return whether a date lies in the future, or the crawl saw another day."""
    if context.fetched_at is not None and value > context.fetched_at:
        return True
    return any(abs(hint.value - value) > _AHEAD for hint in find_hint_dates(context, clock) if hint.source != "last-modified")
