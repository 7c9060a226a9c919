"""What became of a URL of the frontier, and of a run, as words of fixed vocabularies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from newscrawler.errors import PageReason


class FrontierKind(StrEnum):
    """What a URL of the frontier is expected to be."""

    START = "start"
    #: An address that no portal has, to see what this one answers.
    PROBE = "probe"
    FEED = "feed"
    SITEMAP = "sitemap"
    ARTICLE = "article"
    SECTION = "section"
    #: Neither by its address; `why` says what it is.
    OTHER = "other"


class UrlState(StrEnum):
    """Where a URL of the frontier stands."""

    WAITING = "waiting"
    FETCHING = "fetching"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class UrlOutcome(StrEnum):
    """What fetching a URL showed."""

    ARTICLE = "article"
    LISTING = "listing"
    NOTHING = "nothing"
    REDIRECT = "redirect"
    #: It is as it was the last time (304).
    UNCHANGED = "unchanged"


class PageOutcomeKind(StrEnum):
    """What a kept page was taken for."""

    ARTICLE = "article"
    LISTING = "listing"
    NOTHING = "nothing"
    REDIRECT = "redirect"
    UNCHANGED = "unchanged"
    #: A further page of an article.
    PART = "part"
    #: An answer from which the kept page of an article was made: by a browser, or of the answer of an API.
    SOURCE = "source"


class LogLevel(StrEnum):
    """How serious a line in the log of a run is."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a URL gave no article, or is not fetched: a word, and what it is about."""

    word: PageReason
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.word}: {self.detail}" if self.detail else str(self.word)


class EndReason(StrEnum):
    """Why a run ended."""

    #: Nothing was left to be fetched.
    FINISHED = "finished"
    #: By its user or by the service.
    INTERRUPTED = "interrupted"
    #: Its process died.
    KILLED = "killed"
    LIMIT = "limit"
    WINDOW = "window"
    BUDGET = "budget"
    #: A host failed again and again, or asked for a pause that is too long to wait for.
    HOST = "host suspended"
    MEMORY = "memory"
    #: Another process crawls the portal.
    BUSY = "busy"
    ERROR = "error"


_END_REASONS = frozenset(map(str, EndReason))


@dataclass(frozen=True, slots=True)
class RunEnd:
    """Why a run ended: a word, and what it is about."""

    word: EndReason
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.word}: {self.detail}" if self.detail else str(self.word)

    @classmethod
    def parse(cls, text: str) -> RunEnd:
        """Read what `str` has written; a spider of another project may have ended for a reason of its own."""
        word, _, detail = text.partition(": ")
        return cls(EndReason(word), detail) if word in _END_REASONS else cls(EndReason.INTERRUPTED, text)


FINISHED, INTERRUPTED, KILLED = map(RunEnd, (EndReason.FINISHED, EndReason.INTERRUPTED, EndReason.KILLED))


def reason_values(reason: Reason | None) -> dict[str, Any]:
    """Return the columns of the frontier that a reason fills."""
    if reason is None:
        return {"reason": None, "detail": None}
    return {"reason": str(reason.word), "detail": reason.detail[:300] or None}


def end_values(end: RunEnd) -> dict[str, Any]:
    """Return the columns of a run that its end fills."""
    return {"end_reason": str(end.word), "end_detail": end.detail or None}
