"""The item of the pipelines: the record of one fetched URL, which each step returns with what it found; keys of request meta."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from scrapy.http import Response

from newscrawler.article import Article
from newscrawler.crawl.failures import HostPause
from newscrawler.discovery.obstacles import Obstacle
from newscrawler.discovery.twins import Sketch
from newscrawler.errors import PageReason
from newscrawler.extract import Draft
from newscrawler.pages import RawPage
from newscrawler.rights import Decision
from newscrawler.store import ClaimedUrl, FoundUrl
from newscrawler.store.rights_records import Said
from newscrawler.store.vocabularies.outcomes import Reason, UrlOutcome, UrlState

#: Tries within one run, where nothing says otherwise.
MOST_TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """Whether and when a failed URL is retried."""

    #: A retry may succeed.
    transient: bool = True
    #: Within one run.
    most_tries: int = MOST_TRIES
    #: Retry-After of the answer.
    after_seconds: float | None = None
    #: Nothing was requested, or the host failed: it does not count as a try of this URL.
    blameless: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedUrl:
    """One URL and the result of fetching it."""

    claimed: ClaimedUrl
    fetched_at: datetime
    #: Done, failed or skipped; a failure that is retried is stored as waiting.
    state: UrlState = UrlState.DONE
    outcome: UrlOutcome = UrlOutcome.NOTHING
    #: Why there is no article.
    reason: Reason | None = None
    #: Of a failure.
    retry: Retry = field(default_factory=Retry)
    #: The pause of the host, after this answer or an earlier one.
    pause: HostPause | None = None
    http_status: int | None = None
    size: int = 0
    etag: str | None = None
    last_modified: str | None = None
    #: The parsed page, until it is read; None: there is none to read.
    draft: Draft | None = field(default=None, repr=False)
    #: What the server answered, or what was made of it, until it is read.
    answer: Response | None = field(default=None, repr=False)
    #: Of a page that was made of several answers: these.
    sources: tuple[RawPage, ...] = field(default=(), repr=False)
    #: The page as it came or was made, and the further pages of its article.
    raw: tuple[RawPage, ...] = field(default=(), repr=False)
    #: Requests for further pages of the article, or for other forms of it.
    parts: int = 0
    #: How the page was read, for the figures of layout drift.
    reading: Mapping[str, Any] | None = None
    #: Links of the page that go into the frontier.
    found: tuple[FoundUrl, ...] = field(default=(), repr=False)
    #: Links that are not followed because of nofollow.
    unfollowed: int = 0
    #: Of a front page: why it leads to no article, if so.
    obstacle: Obstacle | None = None
    #: What the publisher reserves for the page, and what follows from it.
    said: Said | None = None
    decision: Decision = field(default_factory=Decision)
    article: Article | None = None
    sketch: Sketch | None = field(default=None, repr=False)
    #: Of a page of several articles: each with its sketch, at the page's address with an anchor.
    anchored: tuple[tuple[Article, Sketch | None], ...] = ()
    #: Notes for the user: what was left out, and why.
    notes: tuple[str, ...] = ()

    @property
    def is_readable(self) -> bool:
        """Return whether there is a page that may still be an article."""
        return self.draft is not None and self.reason is None

    @property
    def word(self) -> PageReason | None:
        """Return the reason without its detail."""
        return self.reason.word if self.reason is not None else None

    def refused(self, word: PageReason, detail: str = "") -> FetchedUrl:
        """Return the record with the reason why the page gives no article."""
        return replace(self, reason=Reason(word, detail))

    def without_article(self, word: PageReason, detail: str) -> FetchedUrl:
        """Return the record without its article, which may not be stored."""
        return replace(self, article=None, sketch=None, outcome=UrlOutcome.NOTHING, reason=Reason(word, detail))


#: Keys of a request's meta. The kind of the request, a `FetchKind`; pages have none.
KIND = "kind"
#: The pause of the host that followed from the request.
PAUSE = "host_pause"
#: The robots.txt of its origin.
ROBOTS_RULES = "robots_rules"
#: Reservations of its origin, and the licences that the page itself declares.
STATEMENTS = "statements"
LICENSES = "licenses"
#: The leased URL of the frontier.
CLAIMED = "claimed"
#: When an archived page was fetched.
FETCHED_AT = "fetched_at"
#: True: the operator of the search service permits requests that its robots.txt forbids.
ALLOWED = "allowed_by_operator"
#: The number of its row in the frontier; redirects and retries keep it.
ROW = "frontier_row"
