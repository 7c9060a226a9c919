"""What a page says about time, before anything is believed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from newscrawler.article import DatePrecision


@dataclass(frozen=True, slots=True, kw_only=True)
class DateContext:
    """What is known besides the page."""

    #: Aware; relative dates count from it.
    fetched_at: datetime | None = None
    #: IANA name of the portal's zone.
    time_zone: str = "UTC"
    #: The portal's language, where it is configured.
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DateCandidate:
    """One date that the page states somewhere."""

    #: Aware.
    value: datetime
    precision: DatePrecision
    #: Which kind of evidence: "json-ld", "meta", "time element", "element", "text", "url", ...
    source: str
    #: The page itself gave the offset.
    offset_given: bool
    #: published, modified, other.
    role: str = "published"
    #: What was read, shortened.
    text: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """What was chosen, from what, and why there is nothing where nothing was chosen."""

    published: DateCandidate | None = None
    modified: DateCandidate | None = None
    candidates: tuple[DateCandidate, ...] = ()
    #: Why `published` is None.
    reason: str | None = None
