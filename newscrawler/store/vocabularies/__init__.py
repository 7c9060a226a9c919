"""Fixed vocabularies of the tables: kinds, states, outcomes and reasons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from newscrawler.errors import PageReason

_Word = TypeVar("_Word", bound=StrEnum)
#: How the name of the queue of a portal's past ends; no portal may have such a name.
PAST = "~past"


class ArticleUrlKind(StrEnum):
    """How a further URL belongs to an article."""

    CANONICAL = "canonical"
    DUPLICATE = "duplicate"
    #: The article has moved from there.
    FORMER = "former"


class RevisionReason(StrEnum):
    """Why an earlier text was replaced."""

    CORRECTED = "corrected"
    REREAD = "reread"


class ReleaseLoss(StrEnum):
    """Why a document of a release cannot be rebuilt."""

    #: The article was removed from the database.
    REMOVED = "removed"
    #: The article changed, and its publisher reserves that copies be kept.
    RESERVED = "reserved"
    #: The article changed, and its record was not kept.
    CHANGED = "changed"


class FetchKind(StrEnum):
    """Purpose of a request."""

    PAGE = "page"
    ROBOTS = "robots"
    #: tdmrep.json
    TDM = "tdm"
    #: A further page of an article.
    PART = "part"
    #: A licence, a policy, or another file that an origin declares.
    LICENCE = "licence"
    #: Another form of an article that its page names: the answer of the site's API, or AMP.
    ALTERNATE = "alternate"
    #: What a page asks for while a browser builds it.
    RENDERING = "rendering"


class OriginFileKind(StrEnum):
    """Kind of a file of an origin."""

    ROBOTS = "robots.txt"
    TDM = "tdmrep.json"
    #: A licence that a page, a feed or robots.txt names.
    RSL = "rsl"
    #: Licences that a feed contains.
    RSL_FEED = "rsl feed"
    #: A policy that tdmrep.json names.
    ODRL = "odrl"
    AI_TXT = "ai.txt"
    TRUST_TXT = "trust.txt"


class RobotsVerdict(StrEnum):
    """Verdict of an origin's robots.txt."""

    RULES = "rules"
    ALLOW = "allow"
    FORBID = "forbid"


class TemplateOrigin(StrEnum):
    """Where a version of a template came from."""

    LEARNED = "learned"
    IMPORTED = "imported"
    MANUAL = "by hand"


class TemplateState(StrEnum):
    """State of a version of a template."""

    IN_USE = "in use"
    #: A later one is in use.
    REPLACED = "replaced"
    #: It was measured and not found better.
    REFUSED = "refused"
    #: Someone went back to an earlier one; it is never used again by itself.
    WITHDRAWN = "withdrawn"


class CrawlJobState(StrEnum):
    """State of a crawl that is dispatched to workers."""

    WAITING = "waiting"
    RUNNING = "running"
    ENDED = "ended"


class JobState(StrEnum):
    """State of a job of the service."""

    #: It was not begun yet, broke off and is tried again, or goes on when the service is back.
    WAITING = "waiting"
    RUNNING = "running"
    #: It came to an end; a crawl, whatever it brought.
    DONE = "done"
    #: It could not be done, broke off too often, or was ended because it took too long.
    FAILED = "failed"
    #: Somebody stopped it.
    STOPPED = "stopped"
    #: There was no occasion to crawl.
    MISSED = "missed"


class KeywordSource(StrEnum):
    """Where a keyword comes from under which an article is filed."""

    #: A keyword of the collection that the article names.
    TOPIC = "topic"
    DECLARED = "declared"
    #: One of the words that the text repeats most; its page declares no keywords.
    FREQUENT = "frequent"


class EntityKind(StrEnum):
    """Kind of an entity that recognisers find in articles."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    TOPIC = "topic"
    #: An event, a work, a product.
    OTHER = "other"


class FrontierKind(StrEnum):
    """Expected kind of a URL of the frontier."""

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
    """State of a URL of the frontier."""

    WAITING = "waiting"
    FETCHING = "fetching"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class UrlOutcome(StrEnum):
    """Result of fetching a URL."""

    ARTICLE = "article"
    LISTING = "listing"
    NOTHING = "nothing"
    REDIRECT = "redirect"
    #: It is as it was the last time (304).
    UNCHANGED = "unchanged"


class PagePart(StrEnum):
    """Kind of a kept page that is not the page of a URL; the others have its outcome."""

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
class _Because(Generic[_Word]):
    """A word of a vocabulary, and what it is about."""

    word: _Word
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.word}: {self.detail}" if self.detail else str(self.word)


class Reason(_Because[PageReason]):
    """Why a URL gave no article, or is not fetched."""

    __slots__ = ()


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
    #: A host failed again and again, or requested a pause that is too long to wait for.
    HOST = "host suspended"
    MEMORY = "memory"
    #: Another process crawls the portal.
    BUSY = "busy"
    ERROR = "error"


_END_REASONS = frozenset(map(str, EndReason))


class RunEnd(_Because[EndReason]):
    """Why a run ended."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> RunEnd:
        """Read what `str` has written; a spider of another project may have ended for its own reason."""
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
