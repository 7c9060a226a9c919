"""Block detection: one file a method, and the table of all of them."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.blocks.default import DefaultDetector
from newscrawler.blocks.modified_ttr import ModifiedTextToTagRatio
from newscrawler.blocks.mss import MaximumSubsequenceSegmentation
from newscrawler.blocks.node_energy import NodeEnergy
from newscrawler.blocks.pagelet import PageletDetector
from newscrawler.blocks.portal_crawler import TODAY, PortalCrawler
from newscrawler.blocks.protocol import Body, PageMethod, SiteMethod

#: Every method by the name that the command line and the configuration know it by.
METHODS: Mapping[str, PageMethod] = {
    "default": DefaultDetector(),
    "portal_crawler": PortalCrawler(),
    "portal_crawler_today": TODAY,
    "pagelet": PageletDetector(),
    "mss": MaximumSubsequenceSegmentation(),
    "modified_ttr": ModifiedTextToTagRatio(),
    "node_energy": NodeEnergy(),
}

__all__ = ["METHODS", "Body", "PageMethod", "SiteMethod"]
