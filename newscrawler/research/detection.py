"""The evidence for or against news on a page, and the detectors that decide on it: that of the source document, and the default.

Source: Š. Blanár: Extrakcia správ z webových stránok (News Extraction from Web Pages), master's thesis, sections 5.1 and 5.3.

The steps of `KeywordDetector`:

1. A URL with neither a query nor digits is not news.
2. A page without a meta element whose name contains "description" is not news.
3. A page that declares schema.org's NewsArticle is news.
4. Of the rest, a page with a keyword that contains a special word of its language ("news", "správy") is news; else it is news if
   more than 20 % of its keywords are in the collection of its language, or of English where there is none.
5. The keywords of each page that is found to be news are added to the collection of its language.

`detect` decides all pages of a set in two passes, as the document does: first those that declare NewsArticle, then the rest.

Where the document is silent or old:
- JSON-LD, which is younger than the document, declares NewsArticle as well as microdata does; subtypes count.
- Digits of percent-escapes do not count. Where the URL is not known, step 1 is skipped.
- A page without keywords is not news (division by zero in the pseudo-code). With `from_text`, the frequent words of its pagelet
  are its keywords (section 5.3 proposes that; section 5.2 measures the method without).
- Its English special words are "new" and "news", and they may occur inside a keyword: "New York" makes a page news.

The document reaches an accuracy of 61 % on 100 results of a search engine, 63 % after two more searches, 66 % with the keywords of
100 pages of news; docs/collect.md has our figures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import exp, log
from pathlib import Path
from typing import ClassVar, Protocol
from urllib.parse import urlsplit

from newscrawler.corpus import FALLBACK_LANGUAGE, KnownKeywords, find_frequent_words, fold_keyword
from newscrawler.extraction.metadata import choose_language, find_keywords
from newscrawler.languages import words
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


#: Topic of the special words in `languages/`.
SPECIAL_WORDS = "news_words"


@dataclass(frozen=True, slots=True)
class KeywordDetector(Detector):
    """Decides by the steps above."""

    compares_keywords: ClassVar[bool] = True

    #: More than this share of a page's keywords must be known.
    least_share: float = 0.20
    #: Use the frequent words of the pagelet as keywords of a page that declares none.
    from_text: bool = False
    #: Steps 1 and 2.
    asks_url: bool = True
    asks_description: bool = True

    def judge(self, evidence: PageEvidence, known: KnownKeywords, /) -> NewsVerdict:
        """Return whether a page is news."""
        if self.asks_url and evidence.has_query_or_digits is False:
            return NewsVerdict(is_news=False, step=DetectionStep.URL)
        if self.asks_description and not evidence.has_description:
            return NewsVerdict(is_news=False, step=DetectionStep.DESCRIPTION)
        if evidence.declares_news:
            return NewsVerdict(is_news=True, step=DetectionStep.NEWS_ARTICLE)
        return self._compare(self.find_keywords(evidence), evidence.language, known)

    def find_keywords(self, evidence: PageEvidence) -> tuple[str, ...]:
        """Return the keywords of a page to compare and to collect."""
        return evidence.keywords or (evidence.frequent_words if self.from_text else ())

    def _compare(self, keywords: Sequence[str], language: str | None, known: KnownKeywords) -> NewsVerdict:
        """Compare keywords with the special words of a language and with known keywords (the document's pseudo-code 5.2)."""
        if not keywords:
            return NewsVerdict(is_news=False, step=DetectionStep.NO_KEYWORDS)
        if has_special_word(keywords, language):
            return NewsVerdict(is_news=True, step=DetectionStep.SPECIAL_WORD, keywords=len(keywords))
        collected = known.find_known(language)
        matched = sum(fold_keyword(word) in collected for word in keywords)
        is_news = matched > self.least_share * len(keywords)
        step = DetectionStep.KNOWN_KEYWORDS if is_news else DetectionStep.FEW_KNOWN_KEYWORDS
        return NewsVerdict(is_news=is_news, step=step, known=matched, keywords=len(keywords))


def has_special_word(keywords: Sequence[str], language: str | None) -> bool:
    """Return whether a keyword contains a word for news in a language, or in English if the language has no such words."""
    special = words(SPECIAL_WORDS, language or FALLBACK_LANGUAGE) or words(SPECIAL_WORDS, FALLBACK_LANGUAGE)
    return any(word in fold_keyword(keyword) for keyword in keywords for word in special)


def detect(detector: Detector, pages: Sequence[PageEvidence], known: KnownKeywords) -> list[NewsVerdict]:
    """Return the verdicts on all pages of a set, in order, and add to the known keywords."""
    verdicts: dict[int, NewsVerdict] = {}
    for declared in (True, False):
        for number, evidence in enumerate(pages):
            if evidence.declares_news is declared:
                verdicts[number] = detector.judge(evidence, known)
                if verdicts[number].is_news:
                    detector.collect_keywords(evidence, known)
    return [verdicts[number] for number in range(len(pages))]


NAMES = (
    "article", "query or digits", "neither query nor digits", "description", "declares news", "keywords", "special word",
    "known keywords", "known frequent words",
)  # fmt: skip
_MODEL = Path(__file__).with_name("detection_model.json")
#: Limit of the forest's certainty.
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class PageKindDetector(Detector):
    """Weighs the evidence. A page is news if its probability is at least one half.

    A logistic regression over the log-odds of the page-kind model and the document's own evidence; `python -m training --only news`
    trains it, and with `--validate` prints its figures by host. No single piece of evidence decides.
    """

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


#: Detectors by the names on the command line and in the configuration; the default comes first.
DETECTORS: Mapping[str, Detector] = {
    "default": PageKindDetector(),
    "keywords": KeywordDetector(),
    "keywords_of_text": KeywordDetector(from_text=True),
}
