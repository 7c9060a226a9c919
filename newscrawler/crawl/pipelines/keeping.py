"""Keeps the page as it came, once it is known what it is and that its publisher does not mind."""

from __future__ import annotations

from typing import Self

from scrapy.crawler import Crawler

from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.keeping import Keeper


class PageKeeping:
    """Writes page and further pages into the portal's WARC file, before what they say is committed."""

    def __init__(self, keeper: Keeper | None) -> None:
        self._keeper = keeper

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take the keeper of the portal that the spider crawls."""
        return cls(crawler.spider.keeper)  # type: ignore[union-attr]

    async def process_item(self, item: FetchedUrl) -> FetchedUrl:
        """Keep what was fetched; a page that is to be fetched again is not kept, nor is one whose publisher reserves that."""
        if self._keeper is not None and item.raw and item.state == "done":
            kept = await self._keeper.keep(item.raw)
            item.kept = tuple((page, "part" if number else item.outcome) for number, page in enumerate(kept))
        item.raw = ()
        return item
