"""How dates, times and zones are written: the regular expressions.

Every one is anchored on digits and repeats nothing without a bound, so that matching takes time linear in the text.
The numbered groups of DATE (y1, m1, d1 ...) are its forms: year first, day first, day with the month's name, ...
"""

from __future__ import annotations

import re

from newscrawler.extraction.dates.writing import fold
from newscrawler.languages import alternatives, one_of, words

_MARKS = (
    "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a4d\u0a81-\u0acd\u0b82-\u0bcd\u0c00-\u0c4d"
    "\u0c81-\u0ccd\u0d00-\u0d4d\u0e31\u0e34-\u0e4e\u200c॰׳'"
)
WORD = rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}]){{1,24}}\d?"
YEAR = r"(?:19|2[0156])\d\d"
#: The years 1961 to 2041 of the solar calendar (see months.py); the lunar one of the Arabs has been beyond them since 2000.
SOLAR_YEAR = r"1(?:3[4-9]|4[01])\d"
DATE = re.compile(
    rf"""
    (?<![\d])(?:
      (?P<y1>{YEAR}|{SOLAR_YEAR})(?P<s1>\s?[-/.年년‐–])\s?(?P<m1>1[0-2]|0?[1-9])\s?(?:[-/.月월‐–])\s?(?P<d1>3[01]|[12]\d|0?[1-9])(?!\d)[일日号號.]?
    | (?P<d2>3[01]|[12]\d|0?[1-9])(?P<s2>\s?[./‐–-]\s?)(?P<m2>3[01]|[12]\d|0?[1-9])\s?[./‐–-]\s?
        (?P<y2>{YEAR}|\d\d)(?![\d]|[.:]\d\d(?!\d))
    | (?P<d3>3[01]|[12]\d|0?[1-9])\s?(?:-?{alternatives("ordinals")}(?![^\W\d_])|[º\ ª°.,-])?
        [\s/.\-‐–]{{0,2}}(?:{alternatives("of_month")}\s|d['’]\s?)?(?P<w3>{WORD})
        (?P<r3>(?:\s?/\s?{WORD})?\.?,?[\s/\-‐–]{{0,2}}(?:{alternatives("of_year")}\s)?(?P<y3>{YEAR}|{SOLAR_YEAR})(?!\d)
        |(?!\.?,?\s?\d\d\d\d))
    | (?P<y5>{YEAR})(?:\.|\s?,|-|{alternatives("year_suffixes")})?\s?(?P<w5>{WORD})\.?[\s-]?
        (?:{alternatives("day_articles")}\s)?(?P<d5>3[01]|[12]\d|0?[1-9])(?!\d)
    | (?P<y6>{YEAR})(?P<m6>0[1-9]|1[0-2])(?P<d6>0[1-9]|[12]\d|3[01])(?:[T_-]?(?P<t6>[0-2]\d[0-5]\d(?:[0-5]\d)?)(?:Z|\b))?(?!\d)
    | (?P<d7>3[01]|[12]\d|0?[1-9])\s{alternatives("day_words")}\s(?P<m7>1[0-2]|0?[1-9])
        \s?(?:,|{alternatives("year_words")}|\s)\s?(?P<y7>{YEAR})(?!\d)
    | (?P<m8>1[0-2]|0?[1-9])\s?[月월]\s?(?P<d8>3[01]|[12]\d|0?[1-9])\s?[日일号]
    )
    | (?<![^\W_])(?P<w4>{WORD})\.?\s{{0,2}}[-/]?(?P<d4>3[01]|[12]\d|0?[1-9])(?:{alternatives("ordinals_behind_month")}|[º.])?
        (?:[\s,/\-‐–]{{1,3}}(?:{alternatives("of_month")}\s)?(?P<y4>{YEAR})(?!\d)|(?!\d|[./:]\d))
    | (?<![^\W_])(?P<w9>{WORD})\.?,?[\s/-]{{1,2}}(?:{alternatives("of_month")}\s)?(?P<y9>{YEAR})(?!\d)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HALVES = words("day_periods")
#: Words for the halves of the day that stand before a time (Chinese, Japanese, Korean) or behind it (in Arabic letters).
_BEFORE = one_of(half for half in _HALVES if half[0] >= "\u2e80")
_BEHIND = one_of(fold(half) for half in _HALVES if "\u0600" <= half[0] <= "\u06ff")
_MINUTES = alternatives("minute_signs")
TIME = re.compile(
    rf"""(?<![\d.:/-])(?P<before>{_BEFORE})?\s?
    (?P<h>2[0-4]|[01]?\d)\s?
    (?:(?:[:：]|[hH](?![a-zA-Z])|{alternatives("hour_signs")})\s?(?P<m>[0-5]\d|\d(?=\s?{_MINUTES}))?
        (?:\s?(?:[:：]|{_MINUTES})\s?(?P<s>[0-5]\d)(?:[.,]\d{{1,9}})?)?
      |\.(?P<m2>[0-5]\d)(?=\s{{0,2}}(?:{alternatives("hour_words")}|h\b|[ap]\.?\s?m\b|[ap]m|$|[|·•,;)\]]|-|–)|\s*$)
      |(?=\s?(?:{alternatives("oclock")}|[ap]\.?m\b)))
    (?:\s?(?:{_MINUTES}|{alternatives("hour_words", extent="words")}|h\b))?\s?
    (?P<ampm>[ap]\.?\s?m(?:\.|\b)|{_BEHIND}[\u064b\u064c]?(?![^\W_]))?
    """,
    re.VERBOSE | re.IGNORECASE,
)
ZONE = re.compile(
    r"\s{0,2}\(?(?P<name>z\b|(?:utc|gmt)(?=[+−-])|[^\W\d_]{2,4}\b)?\)?\s?(?P<sign>[+−-])?(?(sign)(?P<h>\d{1,2})(?::?(?P<m>\d\d))?(?!\d))",
    re.IGNORECASE,
)
ISO = re.compile(
    r"\s*((?:19|20)\d\d)-(\d\d?)-(\d\d?)(?:[Tt\s]\s?(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d{1,12})?)?\s?"
    r"(?:([Zz])|(?:UTC|GMT)?\s?([+−-])(\d\d):?(\d\d)?)?)?\s*$"
)
EPOCH = re.compile(r"\s*(\d{10})(?:\d{3})?(?:\.\d+)?\s*$")
#: What may stand between a date and its time: marks, and two words at most ("um", "à", "o godz.", "v").
GAP = re.compile(rf"[\s,;|·•@—–\-\[\]()./]*(?:(?:{alternatives('years_short')}|[^\W\d_]{{1,12}})\b[.,:|]?[\s,;|·•—–\-()]*){{0,2}}$")
