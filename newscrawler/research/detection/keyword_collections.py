"""The keywords of known news pages by language: a state that grows with each such page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

#: Languages without a collection use that of English (002 §5.1.3.1, step 3.2).
FALLBACK_LANGUAGE = "en"


class KeywordCollections:
    """Counts of news pages by language and keyword; keywords are compared in lower case."""

    def __init__(self, counts: Mapping[str, Mapping[str, int]] | None = None) -> None:
        self._counts = {language: Counter(words) for language, words in (counts or {}).items()}
        self._changes: dict[str, Counter[str]] = {}

    def known(self, language: str | None) -> Collection[str]:
        """Return the keywords of a language, or those of English if it has no collection."""
        own = self._counts.get(language or "")
        return own if own is not None else self._counts.get(FALLBACK_LANGUAGE, {})

    def add(self, language: str | None, keywords: Iterable[str]) -> None:
        """Add the keywords of one page of news."""
        words = {folded(word) for word in keywords}
        if words:
            name = language or FALLBACK_LANGUAGE
            self._counts.setdefault(name, Counter()).update(words)
            self._changes.setdefault(name, Counter()).update(words)

    def frequent(self, language: str, most: int) -> list[tuple[str, int]]:
        """Return the keywords that most pages of a language had: candidates for its special words."""
        return sorted(self._counts.get(language, {}).items(), key=lambda each: (-each[1], each[0]))[:most]

    def changes(self) -> dict[str, dict[str, int]]:
        """Return the counts added since the last call, by language and keyword."""
        changes, self._changes = self._changes, {}
        return {language: dict(words) for language, words in changes.items()}

    def as_dict(self) -> dict[str, dict[str, int]]:
        """Return all counts, by language and keyword."""
        return {language: dict(words) for language, words in self._counts.items()}

    def __len__(self) -> int:
        return sum(map(len, self._counts.values()))


def folded(keyword: str) -> str:
    """Return a keyword in the form for comparison: in lower case, with single spaces."""
    return " ".join(keyword.casefold().split())
