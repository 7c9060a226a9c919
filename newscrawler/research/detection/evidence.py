"""The evidence for or against news on a page (the parts of the method of 002 §5.1 and §5.3), and verdicts of detectors on it.

The frequent words of the pagelet replace the keywords of a page that declares none (002 §5.3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Protocol
from urllib.parse import urlsplit

from newscrawler.corpus import KnownKeywords, find_frequent_words
from newscrawler.extraction.metadata import choose_language, find_keywords
from newscrawler.page import Document
from newscrawler.research.methods.pagelet import PageletDetector

_DIGIT = re.compile(r"[0-9]")
#: The digits of an escaped character do not count as digits of the URL.
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_NEWS_ARTICLE = "NewsArticle"
_PAGELET = PageletDetector()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageEvidence:
    """The evidence about a page on which a detector decides."""

    #: None: the URL is not known.
    has_query_or_digits: bool | None
    has_description: bool
    declares_news: bool
    language: str | None
    #: As the page declares them.
    keywords: tuple[str, ...]
    #: The most frequent words of its pagelet.
    frequent_words: tuple[str, ...]
    #: Probability of an article by the page-kind model, 0 to 1; None where it was not computed.
    article: float | None = None


def gather_evidence(page: Document, *, article: float | None = None) -> PageEvidence:
    """Return the evidence of a page; `article` is the probability of the page-kind model."""
    pagelet = _PAGELET(page)
    text = "\n".join(paragraph.text for paragraph in pagelet.paragraphs) if pagelet is not None else ""
    language, detected = choose_language(None, page.declared_language, text)
    return PageEvidence(
        has_query_or_digits=has_query_or_digits(page.url) if page.url else None,
        has_description=any("description" in name for name in page.meta), declares_news=declares_news(page),
        language=detected or language, keywords=find_keywords(page), frequent_words=find_frequent_words(text, detected or language),
        article=article,
    )  # fmt: skip


def has_query_or_digits(url: str) -> bool:
    """Return whether a URL has a query, or digits in its path."""
    parts = urlsplit(url)
    return bool(parts.query) or _DIGIT.search(_ESCAPE.sub("", parts.path)) is not None


def declares_news(page: Document) -> bool:
    """Return whether microdata or JSON-LD says that the page is a NewsArticle of schema.org, or of a subtype of it."""
    kinds = [kind for each in page.json_ld for kind in _as_list(each.get("@type"))]
    kinds += [element.get("itemtype") for element in page.root.iterfind(".//*[@itemtype]")]
    return any(isinstance(kind, str) and kind.strip().endswith(_NEWS_ARTICLE) for kind in kinds)


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


class DetectionStep(StrEnum):
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
    step: DetectionStep
    #: Keywords of the page that are known from news, and all of them.
    known: int = 0
    keywords: int = 0
    #: Only from the default: probability that the page is news, 0 to 1.
    probability: float | None = None

    def __str__(self) -> str:
        """Return the step with its figures."""
        if self.probability is not None:
            return f"{self.step} {self.probability:.2f}"
        counted = self.step in {DetectionStep.KNOWN_KEYWORDS, DetectionStep.FEW_KNOWN_KEYWORDS}
        return f"{self.step}, {self.known} of {self.keywords}" if counted else str(self.step)


class Detector(Protocol):
    """Separates news from other pages by the evidence of a page and by keywords of known news."""

    #: Whether the evidence must include the probability of the page-kind model.
    needs_page_kind: ClassVar[bool] = False
    #: Whether a verdict can change when more keywords are known.
    compares_keywords: ClassVar[bool] = False

    def gather_evidence(self, page: Document, article: float | None = None) -> PageEvidence:
        """Return the evidence of a page; `article` is the probability of the page-kind model."""
        return gather_evidence(page, article=article)

    def judge(self, evidence: PageEvidence, known: KnownKeywords, /) -> NewsVerdict:
        """Return whether a page is news, without changing the keywords."""
        ...

    def find_keywords(self, evidence: PageEvidence) -> tuple[str, ...]:
        """Return the keywords of a page to compare and to collect."""
        return evidence.keywords

    def collect_keywords(self, evidence: PageEvidence, known: KnownKeywords) -> None:
        """Add the keywords of a page that was found to be news."""
        known.add(evidence.language, self.find_keywords(evidence))
