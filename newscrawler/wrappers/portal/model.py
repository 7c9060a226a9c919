"""What is learned of a portal, as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Figure:
    """What the learned pages say of the blocks at a place."""

    #: Mean chance, by the page-level detector, that such a block is text of the article.
    chance: float
    blocks: int
    pages: int
    #: The same mean on the page where it is lowest, and on the one where it is highest.
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One kind of page of the portal: its news, its live reports, its galleries."""

    name: str
    #: Learned from how many pages.
    pages: int
    #: True: pages of this kind hold no article (a listing that was among the samples).
    barren: bool = False
    #: Characters of the shortest and the longest body.
    shortest: int = 0
    longest: int = 0
    places: Mapping[str, Figure] = field(default_factory=dict)
    #: Where the headline stands; where the lead stands, with the number of pages.
    headlines: Mapping[str, int] = field(default_factory=dict)
    leads: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """A text that stands on several pages, and so is the portal's, not the article's."""

    text: str
    pages: int


@dataclass(frozen=True, slots=True)
class Aside:
    """A box that stands around the articles."""

    #: The most characters that its paragraphs held.
    characters: int
    #: What of it reads like text, by the page-level detector's measure; the mean over the pages that have it.
    mass: float


@dataclass(frozen=True, slots=True)
class InlineText:
    """A text that stands within paragraphs of several pages, always the same at its place ("opens in a new tab")."""

    where: str
    text: str
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePage:
    """One of few learned pages, with digests of its lines: what recurs on the page to be read is not the article's."""

    url: str | None
    lines: frozenset[str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A source that gave a field on the learned pages: how often it agreed with what was found, and how often not."""

    right: int
    wrong: int

    @property
    def trust(self) -> float:
        """Share of the pages on which it was right, with one page's doubt."""
        return self.right / (self.right + self.wrong + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldPlaces:
    """Where the fields besides the body stand, by place."""

    dates: Mapping[str, Evidence] = field(default_factory=dict)
    authors: Mapping[str, Evidence] = field(default_factory=dict)
    sections: Mapping[str, Evidence] = field(default_factory=dict)
    #: Share of the learned articles that have the field.
    dated: float = 0.0
    signed: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a wrapper comes from.

    Raises:
        ValueError: a time without an offset.
    """

    portal: str | None = None
    #: Aware.
    learned_at: datetime | None = None
    #: Pages that were learned from.
    urls: tuple[str, ...] = ()
    #: Pages that were given, but not learned from, each with the reason.
    left_out: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if self.learned_at is not None and self.learned_at.tzinfo is None:
            msg = f"learned_at is {self.learned_at!r}, which has no offset"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """How a wrapper and the page-level method got on with a page: what drift is watched by."""

    #: The wrapper knows this kind of page: it may win.
    explained: bool
    #: Name of the layout that fits best; None where none fits.
    template: str | None = None
    #: Share of the text taken that stands at places where the learned articles have theirs.
    known: float = 0.0
    #: Likeness of the wrapper's and the page-level answer, 0 to 1, by characters.
    agreement: float = 1.0
    #: The page-level answer was found in full, so that agreement tells something; it is not on every page.
    checked: bool = True
    #: Share of the page-level answer that is furniture: lines that recur over pages.
    furniture: float = 0.0
    #: "wrapper", or the name of the page-level method.
    used: str = "default"
    confidence: float = 0.0
    #: Fields that the wrapper gave: headline, lead, body, date, authors, section.
    fields: tuple[str, ...] = ()
    #: Overrides by hand that found nothing on this page.
    broken: tuple[str, ...] = ()
    #: In words, for people: why the wrapper was or was not used.
    why: str = ""
