"""Words for page types in addresses and texts of links ("url_words" of the language files), and names of query parameters.

Words are compared without accents and in lower case (`fold`). A `*` at the end matches every word with this beginning. The category
of a word is the type of page, not its subject; subjects of newspaper sections are "topic".
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from newscrawler.languages import table, words

_LETTERS = str.maketrans("łøđßæœþðıħŧ", "lodsaotdiht")
#: Kinds of pages; a word that is in several files under several kinds counts for the first of them. "more": what links say
#: that name no page. The categories of features.GROUPS are the reasons of a verdict.
CATEGORIES = (
    "tag", "author", "video", "gallery", "podcast", "live", "tv", "legal", "about", "contact", "login", "subscribe", "newsletter",
    "shop", "coupon", "advertising", "jobs", "classifieds", "games", "feed", "search", "help", "weather", "data", "epaper",
    "donate", "horoscope", "contest", "app", "event", "share", "print", "comments", "sitemap", "archive", "more", "category",
    "article", "topic",
)  # fmt: skip
#: A number in one of these is a place in a listing.
PAGE_PARAMETERS = words("parameters/page")
#: These name a section.
LIST_PARAMETERS = words("parameters/list")
#: A number in one of these names one page.
IDENTIFIER_PARAMETERS = words("parameters/identifier")
#: Parameters of addresses that are neither article nor section: name → reason.
OTHER_PARAMETERS = {
    **dict.fromkeys(("s", "q", "query", "search"), "search"),
    **dict.fromkeys(("sort", "order", "orderby", "sortby", "sort_by", "filter", "filters", "dir", "orderdir"), "sort"),
    **dict.fromkeys(("feed", "rss"), "feed"),
    **dict.fromkeys(("replytocom", "like_comment", "unapproved"), "comments"),
    **dict.fromkeys(("redirect_to", "returnurl", "action"), "login"),
    **dict.fromkeys(("print", "format"), "print"),
    **dict.fromkeys(("lang", "wp_lang", "language"), "language"),
    **dict.fromkeys(words("parameters/author"), "author"),
    **dict.fromkeys(words("parameters/tag"), "tag"),
    "attachment_id": "asset",
    "m": "archive",
    "page_id": "static page",
    "share": "share",
}
#: Parameters whose values name the kind of page that a script shows.
KIND_PARAMETERS = words("parameters/kind")
#: A name and a number without a separator, as in `?article103`.
_JOINED = re.compile(r"([^\W\d]+)(\d+)")


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


def _load_words() -> tuple[dict[str, str], dict[str, str]]:
    whole: dict[str, str] = {}
    beginnings: dict[str, str] = {}
    words = table("url_words")
    for category in CATEGORIES:
        for word in words[category]:
            folded = fold(word)
            (beginnings if folded.endswith("*") else whole).setdefault(folded.rstrip("*"), category)
    return whole, beginnings


_WHOLE, _BEGINNINGS = _load_words()
_LENGTHS = sorted({len(beginning) for beginning in _BEGINNINGS}, reverse=True)


@lru_cache(maxsize=4_096)
def find_category(word: str) -> str:
    """Return the category of a folded word, or of several joined by `-`, or "" if it has none."""
    found = _WHOLE.get(word)
    if found is not None:
        return found
    for length in _LENGTHS:
        if length <= len(word) and (found := _BEGINNINGS.get(word[:length])) is not None:
            return found
    return ""


def split_parameter(pair: str) -> tuple[str, str]:
    """Return name and value of a parameter, split at `=`, or without one at the number that ends it (`article103`)."""
    name, equals, value = pair.partition("=")
    joined = None if equals else _JOINED.fullmatch(name)
    return (joined[1], joined[2]) if joined else (name, value)
