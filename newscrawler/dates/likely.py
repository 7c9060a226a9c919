"""Which digits of a text may be those of a date, told without the long expression: most are prices, scores and counts.

What is passed over here, `DATE` and the tables of the months would refuse.
"""

from __future__ import annotations

import re
from functools import lru_cache

from newscrawler.dates.jalali import jalali_month_of
from newscrawler.dates.month_names import month_of
from newscrawler.dates.patterns import SOLAR_YEAR, WORD, YEAR
from newscrawler.languages import words

_DIGITS = re.compile(r"\d+")
#: Three numbers with marks between them, from the first of them on.
_NUMBERS = re.compile(r"\d{1,4}\s?[-/.年년‐–]\s?\d\d?\s?[-/.月월‐–]\s?\d")
_PACKED = 8
_MONTH_SIGNS = tuple(sorted(words("month_signs")))
_WORD, _YEAR = re.compile(WORD), re.compile(f"{YEAR}|{SOLAR_YEAR}")
#: The longest that a date writes before its first digit (a month's name, and marks), behind that up to the end of such a name, and
#: up to its year.
_BEFORE, _BEHIND, _TO_YEAR = 36, 48, 84


def likely_digits(text: str, position: int, *, year_needed: bool) -> int | None:
    """Give the place from which on a text may hold a date; None where it holds none behind `position`.

    Args:
        text: the text.
        position: where to begin.
        year_needed: a day and a month alone are no date, since nobody knows the time of the fetch.
    """
    for digits in _DIGITS.finditer(text, position):
        start, end = digits.span()
        if end - start >= _PACKED or _NUMBERS.match(text, start):
            return max(position, start - _BEFORE)
        first = max(position, start - _BEFORE)
        around = text[first : end + _BEHIND]
        if not around.isascii() and any(sign in around.lower() for sign in _MONTH_SIGNS):
            return first
        if year_needed and not _YEAR.search(text, first, end + _TO_YEAR):
            continue
        if any(map(_is_month, _WORD.findall(around))):
            return first
    return None


@lru_cache(maxsize=8192)
def _is_month(word: str) -> bool:
    """Tell whether a word is a month's name, or holds one beside the sign of an ordinal number, an apostrophe or a digit."""
    bare = word.lstrip("ªº").rstrip("0123456789")
    return any(month_of(part) is not None for part in (word, bare, bare.partition("'")[2])) or jalali_month_of(word) is not None
