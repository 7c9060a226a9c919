"""Records of a template file, with their bounds.

Reading, checking, writing and the published schema are all made from these types.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, ClassVar, NamedTuple

from pydantic import AwareDatetime, ConfigDict, Field

#: Places of a layout, layouts, lines, sources of a field, addresses.
MOST_PLACES, MOST_LAYOUTS, MOST_LINES, MOST_INLINE, MOST_SOURCES, MOST_URLS = 2000, 8, 1500, 50, 100, 2000
#: Characters of a line, a name, a place, an address, a selector with its prefix.
LONGEST_LINE, LONGEST_NAME, LONGEST_PLACE, LONGEST_URL, LONGEST_SELECTOR = 300, 200, 1000, 2000, 310

#: Agreement of a page whose headline, authors or date the learned places give otherwise.
OTHER_FIELDS = 0.5

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
#: Strict here, as two tables of places share their record.
Amount = Annotated[float, Field(ge=0, le=1e9, strict=True)]
Several = Annotated[int, Field(ge=1, le=1_000_000_000)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
PlaceName = Annotated[str, Field(max_length=LONGEST_PLACE)]
Url = Annotated[str, Field(max_length=LONGEST_URL)]

#: Numbers are numbers, and a key that nothing reads is a mistake of whoever wrote it.
_STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class FieldName(StrEnum):
    """A field of the record that a person can place by hand."""

    TITLE = "title"
    LEAD = "lead"
    BODY = "body"
    DATE = "date"
    MODIFIED = "modified"
    AUTHORS = "authors"
    SECTION = "section"
    DESCRIPTION = "description"
    KEYWORDS = "keywords"
    IMAGE = "image"
    CANONICAL_URL = "canonical_url"


class PlaceAmounts(NamedTuple):
    """Amounts at one place of the learned pages that are text of the article, and that are not."""

    text: Amount
    other: Amount

    def add(self, more: PlaceAmounts) -> PlaceAmounts:
        """Return both put together."""
        return PlaceAmounts(self.text + more.text, self.other + more.other)


#: Places as `newscrawler.extraction.templates.places` writes them.
PlaceTable = Annotated[Mapping[PlaceName, PlaceAmounts], Field(max_length=MOST_PLACES)]


class FieldSource(NamedTuple):
    """A source that gave a field on the learned pages, and nothing else on any of them."""

    source: PlaceName
    #: Pages on which it was right, and that do not have the field at all.
    right: Count
    lacking: Count


#: By field: the sources that proved right, best first.
Sources = Annotated[Mapping[Name, Annotated[tuple[FieldSource, ...], Field(max_length=MOST_SOURCES)]], Field(max_length=10)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FastPath:
    """Where pages of a layout are read without weighing their blocks."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    #: The element with the text; the only one of its name.
    region: PlaceName
    #: The lines in it by place; a word before the place marks links, recurring and foreign lines (by their classes).
    lines: PlaceTable
    #: Characters of the longest line in it that does not belong to the text.
    longest_other: Count = 0
    #: Some pages show within the text that it goes on for subscribers only.
    shows_walls: bool
    #: Means of the full readings' confidence on the learned pages.
    confidence: Share
    date_confidence: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedLayout:
    """One kind of page of the portal: its news, its live reports, its galleries."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: Name
    #: Learned from how many pages, and how many of these were labelled.
    pages: Several
    labelled: Count = 0
    #: Characters of the shortest and the longest body.
    shortest: Count = 0
    longest: Count = 0
    #: Text in square roots of characters; of pages without a label, as the block model expects it.
    places: PlaceTable = field(default_factory=dict)
    fast_path: FastPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedLabels:
    """Amounts of text at the places of labelled pages, in square roots of characters."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    #: Labelled pages that were learned from.
    pages: Count = 0
    places: PlaceTable = field(default_factory=dict)
    #: The same by the block model: a place where it errs is one to be learned.
    expected: PlaceTable = field(default_factory=dict)


class RecurringLine(NamedTuple):
    """A text that recurs, and on how many pages."""

    text: Annotated[str, Field(max_length=LONGEST_LINE)]
    pages: Several
    #: The headline below which it stands wherever it is no text of the page: a teaser of that article; empty: none.
    below: Annotated[str, Field(max_length=LONGEST_LINE)] = ""


class InlineText(NamedTuple):
    """A text within paragraphs, always the same at its place ("opens in a new tab"), and its frequency."""

    where: PlaceName
    text: Name
    elements: Several


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateProvenance:
    """Where a template comes from."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    portal: Annotated[str, Field(max_length=LONGEST_NAME)] | None = None
    learned_at: AwareDatetime | None = None
    #: Pages that were learned from.
    urls: Annotated[tuple[Url, ...], Field(max_length=MOST_URLS)] = ()
    #: Pages that were given, but not learned from, each with the reason.
    left_out: Annotated[tuple[Url, ...], Field(max_length=MOST_URLS)] = ()
    #: Note by people about the template.
    note: Url = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateFit:
    """How a template fits a page; layout drift is watched by it."""

    #: Whether the template knows the layout of the page.
    explained: bool
    #: Name of the layout that fits best; None where none fits.
    template: str | None = None
    #: Share of the body at places where the learned articles have theirs.
    known: float = 0.0
    #: Likeness of the text at the places that the template knows and the page-level one, 0 to 1, by characters.
    agreement: float = 1.0
    #: Share of the page-level body that is left out as boilerplate: lines that recur over pages.
    boilerplate: float = 0.0
    confidence: float = 0.0
    #: The page was read only at the learned places; their agreement with the full reading is unknown.
    is_fast: bool = False
    #: Fields that the template changed or gave: title, lead, body, date, authors, section.
    fields: tuple[str, ...] = ()
    #: Overrides by hand that found nothing on this page.
    broken: tuple[str, ...] = ()

    @property
    def used(self) -> str:
        """Reader of the page: "template" where the template changed the body or gave a field, else "default"."""
        return "template" if self.is_fast or self.fields else "default"

    def note_comparison(self, *, is_same: bool) -> TemplateFit:
        """Return the same for a page of which fields were read at the learned places, too: a difference counts as layout drift."""
        return self if is_same else replace(self, agreement=min(self.agreement, OTHER_FIELDS))
