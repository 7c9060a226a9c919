"""The frontier of a collection: results of searches, entries of feeds and listed URLs on any host; no links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from newscrawler.config import Collection
from newscrawler.crawl.policy.link_policy import PRIORITY, LinkPolicy
from newscrawler.crawl.policy.portal_profile import PortalProfile
from newscrawler.discovery import get_result_step, make_search_url, read_results
from newscrawler.discovery.urls import CLASSIFIERS, Scope, canonicalize, find_registered_domain
from newscrawler.errors import PageReason
from newscrawler.extraction.dates import DateContext
from newscrawler.politeness import AddressRules, is_local_name, parse_ip_address
from newscrawler.store.frontier import FoundUrl, LeasedUrl
from newscrawler.store.vocabularies import FrontierKind, Reason

if TYPE_CHECKING:
    from newscrawler.discovery import FeedEntry, SitemapEntry
    from newscrawler.discovery.urls import PatternOutcome
    from newscrawler.extraction.dates import Dates

#: `why` of a URL that is a page of results.
SEARCH = "search"
#: Limit of pages of results for a query.
MOST_PAGES = 50
_DENIED = Reason(PageReason.DENYLISTED, "denylist, include or exclude of the collection")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenScope(Scope):
    """The scope of all hosts but those on a denylist and their subdomains."""

    denied: frozenset[str] = frozenset()
    #: Private networks that pages may be in.
    rules: AddressRules = field(default_factory=AddressRules)

    @classmethod
    def of_collection(cls, collection: Collection) -> OpenScope:
        """Make the scope of a collection."""
        return cls(
            domains=frozenset(), ports=frozenset(), exact=frozenset(), start_urls=frozenset(), include=collection.include,
            exclude=collection.exclude, denied=frozenset(collection.denylist), rules=AddressRules.of((), collection.networks),
        )  # fmt: skip

    def may_fill(self, url: str, page_url: str) -> bool:
        """Say whether a page may get its content from a URL: one of the page's own origin or registered domain."""
        own, other = urlsplit(page_url), urlsplit(url)
        domain = find_registered_domain(own.hostname or "")
        is_ours = (own.scheme, own.netloc) == (other.scheme, other.netloc) or (
            domain != "" and domain == find_registered_domain(other.hostname or "")
        )
        return is_ours and Scope.may_fill(self, url, page_url)  # no super(): a class with slots is made anew

    def _is_within(self, host: str, port: int) -> bool:  # noqa: ARG002  as the base asks
        if is_private(host, self.rules):
            return False
        names = host.split(".")
        return not any(".".join(names[number:]) in self.denied for number in range(len(names)))


class MixedProfile(PortalProfile):
    """A profile that learns nothing, as pages of a collection are of many hosts."""

    def saw(self, url: str, outcome: PatternOutcome, *, fresh: int) -> None:
        """Learn nothing."""

    def saw_dates(self, dates: Dates) -> None:
        """Learn nothing."""

    def saw_text(self, url: str, text: str) -> None:
        """Learn nothing."""


def is_private(host: str, rules: AddressRules) -> bool:
    """Return whether a host is by its name at an address that is not permitted; others are checked when they resolve."""
    address = ip_address("127.0.0.1") if is_local_name(host) else parse_ip_address(host)
    return address is not None and not rules.allows(host, address)


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of results."""

    query: str
    #: Number of its first result, from 1.
    first: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionPolicy(LinkPolicy):
    """Link policy that takes the URLs of searches and feeds, and follows no link."""

    collection: Collection
    #: By canonical URL.
    search_pages: Mapping[str, SearchPage]
    #: Results that were taken of each query.
    taken: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of_collection(cls, collection: Collection) -> CollectionPolicy:
        """Make it for a collection."""
        return cls(
            scope=OpenScope.of_collection(collection),
            classifier=CLASSIFIERS[collection.classifier],
            profile=MixedProfile(),
            date_context=DateContext(time_zone=collection.time_zone, language=collection.language),
            cookies=collection.cookies,
            follows_links=False,
            collection=collection,
            search_pages=dict(_search_pages(collection)),
        )

    def start(self, urls: tuple[str, ...]) -> tuple[FoundUrl, ...]:
        """Return the feeds and the first pages of results."""
        return tuple(self._list_of(url) for url in urls)

    def listed(self, urls: Iterable[str]) -> Iterator[FoundUrl]:
        """Yield the URLs of a list, which are canonical."""
        return (self._article(url) for url in urls)

    def read_entries(
        self, claimed: LeasedUrl, body: bytes, url: str, content_type: str | None, zone: tzinfo
    ) -> tuple[tuple[FoundUrl, ...], str]:
        """Return the entries of a page of results or a feed, and why there are none."""
        page, service = self.search_pages.get(claimed.url), self.collection.service
        if page is None or service is None:
            return LinkPolicy.read_entries(self, claimed, body, url, content_type, zone)
        results = read_results(body, url, service.format, content_type=content_type, time_zone=zone)
        before = self.taken[page.query] or page.first - 1
        entries = results.entries[: max(0, self.collection.results - before)]
        self.taken[page.query] = before + len(entries)
        found = self.entries(((entry, PRIORITY["article"]) for entry in entries), claimed=claimed)
        return (*found, *self._next_page(page, len(entries))), results.problem

    def _next_page(self, page: SearchPage, results: int) -> Iterator[FoundUrl]:
        service = self.collection.service
        if service is not None and results and self.taken[page.query] < self.collection.results:
            step = get_result_step(service.format, service.url)
            following = SearchPage(page.query, page.first + (results if step == 1 else step))
            yield from (self._list_of(url, again=True) for url, each in self.search_pages.items() if each == following)

    def entries(self, entries: Iterable[tuple[FeedEntry | SitemapEntry, int]], *, claimed: LeasedUrl) -> tuple[FoundUrl, ...]:
        """Return all entries of a feed or a page of results, of any host."""
        return tuple(self._article(entry.url, entry.published_at, source=claimed.kind) for entry, _ in entries)

    def _article(self, url: str, published_at: datetime | None = None, *, source: str = "links") -> FoundUrl:
        hints = () if published_at is None else (("feed", published_at.isoformat()),)
        skipped = None if self.scope.allows(url) else self._reason_against(url)
        return FoundUrl(
            url=url, kind=FrontierKind.ARTICLE, priority=PRIORITY["article"], depth=0, source=source, hints=hints, skipped=skipped
        )

    def _reason_against(self, url: str) -> Reason:
        host = urlsplit(url).hostname or ""
        return Reason(PageReason.ADDRESS, host) if is_private(host, OpenScope.of_collection(self.collection).rules) else _DENIED

    def _list_of(self, url: str, *, again: bool = False) -> FoundUrl:
        why = SEARCH if url in self.search_pages else None
        return FoundUrl(url=url, kind=FrontierKind.FEED, why=why, priority=PRIORITY["feed"], depth=0, again=again)


def _search_pages(collection: Collection) -> Iterator[tuple[str, SearchPage]]:
    """Yield the canonical URLs of all pages of results that may be fetched."""
    service = collection.service
    if service is None:
        return
    step = get_result_step(service.format, service.url)
    last = min(collection.results, MOST_PAGES * step) if step == 1 else MOST_PAGES * step
    for query in collection.queries:
        for first in range(1, last + 1, step) if step else (1,):
            url = make_search_url(service.format, service.url, query, first=first, language=collection.language)
            yield canonicalize(url), SearchPage(query, first)
