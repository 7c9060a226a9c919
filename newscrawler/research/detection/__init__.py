"""Detectors of news in a mixed set of pages: that of the source documents (002 §5), and the default. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.research.detection.detectors import NAMES, KeywordDetector, PageKindDetector, build_news_features, detect
from newscrawler.research.detection.evidence import DetectionStep, Detector, NewsVerdict, PageEvidence, gather_evidence

#: Detectors by the names on the command line and in the configuration; the default comes first.
DETECTORS: Mapping[str, Detector] = {
    "default": PageKindDetector(),
    "keywords": KeywordDetector(),
    "keywords_of_text": KeywordDetector(from_text=True),
}

__all__ = [
    "DETECTORS",
    "NAMES",
    "DetectionStep",
    "Detector",
    "KeywordDetector",
    "NewsVerdict",
    "PageEvidence",
    "PageKindDetector",
    "build_news_features",
    "detect",
    "gather_evidence",
]  # fmt: skip
