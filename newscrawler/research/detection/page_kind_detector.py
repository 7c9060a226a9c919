"""The default detector: the page-kind model combined with all evidence of the keyword method.

A logistic regression over the log-odds of the page-kind model and the document's own evidence; `python -m training --only news`
trains it, and with `--validate` prints its figures by host. No single piece of evidence decides.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log
from pathlib import Path
from typing import ClassVar

from newscrawler.corpus import KnownKeywords, fold_keyword
from newscrawler.research.detection.evidence import DetectionStep, Detector, NewsVerdict, PageEvidence
from newscrawler.research.detection.keyword_detector import has_special_word

NAMES = (
    "article", "query or digits", "neither query nor digits", "description", "declares news", "keywords", "special word",
    "known keywords", "known frequent words",
)  # fmt: skip
_MODEL = Path(__file__).parent / "model.json"
#: Limit of the forest's certainty.
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class PageKindDetector(Detector):
    """Weighs the evidence. A page is news if its probability is at least one half."""

    needs_page_kind: ClassVar[bool] = True

    def judge(self, evidence: PageEvidence, known: KnownKeywords, /) -> NewsVerdict:
        """Return whether a page is news."""
        weights, bias = _read_model()
        row = build_news_features(evidence, known)
        total = bias + sum(weight * value for weight, value in zip(weights, row, strict=True))
        probability = 1 / (1 + exp(-total))
        keywords = len(evidence.keywords)
        return NewsVerdict(is_news=probability >= 0.5, step=DetectionStep.MODEL, probability=probability, keywords=keywords)


def build_news_features(evidence: PageEvidence, known: KnownKeywords) -> list[float]:
    """Return the row of a page's features, in the order of `NAMES`."""
    article = min(max(evidence.article if evidence.article is not None else 0.5, _LEAST), 1 - _LEAST)
    return [
        log(article / (1 - article)), float(evidence.has_query_or_digits is True), float(evidence.has_query_or_digits is False),
        float(evidence.has_description), float(evidence.declares_news), float(bool(evidence.keywords)),
        float(has_special_word(evidence.keywords, evidence.language)),
        _measure_known_share(evidence.keywords, evidence.language, known),
        _measure_known_share(evidence.frequent_words, evidence.language, known),
    ]  # fmt: skip


def _measure_known_share(words: Sequence[str], language: str | None, known: KnownKeywords) -> float:
    collected = known.find_known(language)
    return sum(fold_keyword(word) in collected for word in words) / len(words) if words else 0.0


@cache
def _read_model() -> tuple[tuple[float, ...], float]:
    """Return the weights, in the order of `NAMES`, and the bias."""
    model = json.loads(_MODEL.read_text("utf-8"))
    return tuple(model["weights"][name] for name in NAMES), model["bias"]
