"""The evidence for or against news on a page, without a decision: the parts of the method of 002 §5.1 and §5.3.

The frequent words of the pagelet replace the keywords of a page that declares none (002 §5.3). Where the document is silent: words
of fewer than four letters, the fifty most common words of the language, and words that occur only once do not count.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlsplit

from newscrawler.extraction.metadata import choose_language, find_keywords
from newscrawler.languages import words
from newscrawler.page import Document
from newscrawler.research.methods.pagelet import PageletDetector

#: Number of frequent words of a pagelet that are used as keywords.
MOST_FREQUENT = 10
_LEAST_LETTERS, _LEAST_TIMES = 4, 2
_WORD = re.compile(r"[^\W\d_]+")
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


def evidence_of(page: Document, *, article: float | None = None) -> PageEvidence:
    """Return the evidence of a page; `article` is the probability of the page-kind model."""
    pagelet = _PAGELET(page)
    text = "\n".join(paragraph.text for paragraph in pagelet.paragraphs) if pagelet is not None else ""
    language, detected = choose_language(None, page.declared_language, text)
    return PageEvidence(
        has_query_or_digits=has_query_or_digits(page.url) if page.url else None,
        has_description=any("description" in name for name in page.meta),
        declares_news=declares_news(page),
        language=detected or language,
        keywords=find_keywords(page),
        frequent_words=frequent_words(text, detected or language),
        article=article,
    )


def has_query_or_digits(url: str) -> bool:
    """Return whether a URL has a query, or digits in its path."""
    parts = urlsplit(url)
    return bool(parts.query) or _DIGIT.search(_ESCAPE.sub("", parts.path)) is not None


def declares_news(page: Document) -> bool:
    """Return whether microdata or JSON-LD says that the page is a NewsArticle of schema.org, or of a subtype of it."""
    kinds = [kind for each in page.json_ld for kind in _as_list(each.get("@type"))]
    kinds += [element.get("itemtype") for element in page.root.iterfind(".//*[@itemtype]")]
    return any(isinstance(kind, str) and kind.strip().endswith(_NEWS_ARTICLE) for kind in kinds)


def frequent_words(text: str, language: str | None, most: int = MOST_FREQUENT) -> tuple[str, ...]:
    """Return the words that a text repeats most, in small letters, the most frequent first."""
    common = words("common", language) if language else words("common")
    counts = Counter(word for word in _WORD.findall(text.casefold()) if len(word) >= _LEAST_LETTERS and word not in common)
    return tuple(word for word, times in counts.most_common(most) if times >= _LEAST_TIMES)


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
