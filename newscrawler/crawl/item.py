"""What goes through the pipelines: one fetched URL and what is known of it so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from newscrawler.article import Article
from newscrawler.crawl.refusals import HostPause
from newscrawler.discovery.links import FoundLink, HeadLinks
from newscrawler.discovery.obstacles import Obstacle
from newscrawler.discovery.twins import Sketch
from newscrawler.errors import PageError, PageReason
from newscrawler.extract import Draft
from newscrawler.pages import RawPage
from newscrawler.rights import Decision
from newscrawler.store import ClaimedUrl, FoundUrl
from newscrawler.store.rights_records import Said
from newscrawler.store.vocabularies.outcomes import Reason, UrlOutcome, UrlState


@dataclass(slots=True, kw_only=True)
class FetchedUrl:
    """One URL whose outcome is being worked out."""

    claimed: ClaimedUrl
    fetched_at: datetime
    http_status: int | None = None
    size: int = 0
    etag: str | None = None
    last_modified: str | None = None
    #: The parsed page; None where there is none to read.
    draft: Draft | None = field(default=None, repr=False)
    #: The page as it came, and the further pages of its article, until they are kept.
    raw: tuple[RawPage, ...] = field(default=(), repr=False)
    #: How it was read, for the figures of the night.
    reading: Mapping[str, Any] | None = None
    #: The links of the page, as they stand there.
    links: tuple[FoundLink, ...] = field(default=(), repr=False)
    head: HeadLinks | None = None
    #: What of them goes into the frontier.
    found: tuple[FoundUrl, ...] = field(default=(), repr=False)
    #: Further pages of the article that were fetched with it.
    parts: int = 0
    #: What the publisher reserves for the page, and what follows from it.
    said: Said | None = None
    decision: Decision = field(default_factory=Decision)
    #: Links that are not followed, because the page or the link itself asks so.
    unfollowed: int = 0
    #: What the user should know of it: what was not taken, and why.
    notes: tuple[str, ...] = ()
    #: Of a front page: why it leads nowhere, if it does.
    obstacle: Obstacle | None = None
    article: Article | None = None
    sketch: Sketch | None = field(default=None, repr=False)
    #: Of a page of several articles: each with its sketch, at the page's address with an anchor.
    anchored: tuple[tuple[Article, Sketch | None], ...] = ()
    #: Why there is no article.
    reason: PageReason | None = None
    detail: str = ""
    #: Done, failed or skipped; storage turns a failure that may pass into waiting.
    state: UrlState = UrlState.DONE
    outcome: UrlOutcome = UrlOutcome.NOTHING
    #: The failure may pass: try again later.
    transient: bool = False
    #: The server asked to be left alone this long.
    retry_after_seconds: float | None = None
    #: Tries within one run, where it may pass.
    most_tries: int = 3
    #: The host is paused, by this failure or by an earlier one.
    pause: HostPause | None = None
    #: Nothing was asked, or the host is to blame: no try of this URL.
    blameless: bool = False

    @property
    def is_done(self) -> bool:
        """The URL was had, whatever it showed."""
        return self.state is UrlState.DONE

    @property
    def readable(self) -> bool:
        """There is a page, and nothing speaks against an article so far."""
        return self.draft is not None and self.reason is None

    def refuse(self, error: PageError) -> None:
        """Note why the page gives no article."""
        self.reason, self.detail = error.reason, error.detail

    @property
    def full_reason(self) -> Reason | None:
        """Why there is no article, with its detail."""
        return Reason(self.reason, self.detail) if self.reason is not None else None
