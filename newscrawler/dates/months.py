"""The number of a month by its name, in any language: nominative, genitive and the usual short forms."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

from newscrawler.dates.writing import fold
from newscrawler.languages import languages, table

#: Languages in which some months are called as other months are in Czech and Polish; their names count last.
_LAST = frozenset({"hr", "bs"})
_SHORTEST_FOLDED = 4


def month_of(word: str, languages_of_page: tuple[str, ...] = ()) -> int | None:
    """Return the number of a month's name, with or without its accents; in the first language of the page, if that has it."""
    word = word.lower().rstrip("'")
    if languages_of_page and (own := _names_in(languages_of_page[0]).get(word)) is not None:
        return own
    found = _names().get(word)
    if found is None and not word.isascii():
        found = _names().get(word.replace("i̇", "i"))
    if found is None and len(word) >= _SHORTEST_FOLDED:
        found = _folded().get(_plain(word))
    return found


@cache
def _names_in(language: str) -> dict[str, int]:
    return {name: int(number) for number, names in table("months", language).items() for name in names}


@cache
def _names() -> dict[str, int]:
    """Return the names of all languages."""
    found: dict[str, int] = {}
    for code in sorted(languages(), key=lambda code: (code in _LAST, code)):
        for name, number in _names_in(code).items():
            found.setdefault(name, number)
    return found


@cache
def _folded() -> dict[str, int]:
    found: dict[str, int] = {}
    for name, number in _names().items():
        found.setdefault(_plain(name), number)
    return found


def _plain(word: str) -> str:
    """Fold a word; Turkish capitals lose their dotless i in small letters ("KASIM")."""
    return fold(word).replace("ı", "i")


#: Arabic forms of two letters, which many keyboards write.
_LETTERS = str.maketrans("\u064a\u0649\u0643", "\u06cc\u06cc\u06a9")
_LEAP_OF_33 = (1, 5, 9, 13, 17, 22, 26, 30)
#: A day that is known in both calendars: 1 Farvardin 1403.
_KNOWN_YEAR, _KNOWN_DAY = 1403, date(2024, 3, 20)
_LONG_MONTHS, _LAST_MONTH = 6, 12
#: Languages that are written where this calendar counts: Persian, Dari, Pashto, Kurdish, Azerbaijani and Uzbek in Arabic letters.
LANGUAGES = frozenset({"fa", "prs", "ps", "ckb", "azb"})


def jalali_month_of(word: str) -> int | None:
    """Give the number of a month's name, Iranian or Afghan."""
    return _months().get(word.translate(_LETTERS))


@cache
def _months() -> dict[str, int]:
    return {name: int(number) for number, names in table("solar_months").items() for name in names}


def gregorian(year: int, month: int, day: int) -> date | None:
    """Give the day in the Gregorian calendar; None where there is no such day."""
    if not (1 <= month <= _LAST_MONTH and 1 <= day <= _days_of(year, month)):
        return None
    before = (month - 1) * 30 + min(month - 1, _LONG_MONTHS)
    years = 365 * (year - _KNOWN_YEAR) + _leap_years_until(year - 1) - _leap_years_until(_KNOWN_YEAR - 1)
    return _KNOWN_DAY + timedelta(days=years + before + day - 1)


def _days_of(year: int, month: int) -> int:
    if month <= _LONG_MONTHS:
        return 31
    return 30 if month < _LAST_MONTH or year % 33 in _LEAP_OF_33 else 29


def _leap_years_until(year: int) -> int:
    cycles, rest = divmod(year, 33)
    return len(_LEAP_OF_33) * cycles + sum(leap <= rest for leap in _LEAP_OF_33)
