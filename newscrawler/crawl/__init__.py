"""The only package that imports Scrapy: settings, spider, politeness, pipelines."""

from __future__ import annotations

from newscrawler.crawl.process.crawl_process import crawl_portals
from newscrawler.crawl.run.report import Report, RunCounts, RunSummary

__all__ = ["Report", "RunCounts", "RunSummary", "crawl_portals"]
