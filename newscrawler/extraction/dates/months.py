"""The number of a month by its name, in any language: nominative, genitive and the usual short forms."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

from newscrawler.extraction.dates.writing import fold
from newscrawler.languages import languages, table

#: Languages in which some months are called as other months are in Czech and Polish; their names count last.
_LAST = frozenset({"hr", "bs"})
_SHORTEST_FOLDED = 4


def month_of(word: str, languages_of_page: tuple[str, ...] = ()) -> int | None:
    """Return the number of a month's name, with or without its accents; in the first language of the page, if that has it."""
    word = word.lower().rstrip("'")
    own = _names_in(languages_of_page[0]).get(word) if languages_of_page else None
    found = own or _names().get(word) or (None if word.isascii() else _names().get(word.replace("i̇", "i")))
    return found or (_folded().get(_plain(word)) if len(word) >= _SHORTEST_FOLDED else None)


def solar_month_of(word: str) -> int | None:
    """Return the number of the name of a month of the solar calendar, Iranian or Afghan."""
    return _names_in(None, "solar_months").get(word.translate(_LETTERS))


@cache
def _names_in(language: str | None, topic: str = "months") -> dict[str, int]:
    return {name: int(number) for number, names in table(topic, language).items() for name in names}


@cache
def _names() -> dict[str, int]:
    """Return the names of all languages; of a name that means several months, the meaning in the first of them."""
    codes = sorted(languages(), key=lambda code: (code in _LAST, code), reverse=True)
    return {name: number for code in codes for name, number in _names_in(code).items()}


@cache
def _folded() -> dict[str, int]:
    return {_plain(name): number for name, number in reversed(_names().items())}


def _plain(word: str) -> str:
    """Fold a word; Turkish capitals lose their dotless i in small letters ("KASIM")."""
    return fold(word).replace("ı", "i")


#: Arabic forms of two letters, which many keyboards write.
_LETTERS = str.maketrans("\u064a\u0649\u0643", "\u06cc\u06cc\u06a9")
#: Leap years of the solar calendar in 33 years, and the first day of the first year that is read.
_LEAP_OF_33, _FIRST_YEAR, _FIRST_DAY = frozenset({1, 5, 9, 13, 17, 22, 26, 30}), 1340, date(1961, 3, 21)
#: Languages that are written where this calendar counts: Persian, Dari, Pashto, Kurdish, Azerbaijani and Uzbek in Arabic letters.
SOLAR_LANGUAGES = frozenset({"fa", "prs", "ps", "ckb", "azb"})


def gregorian(year: int, month: int, day: int) -> date | None:
    """Return the day in the Gregorian calendar of one in the solar calendar of Iran; None where there is no such day."""
    lengths = (*[31] * 6, *[30] * 5, 29 + (year % 33 in _LEAP_OF_33))
    if not (1 <= month <= len(lengths) and 1 <= day <= lengths[month - 1]):
        return None
    leap_years = sum(each % 33 in _LEAP_OF_33 for each in range(_FIRST_YEAR, year))
    return _FIRST_DAY + timedelta(days=365 * (year - _FIRST_YEAR) + leap_years + sum(lengths[: month - 1]) + day - 1)
