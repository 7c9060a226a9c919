"""Records of reservations, without SQL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from newscrawler.article import Reservation


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedReservations:
    """A page's reservations at one visit."""

    reservations: tuple[Reservation, ...] = ()
    #: These are all reservations of the page; False: earlier ones still apply (a 304 has only headers).
    complete: bool = True
    #: Further copies may be kept: earlier texts of an article.
    keeps_copies: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReservation:
    """A rights record: a reservation for a page, its place and its time."""

    url: str
    reservation: Reservation
    first_said_at: datetime
    last_said_at: datetime
    #: The first visit without it; None: it is still made.
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPageRights:
    """A stored article and its page's current reservations."""

    article_id: int
    portal: str
    url: str
    title: str
    #: Current reservations.
    kept: tuple[StoredReservation, ...] = ()
    #: Status of the last response; 404 and 410: the page is gone.
    http_status: int | None = None
    fetched_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RightsCounts:
    """How often a reservation is made on a portal."""

    portal: str
    #: A word of Reserved.
    word: str
    #: Pages that make it.
    pages: int
    #: Of these, pages of stored articles.
    articles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginStatement:
    """One statement of an origin about its pages, and its time."""

    origin: str
    place: str
    said: str
    first_said_at: datetime
    last_said_at: datetime
    #: When it was no longer made; None: it still is.
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A removal request of a portal's operator."""

    #: An address, in which `*` matches anything.
    pattern: str
    because: str
    asked_at: datetime
    #: Number of removed articles.
    articles: int = 0

    def covers(self, url: str | None) -> bool:
        """Return whether the pattern matches an address, ignoring http or https."""
        return url is not None and _compile_pattern(self.pattern).fullmatch(_normalize(url)) is not None


def _normalize(url: str) -> str:
    """Return an address without scheme and fragment, with its host in lower case."""
    host, slash, rest = url.partition("://")[2].partition("#")[0].partition("/")
    return f"{host.lower()}/{rest}" if slash else f"{host.lower()}/"


@lru_cache(maxsize=4_096)
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    pieces = re.sub(r"\*+", "*", _normalize(pattern)).split("*")
    head, *rest = map(re.escape, pieces)
    middle = "".join(f"(?>.*?{piece})" for piece in rest[:-1])  # matches its first occurrence without backtracking
    return re.compile(head + middle + (f".*{rest[-1]}" if rest else ""), re.DOTALL)
