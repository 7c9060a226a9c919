"""What is learned of a portal: learn, store, apply."""

from __future__ import annotations

from newscrawler.wrappers.sample import spread
from newscrawler.wrappers.stored import from_json, to_json
from newscrawler.wrappers.table import SITE_METHODS
from newscrawler.wrappers.template import LearningMethod, Template

__all__ = ["SITE_METHODS", "LearningMethod", "Template", "from_json", "spread", "to_json"]
