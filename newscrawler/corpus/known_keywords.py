"""The keywords of known news pages by language, which grow with each such page, and the frequent words of a text.

Frequent words (Š. Blanár, see `newscrawler.research.detection`, section 5.3). Where the document is silent: words
of fewer than four letters, the fifty most common words of the language, and words that occur only once do not count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from newscrawler.languages import words

#: Languages without a collection use that of English (002 §5.1.3.1, step 3.2).
FALLBACK_LANGUAGE = "en"
#: Number of frequent words that are used as keywords.
MOST_FREQUENT = 10
_LEAST_LETTERS, _LEAST_TIMES = 4, 2
_WORD = re.compile(r"[^\W\d_]+")


class KnownKeywords:
    """Counts of news pages by language and keyword; keywords are compared in lower case."""

    def __init__(self, counts: Mapping[str, Mapping[str, int]] | None = None) -> None:
        self._counts = {language: Counter(words) for language, words in (counts or {}).items()}
        self._changes: dict[str, Counter[str]] = {}

    def find_known(self, language: str | None) -> Collection[str]:
        """Return the keywords of a language, or those of English if it has no collection."""
        own = self._counts.get(language or "")
        return own if own is not None else self._counts.get(FALLBACK_LANGUAGE, {})

    def add(self, language: str | None, keywords: Iterable[str]) -> None:
        """Add the keywords of one page of news."""
        words = {fold_keyword(word) for word in keywords}
        if words:
            name = language or FALLBACK_LANGUAGE
            self._counts.setdefault(name, Counter()).update(words)
            self._changes.setdefault(name, Counter()).update(words)

    def take_changes(self) -> dict[str, dict[str, int]]:
        """Return the counts added since the last call, by language and keyword."""
        changes, self._changes = self._changes, {}
        return {language: dict(words) for language, words in changes.items()}

    def as_dict(self) -> dict[str, dict[str, int]]:
        """Return all counts, by language and keyword."""
        return {language: dict(words) for language, words in self._counts.items()}

    def __len__(self) -> int:
        return sum(map(len, self._counts.values()))


def fold_keyword(keyword: str) -> str:
    """Return a keyword in the form for comparison: in lower case, with single spaces."""
    return " ".join(keyword.casefold().split())


def find_frequent_words(text: str, language: str | None, most: int = MOST_FREQUENT) -> tuple[str, ...]:
    """Return the words that a text repeats most, in small letters, the most frequent first."""
    common = words("common", language) if language else words("common")
    counts = Counter(word for word in _WORD.findall(text.casefold()) if len(word) >= _LEAST_LETTERS and word not in common)
    return tuple(word for word, times in counts.most_common(most) if times >= _LEAST_TIMES)
