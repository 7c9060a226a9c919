"""What is learned of a portal, as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Place:
    """What the learned pages show of the blocks at one place."""

    #: Mean probability, by the page-level extractor, that such a block is part of the body.
    probability: float
    blocks: int
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One kind of page of the portal: its news, its live reports, its galleries."""

    name: str
    #: Learned from how many pages.
    pages: int
    #: Whether pages of this kind hold no article (a listing that was among the samples).
    is_listing: bool = False
    #: Characters of the shortest and the longest body.
    shortest: int = 0
    longest: int = 0
    places: Mapping[str, Place] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """A text that stands on several pages, and so is boilerplate."""

    text: str
    pages: int


@dataclass(frozen=True, slots=True)
class InlineText:
    """A text that stands within paragraphs of several pages, always the same at its place ("opens in a new tab")."""

    where: str
    text: str
    pages: int


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
    """Where a template comes from.

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
    """How a template fits a page: what layout drift is watched by."""

    #: Whether the template knows the layout of the page.
    explained: bool
    #: Name of the layout that fits best; None where none fits.
    template: str | None = None
    #: Share of the body at places where the learned articles have theirs.
    known: float = 0.0
    #: Likeness of the text at the places that the template knows and the page-level one, 0 to 1, by characters.
    agreement: float = 1.0
    #: Share of the page-level body that is boilerplate: lines that recur over pages.
    boilerplate: float = 0.0
    #: "wrapper" where the template changed the body or gave a field, else the name of the page-level method.
    used: str = "default"
    confidence: float = 0.0
    #: Fields that the template changed or gave: headline, lead, body, date, authors, section.
    fields: tuple[str, ...] = ()
    #: Overrides by hand that found nothing on this page.
    broken: tuple[str, ...] = ()
    #: In words, for people: how the body was found.
    why: str = ""
