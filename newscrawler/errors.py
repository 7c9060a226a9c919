"""All exceptions that newscrawler raises.

NewscrawlerError
├── ConfigError    the configuration or a command's arguments are wrong: nothing starts
├── StoreError     the database cannot be opened, read or written
│   ├── NoDatabaseError  it does not exist yet
│   ├── StoreAwayError  … temporarily: it restarts, is not reachable, or is locked; a retry may succeed
│   ├── LeaseLostError  another process has taken this crawl over; further writes are refused
│   └── PortalBusyError  another process crawls the portal
├── ExportError    the file cannot be written
└── PageError      this page only; `reason` is a word of PageReason
"""

from __future__ import annotations

from enum import StrEnum


class PageReason(StrEnum):
    """Why a page gave no article: a fixed vocabulary, counted, logged and stored."""

    # the page has no article
    EMPTY = "empty page"
    NOT_HTML = "not HTML"
    NO_HEADLINE = "no headline"
    NO_BODY = "no body"
    LISTING = "listing"
    ERROR_PAGE = "error page"
    SOFT_404 = "missing page answered with 200"
    NO_TITLE_ATTRIBUTE = "title missing"
    NO_DESCRIPTION = "description missing"
    NO_SOURCE = "source missing"
    NO_DATE = "date missing"
    NO_BODY_ATTRIBUTE = "body missing"
    PART = "further page of an article"
    PART_MISSING = "a further page is missing for now"
    OTHER_KIND = "page of another kind"
    NO_ENTRIES = "feed or sitemap without articles"
    TWIN = "same article as another URL"
    NOT_NEWS = "not a news article"
    FAULT = "fault while reading the page"
    NOT_BUILT = "not built by the browser"
    # the page could not be fetched
    ROBOTS = "forbidden by robots.txt"
    ROBOTS_UNREACHABLE = "no answer to robots.txt"
    HTTP_STATUS = "HTTP status"
    TOO_LARGE = "too large"
    TIMEOUT = "timeout"
    TOO_SLOW = "too slow"
    GARBLED = "response cannot be decoded"
    DNS = "host name not found"
    REFUSED = "connection refused"
    CONNECTION = "connection lost"
    PROTOCOL = "invalid HTTP response"
    TLS = "TLS failure"
    ADDRESS = "address not allowed"
    DENYLISTED = "host on the denylist"
    SUSPENDED = "host suspended"
    PAUSED = "host is paused"
    OUT_OF_SCOPE = "on another host"
    REDIRECT_OFF_SCOPE = "redirect out of scope"
    REDIRECT_LOOP = "too many redirects"
    TRAP = "crawler trap"
    UNPRODUCTIVE = "pattern never led to an article"
    OUT_OF_RANGE = "outside the requested dates"
    # access needs a payment, a login or a proof of being human
    CAPTCHA = "captcha"
    CONSENT = "consent page"
    WALL = "login or paywall"
    # the publisher reserves it
    NOINDEX = "noindex"
    TDM_RESERVED = "text mining reserved"
    EXPIRED = "unavailable_after has passed"
    USE_RESERVED = "use reserved by the publisher"
    PAYMENT = "payment required"
    REMOVED = "removed at the request of the operator"
    # the page was fetched before
    NOT_KEPT = "page is not kept"
    DAMAGED = "kept page is damaged"


#: An article was extracted, but lacks an attribute that the portal's `required` names.
MISSING_ATTRIBUTES = frozenset({
    PageReason.NO_TITLE_ATTRIBUTE, PageReason.NO_DESCRIPTION, PageReason.NO_SOURCE, PageReason.NO_DATE,
    PageReason.NO_BODY_ATTRIBUTE,
})  # fmt: skip


#: Name of this program in the package index.
DISTRIBUTION = "polite-newscrawler"


def install_command(extra: str) -> str:
    """Return the command that installs an extra of this program."""
    return f"pip install '{DISTRIBUTION}[{extra}]'"


def counted(number: float, noun: str) -> str:
    """Return a number with its noun in the singular or plural, for nouns whose plural ends in s."""
    shown = number if isinstance(number, int) else f"{number:g}"
    return f"{shown} {noun}" if number == 1 else f"{shown} {noun}s"


class NewscrawlerError(Exception):
    """Base class of all exceptions that newscrawler raises."""

    exit_code = 1


class ConfigError(NewscrawlerError):
    """The configuration or a command's arguments are wrong; the message names the value and what to do."""

    exit_code = 2


class StoreError(NewscrawlerError):
    """The database cannot be opened, read or written."""

    exit_code = 3


class NoDatabaseError(StoreError):
    """The database does not exist yet, or has no tables."""


class StoreAwayError(StoreError):
    """The database is temporarily unavailable: it restarts, is not reachable, or is locked by another process."""


class CostlyQueryError(StoreError):
    """A query took longer than one may; the database is well."""


class LeaseLostError(StoreError):
    """Another process has taken the crawl over; this one can no longer write."""


class PortalBusyError(StoreError):
    """Another process crawls the portal; the database itself works."""

    exit_code = 1


class ExportError(NewscrawlerError):
    """The export cannot be written."""

    exit_code = 4


class PageError(NewscrawlerError):
    """This page gives no article."""

    exit_code = 5

    def __init__(self, reason: PageReason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
        self.detail = detail
