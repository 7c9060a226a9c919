"""The rights that publishers reserve for their pages, and the consequences. Pure: no Scrapy, no SQL."""

from __future__ import annotations

from newscrawler.politeness.rights.decide import DISREGARDABLE, Decision, Verdict, decide, explain
from newscrawler.politeness.rights.directives import from_header, from_meta
from newscrawler.politeness.rights.odrl import TdmPolicy, read_policy
from newscrawler.politeness.rights.origin import ORIGIN_PLACES, DocumentKind, OriginStatements, license_of, statements_of
from newscrawler.politeness.rights.page import FIELDS, PageRights, license_in_header, license_in_page
from newscrawler.politeness.rights.purposes import PHRASES, Intent, Purpose, words_reserving
from newscrawler.politeness.rights.rsl import MEDIA_TYPE, NAMESPACE, RslDocument, feed_licenses, read_rsl
from newscrawler.politeness.rights.tdm import WELL_KNOWN, TdmRule, TdmRules, read_tdm_file, tdm_choice
from newscrawler.politeness.rights.usage import UsageRule, from_usage_headers, usage_of

__all__ = [
    "DISREGARDABLE",
    "FIELDS",
    "MEDIA_TYPE",
    "NAMESPACE",
    "ORIGIN_PLACES",
    "PHRASES",
    "WELL_KNOWN",
    "Decision",
    "DocumentKind",
    "Intent",
    "OriginStatements",
    "PageRights",
    "Purpose",
    "RslDocument",
    "TdmPolicy",
    "TdmRule",
    "TdmRules",
    "UsageRule",
    "Verdict",
    "decide",
    "explain",
    "feed_licenses",
    "from_header",
    "from_meta",
    "from_usage_headers",
    "license_in_header",
    "license_in_page",
    "license_of",
    "read_policy",
    "read_rsl",
    "read_tdm_file",
    "statements_of",
    "tdm_choice",
    "usage_of",
    "words_reserving",
]
