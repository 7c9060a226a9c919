"""The item of the pipelines: the record of one fetched URL; keys of request meta."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scrapy.http import Response

from newscrawler.crawl.hosts.failures import HostPause
from newscrawler.discovery import FrontPageProblem
from newscrawler.errors import MISSING_ATTRIBUTES, PageReason
from newscrawler.extraction import ExtractionState
from newscrawler.politeness.rights import RightsDecision
from newscrawler.store.archive import RawPage
from newscrawler.store.frontier import LeasedUrl, PageOutcome
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlOutcome, UrlState

#: Tries within one run, where nothing says otherwise.
MOST_TRIES = 3
#: Reasons that no later visit changes.
FINAL = frozenset({PageReason.TWIN, PageReason.PART, PageReason.REMOVED, PageReason.TRAP})
#: Reasons of pages that were read, and are not articles or may not be used; all others are those of answers without the page.
JUDGED = MISSING_ATTRIBUTES | FINAL | {
    PageReason.LISTING, PageReason.OTHER_KIND, PageReason.NOT_NEWS, PageReason.NO_HEADLINE, PageReason.NO_BODY,
    PageReason.NO_ENTRIES, PageReason.NOT_HTML, PageReason.NOINDEX, PageReason.TDM_RESERVED, PageReason.EXPIRED,
    PageReason.USE_RESERVED, PageReason.UNPRODUCTIVE,
}  # fmt: skip


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
class FetchedUrl(PageOutcome):
    """One URL and the result of fetching it, from the answer to the row.

    Each step returns the record with its findings; `make_outcome` adds the values that only the row needs.
    """

    url_id: int = 0
    lease: LeasedUrl
    #: Done, failed or skipped; a failure that is retried is stored as waiting.
    state: UrlState = UrlState.DONE
    outcome: UrlOutcome = UrlOutcome.NOTHING
    #: Of a failure.
    retry: Retry = field(default_factory=Retry)
    #: The pause of the host, after this answer or an earlier one.
    pause: HostPause | None = None
    size: int = 0
    #: The parsed page, until it is read; None: there is none to read.
    draft: ExtractionState | None = field(default=None, repr=False)
    #: The server's response, or the one made of it, until it is read.
    answer: Response | None = field(default=None, repr=False)
    #: Of a page that was made of several answers: these.
    sources: tuple[RawPage, ...] = field(default=(), repr=False)
    #: The page as it came or was made, and the further pages of its article.
    raw: tuple[RawPage, ...] = field(default=(), repr=False)
    #: Once its blocks are detected: the further pages of its article that have to be read, and the one that may have it whole.
    further: tuple[tuple[str, ...], str | None] | None = field(default=None, repr=False)
    #: Requests for further pages of the article, or for other forms of it.
    parts: int = 0
    #: The page with all pages of the article, if its text is longer.
    whole_url: str | None = None
    #: Other addresses of the article, as its page declares them, with the kind of the declaration.
    twins: Mapping[str, str] = field(default_factory=dict, repr=False)
    #: Links that are not followed because of nofollow.
    unfollowed: int = 0
    #: Of a front page: why it leads to no article, if so.
    front_page_problem: FrontPageProblem | None = None
    #: The decision by the publisher's reservations.
    decision: RightsDecision = field(default_factory=RightsDecision)
    #: Notes for the user: omissions, with their reasons.
    notes: tuple[str, ...] = ()

    @property
    def is_readable(self) -> bool:
        """Return whether there is a page that may still be an article."""
        return self.draft is not None and self.reason is None

    @property
    def word(self) -> PageReason | None:
        """Return the reason without its detail."""
        return self.reason.word if self.reason is not None else None

    @property
    def says_nothing(self) -> bool:
        """Return whether the answer says nothing about pages with such URLs: a refusal, a captcha, an empty page, a login."""
        return self.word is not None and self.word not in JUDGED and self.http_status not in {404, 410}

    def refuse(self, word: PageReason, detail: str = "") -> FetchedUrl:
        """Return the record with the reason why the page gives no article."""
        return replace(self, reason=Reason(word, detail))

    def remove_article(self, word: PageReason, detail: str) -> FetchedUrl:
        """Return the record without its article, which may not be stored."""
        return replace(self, article=None, sketch=None, outcome=UrlOutcome.NOTHING, reason=Reason(word, detail))


def is_last_try(item: FetchedUrl) -> bool:
    """Return whether a URL that failed is not tried again in this run."""
    lease, retry = item.lease, item.retry
    if item.state is not UrlState.FAILED or retry.blameless:
        return False
    is_hopeless = lease.kind == FrontierKind.ARTICLE and not lease.is_stored and lease.empty_visits >= _PATIENCE
    return is_hopeless or not retry.transient or lease.tries + 1 >= retry.most_tries


#: A page that brought nothing so often has one try a run.
_PATIENCE = 2
#: Keys of a request's meta. The kind of the request, a `FetchKind`; pages have none.
KIND = "kind"
#: The pause of the host that followed from the request.
PAUSE = "host_pause"
#: The robots.txt of its origin.
ROBOTS_RULES = "robots_rules"
#: Reservations of its origin, and the licences that the page itself declares.
STATEMENTS = "statements"
LICENSES = "licenses"
#: True: the page with all pages of an article is requested in place of its first one.
WHOLE = "whole"
#: The leased URL of the frontier.
LEASE = "lease"
#: When an archived page was fetched.
FETCHED_AT = "fetched_at"
#: True: the operator of the search service permits requests that its robots.txt forbids.
ALLOWED = "allowed_by_operator"
#: The number of its row in the frontier; redirects and retries keep it.
ROW = "frontier_row"
