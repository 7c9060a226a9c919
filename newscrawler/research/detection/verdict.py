"""Verdicts of detectors on pages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from newscrawler.research.detection.evidence import PageEvidence
from newscrawler.research.detection.keyword_collections import KeywordCollections


class Step(StrEnum):
    """The step of a detector that decided."""

    URL = "neither query nor digits in its URL"
    DESCRIPTION = "no meta description"
    NEWS_ARTICLE = "declares NewsArticle"
    SPECIAL_WORD = "a keyword means news"
    KNOWN_KEYWORDS = "known keywords"
    FEW_KNOWN_KEYWORDS = "too few known keywords"
    NO_KEYWORDS = "no keywords"
    MODEL = "probability"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsVerdict:
    """Whether a page is news, and why."""

    is_news: bool
    step: Step
    #: Keywords of the page that are known from news, and all of them.
    known: int = 0
    keywords: int = 0
    #: Only from the default: probability that the page is news, 0 to 1.
    probability: float | None = None

    def __str__(self) -> str:
        """Return the step with its figures."""
        if self.probability is not None:
            return f"{self.step} {self.probability:.2f}"
        counted = self.step in {Step.KNOWN_KEYWORDS, Step.FEW_KNOWN_KEYWORDS}
        return f"{self.step}, {self.known} of {self.keywords}" if counted else str(self.step)


class Detector(Protocol):
    """Separates news from other pages by the evidence of a page and by keywords of known news."""

    @property
    def needs_page_kind(self) -> bool:
        """Return whether the evidence must include the probability of the page-kind model."""
        ...

    def judge(self, evidence: PageEvidence, collections: KeywordCollections, /) -> NewsVerdict:
        """Return whether a page is news, without changing the collections."""
        ...
