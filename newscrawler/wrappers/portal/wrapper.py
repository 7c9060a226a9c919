"""The template of a portal: what was learned of it, ready to be applied, stored and passed on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from newscrawler.dates import DateContext, Dates
from newscrawler.errors import ConfigError
from newscrawler.extraction.page_kind import Origin
from newscrawler.metadata import Metadata
from newscrawler.page import Document
from newscrawler.wrappers.portal import json_form as form
from newscrawler.wrappers.portal.apply import Applied, Applier
from newscrawler.wrappers.portal.fields import better_date, learn_fields, missing_authors, missing_section
from newscrawler.wrappers.portal.inline import learn_inline
from newscrawler.wrappers.portal.layouts import known_layouts
from newscrawler.wrappers.portal.learn import layouts_of, name_places, read_fields, sound_pages
from newscrawler.wrappers.portal.lines import PageLines, RecurringLines, recurring
from newscrawler.wrappers.portal.model import Explained, FieldPlaces, InlineText, Layout, Line, Provenance
from newscrawler.wrappers.portal.overrides import FIELDS, Overrides
from newscrawler.wrappers.portal.selectors import LONGEST_SELECTOR
from newscrawler.wrappers.portal.signatures import Namer, classes_in


@dataclass(frozen=True, kw_only=True)
class PortalWrapper:
    """What was learned of a portal; a frozen value, but for what it prepares when it is first applied."""

    layouts: tuple[Layout, ...]
    #: Texts that stand on several pages.
    lines: tuple[Line, ...] = ()
    inline: tuple[InlineText, ...] = ()
    fields: FieldPlaces = field(default_factory=FieldPlaces)
    #: Selectors by field, written by hand.
    overrides: Mapping[str, str] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)

    @cached_property
    def _namer(self) -> Namer:
        places = [place for layout in self.layouts for place in layout.places]
        return Namer(classes_in(places) | classes_in("|" + place for place in (*self.fields.authors, *self.fields.sections)))

    @cached_property
    def _overrides(self) -> Overrides:
        return Overrides.of(self.overrides)

    @cached_property
    def _applier(self) -> Applier:
        lines = RecurringLines.of(self.lines)
        return Applier(known_layouts(self.layouts), self._namer, lines, self.inline, self._overrides)

    def make_ready(self) -> None:
        """Prepare what pages are compared with, which the first page would wait for."""
        _ = self._applier

    def apply(self, page: Document, origin: Origin = Origin.UNKNOWN) -> Applied:
        """Find the body of a page; the page is left untouched."""
        return self._applier.apply(page, origin)

    def describe(self, page: Document, origin: Origin = Origin.UNKNOWN) -> tuple[Applied, tuple[str, ...]]:
        """Read a page, and return lines that say for people what was decided; the fields besides the body are left aside."""
        return self._applier.describe(page, origin)

    def amend_metadata(self, page: Document, metadata: Metadata, explained: Explained) -> tuple[Metadata, Explained]:
        """Fill gaps in the metadata where the portal's other pages show them, and put in what was placed by hand."""
        given: list[str] = []
        broken: list[str] = []
        authors, section = self._overrides.authors(page), self._overrides.text(page, "section")
        for name, value in (("authors", authors), ("section", section)):
            if name in self.overrides:
                (given if value else broken).append(name)
        if not authors and not metadata.authors and explained.explained:
            authors = missing_authors(page, self._namer, self.fields)
            given += ["authors"] * bool(authors)
        if not section and not metadata.section and explained.explained:
            section = missing_section(page, self._namer, self.fields)
            given += ["section"] * bool(section)
        amended = replace(metadata, authors=authors or metadata.authors)
        if section:
            amended = replace(amended, section=section, section_source="wrapper")
        return amended, _noted(explained, given, broken)

    def amend_dates(self, page: Document, dates: Dates, context: DateContext, explained: Explained) -> tuple[Dates, Explained]:
        """Put in the date that was placed by hand, or the one from the source that the portal's other pages have."""
        if "date" in self.overrides:
            placed = self._overrides.dates(page, dates, context)
            if placed is not None:
                return placed, _noted(explained, ["date"], [])
            explained = _noted(explained, [], ["date"])
        better = better_date(dates, self.fields) if explained.explained else None
        return (better, _noted(explained, ["date"], [])) if better is not None else (dates, explained)

    def to_json(self) -> str:
        """Write the template, one line a place, so that people can read and compare it."""
        stored = {
            "method": form.METHOD,
            "version": form.VERSION,
            "parameters": {},
            "provenance": form.written_provenance(self.provenance),
            "overrides": dict(self.overrides),
            "fields": form.written_fields(self.fields),
            "layouts": [form.written_layout(layout) for layout in self.layouts],
            "lines": [[line.text, line.pages] for line in self.lines],
            "inline": [[item.where, item.text, item.pages] for item in self.inline],
        }
        return form.written(stored)

    @classmethod
    def from_json(cls, text: str, source: str = "the template") -> PortalWrapper:
        """Read a template; the text may come from anywhere.

        Args:
            text: what `to_json` gave, perhaps edited.
            source: the name of the file, for errors.

        Raises:
            ConfigError: something in it is not allowed; the message names file, key and value.
        """
        root = form.parsed(text, source)
        overrides = root.key("overrides").table(len(FIELDS), lambda node: node.text(LONGEST_SELECTOR + 10), longest=20)
        for name in overrides:
            if name not in FIELDS:
                raise root.key("overrides").key(name).fault(f"the selector of one of: {', '.join(FIELDS)}; {name} is none")
        Overrides.of(overrides, source)
        wrapper = cls(
            layouts=form.read_layouts(root.key("layouts")),
            lines=form.read_lines(root.key("lines")),
            inline=form.read_inline(root.key("inline")),
            fields=form.read_fields(root.key("fields")),
            overrides=overrides,
            provenance=form.read_provenance(root.key("provenance")),
        )
        wrapper.make_ready()
        return wrapper


def learn(
    pages: Sequence[Document], *, provenance: Provenance | None = None, language: str | None = None, time_zone: str = "UTC"
) -> PortalWrapper:
    """Learn a template from pages of one portal.

    Args:
        pages: three articles or more, from all sections; listings among them teach what is no article.
        provenance: where the pages come from; their addresses are added.
        language: the portal's, where it is configured.
        time_zone: the portal's; dates without an offset are read in it.

    Raises:
        WrapperRefused: the pages teach nothing, or the wrong thing.
    """
    articles, listings, left_out = sound_pages(pages, language)
    namer = name_places([*articles, *listings])
    read_fields(articles, language, time_zone)
    urls = [reading.page.url for reading in articles]
    return PortalWrapper(
        layouts=layouts_of(articles, listings),
        lines=recurring([PageLines.of(reading.page, reading.found.taken) for reading in articles]),
        inline=learn_inline([reading.found.taken for reading in articles]),
        fields=learn_fields(
            [reading.page for reading in articles],
            [reading.metadata for reading in articles],
            [reading.dates for reading in articles],
            namer,
        ),
        provenance=replace(provenance or Provenance(), urls=tuple(url for url in urls if url), left_out=tuple(left_out)),
    )


def overrides_of(document: str) -> dict[str, str]:
    """Return the selectors set by hand in a template, of whatever version; none where they cannot be read."""
    try:
        written = json.loads(document)["overrides"]
        Overrides.of(written)
    except (ConfigError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}
    return dict(written)


def _noted(explained: Explained, given: Sequence[str], broken: Sequence[str]) -> Explained:
    used = "wrapper" if given else explained.used
    return replace(explained, used=used, fields=(*explained.fields, *given), broken=(*explained.broken, *broken))
