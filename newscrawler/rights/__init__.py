"""What a publisher reserves for its pages, and what follows from it: pure, no Scrapy, no SQL."""

from __future__ import annotations

from newscrawler.rights.decide import DISREGARDABLE, Decision, decide
from newscrawler.rights.directives import from_header, from_meta
from newscrawler.rights.page import FIELDS, PageRights
from newscrawler.rights.tdm import WELL_KNOWN, TdmRule, TdmRules, read_tdm_file, tdm_choice
from newscrawler.rights.withdrawn import withdrawal

__all__ = [
    "DISREGARDABLE",
    "FIELDS",
    "WELL_KNOWN",
    "Decision",
    "PageRights",
    "TdmRule",
    "TdmRules",
    "decide",
    "from_header",
    "from_meta",
    "read_tdm_file",
    "tdm_choice",
    "withdrawal",
]
