"""Words for page types in addresses and texts of links: "url_words" of the language files.

They are compared without accents and in lower case (`fold`). A `*` at the end matches every word with this beginning. The category
of a word is the type of page, not its subject; subjects that newspapers have sections for are "topic".
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from newscrawler.languages import table

_LETTERS = str.maketrans("łøđßæœþðıħŧ", "lodsaotdiht")

#: Kinds of pages; a word that is in several files under several kinds counts for the first of them. "more": what links say
#: that name no page. The categories of features.GROUPS are the reasons of a verdict.
CATEGORIES = (
    "tag", "author", "video", "gallery", "podcast", "live", "tv", "legal", "about", "contact", "login", "subscribe", "newsletter",
    "shop", "coupon", "advertising", "jobs", "classifieds", "games", "feed", "search", "help", "weather", "data", "epaper",
    "donate", "horoscope", "contest", "app", "event", "share", "print", "comments", "sitemap", "archive", "more", "category",
    "article", "topic",
)  # fmt: skip


def fold(text: str) -> str:
    """Return a text in lower case without accents: `Żółć` → `zolc`."""
    return _fold(text) if len(text) <= 200 else _fold.__wrapped__(text)


@lru_cache(maxsize=4_096)
def _fold(text: str) -> str:
    text = text.lower()
    if text.isascii():
        return text
    return text.translate(_PLAIN)


class _Plain(dict[int, str]):
    """Letters without their accents, computed at first use."""

    def __missing__(self, code: int) -> str:
        decomposed = unicodedata.normalize("NFKD", chr(code).translate(_LETTERS))
        self[code] = "".join(character for character in decomposed if not unicodedata.combining(character))
        return self[code]


_PLAIN = _Plain()


def _tables() -> tuple[dict[str, str], dict[str, str]]:
    whole: dict[str, str] = {}
    beginnings: dict[str, str] = {}
    words = table("url_words")
    for category in CATEGORIES:
        for word in words[category]:
            folded = fold(word)
            (beginnings if folded.endswith("*") else whole).setdefault(folded.rstrip("*"), category)
    return whole, beginnings


_WHOLE, _BEGINNINGS = _tables()
_LENGTHS = sorted({len(beginning) for beginning in _BEGINNINGS}, reverse=True)


@lru_cache(maxsize=4_096)
def category_of(word: str) -> str:
    """Return the category of a folded word, or of several joined by `-`, or "" if it has none."""
    found = _WHOLE.get(word)
    if found is not None:
        return found
    for length in _LENGTHS:
        if length <= len(word) and (found := _BEGINNINGS.get(word[:length])) is not None:
            return found
    return ""
