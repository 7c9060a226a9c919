"""One run of a collection: searches, feeds and listed URLs on any host; store news, and file it under keywords."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from newscrawler.config import Collection, Configuration
from newscrawler.corpus import KnownKeywords
from newscrawler.crawl.collections.filing import NewsFilter, find_keywords
from newscrawler.crawl.collections.policy import SEARCH, CollectionPolicy
from newscrawler.crawl.components.archive_handler import make_archive_settings, open_archive
from newscrawler.crawl.run.crawl_run import CrawlRun
from newscrawler.crawl.run.items import ALLOWED, FetchedUrl
from newscrawler.discovery.urls import canonicalize, canonicalize_or_none
from newscrawler.errors import ConfigError, NewscrawlerError, PageReason
from newscrawler.plugins import PluginGroup, load_methods
from newscrawler.store import Store
from newscrawler.store.articles import Selection
from newscrawler.store.frontier import Committed, Frontier, LeasedUrl
from newscrawler.store.vocabularies import FrontierKind, UrlState

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
