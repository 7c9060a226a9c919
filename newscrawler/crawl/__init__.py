"""The only room that knows Scrapy: settings, spider, politeness, pipelines."""

from __future__ import annotations

from newscrawler.crawl.report import Report, RunCounts, RunSummary
from newscrawler.crawl.run import crawl_portals

__all__ = ["Report", "RunCounts", "RunSummary", "crawl_portals"]
