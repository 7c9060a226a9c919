"""Every site method by its name."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.wrappers.dom_comparison import DomComparison
from newscrawler.wrappers.fivatech import FiVaTech
from newscrawler.wrappers.modified_ttr_wrapper import ModifiedTextToTagRatioWrapper
from newscrawler.wrappers.portal_method import PortalMethod
from newscrawler.wrappers.road_runner import RoadRunner
from newscrawler.wrappers.template import LearningMethod
from newscrawler.wrappers.trinity import Trinity

#: One line a method; several lines of one class differ in their parameters.
SITE_METHODS: Mapping[str, LearningMethod] = {
    "dom_comparison": DomComparison(),
    "modified_ttr_wrapper": ModifiedTextToTagRatioWrapper(),
    "trinity": Trinity(),
    "trinity_strict": Trinity(strict=True),
    "road_runner": RoadRunner(),
    "fivatech": FiVaTech(),
    "portal_wrapper": PortalMethod(),
}
