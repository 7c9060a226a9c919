"""Dates that a page or the crawl states, before one of them is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from enum import StrEnum
from typing import NamedTuple

from newscrawler.article import DatePrecision


class DateRole(StrEnum):
    """Event that a date belongs to."""

    PUBLISHED = "published"
    MODIFIED = "modified"
    OTHER = "other"


class Family(StrEnum):
    """Kinds of evidence that are right equally often; each is a feature of the model."""

    LD_ARTICLE = "json-ld article"
    LD_PAGE = "json-ld page"
    LD_MEDIA = "json-ld media"
    LD_OTHER = "json-ld other"
    LD_CREATED = "json-ld created"
    LD_NESTED = "json-ld nested"
    META_NAMED = "meta article"
    META_PUBLISHED = "meta published"
    META_CREATED = "meta created"
    META_DATE = "meta date"
    ADDRESS_PATH = "address path"
    ADDRESS_PART = "address part"
    ADDRESS_SLUG = "address slug"
    MICRODATA = "microdata"
    TIME_NAMED = "time named"
    TIME = "time"
    NAMED = "named"
    PERHAPS_NAMED = "perhaps named"
    TEXT = "text"
    COPYRIGHT = "copyright"
    SCRIPT = "script"
    FEED = "feed"
    NEWS_SITEMAP = "news sitemap"
    LISTING = "listing"
    LAST_MODIFIED = "last-modified"


#: Evidence from the crawl, and evidence for machines.
CRAWL = frozenset({Family.FEED, Family.NEWS_SITEMAP, Family.LISTING, Family.LAST_MODIFIED})
DECLARED = frozenset(family for family in Family if family.startswith(("json-ld", "meta", "address"))) | CRAWL


class DatePosition(NamedTuple):
    """Position of a date on the page, as `DatePositions` finds it."""

    #: Blocks from the headline, from the first and from the last block of the body, negative before them.
    from_headline: float
    from_body: float
    from_body_end: float
    #: It lies in front of the box with headline and text.
    before_box: float
    #: Probability of its block, and of the text of the blocks around it, to be part of the body.
    likely: float
    likely_around: float
    #: Meaning of the names of the boxes around it, as a sum of `Mark` bits.
    within: int
    #: Share of its block's text that is linked, and blocks of links between it and the headline.
    linked: float
    links_between: float
    #: Characters, and words in small letters, of its block besides the date.
    rest: float
    prose: float
    #: Tag and class of the element and those around it.
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DateHint:
    """A date of an article that the crawl found before it opened the page."""

    #: "feed", "news sitemap", "listing" or "last-modified".
    source: str
    #: As it was written there, or as ISO 8601.
    text: str


#: So many pages must show the same, and nine of ten of those that show anything.
FEWEST_PAGES = 3
_SHARE = 0.9
#: Counts are halved here, so that a portal that changes its form is followed.
_MOST_PAGES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalCalendar:
    """What the pages of a portal show of its dates: the order of day and month, and its offset from UTC month by month."""

    dmy: int = 0
    mdy: int = 0
    #: Articles by the month and the offset in minutes, as "11 60".
    offsets: Mapping[str, int] = field(default_factory=dict, hash=False)

    @property
    def order(self) -> str | None:
        """The portal's order: "dmy" or "mdy"; None: not known yet, or it writes both."""
        most = max(self.dmy, self.mdy)
        if most < FEWEST_PAGES or most < _SHARE * (self.dmy + self.mdy):
            return None
        return "dmy" if self.dmy > self.mdy else "mdy"

    def find_zone(self, at: datetime, guess: tzinfo | None = None) -> tzinfo | None:
        """Return the offset of the portal's times in a month, or the guess if it has that at either end of it; None: not known."""
        counts = {key.partition(" ")[2]: count for key, count in self.offsets.items() if key.startswith(f"{at.month} ")}
        most = max(counts, key=counts.__getitem__, default="")
        if not counts or counts[most] < max(FEWEST_PAGES, _SHARE * sum(counts.values())):
            return None
        offset, first = timedelta(minutes=int(most)), at.replace(day=1, tzinfo=guess)
        return guess if guess and offset in {first.utcoffset(), (first + timedelta(days=31)).utcoffset()} else timezone(offset)

    def after(self, dates: Dates) -> PortalCalendar:
        """Count one more page; one that shows both orders, or none, does not count for the order."""
        orders = {c.day_order for c in dates.candidates if c.day_order}
        dmy, mdy = (count + (orders == {name}) for name, count in (("dmy", self.dmy), ("mdy", self.mdy)))
        if dmy + mdy > _MOST_PAGES:
            dmy, mdy = dmy // 2, mdy // 2
        offsets = dict(self.offsets)
        if key := _read_offset(dates):
            offsets[key] = offsets.get(key, 0) + 1
            if offsets[key] > _MOST_PAGES:
                offsets = {each: count // 2 for each, count in offsets.items()}
        return PortalCalendar(dmy=dmy, mdy=mdy, offsets=offsets) if key or len(orders) == 1 else self


NO_CALENDAR = PortalCalendar()


def _read_offset(dates: Dates) -> str:
    """Return the month and the offset of an article's time, if the page or a list states it; "": it is UTC, or guessed."""
    own = dates.published
    stated = (c for c in dates.candidates if c.offset_given and c.role is DateRole.PUBLISHED)
    if own is None or own.precision != DatePrecision.MINUTE or not isinstance(own.value.tzinfo, timezone):
        return ""
    if not any(c.precision == DatePrecision.MINUTE for c in stated):
        return ""
    offset = own.value.utcoffset()
    return f"{own.value.month} {offset // timedelta(minutes=1)}" if offset else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DateContext:
    """Context of a page that its dates depend on.

    Raises:
        ValueError: a time without an offset.
    """

    #: Aware; relative dates count from it, and nothing is published more than a day after it.
    fetched_at: datetime | None = None
    #: IANA name of the portal's zone.
    time_zone: str = "UTC"
    #: The portal's language, where it is configured.
    language: str | None = None
    #: How the portal's other pages write 3/4/2024, and on which clock their times are.
    calendar: PortalCalendar = NO_CALENDAR
    #: In the order of the crawl.
    hints: tuple[DateHint, ...] = ()
    #: Look at every kind of evidence, even where the first is conclusive (for `--explain`).
    thorough: bool = False

    def __post_init__(self) -> None:
        if self.fetched_at is not None and self.fetched_at.tzinfo is None:
            msg = f"fetched_at is {self.fetched_at!r}, which has no offset"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Settings by which the written dates of a page are read."""

    zone: tzinfo = UTC
    #: Aware; years and relative dates count from it.
    fetched_at: datetime | None = None
    #: 3/4/2024 is 4 March.
    month_first: bool = False
    #: Two-letter codes, likeliest first.
    languages: tuple[str, ...] = ()
    calendar: PortalCalendar = NO_CALENDAR


@dataclass(slots=True, kw_only=True)
class Moment:
    """A date that was read."""

    #: Aware.
    value: datetime
    precision: DatePrecision
    #: The page itself gave the offset; otherwise the portal's time zone was assumed.
    offset_given: bool = False
    #: Day and month could be exchanged.
    ambiguous: bool = False
    #: "dmy" or "mdy", where day and month are numbers parted by strokes and could not be exchanged.
    day_order: str | None = None
    #: The year was not written, but counted from the time of the fetch.
    year_guessed: bool = False
    start: int = 0
    end: int = 0


@dataclass(slots=True, kw_only=True)
class DateCandidate(Moment):
    """One date that the page, or the crawl, states somewhere."""

    family: Family
    #: Which kind of evidence: "json-ld", "meta", "microdata", "time element", "element", "text", "url", "feed", ...
    source: str
    role: DateRole = DateRole.PUBLISHED
    #: Its label or its name states its role.
    labelled: bool = False
    #: It is part of a sentence of running text: a date of an event, not of the article.
    in_prose: bool = False
    #: Its text, shortened.
    text: str = ""
    #: Where: a JSON-LD path, a meta name, a tag with its class.
    place: str = ""
    #: Day and month have been exchanged.
    exchanged: bool = False
    #: Where the page shows it; None where it does not.
    position: DatePosition | None = None
    #: How probable it is, by the model, that its day is that of its role.
    probability: float = 0.0
    #: Why it was refused or not chosen; of the chosen one, on which clock it is shown.
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The chosen dates, all candidates, and the reasons."""

    published: DateCandidate | None = None
    modified: DateCandidate | None = None
    #: All candidates, the most probable first.
    candidates: tuple[DateCandidate, ...] = ()
    #: How probable it is that the day of `published` is right.
    confidence: float = 0.0
    #: Why `published` is None.
    reason: str | None = None
    #: Why `published` was chosen.
    why: str = ""
