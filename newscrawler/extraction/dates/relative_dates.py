"""Dates counted from the time of the fetch: "Dnes 19:25", "včera", "przed 3 godzinami", "3時間前".

Words and patterns are our own, because they must be read in microseconds and because dateparser does not know some common
forms ("przed 3 godzinami"). Without the time of the fetch nothing is read. dateparser reads days of the week and further
languages: it costs 13 MB and a tenth of a second to load, and some 20 ms for the first text of a language, so it is loaded
when the first such text comes, and gets only short texts that markup calls a date, with the language given. It keeps its
settings for ever; the base is therefore noon of a day, not the minute of each fetch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates.calendar import fold
from newscrawler.extraction.dates.candidate import Clock, Moment
from newscrawler.extraction.dates.text_dates import find_first_time, set_time, tidy
from newscrawler.languages import alternatives, one_of, table, words

#: Units, the smallest first, and how many of each are counted back.
_MOST = {"second": 3600, "minute": 2000, "hour": 1000, "day": 400, "week": 60, "month": 24, "year": 0}
_UNITS, _DAYS = list(_MOST), {"day": 1, "week": 7, "month": 30}
#: A word before "today" that is not a label of a date.
_NAME_BEFORE = re.compile(rf"(?<![^\W_])(?!{alternatives('before_today', extent='all')}\s)[^\W\d_]+\s$")


@cache
def _fold_table(topic: str, language: str | None = None) -> Mapping[str, str]:
    """Return the keys of a table by their folded phrases; of units, the smallest that is called so."""
    entries = table(topic, language)
    keys = sorted(entries, key=lambda key: _UNITS.index(key) if key in _MOST else 0, reverse=True)
    return {fold(word): key for key in keys for word in entries[key]}


_DAY_WORD = re.compile(one_of(_fold_table("days_back"), "words"))
_TODAY, _NOW, _ONE, _BEHIND = (frozenset(map(fold, words(topic))) for topic in ("today_as_name", "now", "one", "ago_behind"))
_COUNTS = dict.fromkeys(_ONE, 1) | {word: int(count) for word, count in _fold_table("numbers").items()}
_HALF_HOUR = re.compile(one_of(_fold_table("half_hours")))
#: The first of the signs of scripts that part no words.
_UNPARTED = "\u2e80"
#: Units that say "ago" by themselves, or with a sign that is written as one with them.
_JOINED = frozenset(word for word in _fold_table("units_ago") if word >= _UNPARTED)
_INFLECTED = _fold_table("units_ago").keys() - _JOINED
_NUMBER = r"(?:(?<!\d)(?P<n>\d{1,4})\s?|(?<![^\W_])(?P<w>[^\W\d_]{1,8})[\s'])"
#: A word, also of scripts that write vowels with signs that are not letters.
_UNIT = r"[^\W\d_][^\s\d.,:;()|'׳]{0,17}"
_AGO = (
    re.compile(rf"{_NUMBER}(?P<u>{one_of(_INFLECTED)}(?![^\W_])|{one_of(_JOINED)}(?=\s?{alternatives('ago_joined', fold=fold)}))"),
    re.compile(rf"(?<![^\W_]){_NUMBER}?(?P<u>{_UNIT})\.?\s{one_of(_BEHIND)}(?![^\W_])"),
    re.compile(
        rf"(?<![^\W_]){alternatives('ago_before', fold=fold)}\s(?:{alternatives('about', fold=fold)}\s)?"
        rf"{_NUMBER}?(?P<u>{_UNIT})"
    ),
)
#: A larger amount before another, and a smaller one behind it: "3 weeks, 1 day ago", "il y a 2 jours et 8 heures".
_LARGER = re.compile(rf"(?<![^\W_]){_NUMBER}(?P<u>[^\W\d_]{{1,14}})\.?(?:,\s?|\s)(?:[^\W\d_]{{1,3}}\s)?$")
_SMALLER = re.compile(rf"\.?(?:,\s?|\s)(?:[^\W\d_]{{1,3}}\s)?{_NUMBER}(?P<u>[^\W\d_]{{1,14}})")
_LETTERS = re.compile(r"[^\W\d_]+")
#: The first letters, up to a blank or a mark, of whatever tells that a date is relative; looked for before the expressions are.
_TELLING = frozenset(
    found.group()
    for word in (*_fold_table("days_back"), *_fold_table("half_hours"), *_INFLECTED, *map(fold, words("ago_before")), *_BEHIND)
    if (found := _LETTERS.search(word))
)


def read_relative(text: str, clock: Clock) -> Moment | None:
    """Read a date that counts from the time of the fetch; None where the text contains none."""
    if clock.fetched_at is None or not text or len(text) > 120:
        return None
    now = clock.fetched_at.astimezone(clock.zone)
    text = fold(tidy(text).lower().replace("’", "'"))
    if text.strip(" .…!") in _NOW:
        return Moment(value=now, precision=DatePrecision.MINUTE)
    if _TELLING.isdisjoint(_LETTERS.findall(text)) and max(text, default="") < _UNPARTED:
        return None
    text = _HALF_HOUR.sub(lambda found: _fold_table("half_hours")[found.group()], text)
    day = next((m for m in _DAY_WORD.finditer(text) if _is_day_word(m.group(), clock)), None)
    if day is None:
        found = next(filter(None, (_read_amounts(match, clock) for form in _AGO for match in form.finditer(text))), None)
        return _count_back(now, found[0], clock) if found is not None else None
    if day.group() in _TODAY and _NAME_BEFORE.search(text[: day.start()]):
        return None  # "USA Today" is a newspaper
    if len(text) - len(day.group()) > 24:  # more than a time, "at", "Uhr", a label
        return None  # "Dnes je pátek, svátek má Nikola" names the day of today, not that of an article
    time = find_first_time(text[day.end() : day.end() + 24]) or find_first_time(text[: day.start()])
    return set_time(now - timedelta(days=int(_fold_table("days_back")[day.group()])), time, clock)


def is_time_ago(text: str) -> bool:
    """Return whether a text is nothing but an amount of time before now: "5 days ago", "před 8 hodinami"."""
    folded = fold(tidy(text).lower())
    for form in _AGO:
        match = form.search(folded)
        found = _read_amounts(match, Clock()) if match is not None else None
        if found is not None:
            rest = found[1].strip()
            if not rest or (rest >= _UNPARTED and len(rest) <= 2):  # signs that say "ago"
                return True
    return False


def _read_amounts(match: re.Match[str], clock: Clock) -> tuple[dict[str, int], str] | None:
    """Return the counts of "3 weeks, 1 day ago" by unit, and the text without them."""
    if (amount := _read_amount(match, clock)) is None:
        return None
    found, before, behind = {amount[1]: amount[0]}, match.string[: match.start()], match.string[match.end() :]
    larger, smaller = _LARGER.search(before), _SMALLER.match(behind)
    more, less = (_read_amount(other, clock) if other is not None else None for other in (larger, smaller))
    if larger is not None and more is not None and _UNITS.index(more[1]) > _UNITS.index(amount[1]):
        found[more[1]], before = more[0], before[: larger.start()]
    if smaller is not None and less is not None and _UNITS.index(less[1]) < _UNITS.index(amount[1]):
        found[less[1]], behind = less[0], behind[smaller.end() :]
    return found, before + behind


def _read_amount(match: re.Match[str], clock: Clock) -> tuple[int, str] | None:
    """Return 3 and "hour" of "3 hours ago"."""
    number, word, named = match.group("n", "w", "u")
    if named in _fold_table("two_of"):
        return 2, _fold_table("two_of")[named]
    if word and named in words("one_behind"):
        word, named = None, word
    count = int(number) if number else 1 if word is None else _COUNTS.get(word)
    # "години" are years in Bulgarian, hours in Ukrainian
    stems = (_fold_table("units_ago"), *(_fold_table("units", code) for code in clock.languages), _fold_table("units"))
    unit = next(filter(None, (find_unit(named, each) for each in stems)), None)
    return (count, unit) if count is not None and unit is not None else None


def find_unit(word: str, stems: Mapping[str, str]) -> str | None:
    """Name the unit of time that a folded word begins with; the longest stem decides, one of two letters or less if it is all."""
    beginnings = (word[:length] for length in range(len(word), 0, -1))
    stem = next((each for each in beginnings if each in stems), "")
    return stems[stem] if len(stem) > 2 or (stem and stem == word) else None


def _is_day_word(word: str, clock: Clock) -> bool:
    """Return whether a word means a day on pages in these languages; "ma" is today only in Hungarian."""
    if len(word) >= 3 or not word.isascii():
        return True
    return any(word in words("days_back", code) for code in clock.languages)


def _count_back(now: datetime, amounts: Mapping[str, int], clock: Clock) -> Moment | None:
    if any(count > _MOST[unit] for unit, count in amounts.items()):
        return None
    smallest = min(amounts, key=_UNITS.index)
    back = timedelta(days=sum(_DAYS[unit] * count for unit, count in amounts.items() if unit in _DAYS))
    back += timedelta(**{f"{unit}s": count for unit, count in amounts.items() if unit not in _DAYS})
    if len(amounts) > 1 and smallest == "day":
        back += timedelta(hours=12)  # "3 weeks, 1 day ago" was at any hour of a day, and most crawls are at night
    value = (now - back).astimezone(clock.zone)
    if not _DAYS.keys().isdisjoint(amounts):
        return set_time(value, None, clock, DatePrecision.MONTH if "month" in amounts else DatePrecision.DAY)
    # "3 hours ago" was any minute of an hour: only the day is certain
    return Moment(value=value, precision=DatePrecision.DAY if smallest == "hour" else DatePrecision.MINUTE)


def read_worded(text: str, clock: Clock) -> Moment | None:
    """Read a short text in place of a date; None without the time of the fetch or a language."""
    if clock.fetched_at is None or not clock.languages or len(text) > 40 or not re.search(r"[^\W\d_]{3,}", text):
        return None
    text = tidy(text)
    if len(text.split()) > 6:
        return None
    noon = clock.fetched_at.astimezone(clock.zone).replace(hour=12, minute=0, second=0, microsecond=0, tzinfo=None)
    found = _parse_worded(text, clock.languages[0], noon)
    return set_time(found, find_first_time(text), clock) if found is not None else None


def _parse_worded(text: str, language: str, base: datetime) -> datetime | None:
    import dateparser

    try:
        return dateparser.parse(text, languages=[language], settings={"RELATIVE_BASE": base, "PREFER_DATES_FROM": "past"})
    except Exception:  # noqa: BLE001 - a foreign parser on strings from strangers: whatever it raises means that it can't read this one
        return None
