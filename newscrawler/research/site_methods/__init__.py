"""The published methods that learn from several pages of a site, one file each, and the table of them.

`newscrawler.extraction.templates` is what the program itself learns of a portal; `portal_template` compares it with these methods.
"""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.extraction.templates import LearningMethod
from newscrawler.research.site_methods.dom_comparison import DomComparison
from newscrawler.research.site_methods.fivatech import FiVaTech
from newscrawler.research.site_methods.modified_ttr_wrapper import ModifiedTextToTagRatioWrapper
from newscrawler.research.site_methods.portal_method import PortalMethod
from newscrawler.research.site_methods.road_runner import RoadRunner
from newscrawler.research.site_methods.trinity import Trinity

#: One line a method; several lines of one class differ in their parameters.
SITE_METHODS: Mapping[str, LearningMethod] = {
    "dom_comparison": DomComparison(), "dom_comparison_article": DomComparison(least_share=0.6),
    "modified_ttr_wrapper": ModifiedTextToTagRatioWrapper(),
    "modified_ttr_wrapper_classes": ModifiedTextToTagRatioWrapper(most_names=8, single_classes=True), "trinity": Trinity(),
    "trinity_strict": Trinity(strict=True), "trinity_article": Trinity(least_share=0.6), "road_runner": RoadRunner(),
    "road_runner_article": RoadRunner(least_share=0.6), "fivatech": FiVaTech(), "fivatech_article": FiVaTech(least_share=0.6),
    "portal_template": PortalMethod(),
}  # fmt: skip

__all__ = ["SITE_METHODS"]
