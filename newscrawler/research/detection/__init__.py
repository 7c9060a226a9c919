"""Detectors of news in a mixed set of pages: that of the source documents (002 §5), and the default. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.research.detection.evidence import PageEvidence, evidence_of
from newscrawler.research.detection.keyword_collections import KeywordCollections
from newscrawler.research.detection.keyword_detector import KeywordDetector
from newscrawler.research.detection.page_kind_detector import PageKindDetector
from newscrawler.research.detection.verdict import Detector, NewsVerdict, Step

#: Detectors by the names on the command line and in the configuration; the default comes first.
DETECTORS: Mapping[str, Detector] = {
    "default": PageKindDetector(),
    "keywords": KeywordDetector(),
    "keywords_of_text": KeywordDetector(from_text=True),
}

__all__ = [
    "DETECTORS",
    "Detector",
    "KeywordCollections",
    "KeywordDetector",
    "NewsVerdict",
    "PageEvidence",
    "PageKindDetector",
    "Step",
    "evidence_of",
]
