"""Scrapy as it comes, which only follows links: what a crawl's pages a second are held against."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from scrapy import Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response


class BareSpider(Spider):
    """Follows every link of the host."""

    name = "bare"

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        """Follow the links of a page, in scope and not seen before, as Scrapy itself finds."""
        yield from response.follow_all(css="a", callback=self.parse)  # type: ignore[attr-defined]


def main(url: str) -> None:
    settings = {"LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False}
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(BareSpider)
    process.crawl(crawler, start_urls=[url], allowed_domains=["127.0.0.1"])
    process.start()
    assert crawler.stats is not None
    stats = crawler.stats.get_stats()
    print(json.dumps({"pages": stats.get("downloader/response_status_count/200", 0), "seconds": stats["elapsed_time_seconds"]}))


if __name__ == "__main__":
    main(sys.argv[1])
