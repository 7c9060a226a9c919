"""A collection: its frontier of searches, feeds and listed URLs on any host, and one run that stores and files news."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newscrawler.config import Collection, Configuration
from newscrawler.corpus import KnownKeywords
from newscrawler.crawl.collections.filing import NewsFilter, find_keywords
from newscrawler.crawl.components.archive_handler import make_archive_settings, open_archive
from newscrawler.crawl.policy.link_policy import LinkPolicy, outline_portal
from newscrawler.crawl.policy.portal_profile import PortalProfile
from newscrawler.crawl.run.crawl_run import CrawlRun
from newscrawler.crawl.run.items import ALLOWED, FetchedUrl
from newscrawler.discovery import (
    PRIORITY,
    FeedSource,
    FoundLink,
    Lead,
    LeadKind,
    LinkSource,
    Source,
    SourcePortal,
    SourceResponse,
    get_result_step,
    make_search_url,
    read_results,
)
from newscrawler.discovery.urls import (
    CLASSIFIERS,
    PageLink,
    Scope,
    UrlKind,
    UrlVerdict,
    UserPattern,
    canonicalize,
    canonicalize_or_none,
    find_registered_domain,
    find_trap,
)
from newscrawler.errors import ConfigError, NewscrawlerError, PageReason
from newscrawler.plugins import PluginGroup, load_methods
from newscrawler.politeness import AddressRules, is_local_name, parse_ip_address
from newscrawler.store import Store
from newscrawler.store.articles import Selection
from newscrawler.store.frontier import Committed, FoundUrl, Frontier, LeasedUrl
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlState

if TYPE_CHECKING:
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
            domains=frozenset(), ports=frozenset(), exact=frozenset(), start_urls=frozenset(),
            include=tuple(UserPattern(each.pattern) for each in collection.include),
            exclude=tuple(UserPattern(each.pattern) for each in collection.exclude),
            denied=frozenset(collection.denylist), rules=AddressRules.of((), collection.networks),
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

    def note_page(self, url: str, kind: UrlKind, *, fresh: int) -> None:
        """Learn nothing."""

    def note_dates(self, dates: Dates) -> None:
        """Learn nothing."""

    def note_text(self, url: str, text: str) -> None:
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


class SearchSource(Source):
    """The pages of results of the collection's queries."""

    priority = PRIORITY["feed"]

    def __init__(self, collection: Collection) -> None:
        self._service = collection.search_service
        self._results = collection.results
        #: By canonical URL.
        self.pages = dict(_search_pages(collection))
        #: Results that were taken of each query.
        self._taken: Counter[str] = Counter()

    def start(self, portal: SourcePortal) -> Iterator[Lead]:
        """Yield the first pages of results, and the collection's feeds."""
        return (self._name_list(url) for url in portal.start_urls)

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the entries of a page of results, and the next page if more are wanted."""
        page, service = self.pages.get(answer.requested_url), self._service
        if page is None or service is None:
            if answer.why == SEARCH:  # a redirect led here: the page may be a feed
                answer.why = None
            return
        time_zone = answer.portal.time_zone
        results = read_results(answer.body, answer.url, service.format, content_type=answer.content_type, time_zone=time_zone)
        answer.problem = results.problem
        before = self._taken[page.query] or page.first - 1
        entries = results.entries[: max(0, self._results - before)]
        self._taken[page.query] = before + len(entries)
        yield from entries
        if entries and self._taken[page.query] < self._results:
            step = get_result_step(service.format, service.url)
            following = SearchPage(page.query, page.first + (len(entries) if step == 1 else step))
            yield from (self._name_list(url, is_further=True) for url, each in self.pages.items() if each == following)

    def _name_list(self, url: str, *, is_further: bool = False) -> Lead:
        return Lead(url, LeadKind.FEED, depth=0, why=SEARCH if url in self.pages else None, is_further=is_further)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionPolicy(LinkPolicy):
    """Link policy that takes the URLs of searches and feeds, and follows links only where the collection roams."""

    search: SearchSource

    @classmethod
    def of_collection(cls, collection: Collection) -> CollectionPolicy:
        """Make it for a collection."""
        scope, search = OpenScope.of_collection(collection), SearchSource(collection)
        links = (LinkSource(),) if collection.roam else ()
        return cls(
            portal=collection, scope=scope, classifier=CLASSIFIERS[collection.classifier], sources=(*links, search, FeedSource()),
            profile=MixedProfile(), follows_links=collection.roam, outline=outline_portal(collection, scope), search=search,
        )  # fmt: skip

    def start(self) -> tuple[FoundUrl, ...]:
        """Return the feeds and the first pages of results."""
        leads = self.search.start(self.outline)
        return tuple(self._found_list(lead, self.search.priority, 0) for lead in leads)

    def list_urls(self, urls: Iterable[str]) -> Iterator[FoundUrl]:
        """Yield the URLs of a list, which are canonical."""
        return (self._found_article(url) for url in urls)

    def is_external(self, url: str) -> bool:  # noqa: ARG002  as the base asks
        """Return False: all hosts are in scope."""
        return False

    def admit_sitemaps(self, urls: Iterable[str], base: str) -> tuple[FoundUrl, ...]:  # noqa: ARG002  as the base asks
        """Return nothing: the whole of each host is too much."""
        return ()

    def probe(self, url: str, now: datetime) -> tuple[FoundUrl, ...]:  # noqa: ARG002  as the base asks
        """Return nothing: no page that does not exist is requested of these hosts."""
        return ()

    def classify(self, link: FoundLink, here: str) -> UrlVerdict:  # noqa: ARG002  as the base asks
        """Return where a link leads, whatever the host."""
        return self.classifier(PageLink(href=link.url, page_url=link.url, anchor=link.anchor, where=link.where))

    def _may_be_list(self, url: str) -> bool:
        # a search service may be on a private host
        return not self.follows_links or url in self.search.pages or url in self.outline.feeds or self.scope.allows(url)

    def _admit_link(self, link: FoundLink, answer: SourceResponse, leased: LeasedUrl) -> FoundUrl | None:
        """Return an article or a section of any host that may be visited, articles first."""
        url, depth, most = canonicalize_or_none(link.url), leased.depth + 1, self.portal.max_depth
        if url is None or (most is not None and depth > most) or not self.may_follow(link):
            return None
        if not self.scope.allows(url) or find_trap(url, self.today) is not None:
            return None
        label = self.classify(link, answer.url).label
        if label is UrlKind.ARTICLE:
            place = PRIORITY["related" if leased.kind == FrontierKind.ARTICLE else "article"]
            return replace(self._found_article(url), priority=place, depth=depth)
        return self._found(url, FrontierKind.SECTION, None, PRIORITY["section"], depth) if label is UrlKind.SECTION else None

    def _admit_entry(self, lead: Lead, answer: SourceResponse) -> FoundUrl | None:
        """Return an entry of a feed or a page of results, of any host."""
        return self._found_article(lead.url, lead.published_at, source=answer.kind)

    def _found_article(self, url: str, published_at: datetime | None = None, *, source: str = "links") -> FoundUrl:
        hints = () if published_at is None else (("feed", published_at.isoformat()),)
        skipped = None if self.scope.allows(url) else self._get_reason_against(url)
        return FoundUrl(
            url=url, kind=FrontierKind.ARTICLE, priority=PRIORITY["article"], depth=0, source=source, hints=hints, skipped=skipped
        )

    def _get_reason_against(self, url: str) -> Reason:
        host, scope = urlsplit(url).hostname or "", self.scope
        return Reason(PageReason.ADDRESS, host) if isinstance(scope, OpenScope) and is_private(host, scope.rules) else _DENIED


def _search_pages(collection: Collection) -> Iterator[tuple[str, SearchPage]]:
    """Yield the canonical URLs of all pages of results that may be fetched."""
    service = collection.search_service
    if service is None:
        return
    step = get_result_step(service.format, service.url)
    last = min(collection.results, MOST_PAGES * step) if step == 1 else MOST_PAGES * step
    for query in collection.queries:
        for first in range(1, last + 1, step) if step else (1,):
            url = make_search_url(service.format, service.url, query, first=first, language=collection.language)
            yield canonicalize(url), SearchPage(query, first)


#: URLs leased at once, each of another host; a host still gets one request at a time, with its delay.
MOST_IN_HAND = 4
_SEEN = (UrlState.DONE, UrlState.FAILED)


class CollectionRun(CrawlRun):
    """One run of one collection."""

    link_policy: CollectionPolicy

    def __init__(self, store: Store, configuration: Configuration, collection: Collection) -> None:
        self._collection = collection
        super().__init__(store, configuration, collection)
        self.most_in_hand = MOST_IN_HAND

    def _make_link_policy(self) -> CollectionPolicy:
        return CollectionPolicy.of_collection(self._collection)

    def make_settings(self) -> dict[str, Any]:
        """Return the settings of Scrapy; pages of an archive come from its files."""
        settings = super().make_settings()
        return settings | make_archive_settings(self._collection.archives) if self._collection.archives else settings

    def _select_articles(self) -> Selection:
        return Selection(collection=self._collection.name)

    async def begin(self) -> None:
        """Begin the run, with the keywords that earlier ones have collected.

        Raises:
            ConfigError: the file of URLs cannot be read.
            PortalBusyError: another process runs it.
        """
        known = await self._database.run(self._store.collections.known_keywords)
        self.news_filter = NewsFilter(load_methods(PluginGroup.DETECTORS)[self._collection.detector], KnownKeywords(known))
        await super().begin()

    def _seed_more(self, frontier: Frontier, now: datetime) -> None:
        """Seed the listed URLs; read lists again, but not those of earlier sources, and retry failures."""
        lists = {canonicalize(url) for url in self._collection.start_urls}
        self._store.collections.add(self._collection.name, now=now)
        archived = open_archive(self._collection.archives).urls if self._collection.archives else ()
        file = self._collection.url_file
        listed = read_urls(str(file), partial(file.read_text, "utf-8")).urls if file is not None else ()
        urls = (*listed, *self._collection.given_urls, *archived)
        frontier.seed(self.link_policy.list_urls(urls), now=now)
        frontier.look_again(urls, (UrlState.FAILED, UrlState.SKIPPED))
        frontier.look_again(sorted(lists), (*_SEEN, UrlState.SKIPPED))
        frontier.leave_lists(lists | self.link_policy.search.pages.keys())
        for article_id in self._store.collections.unfiled(self._collection.name):  # of a run that was killed
            self._file(article_id, now)

    async def _requeue_articles(self, frontier: Frontier, now: datetime) -> None:
        """Requeue nothing: articles of a collection are fetched once."""

    async def requeue(self) -> bool:
        """Requeue pages that are news by the keywords known now; False: there are none."""
        urls = self.news_filter.find_news() if self.news_filter is not None else []
        if urls:
            await self._database.run(self._frontier.requeue_pages, urls)
        return bool(urls)

    async def admit(self, lease: LeasedUrl) -> bool:
        """Count a request; False: the article is stored for a portal or another collection, and is filed without a request."""
        if lease.kind == FrontierKind.ARTICLE:
            article_id = await self._database.run(self._store.collections.stored_elsewhere, self._collection.name, lease.url)
            if article_id is not None:
                now = datetime.now(UTC)
                await self._database.run(self._file, article_id, now)
                self.counts.skipped[PageReason.TWIN] += 1
                item = FetchedUrl(lease=lease, fetched_at=now, state=UrlState.SKIPPED)
                await self._commits.add(item.refuse(PageReason.TWIN, f"article {article_id}"))
                return False
        self.counts.requests += 1
        return True

    def make_request_meta(self, lease: LeasedUrl) -> dict[str, Any]:
        """Return whether the search service's operator allows requests against its robots.txt."""
        service = self._collection.search_service
        return {ALLOWED: True} if lease.why == SEARCH and service is not None and not service.obeys_robots else {}

    async def follow_up(self, item: FetchedUrl, committed: Committed) -> None:  # noqa: ARG002  as the base asks
        """File an article, and keep the keywords that were collected."""
        article_id = committed.article_id or committed.twin_of
        changes = self.news_filter.take_changes() if self.news_filter is not None else {}
        try:
            if article_id is not None:
                await self._database.run(self._file, article_id, datetime.now(UTC))
            if changes:
                await self._database.run(self._store.collections.add_known_keywords, changes)
        except NewscrawlerError as error:
            self.fail(error)

    def _file(self, article_id: int, now: datetime) -> None:
        stored = self._store.articles.get(article_id)
        if stored is not None:
            keywords = find_keywords(stored.article, self._collection.keywords)
            self._store.collections.file(self._collection.name, article_id, keywords, now=now)


_MARK = "\N{BYTE ORDER MARK}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedUrls:
    """The URLs of a list, each once and canonical, and the invalid lines."""

    urls: tuple[str, ...]
    #: Number, from 1, and text of each line that is not a URL.
    mistakes: tuple[tuple[int, str], ...]


def read_urls(name: str, read: Callable[[], str]) -> ListedUrls:
    """Read a list of URLs; `read` returns its text.

    Raises:
        ConfigError: it cannot be read, or names no URL.
    """
    urls: dict[str, None] = {}
    mistakes = []
    try:
        lines = read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8'}.") from error
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix(_MARK).strip()
        if not text or text.startswith("#"):
            continue
        url = canonicalize_or_none(text) if text.startswith(("http://", "https://")) and len(text.split()) == 1 else None
        if url is None:
            mistakes.append((number, text))
        else:
            urls[url] = None
    if not urls:
        raise ConfigError(f"{name} lists no URLs. Write one in each line, beginning with http:// or https://.")
    return ListedUrls(urls=tuple(urls), mistakes=tuple(mistakes))
