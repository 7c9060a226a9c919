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

from newscrawler.research.detection.evidence import PageEvidence
from newscrawler.research.detection.keyword_collections import KeywordCollections, folded
from newscrawler.research.detection.keyword_detector import has_special_word
from newscrawler.research.detection.verdict import NewsVerdict, Step

NAMES = (
    "article", "query or digits", "neither query nor digits", "description", "declares news", "keywords", "special word",
    "known keywords", "known frequent words",
)  # fmt: skip
_MODEL = Path(__file__).parent / "model.json"
#: Limit of the forest's certainty.
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class PageKindDetector:
    """Weighs the evidence. A page is news if its probability is at least one half."""

    needs_page_kind: bool = True

    def judge(self, evidence: PageEvidence, collections: KeywordCollections, /) -> NewsVerdict:
        """Return whether a page is news."""
        weights, bias = _model()
        row = news_features(evidence, collections)
        total = bias + sum(weight * value for weight, value in zip(weights, row, strict=True))
        probability = 1 / (1 + exp(-total))
        keywords = len(evidence.keywords)
        return NewsVerdict(is_news=probability >= 0.5, step=Step.MODEL, probability=probability, keywords=keywords)


def news_features(evidence: PageEvidence, collections: KeywordCollections) -> list[float]:
    """Return the row of a page's features, in the order of `NAMES`."""
    article = min(max(evidence.article if evidence.article is not None else 0.5, _LEAST), 1 - _LEAST)
    return [
        log(article / (1 - article)),
        float(evidence.has_query_or_digits is True),
        float(evidence.has_query_or_digits is False),
        float(evidence.has_description),
        float(evidence.declares_news),
        float(bool(evidence.keywords)),
        float(has_special_word(evidence.keywords, evidence.language)),
        _known_share(evidence.keywords, evidence.language, collections),
        _known_share(evidence.frequent_words, evidence.language, collections),
    ]


def _known_share(words: Sequence[str], language: str | None, collections: KeywordCollections) -> float:
    known = collections.known(language)
    return sum(folded(word) in known for word in words) / len(words) if words else 0.0


@cache
def _model() -> tuple[tuple[float, ...], float]:
    """Return the weights, in the order of `NAMES`, and the bias."""
    model = json.loads(_MODEL.read_text("utf-8"))
    return tuple(model["weights"][name] for name in NAMES), model["bias"]
