"""Politeness without Scrapy and SQL: delays, back-off, windows, robots.txt and permitted addresses."""

from __future__ import annotations

from newscrawler.politeness.statuses import STATUS_RULES, find_status_rule

__all__ = ["STATUS_RULES", "find_status_rule"]
