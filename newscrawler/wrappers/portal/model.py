"""What is learned of a portal, as records, with the bounds that a template file is held against.

The records are what a template file holds: reading, checking, writing and the published schema are all made from these types.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, ClassVar, NamedTuple

from pydantic import AwareDatetime, ConfigDict, Field

#: Places of a layout, layouts, lines, texts within paragraphs, sources of a field, addresses.
MOST_PLACES, MOST_LAYOUTS, MOST_LINES, MOST_INLINE, MOST_SOURCES, MOST_URLS = 2000, 8, 1500, 50, 100, 2000
#: Characters of a line, a name, a place, an address, a selector with its prefix.
LONGEST_LINE, LONGEST_NAME, LONGEST_PLACE, LONGEST_URL, LONGEST_SELECTOR = 300, 200, 1000, 2000, 310

#: Agreement of a page whose headline, authors or date the learned places give otherwise.
OTHER_FIELDS = 0.5

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Amount = Annotated[float, Field(ge=0, le=1e9)]
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


class Place(NamedTuple):
    """What the learned pages show of the blocks at one place."""

    #: Mean probability, by the page-level extractor, that such a block is part of the body.
    probability: Share
    blocks: Several
    pages: Several

    def plus(self, other: Place) -> Place:
        """Return both put together; of pages the most that one of them has."""
        blocks = self.blocks + other.blocks
        probability = (self.probability * self.blocks + other.probability * other.blocks) / blocks
        return Place(probability, blocks, max(self.pages, other.pages))


class FieldSource(NamedTuple):
    """A source that gave a field on the learned pages, and nothing else on any of them."""

    source: PlaceName
    #: Pages on which it was right, and that do not have the field at all.
    right: Count
    lacking: Count


#: By field: the sources that proved right, best first.
Sources = Annotated[Mapping[Name, Annotated[tuple[FieldSource, ...], Field(max_length=MOST_SOURCES)]], Field(max_length=10)]


class LinesAt(NamedTuple):
    """How many lines at one place, and of one kind, are text on the learned pages, and how many are not."""

    text: Count
    other: Count

    def plus(self, more: LinesAt) -> LinesAt:
        """Return both put together."""
        return LinesAt(self.text + more.text, self.other + more.other)


@dataclass(frozen=True, slots=True, kw_only=True)
class FastPath:
    """Where pages of a layout are read without weighing their blocks."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    #: The element that holds the text, and nothing else of its name.
    region: PlaceName
    #: The lines in it by place, with what is said of them before the place: "link", "recurring", "foreign" (as their classes say).
    lines: Annotated[Mapping[PlaceName, LinesAt], Field(max_length=MOST_PLACES)]
    #: Some pages show within the text that it goes on for subscribers only.
    shows_walls: bool
    #: Means of what the full reading expected of the learned pages.
    confidence: Share
    date_confidence: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One kind of page of the portal: its news, its live reports, its galleries."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: Name
    #: Learned from how many pages, and how many of these were labelled.
    pages: Several
    labelled: Count = 0
    #: Whether pages of this kind hold no article (a listing that was among the samples).
    is_listing: bool = False
    #: Characters of the shortest and the longest body.
    shortest: Count = 0
    longest: Count = 0
    places: Annotated[Mapping[PlaceName, Place], Field(max_length=MOST_PLACES)] = field(default_factory=dict)
    fast_path: FastPath | None = None


class LabelledPlace(NamedTuple):
    """How much text of the blocks at one place of the labelled pages is part of the body, in square roots of characters."""

    right: Amount
    wrong: Amount
    #: How much of it the block model expected to be.
    expected: Amount
    pages: Count

    def plus(self, other: LabelledPlace, pages: int) -> LabelledPlace:
        """Return both put together."""
        return LabelledPlace(self.right + other.right, self.wrong + other.wrong, self.expected + other.expected, pages)

    def rounded(self) -> LabelledPlace:
        """Return the same as it is written."""
        return LabelledPlace(round(self.right, 2), round(self.wrong, 2), round(self.expected, 2), self.pages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What labelled pages show, by place."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    #: Labelled pages that were learned from.
    pages: Count = 0
    places: Annotated[Mapping[PlaceName, LabelledPlace], Field(max_length=MOST_PLACES)] = field(default_factory=dict)


class Line(NamedTuple):
    """A text that recurs, or that a labelled page shows to be no part of the body."""

    text: Annotated[str, Field(max_length=LONGEST_LINE)]
    pages: Several
    #: Labelled pages on which it is no part of the body.
    wrong: Count


class InlineText(NamedTuple):
    """A text that stands within paragraphs, always the same at its place ("opens in a new tab"), and how often."""

    where: PlaceName
    text: Name
    elements: Several


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a template comes from."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    portal: Annotated[str, Field(max_length=LONGEST_NAME)] | None = None
    learned_at: AwareDatetime | None = None
    #: Pages that were learned from.
    urls: Annotated[tuple[Url, ...], Field(max_length=MOST_URLS)] = ()
    #: Pages that were given, but not learned from, each with the reason.
    left_out: Annotated[tuple[Url, ...], Field(max_length=MOST_URLS)] = ()
    note: Url = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """How a template fits a page: what layout drift is watched by."""

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
    #: "wrapper" where the template changed the body or gave a field, else the name of the page-level method.
    used: str = "default"
    confidence: float = 0.0
    #: The page was read at the learned places alone, and tells nothing of how these agree with the full reading.
    is_fast: bool = False
    #: Fields that the template changed or gave: title, lead, body, date, authors, section.
    fields: tuple[str, ...] = ()
    #: Overrides by hand that found nothing on this page.
    broken: tuple[str, ...] = ()
    #: In words, for people: how the body was found.
    why: str = ""

    def compared(self, *, is_same: bool) -> Explained:
        """Return the same for a page of which fields were read at the learned places, too: a difference counts as layout drift."""
        return self if is_same else replace(self, agreement=min(self.agreement, OTHER_FIELDS))
