"""The published methods of block detection, one file each, and the table of them.

The default detector does not use this package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from newscrawler.article import Body
from newscrawler.page import Document
from newscrawler.research.methods.baselines import AllVisibleText, LongestParagraph
from newscrawler.research.methods.coherent_texts import PageText, TextKind, TextsMethod
from newscrawler.research.methods.energy_and_links import EnergyAndLinks
from newscrawler.research.methods.libraries import INSTALLED
from newscrawler.research.methods.link_position import LinkPosition
from newscrawler.research.methods.mdr import MiningDataRecords
from newscrawler.research.methods.modified_ttr import ModifiedTextToTagRatio
from newscrawler.research.methods.mss import MaximumSubsequenceSegmentation
from newscrawler.research.methods.node_energy import NodeEnergy
from newscrawler.research.methods.pagelet import PageletDetector
from newscrawler.research.methods.portal_crawler import TODAY, PortalCrawler
from newscrawler.research.methods.tag_path_clustering import TagPathClustering
from newscrawler.research.methods.ttr_lines import SMOOTHED, TextToTagRatio
from newscrawler.research.methods.vips import VisionBasedSegmentation

#: Every published page method by its name on the command line and in the configuration.
METHODS: Mapping[str, Callable[[Document], Body | None]] = {
    "portal_crawler": PortalCrawler(), "portal_crawler_today": TODAY, "pagelet": PageletDetector(),
    "mss": MaximumSubsequenceSegmentation(), "modified_ttr": ModifiedTextToTagRatio(), "node_energy": NodeEnergy(),
    "node_energy_words": NodeEnergy(measure="words"), "node_energy_dictionary": NodeEnergy(measure="dictionary words"),
    "link_position": LinkPosition(), "energy_and_links": EnergyAndLinks(), "ttr_lines": TextToTagRatio(),
    "ttr_lines_k_means": TextToTagRatio(clustering="k-means"), "ttr_lines_em": TextToTagRatio(clustering="em"),
    "ttr_lines_farthest_first": TextToTagRatio(clustering="farthest-first"), "ttr_lines_lcs": TextToTagRatio(clustering="lcs"),
    "ttr_lines_smoothed": SMOOTHED, "tag_path_clustering": TagPathClustering(), "mdr": MiningDataRecords(),
    "mdr_article": MiningDataRecords(joins_regions=True, least_levels=2), "vips": VisionBasedSegmentation(),
    "all_text": AllVisibleText(), "longest_paragraph": LongestParagraph(), **INSTALLED,
}  # fmt: skip

__all__ = ["METHODS", "PageText", "TextKind", "TextsMethod"]
