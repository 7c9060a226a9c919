"""Item pipelines: from a page to an article, and from an article to the database."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import Response

from newscrawler.article import Article
from newscrawler.crawl.process.threads import run_in_reading_thread
from newscrawler.crawl.reading.article_reader import ArticleReader
from newscrawler.crawl.reading.responses import parse_page
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.discovery.urls import CLASSIFIERS, PageLink
from newscrawler.errors import PageError
from newscrawler.extraction import ExtractionOptions, ExtractionState, build_options, read_article
from newscrawler.extraction.body import Origin
from newscrawler.store import Store, open_store

#: Probability of an article by the address alone from which on a page is judged like any other.
_LEAST_ARTICLE = 0.1


@dataclass(slots=True)
class PageItem:
    """A response whose article is wanted, for any spider: `yield PageItem(response)`."""

    response: Response = field(repr=False)
    #: Set by the pipeline.
    article: Article | None = None


class ArticlePipeline:
    """Pipeline from a response to an article; a `PageItem` without one is dropped, a `FetchedUrl` keeps the reason."""

    def __init__(self, reading: ExtractionOptions, crawler: Crawler) -> None:
        self._reading = reading
        self._crawler = crawler
        self._reader: ArticleReader | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take ARTICLE_METHOD, ARTICLE_LANGUAGE, ARTICLE_REQUIRED, ARTICLE_IGNORE_AUTHORS and HOST_TIME_ZONE from the settings."""
        settings = crawler.settings
        reading = build_options(
            method=settings.get("ARTICLE_METHOD", "default"),
            language=settings.get("ARTICLE_LANGUAGE"),
            time_zone=settings.get("HOST_TIME_ZONE", "UTC"),
            required=frozenset(settings.getlist("ARTICLE_REQUIRED", ["title", "body"])),
            ignore_authors=settings.getlist("ARTICLE_IGNORE_AUTHORS"),
        )
        return cls(reading, crawler)

    async def process_item(self, item: Any) -> Any:
        """Read a page; other items pass.

        Raises:
            DropItem: the page of a `PageItem` has no article.
        """
        if isinstance(item, FetchedUrl):
            if self._reader is None:
                self._reader = ArticleReader(self._crawler.spider.run, self._crawler)  # type: ignore[union-attr]
            return await self._reader.read(item)
        if isinstance(item, PageItem):
            item.article = await run_in_reading_thread(self._read_article, item.response)
        return item

    def _read_article(self, response: Response) -> Article:
        draft = ExtractionState(page=parse_page(response), fetched_at=datetime.now(UTC), origin=_judge_origin(response.url))
        try:
            return read_article(draft, self._reading)
        except PageError as error:
            raise DropItem(f"{response.url}: {error}", log_level="INFO") from error


def _judge_origin(url: str) -> Origin:
    """Return how strictly to judge a page that any spider brings: as a start URL, unless its address is likely an article's."""
    verdict = CLASSIFIERS["default"](PageLink(url))
    return Origin.START if verdict.article_score < _LEAST_ARTICLE else Origin.UNKNOWN


class SqlStoragePipeline:
    """Pipeline that stores articles in ARTICLE_DATABASE; outcomes of a portal's URLs are committed by its run."""

    def __init__(self, url: str | None, crawler: Crawler) -> None:
        self._url = url
        self._crawler = crawler
        self._store: Store | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take ARTICLE_DATABASE from the settings: an address such as sqlite:///articles.sqlite."""
        made = cls(crawler.settings.get("ARTICLE_DATABASE"), crawler)
        crawler.signals.connect(made.spider_closed, signal=signals.spider_closed)
        return made

    async def process_item(self, item: Any) -> Any:
        """Wait until the item is in the database; other items pass."""
        if isinstance(item, FetchedUrl):
            await self._crawler.spider.run.complete(item)  # type: ignore[union-attr]
        elif isinstance(item, PageItem) and item.article is not None and self._url:
            self._store = self._store or open_store(self._url)
            name = self._crawler.spider.name  # type: ignore[union-attr]
            await asyncio.to_thread(self._store.articles.add, name, item.article)
        return item

    def spider_closed(self) -> None:
        """Close the database."""
        if self._store is not None:
            self._store.close()
