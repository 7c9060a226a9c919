"""What a run's outcomes add up to, and what they teach for the rest of it. Bounded, however long the run."""

from __future__ import annotations

from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.portal_profile import PortalProfile
from newscrawler.crawl.report import RunCounts
from newscrawler.crawl.stop_rules import StopRules
from newscrawler.errors import MISSING_ATTRIBUTES, PageReason
from newscrawler.store import ClaimedUrl, Committed
from newscrawler.store.vocabularies.outcomes import FrontierKind, UrlOutcome, UrlState
from newscrawler.urls.learned import Outcome
from newscrawler.urls.patterns import pattern_of

#: A sitemap with fewer articles is not taken for the list of all.
LEAST_LISTED = 30
#: Patterns whose pages are counted as given up.
MOST_GIVEN_UP = 1_000
#: What a page with a 200 showed; the others were seen before, or are elsewhere.
_SEEN = frozenset({UrlOutcome.ARTICLE, UrlOutcome.LISTING, UrlOutcome.NOTHING})


class RunStatistics:
    """The figures of one run; stop_rules and profile learn from the same outcomes."""

    def __init__(self, profile: PortalProfile) -> None:
        self.counts = RunCounts()
        self.stop_rules = StopRules()
        self.profile = profile

    def count_request(self) -> None:
        """Count a request before it is made."""
        self.counts.requests += 1

    def skipped(self, url: str, *, names_pattern: bool) -> None:
        """Count a URL that is not asked for, because its kind brings nothing."""
        self.counts.skipped[PageReason.UNPRODUCTIVE] += 1
        if names_pattern and not self.profile.is_redundant(url):
            self._give_up(pattern_of(url), 1)

    def _give_up(self, pattern: str, count: int) -> None:
        if pattern in self.counts.given_up or len(self.counts.given_up) < MOST_GIVEN_UP:
            self.counts.given_up[pattern] += count

    def add_passed_over(self) -> None:
        """Count the links of patterns that were known to bring nothing when pages led to them."""
        for pattern, count in self.profile.passed_over().items():
            self._give_up(pattern, count)

    def is_unproductive(self, claimed: ClaimedUrl) -> bool:
        """Whether requesting a URL is useless by all that the run has seen."""
        redundant = self.profile.is_redundant(claimed.url)
        return redundant or self.stop_rules.is_unproductive(claimed.url, claimed.kind, claimed.why)

    def add(self, item: FetchedUrl, committed: Committed) -> None:
        """Count an outcome that is in the database, and learn from it."""
        counts = self.counts
        counts.skipped.update(str(reason.word) for reason in committed.skipped)
        counts.bytes += item.size
        counts.new_articles += (committed.article_id is not None) + committed.anchored
        counts.undated += committed.article_id is not None and item.article is not None and item.article.published_at is None
        counts.undated = max(0, counts.undated - committed.dated)  # an earlier run of the round may have counted some
        if item.http_status is not None:
            counts.statuses[str(item.http_status)] += 1
        counts.twins += committed.twin_of is not None
        counts.corrected += committed.corrected
        counts.similar += committed.similar_to is not None
        if committed.state is UrlState.WAITING:
            counts.retries += not item.retry.blameless
        elif committed.state is UrlState.FAILED:
            counts.failed[_named(item)] += 1
        elif committed.state is UrlState.SKIPPED:
            counts.skipped[str(item.word)] += 1
        else:
            self._add_page(item)
            self._learn(item, committed)

    def _add_page(self, item: FetchedUrl) -> None:
        counts = self.counts
        counts.pages += (item.http_status == 200) + item.parts
        counts.requests += item.parts
        counts.listings += _is_listing(item)
        counts.unchanged += item.outcome is UrlOutcome.UNCHANGED
        counts.redirects += item.outcome is UrlOutcome.REDIRECT
        counts.unfollowed += item.unfollowed
        if item.reason is not None and not _is_listing(item) and not _is_absent_list(item):
            counts.refused[_named(item)] += 1

    def _learn(self, item: FetchedUrl, committed: Committed) -> None:
        claimed = item.claimed
        fruitful = item.outcome in {UrlOutcome.ARTICLE, UrlOutcome.REDIRECT, UrlOutcome.UNCHANGED} or committed.fresh_articles > 0
        fruitful = fruitful or item.word in MISSING_ATTRIBUTES  # articles, if not such as are wanted
        self.stop_rules.listed |= claimed.kind == FrontierKind.SITEMAP and len(item.found) >= LEAST_LISTED
        self.stop_rules.linked(url.url for url in item.found if url.why == "pagination")
        if item.outcome in _SEEN and claimed.kind in {FrontierKind.ARTICLE, FrontierKind.SECTION, FrontierKind.OTHER}:
            self.profile.saw(claimed.url, _shown(item, committed), fresh=committed.fresh_articles)
        self.stop_rules.note(claimed.url, claimed.kind, claimed.why, fruitful=fruitful)


def _is_listing(item: FetchedUrl) -> bool:
    """Whether a page counts as a listing; where an article was expected, only if it was recognised as one."""
    if item.outcome is not UrlOutcome.LISTING:
        return False
    return item.claimed.kind != FrontierKind.ARTICLE or item.word in {None, PageReason.LISTING}


def _is_absent_list(item: FetchedUrl) -> bool:
    """Whether there is no feed or sitemap at an address where there often is one: no page gave no article."""
    return item.claimed.kind in {FrontierKind.FEED, FrontierKind.SITEMAP, FrontierKind.PROBE} and item.http_status in {404, 410}


def _named(item: FetchedUrl) -> str:
    """Name why a page gave no article, or could not be fetched; a status by its number."""
    return f"HTTP {item.http_status}" if item.word is PageReason.HTTP_STATUS else str(item.word)


def _shown(item: FetchedUrl, committed: Committed) -> Outcome:
    """What a page turned out to be; one without text counts as a listing only if it is one by its looks or brought something."""
    if item.outcome is UrlOutcome.ARTICLE:
        return Outcome.ARTICLE
    if item.word is PageReason.LISTING or committed.fresh_articles:
        return Outcome.LISTING
    return Outcome.NEITHER
