"""The one folding of words that both stores index and that queries go through.

A word is a run of letters, digits and marks. Scripts that set no spaces between words (Chinese, Japanese, Thai, Lao, Khmer,
Burmese) are folded sign by sign, so that a query of several signs is a phrase. A word is brought into compatibility form (NFKC),
in one case, without the marks of Latin, Greek, Cyrillic, Hebrew and Arabic; vowel signs of Indic scripts are letters and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple
from unicodedata import normalize

import regex

_SIGNS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
#: One sign of an unspaced script with its marks, or a run of letters; joiners, soft hyphens and tatweel stand inside of words.
_WORD = regex.compile(
    rf"(?V1)[{_SIGNS}][\p{{M}}\uff9e\uff9f]*|[[\p{{L}}\p{{N}}]--[{_SIGNS}]][[\p{{L}}\p{{N}}\p{{M}}\u00ad\u200c\u200d]--[{_SIGNS}]]*"
)
#: The same for texts without such scripts, four times as fast.
_SPACED_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200c\u200d]*")
_MAY_HOLD_SIGNS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\uffff\U00016f00-\U00016fff\U0001b000-\U0003ffff]")
#: Marks that a reader may leave out, and characters that are not seen.
_MARKS = regex.compile(
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"  # Latin, Greek, Cyrillic
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0640"  # Arabic
    "\u00ad\u200c\u200d]"
)
#: Letters with a stroke, which Unicode does not decompose.
_STROKES = str.maketrans("łøđħŧı", "lodhti")
#: PostgreSQL takes no longer lexemes than 2 KiB; nobody searches for words of that length.
_LONGEST = 60


class WordToken(NamedTuple):
    """A folded word and where it stands in the text."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=10_000)
def _fold(word: str) -> tuple[str, ...]:
    if word.isascii():
        return (word.lower()[:_LONGEST],)
    plain = _MARKS.sub("", normalize("NFKD", normalize("NFKD", word).casefold())).translate(_STROKES)
    return tuple(found[:_LONGEST] for found in _WORD.findall(normalize("NFC", plain)))


def _pattern(text: str) -> regex.Pattern[str]:
    return _WORD if _MAY_HOLD_SIGNS.search(text) else _SPACED_WORD


def fold_text(text: str) -> list[str]:
    """Return the folded words of a text, in order."""
    return list(chain.from_iterable(map(_fold, _pattern(text).findall(text))))


def tokens(text: str) -> Iterator[WordToken]:
    """Yield the same words as `fold_text`, each with its place; parts of one word share it."""
    for match in _pattern(text).finditer(text):
        for token in _fold(match[0]):
            yield WordToken(token, match.start(), match.end())
