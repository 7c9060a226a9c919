"""The keywords under which an article is filed: topics of its collection that it names, its own keywords, or frequent words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any, Protocol

from newscrawler.article import Article
from newscrawler.corpus import KnownKeywords, find_frequent_words
from newscrawler.errors import PageError, PageReason
from newscrawler.extraction import ExtractionOptions, ExtractionState, check_page
from newscrawler.extraction.body import Origin, load_default_extractor, load_page_classifier
from newscrawler.page import Document
from newscrawler.store.articles import FiledKeyword
from newscrawler.store.search import fold_text
from newscrawler.store.vocabularies import KeywordSource


def find_keywords(article: Article, topics: Iterable[str]) -> tuple[FiledKeyword, ...]:
    """Return the keywords of an article, each once: topics first, then its page's own, or else its frequent words.

    A topic of the collection counts where its words occur in a row in the title, the text or the declared keywords, in any case,
    with or without accents.
    """
    folded = [fold_text(part) for part in (article.title, article.body, *article.keywords)]
    found = [FiledKeyword(name=topic, source=KeywordSource.TOPIC) for topic in topics if _is_named(fold_text(topic), folded)]
    own = article.keywords or find_frequent_words(article.body, article.language_detected or article.language)
    source = KeywordSource.DECLARED if article.keywords else KeywordSource.FREQUENT
    found += [FiledKeyword(name=name, source=source) for name in own]
    once: dict[str, FiledKeyword] = {}
    for keyword in found:
        once.setdefault(keyword.name.casefold(), keyword)
    return tuple(once.values())


def _is_named(words: Sequence[str], texts: Iterable[Sequence[str]]) -> bool:
    """Return whether words occur in a row in one of the texts."""
    count = len(words)
    return count > 0 and any(
        any(text[start : start + count] == words for start in range(len(text) - count + 1) if text[start] == words[0])
        for text in texts
    )


#: Pages that are remembered to be judged again when more keywords are known.
_MOST_UNDECIDED = 5_000


class NewsDetector(Protocol):
    """Separates news from other pages by the evidence of a page and by keywords of known news."""

    @property
    def needs_page_kind(self) -> bool:
        """Return whether the evidence must include the probability of the page-kind model."""

    @property
    def compares_keywords(self) -> bool:
        """Return whether a verdict can change when more keywords are known."""

    def gather_evidence(self, page: Document, article: float | None = None) -> Any:
        """Return the evidence of a page; `article` is the probability of the page-kind model."""

    def judge(self, evidence: Any, known: KnownKeywords, /) -> Any:
        """Return a verdict with `is_news` and `keywords` (their number), and its reason as its text."""

    def collect_keywords(self, evidence: Any, known: KnownKeywords) -> None:
        """Add the keywords of a page that was found to be news."""


class NewsFilter:
    """A detector with its known keywords; one thread checks pages, others read the changes."""

    def __init__(self, detector: NewsDetector, known: KnownKeywords) -> None:
        self._detector = detector
        self._known = known
        self._lock = Lock()
        #: Pages that were refused because too few of their keywords were known, by URL.
        self._undecided: dict[str, Any] = {}

    def check(self, draft: ExtractionState, _: ExtractionOptions) -> None:
        """Refuse a page that is not news; other pages count as articles unless strong evidence is against it.

        Raises:
            PageError: it is not news.
        """
        check_page(draft.page)
        evidence = self._collect_evidence(draft)
        with self._lock:
            verdict = self._detector.judge(evidence, self._known)
            if verdict.is_news:
                self._detector.collect_keywords(evidence, self._known)
                self._undecided.pop(draft.page.url or "", None)
        if not verdict.is_news:
            self._remember(draft.page.url, evidence, verdict)
            raise PageError(PageReason.NOT_NEWS, str(verdict))
        draft.prior = load_page_classifier().get_prior(Origin.FEED)

    def _collect_evidence(self, draft: ExtractionState) -> Any:
        if not self._detector.needs_page_kind:
            return self._detector.gather_evidence(draft.page)
        found = load_default_extractor().examine(draft.page, draft.prior)
        return self._detector.gather_evidence(draft.page, article=found.verdict.article if found.verdict is not None else 0.0)

    def _remember(self, url: str | None, evidence: Any, verdict: Any) -> None:
        compares = self._detector.compares_keywords and verdict.keywords > 0
        if compares and url is not None and len(self._undecided) < _MOST_UNDECIDED:
            self._undecided[url] = evidence

    def find_news(self) -> list[str]:
        """Return the URLs of pages that were refused and are news by the keywords that are known now; each once."""
        with self._lock:
            found = [url for url, read in self._undecided.items() if self._detector.judge(read, self._known).is_news]
            for url in found:
                del self._undecided[url]
        return found

    def take_changes(self) -> dict[str, dict[str, int]]:
        """Return the keywords that were collected since the last call, by language, each with its pages."""
        with self._lock:
            return self._known.take_changes()
