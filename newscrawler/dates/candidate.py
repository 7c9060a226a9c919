"""What a page says about time, before anything is believed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from newscrawler.article import DatePrecision


class Role(StrEnum):
    """What a date is the date of."""

    PUBLISHED = "published"
    MODIFIED = "modified"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class DateHint:
    """What the crawl saw of an article's date before its page was opened."""

    #: "feed", "news sitemap", "listing" or "last-modified".
    source: str
    #: As it was written there, or as ISO 8601.
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DateContext:
    """What is known besides the page.

    Raises:
        ValueError: a time without an offset.
    """

    #: Aware; relative dates count from it, and nothing is published more than a day after it.
    fetched_at: datetime | None = None
    #: IANA name of the portal's zone.
    time_zone: str = "UTC"
    #: The portal's language, where it is configured.
    language: str | None = None
    #: "dmy" or "mdy": how the portal's other pages write 3/4/2024 (`DayOrders`); None: by language and country.
    day_order: str | None = None
    #: In the order of the crawl.
    hints: tuple[DateHint, ...] = ()
    #: Look at every kind of evidence, even where the first is conclusive (for `--explain`).
    thorough: bool = False

    def __post_init__(self) -> None:
        if self.fetched_at is not None and self.fetched_at.tzinfo is None:
            msg = f"fetched_at is {self.fetched_at!r}, which has no offset"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class DateCandidate:
    """One date that the page, or the crawl, states somewhere."""

    #: Aware.
    value: datetime
    precision: DatePrecision
    #: Which kind of evidence: "json-ld", "meta", "microdata", "time element", "element", "text", "url", "feed", ...
    source: str
    #: The page itself gave the offset; otherwise the portal's time zone was assumed.
    offset_given: bool
    role: str = Role.PUBLISHED
    #: What was read, shortened.
    text: str = ""
    #: Where: a JSON-LD path, a meta name, a tag with its class.
    place: str = ""
    #: 0 to 1; how often this kind of evidence is right.
    weight: float = 1.0
    #: Day and month could be exchanged.
    ambiguous: bool = False
    #: "dmy" or "mdy", where the date is written in numbers and could not be read in another order.
    day_order: str | None = None
    #: Position in the page, where that counts; smaller is earlier.
    order: int = 0
    #: Why the weight is what it is, or why the candidate was refused.
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """What was chosen, from what, and why there is nothing where nothing was chosen."""

    published: DateCandidate | None = None
    modified: DateCandidate | None = None
    #: Everything that was looked at, heaviest first.
    candidates: tuple[DateCandidate, ...] = ()
    #: Why `published` is None.
    reason: str | None = None
    #: Why `published` was chosen.
    why: str = ""
