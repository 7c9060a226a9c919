"""Stores what came of a URL: an item pipeline, the last one."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Self

from scrapy import signals
from scrapy.crawler import Crawler

from newscrawler.crawl.article_pipeline import PageItem
from newscrawler.crawl.item import FetchedUrl
from newscrawler.store import Store, open_store


class SqlStoragePipeline:
    """Stores articles in the database ARTICLE_DATABASE; of a portal's URL, page, article and links are committed together."""

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
            await asyncio.to_thread(partial(self._store.articles.add, name, item.article))
        return item

    def spider_closed(self) -> None:
        """Close the database."""
        if self._store is not None:
            self._store.close()
