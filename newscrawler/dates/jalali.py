"""The solar calendar of Iran and Afghanistan: 1 آذر 1405 is 22 November 2026.

Leap years follow the cycle of 33 years, which agrees with the observed calendar from 1178 to 1633.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

from newscrawler.languages import table

#: Arabic forms of two letters, which many keyboards write.
_LETTERS = str.maketrans("\u064a\u0649\u0643", "\u06cc\u06cc\u06a9")
_LEAP_OF_33 = (1, 5, 9, 13, 17, 22, 26, 30)
#: A day that is known in both calendars: 1 Farvardin 1403.
_KNOWN_YEAR, _KNOWN_DAY = 1403, date(2024, 3, 20)
_LONG_MONTHS, _LAST = 6, 12
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
    if not (1 <= month <= _LAST and 1 <= day <= _days_of(year, month)):
        return None
    before = (month - 1) * 30 + min(month - 1, _LONG_MONTHS)
    years = 365 * (year - _KNOWN_YEAR) + _leap_years_until(year - 1) - _leap_years_until(_KNOWN_YEAR - 1)
    return _KNOWN_DAY + timedelta(days=years + before + day - 1)


def _days_of(year: int, month: int) -> int:
    if month <= _LONG_MONTHS:
        return 31
    return 30 if month < _LAST or year % 33 in _LEAP_OF_33 else 29


def _leap_years_until(year: int) -> int:
    cycles, rest = divmod(year, 33)
    return len(_LEAP_OF_33) * cycles + sum(leap <= rest for leap in _LEAP_OF_33)
