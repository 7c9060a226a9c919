"""Days of other calendars, as days of ours: the solar one of Iran, Umm al-Qura of Saudi Arabia, and Bikram Sambat of Nepal.

Where a conversion is not exact, a day is left as it is written, and nobody guesses its year: a lunar day on a page in a language of
other countries, which begin their months when the moon is sighted, and years whose lengths of months are not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import cache, partial

from newscrawler.languages import one_of, table, words

#: Leap years of the solar calendar in 33 years, and the first day of the first year that is read.
_LEAP_OF_33, _FIRST_SOLAR_YEAR, _FIRST_SOLAR_DAY = frozenset({1, 5, 9, 13, 17, 22, 26, 30}), 1340, date(1961, 3, 21)
#: Umm al-Qura from 1421 on, one hexadecimal number a year: the bit of each month of 30 days, that of the first month is the lowest.
#: Source: tables of the KACST, as hijridate 2.6 has them.
_FIRST_LUNAR_DAY = date(2000, 4, 6)
_LUNAR_YEARS = """
bc4 b89 a95 52d 5ad b6a 6d4 dc9 d92 aa6 956 2ae 56d 36a b55 aaa 94d 49d 95d 2ba 5b5 5aa d55 a9a 92e 26e 55d ada 6d4 6a5 54b a97 54e
aae 5ac ba9 d92 b25 64b cab 55a b55 6d2 ea5 e4a a95 52d aad 36c 759 6d2 695 52d a5b 4ba 9ba 3b4 b69 b52 aa6 4b6 96d 2ec 6d9 eb2 d54
"""
_LUNAR_LENGTHS = [29 + (int(year, 16) >> month & 1) for year in _LUNAR_YEARS.split() for month in range(12)]
#: Bikram Sambat from 2063 on: the days of each month beyond 29. Source: five published tables that agree, four of them on 2082 and
#: 2083; the lengths of later years are not certain yet.
_FIRST_BIKRAM_DAY = date(2006, 4, 14)
_BIKRAM_YEARS = """
223222101011 223321101011 232321110012 222322011002 223222101011 223321101011 232321110012 222322011011 223222101011 232321101011
232321110012 222322101011 223222101011 232321110011 232321110102 222322101011 223222101011 232321110011 232321110102 223222101011
223222101011
"""
_BIKRAM_LENGTHS = [29 + int(more) for year in _BIKRAM_YEARS.split() for more in year]


def convert_solar_day(year: int, month: int, day: int) -> date | None:
    """Return a day of the solar calendar of Iran in the Gregorian calendar; None for a day that does not exist."""
    lengths = (*[31] * 6, *[30] * 5, 29 + (year % 33 in _LEAP_OF_33))
    if not (1 <= month <= len(lengths) and 1 <= day <= lengths[month - 1]):
        return None
    leap_years = sum(each % 33 in _LEAP_OF_33 for each in range(_FIRST_SOLAR_YEAR, year))
    return _FIRST_SOLAR_DAY + timedelta(days=365 * (year - _FIRST_SOLAR_YEAR) + leap_years + sum(lengths[: month - 1]) + day - 1)


def convert_lunar_day(year: int, month: int, day: int) -> date | None:
    """Return a day of the Umm al-Qura calendar in the Gregorian calendar; None where it is not known."""
    return _count(_FIRST_LUNAR_DAY, _LUNAR_LENGTHS, 12 * (year - 1421) + month - 1, day)  # 1421 began on that day


def convert_bikram_day(year: int, month: int, day: int) -> date | None:
    """Return a day of Bikram Sambat in the Gregorian calendar; None where it is not known."""
    return _count(_FIRST_BIKRAM_DAY, _BIKRAM_LENGTHS, 12 * (year - 2063) + month - 1, day)  # 2063 began on that day


def _count(first: date, lengths: Sequence[int], months: int, day: int) -> date | None:
    """Return the day of a month, which is this many months behind the first."""
    if not (0 <= months < len(lengths) and 1 <= day <= lengths[months]):
        return None
    return first + timedelta(days=sum(lengths[:months]) + day - 1)


_MAY_BE_OTHER = re.compile(r"14[2-8]\d|20(?:6[3-9]|7\d|8[0-3])")
#: Ways to write one letter, in names of months.
_LETTERS = {each: f"[{group}]" for group in ("\u0627\u0623\u0625\u0622", "\u0629\u0647", "\u0649\u064a") for each in group}
_LETTERS |= {"'": "['\u2018\u2019\u02bb-\u02bf`]?", " ": r"[\s-]?", "-": r"[\s-]?"}


def rewrite_days(text: str, languages: Sequence[str]) -> str:
    """Write lunar days and those of Nepal, in European digits, as Gregorian ones; lunar ones stay where such a year is given."""
    if _MAY_BE_OTHER.search(text) is None:
        return text
    # on pages in Arabic and English, the lunar calendar is that of Saudi Arabia
    if {"ar", "en"}.issuperset(languages) and re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", text) is None:
        for each in _build_patterns("lunar", r"14[2-8]\d", is_marked=True):
            text = each.sub(partial(_rewrite, "lunar_months", convert_lunar_day), text)
    if "ne" in languages or ("en" in languages and text.isascii()) or any(map(text.__contains__, words("bikram_eras", "ne"))):
        for each in _build_patterns("bikram", r"20(?:6[3-9]|7\d|8[0-3])", is_marked="ne" not in languages):
            text = each.sub(partial(_rewrite, "bikram_months", convert_bikram_day), text)
    return text


@cache
def _build_patterns(calendar: str, year: str, *, is_marked: bool) -> tuple[re.Pattern[str], ...]:
    """Return patterns of a day in words, and in numbers; with `is_marked`, the latter only with the mark of their era."""
    names = sorted(words(f"{calendar}_months"), key=len, reverse=True)
    month = rf"(?P<w>{'|'.join(''.join(_LETTERS.get(sign) or re.escape(sign) for sign in name) for name in names)})"
    day, number, between = r"(?P<d>3[0-2]|[12]\d|0?[1-9])", r"(?P<m>1[0-2]|0?[1-9])", r"[\s,\u060c/-]{1,3}"
    era = rf"(?:\s?{one_of(words(f'{calendar}_eras'))}(?![^\W\d_]))"
    written = (
        rf"{day}(?:st|nd|rd|th)?{era}?{between}{month}{between}{{year}}", rf"{{year}}{between}{month}{between}{day}",
        rf"{month}{between}{day}(?:st|nd|rd|th)?{between}{{year}}",
    )  # fmt: skip
    numbered = (rf"{{year}}(?P<s>[/.-]){number}(?P=s){day}", rf"{day}(?P<s>[/.-]){number}(?P=s){{year}}")
    end = era if is_marked else rf"{era}?"
    found = [rf"(?<![\w./-]){form}(?!\d){era}?" for form in written] + [rf"(?<![\w./-]){form}(?!\d){end}" for form in numbered]
    return tuple(re.compile(form.replace("{year}", f"(?P<y>{year})"), re.IGNORECASE) for form in found)


def _rewrite(topic: str, convert: Callable[[int, int, int], date | None], match: re.Match[str]) -> str:
    part = match.groupdict()
    month = _read_months(topic).get(_fold_month(part["w"]), 0) if part.get("w") else int(part["m"])
    found = convert(int(part["y"]), month, int(part["d"])) if month else None
    return match[0] if found is None else f"{found.isoformat()} "


@cache
def _read_months(topic: str) -> dict[str, int]:
    return {_fold_month(name): int(number) for number, names in table(topic).items() for name in names}


def _fold_month(name: str) -> str:
    return "".join(_LETTERS.get(sign, sign) for sign in re.sub(r"[^\w\u0900-\u097f]", "", name.lower()))
