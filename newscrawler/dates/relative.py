"""Dates counted from the time of the fetch: "Dnes 19:25", "včera", "przed 3 godzinami", "3時間前".

Words and patterns are our own, because they must be read in microseconds and because dateparser does not know some common
forms ("przed 3 godzinami"). Without the time of the fetch nothing is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache

from newscrawler.article import DatePrecision
from newscrawler.dates.moment import Clock, Moment, time_in
from newscrawler.dates.writing import fold, tidy
from newscrawler.dates.zones import localize
from newscrawler.languages import alternatives, languages, one_of, table, words

_LONGEST_TEXT = 120
#: What may stand beside "today" in a date: a time, "at", "Uhr", a label.
_LONGEST_REST = 24

_MOST = {"second": 3600, "minute": 2000, "hour": 1000, "day": 400, "week": 60, "month": 24, "year": 0}
#: A shorter word for a day counts only on pages in its language: "ma" is today in Hungarian.
_SHORTEST_DAY = 3
#: A word before "today" that is no label of a date.
_NAME_BEFORE = re.compile(rf"(?<![^\W_])(?!{alternatives('before_today', extent='all')}\s)[^\W\d_]+\s$")


def _folded(topic: str, language: str | None = None) -> dict[str, str]:
    """Return the keys of a table by their folded phrases; of units, the smallest that is called so."""
    entries = table(topic, language)
    return {fold(word): key for key in sorted(entries, key=lambda key: _RANKS.get(key, 0), reverse=True) for word in entries[key]}


_RANKS = {unit: rank for rank, unit in enumerate(_MOST)}
_DAY_WORDS = {word: int(back) for word, back in _folded("days_back").items()}
_DAY_WORD = re.compile(one_of(_DAY_WORDS, "words"))
_TODAY = frozenset(map(fold, words("today_as_name")))
_NOW_WORDS = frozenset(map(fold, words("now")))
_ONE, _ONE_BEHIND = frozenset(map(fold, words("one"))), words("one_behind")
_FEW = {word: int(count) for word, count in _folded("numbers").items()}
_TWICE = _folded("two_of")
_HALF_HOURS = _folded("half_hours")
_HALF_HOUR = re.compile(one_of(_HALF_HOURS))
_STEMS = _folded("units")
_LONGEST_STEM = max(map(len, _STEMS))
_NUMBER = r"(?:(?P<n>\d{1,4})\s?|(?P<w>[^\W\d_]{1,8})[\s'])?"
_PREFIXED = re.compile(
    rf"(?<![^\W_])(?P<b>{alternatives('ago_before', fold=fold)})\s(?:{alternatives('about', fold=fold)}\s)?"
    rf"{_NUMBER}(?P<u>[^\W\d_]{{1,14}})"
)
_SUFFIXED = re.compile(rf"(?<![^\W_]){_NUMBER}(?P<u>[^\W\d_]{{1,14}})\.?\s{alternatives('ago_behind', fold=fold)}(?![^\W_])")
#: Signs of scripts that part no words.
_UNPARTED = re.compile("[\u2e80-\U0010ffff]")
#: Units in the form in which they say "ago" by themselves, or with a sign behind them.
_UNITS_AGO = _folded("units_ago")
_UNITS_JOINED = frozenset(filter(_UNPARTED.match, _UNITS_AGO))
_UNITS_INFLECTED = _UNITS_AGO.keys() - _UNITS_JOINED
_INFLECTED = re.compile(rf"(?<![^\W_])(?P<n>\d{{1,4}}|{one_of(_ONE | _FEW.keys())})\s(?P<u>{one_of(_UNITS_INFLECTED)})(?![^\W_])")
_JOINED = re.compile(rf"(?P<n>\d{{1,4}})\s?(?P<u>{one_of(_UNITS_JOINED)})\s?{alternatives('ago_joined', fold=fold)}")
_LETTERS = re.compile(r"[^\W\d_]+")
#: The first letters, up to a blank or a mark, of whatever tells that a date is relative; looked for before the expressions are.
_TELLING = frozenset(
    found.group()
    for word in (*_DAY_WORDS, *_HALF_HOURS, *_UNITS_INFLECTED, *map(fold, words("ago_before") | words("ago_behind")))
    if (found := _LETTERS.search(word))
)


def read_relative(text: str, clock: Clock) -> Moment | None:
    """Read a date that counts from the time of the fetch; None where the text holds none."""
    if clock.fetched_at is None or not text or len(text) > _LONGEST_TEXT:
        return None
    now = clock.fetched_at.astimezone(clock.zone)
    text = fold(tidy(text).lower().replace("’", "'"))
    if text.strip(" .…!") in _NOW_WORDS:
        return Moment(value=now, precision=DatePrecision.MINUTE)
    if _TELLING.isdisjoint(_LETTERS.findall(text)) and (text.isascii() or not _UNPARTED.search(text)):
        return None
    text = _HALF_HOUR.sub(lambda found: _HALF_HOURS[found.group()], text)
    match = next((m for m in _DAY_WORD.finditer(text) if _counts(m.group(), clock)), None)
    if match:
        if match.group() in _TODAY and _NAME_BEFORE.search(text[: match.start()]):
            return None  # "USA Today" is a newspaper
        if len(text) - len(match.group()) > _LONGEST_REST:
            return None  # "Dnes je pátek, svátek má Nikola" says what day it is, not when something was written
        time = time_in(text[match.end() : match.end() + 24]) or time_in(text[: match.start()])
        return _day_back(_DAY_WORDS[match.group()], time, now, clock)
    found = _amount(text)
    if found is None:
        return None
    count, unit = found
    return _before(now, count, unit, clock)


def _amount(text: str) -> tuple[int, str] | None:
    """Find "3 hours" of "3 hours ago" in a folded text."""
    if match := _JOINED.search(text):
        return int(match["n"]), _UNITS_AGO[match["u"]]
    if match := _INFLECTED.search(text):
        number = match["n"]
        return (1 if number in _ONE else _FEW[number] if number in _FEW else int(number)), _UNITS_AGO[match["u"]]
    for pattern in (_SUFFIXED, _PREFIXED):
        for match in pattern.finditer(text):
            if found := _counted(match):
                return found
    return None


def _counted(match: re.Match[str]) -> tuple[int, str] | None:
    number, word, unit_word = match["n"], match["w"], match["u"]
    if unit_word in _TWICE:
        return 2, _TWICE[unit_word]
    if word and unit_word in _ONE_BEHIND:
        unit_word, word = word, None
    before = match["b"] if "b" in match.re.groupindex else None
    # "години" are years in Bulgarian, hours in Ukrainian: the word before tells the language
    unit = next(filter(None, (unit_of(unit_word, stems) for stems in _stems_beside(before))), None)
    if unit is None:
        return None
    if number:
        return int(number), unit
    count = 1 if word is None or word in _ONE else _FEW.get(word)
    return None if count is None else (count, unit)


@cache
def _stems_beside(before: str | None) -> tuple[dict[str, str], ...]:
    """Return the stems of units in the languages that have this word before "3 hours", and those of all languages."""
    own = [code for code in languages() if before is not None and before in map(fold, words("ago_before", code))]
    return (*(_folded("units", code) for code in own), _STEMS)


def unit_of(word: str, stems: Mapping[str, str] = _STEMS) -> str | None:
    """Name the unit of time that a folded word begins with; the longest stem decides."""
    for length in range(min(len(word), _LONGEST_STEM), 0, -1):
        if unit := stems.get(word[:length]):
            return unit if length > 2 or length == len(word) else None
    return None


def _counts(word: str, clock: Clock) -> bool:
    """Tell whether a word for a day is one on pages in these languages."""
    if len(word) >= _SHORTEST_DAY or not word.isascii():
        return True
    return any(word in words("days_back", code) for code in clock.languages)


def _before(now: datetime, count: int, unit: str, clock: Clock) -> Moment | None:
    if count > _MOST[unit]:
        return None
    if unit in {"second", "minute", "hour"}:
        value = now - timedelta(**{f"{unit}s": count})
        # "3 hours ago" was any minute of an hour: the day is what it tells
        precision = DatePrecision.DAY if unit == "hour" else DatePrecision.MINUTE
        return Moment(value=value.astimezone(clock.zone), precision=precision)
    days = {"day": 1, "week": 7, "month": 30}[unit] * count
    moment = _day_back(days, None, now, clock)
    if moment and unit == "month":
        return Moment(value=moment.value, precision=DatePrecision.MONTH)
    return moment


def _day_back(days: int, time: tuple[int, int, int] | None, now: datetime, clock: Clock) -> Moment | None:
    hour, minute, second = time or (0, 0, 0)
    try:
        wall = (now - timedelta(days=days)).replace(hour=hour, minute=minute, second=second, microsecond=0, tzinfo=None)
        value = localize(wall, clock.zone)
    except (ValueError, OverflowError):
        return None
    return Moment(value=value, precision=DatePrecision.MINUTE if time else DatePrecision.DAY)
