"""The keywords under which an article is filed: topics of its collection that it names, its own keywords, or frequent words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from newscrawler.article import Article
from newscrawler.research.detection.evidence import frequent_words
from newscrawler.store.search.text import fold_text
from newscrawler.store.vocabularies import KeywordSource


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledKeyword:
    """One keyword of an article, and where it comes from."""

    name: str
    source: KeywordSource


def keywords_of(article: Article, topics: Iterable[str]) -> tuple[FiledKeyword, ...]:
    """Return the keywords of an article, each once: topics first, then what its page declares, or else its frequent words.

    Args:
        article: as it was read.
        topics: keywords of the collection; each counts where its words occur in a row in the title, the text or the declared
            keywords, in any case, with or without accents.
    """
    folded = [fold_text(part) for part in (article.title, article.body, *article.keywords)]
    found = [FiledKeyword(name=topic, source=KeywordSource.TOPIC) for topic in topics if _is_named(fold_text(topic), folded)]
    own = article.keywords or frequent_words(article.body, article.language_detected or article.language)
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
