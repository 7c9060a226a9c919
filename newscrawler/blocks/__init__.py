"""Block detection: one file a method, and the table of all of them."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.blocks.baselines import AllVisibleText, LongestParagraph
from newscrawler.blocks.default import DefaultDetector
from newscrawler.blocks.libraries import INSTALLED
from newscrawler.blocks.link_position import LinkPosition
from newscrawler.blocks.mdr import MiningDataRecords
from newscrawler.blocks.modified_ttr import ModifiedTextToTagRatio
from newscrawler.blocks.mss import MaximumSubsequenceSegmentation
from newscrawler.blocks.node_energy import NodeEnergy
from newscrawler.blocks.pagelet import PageletDetector
from newscrawler.blocks.portal_crawler import TODAY, PortalCrawler
from newscrawler.blocks.protocol import Body, PageMethod, SiteMethod
from newscrawler.blocks.tag_path_clustering import TagPathClustering
from newscrawler.blocks.ttr_lines import TextToTagRatio

#: Every method by the name that the command line and the configuration know it by.
METHODS: Mapping[str, PageMethod] = {
    "default": DefaultDetector(),
    "portal_crawler": PortalCrawler(),
    "portal_crawler_today": TODAY,
    "pagelet": PageletDetector(),
    "mss": MaximumSubsequenceSegmentation(),
    "modified_ttr": ModifiedTextToTagRatio(),
    "node_energy": NodeEnergy(),
    "link_position": LinkPosition(),
    "ttr_lines": TextToTagRatio(),
    "ttr_lines_k_means": TextToTagRatio(clustering="k-means"),
    "tag_path_clustering": TagPathClustering(),
    "mdr": MiningDataRecords(),
    "all_text": AllVisibleText(),
    "longest_paragraph": LongestParagraph(),
    **INSTALLED,
}

__all__ = ["METHODS", "Body", "PageMethod", "SiteMethod"]
