"""What a publisher reserves for its pages, and what follows from it: pure, no Scrapy, no SQL."""

from __future__ import annotations

from newscrawler.rights.decide import DISREGARDABLE, Decision, decide
from newscrawler.rights.directives import from_header, from_meta
from newscrawler.rights.tdm import TdmRule, TdmRules, read_tdm_file, tdm_choice

__all__ = [
    "DISREGARDABLE",
    "Decision",
    "TdmRule",
    "TdmRules",
    "decide",
    "from_header",
    "from_meta",
    "read_tdm_file",
    "tdm_choice",
]
