"""Dates in writing: numeric, with the month in words, machine-readable; one pass of regular expressions.

A text of any script is first brought into the form that the patterns expect. Every pattern is anchored on digits and repeats
nothing without a bound, so reading takes time linear in the text. "Today" is read by relative_dates.py.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import Any

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates.calendar import (
    SOLAR_LANGUAGES,
    find_month,
    find_solar_month,
    find_zone_by_abbreviation,
    fold,
    localize,
    make_offset_zone,
)
from newscrawler.extraction.dates.candidate import Clock, Moment
from newscrawler.extraction.dates.other_calendars import convert_solar_day, rewrite_days
from newscrawler.languages import alternatives, one_of, table, words

_CHINESE_DIGITS = "〇一二三四五六七八九零"
_CHINESE_NUMBER = re.compile(r"(?:[〇零一二三四五六七八九]{4}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=[年月日])")
#: Eras of Japan: the year before the first of each.
_ERAS = {name: int(year) for year, names in table("eras").items() for name in names}
_ERA = re.compile(rf"({one_of(_ERAS)})\s?(\d{{1,2}}|元)\s?年")
#: The era of the Republic of China on Taiwan, whose year 1 was 1912.
_MINGUO_DAY = re.compile(r"(?<![\d./-])(1[01]\d)(([./-])(?:0?[1-9]|1[0-2])\3(?:0?[1-9]|[12]\d|3[01]))(?![\d./-])")
_MINGUO, _MINGUO_BEGAN = re.compile(r"民[國国]\s?(\d{1,3}|元)\s?年"), 1911
#: A year in two eras before a month: 2024年(令和6年)3月, 주체113(2024)년 3월.
_YEAR_TWICE = re.compile(
    r"(?<!\d)(?:(\d{4})\s?[年년]?\s?\([^()]{2,9}\)|[^\W\d_]{2}\d{1,3}\s?[年년]?\s?\((\d{4})[年년]?\))\s?[年년]?(?=\s?\d{1,2}\s?[月월])"
)
#: Thai months in short, dotted; the mark of an era before a year; and a year of the Buddhist era (2550 to 2579) in two digits.
_THAI_SHORT = re.compile(r"(?<![\u0e00-\u0e7f])(มี|เม|มิ|[มกพสตธ])\.\s?([คพย])\.?(?![\u0e00-\u0e7f])")
_ARABIC = re.compile("[\u0600-\u06ff]")
_THAI = re.compile("[\u0e00-\u0e7f]")
_THAI_ERA_MARK = re.compile(r"[พค]\.\s?ศ\.?\s?(?=\d{4})")
_THAI_YEAR = re.compile(rf"(\d\s?{alternatives('months', language='th')}\s{{0,2}})([5-7]\d)(?![\d.:])")
#: Anything but Latin, Greek and Cyrillic: only there digits, blanks and marks need another form.
OTHER_SCRIPT = re.compile(r"[^\x00-\u02af\u0370-\u0482\u048a-\u052f\u2010-\u201f\u2022\u2026]")


def tidy(text: str, languages: tuple[str, ...] = ()) -> str:
    """Bring digits, blanks and signs of any script into the form that the patterns expect.

    In Chinese, a year of three digits is one of the era of Taiwan.
    """
    if "zh" in languages:
        text = _MINGUO_DAY.sub(lambda m: f"{_MINGUO_BEGAN + int(m[1])}{m[2]}", text)
    if text.isascii() or not OTHER_SCRIPT.search(text):
        return " ".join(rewrite_days(text, languages).split())
    text = unicodedata.normalize("NFKC", text).replace("،", ",")
    text = "".join(
        str(unicodedata.digit(c, c)) if c.isdigit() else c for c in text if c == "\u200c" or unicodedata.category(c) != "Cf"
    )
    if _ARABIC.search(text):
        text = _find_two_word_months()[0].sub(lambda m: _find_two_word_months()[1][m.group().replace(" ", "")], text)
    if _THAI.search(text):
        text = _THAI_YEAR.sub(r"\g<1>25\2", _THAI_ERA_MARK.sub("", _THAI_SHORT.sub(r"\1\2 ", text)))
    if "(" in text:
        text = _YEAR_TWICE.sub(lambda m: f"{m[1] or m[2]}年", text)
    if "年" in text:
        text = _MINGUO.sub(lambda m: f"{_MINGUO_BEGAN + (1 if m[1] == '元' else int(m[1]))}年", text)
        text = _CHINESE_NUMBER.sub(_convert_to_digits, text)
        text = _ERA.sub(lambda m: f"{_ERAS[m[1]] + (1 if m[2] == '元' else int(m[2]))}年", text)
    return " ".join(rewrite_days(text, languages).split())


@cache
def _find_two_word_months() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern of the names of months with a blank, and for each, without the blank, a name of one word."""
    single: dict[str, str] = {}
    for names in table("months", "ar").values():
        plain = min((name for name in names if " " not in name), key=lambda name: (len(name), name))
        single.update((name.replace(" ", ""), plain) for name in names if " " in name)
    return re.compile(one_of(name for name in words("months", "ar") if " " in name).replace(r"\ ", r"\s?")), single


def _convert_to_digits(match: re.Match[str]) -> str:
    """Write 二〇二六 as 2026 and 二十一 as 21."""
    number = match.group()
    if "十" not in number:
        return "".join(str(_CHINESE_DIGITS.index(c) % 10) for c in number)
    tens, _, ones = number.partition("十")
    return str(10 * (_CHINESE_DIGITS.index(tens) if tens else 1) + (_CHINESE_DIGITS.index(ones) if ones else 0))


_MARKS = (
    "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a4d\u0a81-\u0acd\u0b82-\u0bcd\u0c00-\u0c4d"
    "\u0c81-\u0ccd\u0d00-\u0d4d\u0e31\u0e34-\u0e4e\u200c॰׳'"
)
#: A word, and at its end a digit; without backtracking, and in runs of letters, which takes half of the time.
WORD = rf"[^\W\d_](?:[^\W\d_]{{1,24}}+|[{_MARKS}]{{1,3}}+){{1,12}}+\d?"
#: Where two words meet without a blank: "KeoughOctober 7".
_GLUED = re.compile(r"(?<=[a-zß-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])")
YEAR = r"(?:19|2[0156])\d\d"
#: The years 1961 to 2041 of the solar calendar (see months.py); the lunar one of the Arabs has been beyond them since 2000.
SOLAR_YEAR = r"1(?:3[4-9]|4[01])\d"
DATE = re.compile(
    rf"""
    (?<!\d)(?=\d)(?:
      (?<![vV])(?P<y1>{YEAR}|{SOLAR_YEAR})(?P<s1>\s?[-/.年년‐–])\s?(?P<m1>1[0-2]|0?[1-9])\s?(?:[-/.月월‐–])\s?(?P<d1>3[01]|[12]\d|0?[1-9])(?!\d)[일日号號.]?
    | (?P<d2>3[01]|[12]\d|0?[1-9])(?P<s2>\s?[./‐–-]\s?)(?P<m2>3[01]|[12]\d|0?[1-9])
        (?:\s?[./‐–-]\s?|(?:(?<=[./]\d)|(?<=[./]\d\d))\s(?=\d{{4}}))
        (?P<y2>{YEAR}|\d\d)(?![\d]|[.:]\d\d(?!\d))
    | (?P<d3>3[01]|[12]\d|0?[1-9])\s?(?:-?{alternatives("ordinals")}(?![^\W\d_])|[º\ ª°.,-])?
        [\s/.\-‐–]{{0,2}}(?:{alternatives("of_month")}\s|d['’]\s?)?(?P<w3>{WORD}|[IVX](?![^\W_]))
        (?P<r3>(?:\s?/\s?{WORD})?\.?,?[\s/\-‐–]{{0,2}}(?:{alternatives("of_year")}\s)?(?P<y3>{YEAR}|{SOLAR_YEAR})(?!\d)
        |(?!\.?,?\s?\d\d\d\d))
    | (?P<y5>{YEAR})(?:\.|\s?,|-)?(?:\s?{alternatives("year_suffixes")}\.?(?![^\W\d_]))?\s?(?P<w5>{WORD}|[IVX](?![^\W_]))\.?[\s-]?
        (?:{alternatives("day_articles")}\s)?(?P<d5>3[01]|[12]\d|0?[1-9])(?!\d)
    | (?P<y6>{YEAR})(?P<m6>0[1-9]|1[0-2])(?P<d6>0[1-9]|[12]\d|3[01])(?:[T_-]?(?P<t6>[0-2]\d[0-5]\d(?:[0-5]\d)?)(?:Z|\b))?(?!\d|-\d)
    | (?P<d7>3[01]|[12]\d|0?[1-9])\s{alternatives("day_words")}\s(?P<m7>1[0-2]|0?[1-9])
        \s?(?:,|{alternatives("year_words")}|\s)\s?(?P<y7>{YEAR})(?!\d)
    | (?P<m8>1[0-2]|0?[1-9])\s?[月월]\s?(?P<d8>3[01]|[12]\d|0?[1-9])\s?[日일号]
    )
    | (?=[^\W\d_])(?:(?<![^\W_])|(?-i:{_GLUED.pattern}))(?:
      (?P<w4>{WORD})\.?\s{{0,2}}[-/]?(?P<d4>3[01]|[12]\d|0?[1-9])(?:{alternatives("ordinals_behind_month")}|[º.])?
        (?:[\s,/\-‐–]{{1,3}}(?:{alternatives("of_month")}\s)?(?P<y4>{YEAR})(?!\d)|(?!\d|[./:]\d))
    | (?P<w9>{WORD})\.?,?[\s/-]{{1,2}}(?:{alternatives("of_month")}\s)?(?P<y9>{YEAR})(?!\d))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HALVES = words("day_periods")
#: Words for the halves of the day before a time (Chinese, Japanese, Korean) or behind it (in Arabic letters).
_BEFORE = one_of(half for half in _HALVES if half[0] >= "\u2e80")
_BEHIND = one_of(fold(half) for half in _HALVES if "\u0600" <= half[0] <= "\u06ff")
_MINUTES = alternatives("minute_signs")
TIME = re.compile(
    rf"""(?<![\d.:/-])(?P<before>{_BEFORE})?\s?
    (?P<h>2[0-4]|[01]?\d)\s?
    (?:(?:[:：]|[hH](?![a-zA-Z])|{alternatives("hour_signs")})\s?(?P<m>[0-5]\d|\d(?=\s?{_MINUTES}))?
        (?:\s?(?:[:：]|{_MINUTES})\s?(?P<s>[0-5]\d)(?!\d)(?:[.,]\d{{1,9}})?)?
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
#: Text between a date and its time: marks, and two words at most ("um", "à", "o godz.", "v").
GAP = re.compile(rf"[\s,;|·•@—–\-\[\]()./]*(?:(?:{alternatives('years_short')}|[^\W\d_]{{1,12}})\b[.,:|]?[\s,;|·•—–\-()]*){{0,2}}$")


#: Longer strings are not dates and are skipped.
LONGEST_TEXT = 200
_MONTHS = 12
#: Numbers of months in Hungarian and Polish dates: "14 IV 2026".
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


#: Which half of the day a word names: "a" or "p".
_HALF_OF = {fold(word).rstrip("."): half[0] for half, found in table("day_periods").items() for word in found}
_DIGIT = re.compile(r"\d")
#: Part of every date with a year; without the time of the fetch, no others are read.
_DATED = re.compile(r"\d(?:\d{3}|\s?[./‐–-]\s?\d)")
#: A number right before or behind a day without a year that is one of another calendar.
_YEAR_BEFORE = re.compile(r"(?<![\d:.,/-])\d{3,4}\s?(?:[^\W\d_]{1,4}\.?\s?)?$")
_YEAR_BEHIND = re.compile(r"[,.]?\s?(?:[^\W\d_]{1,4}\.?\s)?\d{4}(?![\d:.,/-]\d|\d)")
_GOES_ON, _GOES_BACK = re.compile(r"[.\-/]\d"), re.compile(r"[\d.+/-]\s?$")


def read_machine(text: str, clock: Clock) -> Moment | None:
    """Read the forms that programs write: ISO 8601 and seconds (or milliseconds) since 1970."""
    if match := ISO.match(text):
        year, month, day, hour, minute, second, zulu, sign, hours, minutes = match.groups()
        zone = UTC if zulu else make_offset_zone(sign, int(hours), int(minutes or 0)) if sign else None
        time = (int(hour), int(minute), int(second or 0)) if hour else None
        return _make_moment(int(year), int(month), int(day), time, zone, clock)
    if match := EPOCH.match(text):
        value = datetime.fromtimestamp(int(match[1]), tz=UTC)
        return Moment(value=value, precision=DatePrecision.MINUTE, offset_given=True)
    return None


def read_moment(text: str, clock: Clock) -> Moment | None:
    """Read a short text that is, or contains, one date; None where there is none."""
    if not text or len(text) > LONGEST_TEXT:
        return None
    return read_machine(text, clock) or next(find_moments(tidy(text, clock.languages), clock), None)


def find_moments(text: str, clock: Clock) -> Iterator[Moment]:
    """Yield the dates in a text that `tidy` has been over, in the order of the text."""
    position = len(text) if clock.fetched_at is None and not _DATED.search(text) else 0
    # the long expression is tried from the longest possible word before the next digit on
    while (digit := _DIGIT.search(text, position)) and (match := DATE.search(text, max(position, digit.start() - 36))):
        moment = _read_match(match, text, clock)
        if moment is not None:
            yield moment
            position = max(match.end(), moment.end)
            continue
        # a word before the date may have been taken for its month, or for its day a part of the number that adjoins it
        word = (match["w4"] or match["w9"] or "").rstrip("0123456789")
        glued = _GLUED.search(word)
        position = match.start() + (glued.start() if glued is not None else len(word) or 1)
        while position < len(text) and text[position - 1 : position + 1].isdigit():
            position += 1


def _read_match(match: re.Match[str], text: str, clock: Clock) -> Moment | None:
    part = {name[0]: value for name, value in match.groupdict().items() if value is not None}
    if (found := _read_day(match, part, text, clock)) is None:
        return None
    (year, month, day), said = found
    time, zone, start, end = None, None, match.start(), match.end()
    if (packed := part.get("t")) and int(packed[:2]) < 24:
        time = int(packed[:2]), int(packed[2:4]), int(packed[4:6] or 0)
    elif "d" in part:
        time, zone, start, end = _find_time(text, start, end)
    precision = None if "d" in part else DatePrecision.MONTH
    era = 543 if year >= 2400 else 0  # of the Buddhist era, in Thailand
    return _make_moment(year - era, month, day, time, zone, clock, precision=precision, start=start, end=end, **said)


def _read_day(
    match: re.Match[str], part: Mapping[str, str], text: str, clock: Clock
) -> tuple[tuple[int, int, int], dict[str, Any]] | None:
    """Return year, month and day of a match, and further fields of the moment."""
    year_text, day, marks = part.get("y"), int(part.get("d", 1)), match["s2"]
    is_solar = year_text is not None and len(year_text) == 4 and int(year_text) < 1500
    if (month := _read_month(part, clock, is_solar=is_solar)) is None:
        return None
    said: dict[str, Any] = {"year_guessed": year_text is None}
    if marks is not None and "." not in marks:
        said["ambiguous"] = day <= _MONTHS and month <= _MONTHS and day != month
        said["day_order"] = "dmy" if day > _MONTHS else "mdy" if month > _MONTHS else None
        if day <= _MONTHS and clock.month_first:
            day, month = month, day
    if month > _MONTHS:
        day, month = month, day
    if year_text is None and (_YEAR_BEFORE.search(text, 0, match.start()) or _YEAR_BEHIND.match(text, match.end())):
        return None  # there is a year, in a calendar or in words that are not understood
    year = _expand_year(match, year_text, text) if year_text is not None else _guess_year(month, day, clock)
    if year is not None and is_solar:
        there = convert_solar_day(year, month, day)
        return ((there.year, there.month, there.day), said) if there is not None else None
    return ((year, month, day), said) if year is not None else None


def _read_month(part: Mapping[str, str], clock: Clock, *, is_solar: bool) -> int | None:
    word = part.get("w")
    if word is None:
        return int(part["m"]) if not is_solar or SOLAR_LANGUAGES.intersection(clock.languages) else None
    if "y" not in part and len(word) < 3 and word.isascii():
        return None
    if word in _ROMAN and "d" in part:
        return _ROMAN.index(word) + 1
    return find_solar_month(word) if is_solar else find_month(word, clock.languages)


def _expand_year(match: re.Match[str], year: str, text: str) -> int | None:
    """Return a year; None where 24.10.20 is a version, a score or a telephone number, to which something adjoins."""
    if match["s2"] is None or len(year) != 2:
        return int(year)
    goes_on, goes_back = _GOES_ON.match(text, match.end()), _GOES_BACK.search(text, max(0, match.start() - 2), match.start())
    if match["s2"].strip() not in "./-" or goes_on or goes_back:
        return None
    return int(year) + (2000 if int(year) < 70 else 1900)


def _guess_year(month: int, day: int, clock: Clock) -> int | None:
    """Return the year in which the day last came round before the fetch; None without the time of the fetch."""
    if clock.fetched_at is None:
        return None
    now = clock.fetched_at.astimezone(clock.zone)
    latest = now + timedelta(days=1)
    return latest.year if (month, day) <= (latest.month, latest.day) else latest.year - 1


def _find_time(text: str, start: int, end: int) -> tuple[tuple[int, int, int] | None, tzinfo | None, int, int]:
    """Find the time that belongs to a date: behind it, with at most two words between, or right before it."""
    behind = text[end : end + 40]
    if behind[:1] in {"T", "t"} and behind[1:2].isdigit():
        behind = " " + behind[1:]
    match = TIME.search(behind)
    if match and match.start() <= 24 and GAP.match(behind[: match.start()]) and (time := _read_time(match)):
        zone, length = read_zone(behind[match.end() :])
        return time, zone, start, end + match.end() + length
    ahead = text[max(0, start - 24) : start]
    for match in TIME.finditer(ahead):
        rest = ahead[match.end() :]
        zone, length = read_zone(rest)
        if len(rest) - length <= 6 and not any(c.isdigit() for c in rest[length:]) and (time := _read_time(match)):
            return time, zone, start - len(ahead) + match.start(), end
    return None, None, start, end


def set_time(
    day: datetime, time: tuple[int, int, int] | None, clock: Clock, precision: DatePrecision = DatePrecision.DAY
) -> Moment | None:
    """Return the time of a day on the clock, or without one the day, as precise as is said."""
    hour, minute, second = time or (0, 0, 0)
    try:
        value = localize(day.replace(hour=hour, minute=minute, second=second, microsecond=0, tzinfo=None), clock.zone)
    except (ValueError, OverflowError):
        return None
    return Moment(value=value, precision=DatePrecision.MINUTE if time else precision)


def find_first_time(text: str) -> tuple[int, int, int] | None:
    """Return the first time of day in a short text."""
    return next(filter(None, map(_read_time, TIME.finditer(text))), None)


def _read_time(match: re.Match[str]) -> tuple[int, int, int] | None:
    hour, minute = int(match["h"]), int(match["m"] or match["m2"] or 0)
    said = (match["before"] or match["ampm"] or "").lower()
    half = _HALF_OF.get(fold(said).rstrip("."), said[:1])
    if half in {"a", "p"} and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour == 24:
        return (23, 59, 59) if minute == 0 else None
    return hour, minute, int(match["s"] or 0)


def read_zone(text: str) -> tuple[tzinfo | None, int]:
    """Read "CEST", "Z", "+02:00", "GMT+2", "(UTC)" at the start of a text; gives the length that was read, too."""
    match = ZONE.match(text)
    if match is None:
        return None, 0
    name, sign = match["name"], match["sign"]
    if sign and match["h"] and (name is None or name.lower() in {"utc", "gmt", "z"}):
        return make_offset_zone(sign, int(match["h"]), int(match["m"] or 0)), match.end()
    zone = find_zone_by_abbreviation(name) if name and (name.isupper() or name.lower() in {"z", "utc", "gmt"}) else None
    return zone, match.end("name") if zone else 0


def _make_moment(
    year: int, month: int, day: int, time: tuple[int, int, int] | None, zone: tzinfo | None, clock: Clock,
    precision: DatePrecision | None = None, **said: Any,
) -> Moment | None:  # fmt: skip
    hour, minute, second = time or (0, 0, 0)
    hour, days = (0, 1) if hour == 24 else (hour, 0)
    try:
        wall = datetime(year, month, day, hour, minute, min(second, 59)) + timedelta(days=days)  # noqa: DTZ001 - a wall clock's
        value = localize(wall, zone or clock.zone)
    except (ValueError, OverflowError):
        return None
    if not 1900 <= year <= 2199:
        return None
    exact = time is not None
    precision = precision or (DatePrecision.MINUTE if exact else DatePrecision.DAY)
    return Moment(value=value, precision=precision, offset_given=zone is not None and exact, **said)
