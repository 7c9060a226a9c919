"""The published methods of block detection, one file each, and the table of them.

The default detector uses nothing of this package.
"""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.methods.baselines import AllVisibleText, LongestParagraph
from newscrawler.methods.libraries import INSTALLED
from newscrawler.methods.link_position import LinkPosition
from newscrawler.methods.mdr import MiningDataRecords
from newscrawler.methods.modified_ttr import ModifiedTextToTagRatio
from newscrawler.methods.mss import MaximumSubsequenceSegmentation
from newscrawler.methods.node_energy import NodeEnergy
from newscrawler.methods.pagelet import PageletDetector
from newscrawler.methods.portal_crawler import TODAY, PortalCrawler
from newscrawler.methods.protocol import PageMethod, SiteMethod
from newscrawler.methods.tag_path_clustering import TagPathClustering
from newscrawler.methods.ttr_lines import TextToTagRatio

#: Every published page method by the name that the command line and the configuration know it by.
METHODS: Mapping[str, PageMethod] = {
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

__all__ = ["METHODS", "PageMethod", "SiteMethod"]
