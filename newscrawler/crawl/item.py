"""What goes through the pipelines: the record of one fetched URL. Each step returns it anew with what the step found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from scrapy.http import Response

from newscrawler.article import Article
from newscrawler.crawl.refusals import HostPause
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
    """Whether and when a URL that failed is tried again."""

    #: The failure may pass.
    transient: bool = True
    #: Within one run.
    most_tries: int = MOST_TRIES
    #: The server asked for this pause.
    after_seconds: float | None = None
    #: Nothing was asked, or the host is to blame: it does not count as a try of this URL.
    blameless: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedUrl:
    """One URL and what fetching it showed."""

    claimed: ClaimedUrl
    fetched_at: datetime
    #: Done, failed or skipped; a failure that may pass is stored as waiting.
    state: UrlState = UrlState.DONE
    outcome: UrlOutcome = UrlOutcome.NOTHING
    #: Why there is no article.
    reason: Reason | None = None
    #: Of a failure.
    retry: Retry = field(default_factory=Retry)
    #: The host is paused, by this answer or by an earlier one.
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
    #: Links that are not followed, because the page or the link itself asks so.
    unfollowed: int = 0
    #: Of a front page: why it leads nowhere, if it does.
    obstacle: Obstacle | None = None
    #: What the publisher reserves for the page, and what follows from it.
    said: Said | None = None
    decision: Decision = field(default_factory=Decision)
    article: Article | None = None
    sketch: Sketch | None = field(default=None, repr=False)
    #: Of a page of several articles: each with its sketch, at the page's address with an anchor.
    anchored: tuple[tuple[Article, Sketch | None], ...] = ()
    #: What the user should know: what was left out, and why.
    notes: tuple[str, ...] = ()

    @property
    def is_readable(self) -> bool:
        """Whether there is a page that may still be an article."""
        return self.draft is not None and self.reason is None

    @property
    def word(self) -> PageReason | None:
        """Return the reason without its detail."""
        return self.reason.word if self.reason is not None else None

    def refused(self, word: PageReason, detail: str = "") -> FetchedUrl:
        """Return it with the reason why the page gives no article."""
        return replace(self, reason=Reason(word, detail))

    def without_article(self, word: PageReason, detail: str) -> FetchedUrl:
        """Return it without its article, which may not be stored."""
        return replace(self, article=None, sketch=None, outcome=UrlOutcome.NOTHING, reason=Reason(word, detail))
