"""Fixed vocabularies of the tables that no other module owns."""

from __future__ import annotations

from enum import StrEnum


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
    """What a request was for."""

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


class RightsFileKind(StrEnum):
    """What a file is that an origin declares about its pages."""

    RSL = "rsl"
    RSL_FEED = "rsl feed"
    ODRL = "odrl"
    AI_TXT = "ai.txt"
    TRUST_TXT = "trust.txt"


class RobotsVerdict(StrEnum):
    """What an origin's robots.txt amounts to."""

    RULES = "rules"
    ALLOW = "allow"
    FORBID = "forbid"


class TemplateOrigin(StrEnum):
    """Where a version of a template came from."""

    LEARNED = "learned"
    IMPORTED = "imported"
    MANUAL = "by hand"


class TemplateState(StrEnum):
    """What became of a version of a template."""

    IN_USE = "in use"
    #: A later one is in use.
    REPLACED = "replaced"
    #: It was measured and not found better.
    REFUSED = "refused"
    #: Someone went back to an earlier one; it is never used again by itself.
    WITHDRAWN = "withdrawn"


class CrawlJobState(StrEnum):
    """How a crawl stands that is dispatched to workers."""

    WAITING = "waiting"
    RUNNING = "running"
    ENDED = "ended"


class TurnState(StrEnum):
    """How a turn stands."""

    RUNNING = "running"
    #: The crawl came to an end, whatever it brought.
    DONE = "done"
    #: The service was ended; the crawl goes on when it is back.
    INTERRUPTED = "interrupted"
    #: The crawl died and is tried again.
    BROKEN = "broken"
    #: It died too often, or was stopped because it took too long.
    GIVEN_UP = "given up"
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
