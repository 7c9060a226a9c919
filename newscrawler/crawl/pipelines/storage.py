"""Hands the outcome of a URL to the ledger, which commits it."""

from __future__ import annotations

from typing import Self

from scrapy.crawler import Crawler

from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.ledger import Ledger


class Storage:
    """The last step: page, article and links are committed together."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take the ledger that the spider works with."""
        return cls(crawler.spider.ledger)  # type: ignore[union-attr]

    async def process_item(self, item: FetchedUrl) -> FetchedUrl:
        """Wait until the outcome is in the database."""
        await self._ledger.settle(item)
        return item
