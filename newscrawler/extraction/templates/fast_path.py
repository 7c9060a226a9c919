"""The fast path: a page that fits a layout is read only at the learned places, without weighing its blocks.

Learned are the smallest element that holds the text of all pages, by its name, the places in it at which lines are text or other
things, and the sources of headline, authors, section and dates that proved right. A page is read in full if it does not have the
element exactly once, if a line in it is at an unknown place, if sources of its headline contradict, or if its text is
of an unusual size. Other fields whose sources contradict, or say nothing, are read as on any page, dates and authors in the element
of the text only where it contains the headline.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from zlib import crc32

from newscrawler.article import Body, Paragraph
from newscrawler.extraction.body.extractor import Examination, deduplicate, describe_structure, lead_of
from newscrawler.extraction.body.surroundings import remove_surroundings
from newscrawler.extraction.body.titles import read_declared_titles
from newscrawler.extraction.dates import DateContext, Dates
from newscrawler.extraction.dates.candidate import Clock, DateRole
from newscrawler.extraction.dates.day_candidates import choose_most_precise, is_in_utc
from newscrawler.extraction.dates.decision import find_hint_dates
from newscrawler.extraction.metadata import Metadata
from newscrawler.extraction.metadata.authors import Authors, find_authors, is_institution
from newscrawler.extraction.metadata.names import fold_name
from newscrawler.extraction.metadata.record import build_metadata
from newscrawler.extraction.metadata.section import Section, find_section
from newscrawler.extraction.templates.evidence import KnownEvidence
from newscrawler.extraction.templates.model import FastPath, LearnedLayout
from newscrawler.extraction.templates.places import KnownPlaces, Namer, Places
from newscrawler.extraction.templates.sources import (
    AUTHORS,
    MODIFIED,
    PUBLISHED,
    SECTION,
    TITLE,
    FieldReader,
    find_declared_change,
    find_elements,
    make_date_candidate,
    make_portal_clock,
)
from newscrawler.page import Block, Document, Mark, key_of

#: Share of the shortest learned text, and of the longest, that an article may have.
_SHORTER, _LONGER = 0.5, 2.0
#: Characters of a line that may be a label, wherever it is.
_SHORT = 100
#: Of so many pages one is read in full all the same.
_SAMPLED = 8
#: Marks against the text of an element.
_FOREIGN = int(
    Mark.NAVIGATION | Mark.FOOTER | Mark.ASIDE | Mark.RELATED | Mark.PROMOTION | Mark.SOCIAL | Mark.COMMENT | Mark.CAPTION
    | Mark.BYLINE | Mark.TAGS | Mark.POPUP | Mark.HIDDEN | Mark.PULL_QUOTE | Mark.FORM | Mark.CONSENT
)  # fmt: skip
#: Begins the places of lines that recur.
_RECURRING = "recurring "
#: Levels of places at which similar ones count, too.
_ALIKE = 3


def is_sampled(page: Document) -> bool:
    """Return whether a page is read in full to be compared; only its address, or else its title, decides."""
    return crc32((page.url or page.title).encode("utf-8", "replace")) % _SAMPLED == 0


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """The element of a page with its text, read as if it were the page."""

    part: Document
    places: Places
    evidence: KnownEvidence
    title: str | None

    @classmethod
    def find(cls, page: Document, name: str, title: str | None, namer: Namer, evidence: KnownEvidence) -> Region | None:
        """Read the only element of this name; None where there is none, or are several."""
        found = find_elements(page, name, namer)
        element = next(found, None)
        if element is None or next(found, None) is not None:
            return None
        part = page.within(element)
        return cls(part, Places(part, namer), evidence, title)

    def name_place(self, block: Block) -> str:
        """Return the place of a line, marked as foreign or recurring."""
        place = self.places.find(block)
        if self.part.layout.boxes[block.box].within & _FOREIGN:
            place = f"foreign {place}"
        return _RECURRING + place if self.evidence.count_pages(block.text, self.title) else place


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FastReader:
    """Reads the pages of one layout."""

    path: FastPath
    layout: LearnedLayout
    evidence: KnownEvidence
    fields: FieldReader
    lines: KnownPlaces

    @classmethod
    def prepare(cls, path: FastPath, layout: LearnedLayout, fields: FieldReader, evidence: KnownEvidence) -> FastReader:
        """Make a fast path ready."""
        return cls(path=path, layout=layout, evidence=evidence, fields=fields, lines=KnownPlaces(path.lines))

    def read(self, page: Document) -> FastPage | None:
        """Return the page as it is read at the learned places; None: it does not fit, read it in full."""
        is_sure, _, title = self.fields.read(page, TITLE, Clock())
        region = Region.find(page, self.path.region, title, self.fields.namer, self.evidence) if is_sure and title else None
        taken = self._find_text(region, title) if region is not None else None
        if region is None or not taken:
            return None
        size = sum(block.size for block in taken)
        if not _SHORTER * self.layout.shortest <= size <= _LONGER * self.layout.longest:
            return None
        body = Body(
            paragraphs=tuple(Paragraph(text=block.text, **describe_structure(block)) for block in taken),
            headline=title, lead=" ".join(block.text for block in lead_of(region.part, taken)) or None,
            confidence=self.path.confidence, elements=(region.part.body,),
            headline_element=next((block.element for block in region.part.layout.blocks if block.text == title), None),
        )  # fmt: skip
        found, part = Examination(page=page, taken=taken, body=body), region.part if body.headline_element is not None else page
        return FastPage(found=found, body=body, part=part, path=self.path, layout=self.layout.name, fields=self.fields)

    def _find_text(self, region: Region, title: str) -> list[Block] | None:
        """Return the lines of a region that are text; None if one is at an unknown place, or far too long for that place."""
        chosen: list[Block] = []
        for block in region.part.layout.blocks:
            if block.text != title:
                is_text = self._is_text(region.name_place(block))
                if is_text is None or not (is_text or block.size <= max(_LONGER * self.path.longest_other, _SHORT)):
                    return None  # text may be where only labels were
                if is_text:
                    chosen.append(block)
        return deduplicate(remove_surroundings(region.part.layout, chosen))

    def _is_text(self, place: str) -> bool | None:
        """Return whether lines at a place, or else all at those most like it, are text; None where that is not known."""
        own, *alike = self.lines.at(place)[:_ALIKE]
        if own is not None:
            return own.text > own.other
        if (found := next((each for each in alike if each is not None), None)) is not None:
            return None if found.text and found.other else found.text > 0
        # a line that recurs is never likelier to be text than one that does not
        recurs = place.startswith(_RECURRING)
        twin = self.lines.at(place.removeprefix(_RECURRING) if recurs else _RECURRING + place)[0]
        if twin is None or (twin.text if recurs else twin.other):
            return None
        return not recurs


_AHEAD = timedelta(days=1)
#: Probability to be part of the body of a block that was taken at a learned place, and of any other.
_TEXT, _OTHER = 0.97, 0.03


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FastPage:
    """A page that was read at the learned places."""

    found: Examination
    body: Body
    #: The element with the text, read as if it were the page, where it contains the headline; else the page.
    part: Document
    path: FastPath
    #: Name of the layout that it fits.
    layout: str
    fields: FieldReader

    def agrees(self, full: Metadata, ignored: Collection[str]) -> bool:
        """Return whether headline and authors of the page are those of the full reading, as far as they are known for sure."""
        return self.body.headline == full.headline and self._read_authors(ignored) in (None, full.authors)

    def list_probabilities(self, page: Document) -> list[float]:
        """Return the probability of each block of the page to be part of the body."""
        text = {(block.element, block.text) for block in self.found.taken}
        return [_TEXT if (block.element, block.text) in text else _OTHER for block in page.layout.blocks]

    def _read_authors(self, ignored: Collection[str]) -> tuple[str, ...] | None:
        """Return the authors; None where not known for sure, or one is ignored or called as the site or a section is."""
        is_sure, _, found = self.fields.read(self.found.page, AUTHORS, Clock())
        names: tuple[str, ...] = found or ()
        is_sure = is_sure and not any(is_institution(self.part, name) or fold_name(name) in ignored for name in names)
        return names if is_sure else None

    def read_metadata(self, language: str | None, ignored: Collection[str] = ()) -> Metadata:
        """Return the metadata; authors that no source gives for sure are read around the text, else in full, as the section is."""
        page, body = self.found.page, self.body
        names = self._read_authors(ignored)
        authors = Authors(names=names) if names is not None else find_authors(self.part, body.elements, ignored)
        if names is None and not authors.names and self.part is not page:  # a column next to the text may name them
            authors = find_authors(page, body.elements, ignored)
        is_sure, source, name = self.fields.read(page, SECTION, Clock())
        return build_metadata(
            page, headline=body.headline, declared_headline=_find_declared_title(page, body.headline or ""), authors=authors,
            section=Section(name=name, source="template" if source == "text" else source) if is_sure else find_section(page),
            language=language, body_text=body.text, walled=body.text if self.path.shows_walls else "",
            headline_element=body.headline_element,
        )  # fmt: skip

    def read_dates(self, context: DateContext, read: Callable[[Document], Dates]) -> Dates:
        """Return the dates; without a sure source they are read around the text, else on the page."""
        if (stated := self._read_stated_dates(context)) is not None:
            return stated
        found = read(self.part)
        is_known = found.published is not None and not is_in_utc(found.published)
        return found if is_known or self.part is self.found.page else read(self.found.page)  # which may show the portal's clock

    def _read_stated_dates(self, context: DateContext) -> Dates | None:
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
            modified = modified and replace(modified, value=published.value)  # on the portal's clock
        if modified is not None and modified.value < published.value:
            return None
        hints = (hint for hint in find_hint_dates(context, clock) if hint.value.date() == published.value.date())
        return Dates(
            published=choose_most_precise([make_date_candidate(kind, published), *hints], DateRole.PUBLISHED),
            modified=make_date_candidate(kind_too, modified) if modified else None,
            confidence=self.path.date_confidence, why="the portal's other pages show their date there",
        )  # fmt: skip


def _find_declared_title(page: Document, title: str) -> str | None:
    """Return the headline as the page's head words it, where it differs."""
    key = key_of(title)
    written = [*page.meta.get("og:title", ()), *(item.get("headline") for item in page.article_json_ld)]
    if all(key_of(text) == key for text in written if isinstance(text, str)):
        return None
    said = page.view(read_declared_titles).headline
    return said if said is not None and key_of(said) != key else None


def _is_doubted(value: Any, context: DateContext, clock: Clock) -> bool:
    """Return whether a date is in the future, or the crawl saw another day."""
    if context.fetched_at is not None and value > context.fetched_at:
        return True
    return any(abs(hint.value - value) > _AHEAD for hint in find_hint_dates(context, clock) if hint.source != "last-modified")
