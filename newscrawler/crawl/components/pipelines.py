"""The item pipelines, in their order: block detection, metadata, dates, other forms of a page, and the database.

Each takes a step of reading an article, for the pages of `PortalSpider` (`FetchedUrl`) and for any spider that yields a `PageItem`.
A project names those that it wants in ITEM_PIPELINES; Scrapy's log lists them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.http import Response

from newscrawler.article import Article
from newscrawler.crawl.hosts.failures import StoppingError, StuckError
from newscrawler.crawl.process.threads import run_in_reading_thread
from newscrawler.crawl.reading.responses import parse_page, read_failure
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.discovery.urls import CLASSIFIERS, PageLink, compute_prior
from newscrawler.errors import PageError
from newscrawler.extraction import (
    ExtractionOptions,
    ExtractionState,
    build_article,
    build_options,
    check_attributes,
    detect_body,
    read_dates,
    read_metadata,
)
from newscrawler.store import Store, open_store
from newscrawler.store.vocabularies import UrlState

if TYPE_CHECKING:
    from newscrawler.crawl.components.spider import PortalSpider


@dataclass
class PageItem:
    """A response whose article is wanted, for any spider: `yield PageItem(response)`.

    The pipelines fill `article`, each the fields of its step; fields that the spider has filled stay as they are.
    """

    response: Response = field(repr=False)
    article: Article | None = None

    def __post_init__(self) -> None:
        self._given = self.article
        self._state: ExtractionState | None = None

    def take_step(self, read: Callable[[ExtractionState, ExtractionOptions], None], reading: ExtractionOptions) -> None:
        """Take a step of reading the page, and fill the article by it.

        Raises:
            PageError: the page has no article.
        """
        if self._state is None:
            url = self.response.url
            prior = compute_prior(CLASSIFIERS["default"](PageLink(url, url)).article_score)  # by the address alone, for any spider
            self._state = ExtractionState(page=parse_page(self.response), fetched_at=datetime.now(UTC), prior=prior)
        read(self._state, reading)
        given = {each: getattr(self._given, each.name) for each in fields(self._given)} if self._given is not None else {}
        own = {each.name: value for each, value in given.items() if value not in (each.default, "", ())}
        self.article = replace(build_article(self._state, reading), **own)


class ReadingPipeline:
    """The base of pipelines that take a step of reading a page."""

    #: The function of `newscrawler.extraction` that takes it, for a page that any spider brings.
    step: ClassVar[Any]
    #: The method of `ArticleReader` that takes it for a page of a portal, with all that its run has learned.
    method_of_reader: ClassVar[str]

    def __init__(self, reading: ExtractionOptions, crawler: Crawler) -> None:
        self._reading = reading
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take ARTICLE_METHOD, ARTICLE_LANGUAGE, ARTICLE_IGNORE_AUTHORS and HOST_TIME_ZONE from the settings."""
        settings = crawler.settings
        reading = build_options(
            method=settings.get("ARTICLE_METHOD", "default"),
            language=settings.get("ARTICLE_LANGUAGE"),
            time_zone=settings.get("HOST_TIME_ZONE", "UTC"),
            ignore_authors=settings.getlist("ARTICLE_IGNORE_AUTHORS"),
        )
        return cls(reading, crawler)

    async def process_item(self, item: Any) -> Any:
        """Take the step; other items pass.

        Raises:
            DropItem: the page of a `PageItem` has no article.
        """
        if isinstance(item, FetchedUrl):
            try:
                reader = cast("PortalSpider", self._crawler.spider).reader
                return await getattr(reader, self.method_of_reader)(item)
            except (StoppingError, StuckError) as error:
                return replace(read_failure(item.lease, error), answer=item.answer)
        if isinstance(item, PageItem):
            try:
                await run_in_reading_thread(item.take_step, type(self).step, self._reading)
            except PageError as error:
                raise _make_drop(item, error) from error
        return item


def _make_drop(item: PageItem, error: PageError) -> DropItem:
    return DropItem(f"{item.response.url}: {error}", log_level="INFO")


class BlockDetectionPipeline(ReadingPipeline):
    """Detects the blocks of the article: headline, lead and body. A page without an article is dropped with its reason."""

    step, method_of_reader = staticmethod(detect_body), "detect_blocks"


class MetadataPipeline(ReadingPipeline):
    """Reads authors, section, keywords, language, canonical URL and the other metadata."""

    step, method_of_reader = staticmethod(read_metadata), "read_metadata"


class DateExtractionPipeline(ReadingPipeline):
    """Finds when the article was published and modified; blocks and language help where they are known."""

    step, method_of_reader = staticmethod(read_dates), "read_dates"


class FallbackPipeline:
    """Finishes the articles of portals; where a page shows none, reads its other forms (feed, API, AMP, browser), by all steps."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make it for the spider of a portal; other spiders have no use for it."""
        if not hasattr(crawler.spider, "run"):
            raise NotConfigured
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        """Return the record of a portal's page with its article, or with the reason why there is none; other items pass."""
        if not isinstance(item, FetchedUrl):
            return item
        try:
            return await cast("PortalSpider", self._crawler.spider).reader.finish(item)
        except (StoppingError, StuckError) as error:
            return replace(item if item.state is UrlState.FAILED else read_failure(item.lease, error), draft=None, answer=None)


class SqlStoragePipeline:
    """Stores articles in ARTICLE_DATABASE; outcomes of a portal's URLs are committed by its run."""

    def __init__(self, url: str | None, required: frozenset[str], crawler: Crawler) -> None:
        self._url = url
        self._required = required
        self._crawler = crawler
        self._store: Store | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take ARTICLE_DATABASE, an address such as sqlite:///articles.sqlite, and ARTICLE_REQUIRED from the settings.

        Raises:
            NotConfigured: none is set, and the spider has no run of a portal.
        """
        url, required = crawler.settings.get("ARTICLE_DATABASE"), crawler.settings.getlist("ARTICLE_REQUIRED", ["title", "body"])
        if not url and not hasattr(crawler.spider, "run"):
            raise NotConfigured("ARTICLE_DATABASE is not set, so no article is stored")
        made = cls(url, frozenset(required), crawler)
        crawler.signals.connect(made.spider_closed, signal=signals.spider_closed)
        return made

    async def process_item(self, item: Any) -> Any:
        """Wait until the item is in the database; other items pass.

        Raises:
            DropItem: a `PageItem` has no article, or one that lacks a required attribute.
        """
        if isinstance(item, FetchedUrl):
            await cast("PortalSpider", self._crawler.spider).run.complete(item)
        elif isinstance(item, PageItem) and self._url:
            if item.article is None:
                raise DropItem(f"{item.response.url}: neither its spider nor a pipeline before this one made an article of it")
            article, now = item.article, datetime.now(UTC)
            article = replace(article, url=article.url or item.response.url, fetched_at=article.fetched_at or now)
            try:
                check_attributes(article, self._required)
            except PageError as error:
                raise _make_drop(item, error) from error
            self._store = self._store or open_store(self._url)
            name = self._crawler.spider.name  # type: ignore[union-attr]
            await asyncio.to_thread(self._store.articles.add, name, article)
        return item

    def spider_closed(self) -> None:
        """Close the database."""
        if self._store is not None:
            self._store.close()
