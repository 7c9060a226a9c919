"""Dates in writing: numeric, with the month in words, machine-readable; one pass of regular expressions.

Every pattern is anchored on digits and repeats nothing without a bound, so reading takes time linear in the text.
What is "today" is not read here: see relative_dates.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates.months import SOLAR_LANGUAGES, gregorian, month_of, solar_month_of
from newscrawler.extraction.dates.patterns import DATE, EPOCH, GAP, ISO, TIME, ZONE
from newscrawler.extraction.dates.writing import fold, tidy
from newscrawler.extraction.dates.zones import localize, offset_zone, zone_of_abbreviation
from newscrawler.languages import table

#: Longer strings are no dates and are not looked at.
LONGEST_TEXT = 200
_EARLIEST_YEAR, _LATEST_YEAR = 1900, 2199
_THAI_ERA, _FIRST_THAI_YEAR = 543, 2400
_MONTHS = 12
#: A year before is one of the solar calendar.
_SOLAR_ERA = 1500


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """How the written dates of a page are to be understood."""

    zone: tzinfo = UTC
    #: Aware; years and relative dates count from it.
    fetched_at: datetime | None = None
    #: 3/4/2024 is 4 March; a function where that must be found out first, which few pages need.
    month_first: bool | Callable[[], bool] = False
    #: Two-letter codes, likeliest first.
    languages: tuple[str, ...] = ()

    @property
    def puts_month_first(self) -> bool:
        """3/4/2024 is 4 March."""
        return self.month_first if isinstance(self.month_first, bool) else self.month_first()


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date that was read."""

    #: Aware.
    value: datetime
    precision: DatePrecision
    #: The page itself gave the offset; otherwise the portal's time zone was assumed.
    offset_given: bool = False
    #: Day and month could be exchanged.
    ambiguous: bool = False
    #: "dmy" or "mdy", where day and month are numbers parted by strokes and could not be exchanged.
    day_order: str | None = None
    #: The year was not written, but counted from the time of the fetch.
    year_guessed: bool = False
    start: int = 0
    end: int = 0


#: Which half of the day a word names: "a" or "p".
_HALF_OF = {fold(word).rstrip("."): half[0] for half, found in table("day_periods").items() for word in found}
_DIGIT, _BEFORE_DIGITS = re.compile(r"\d"), 36
_GOES_ON, _GOES_BACK = re.compile(r"[.\-/]\d"), re.compile(r"[\d.+/-]\s?$")


def read_machine(text: str, clock: Clock) -> Moment | None:
    """Read the forms that programs write: ISO 8601 and seconds (or milliseconds) since 1970."""
    if match := ISO.match(text):
        year, month, day, hour, minute, second, zulu, sign, hours, minutes = match.groups()
        zone = UTC if zulu else offset_zone(sign, int(hours), int(minutes or 0)) if sign else None
        time = (int(hour), int(minute), int(second or 0)) if hour else None
        return _moment(int(year), int(month), int(day), time, zone, clock)
    if match := EPOCH.match(text):
        value = datetime.fromtimestamp(int(match[1]), tz=UTC)
        return Moment(value=value, precision=DatePrecision.MINUTE, offset_given=True)
    return None


def read_moment(text: str, clock: Clock) -> Moment | None:
    """Read a short text that is, or holds, one date; None where there is none."""
    if not text or len(text) > LONGEST_TEXT:
        return None
    return read_machine(text, clock) or next(find_moments(tidy(text), clock), None)


def find_moments(text: str, clock: Clock) -> Iterator[Moment]:
    """Yield the dates in a text that `tidy` has been over, in the order of the text."""
    position = 0
    # the long expression is not tried before the longest word that may stand before the next digit
    while (digit := _DIGIT.search(text, position)) and (match := DATE.search(text, max(position, digit.start() - _BEFORE_DIGITS))):
        moment = _read_match(match, text, clock)
        if moment is not None:
            yield moment
            position = max(match.end(), moment.end)
            continue
        # a word before the date may have been taken for its month: look again behind that word
        position = max(match.end("w4"), match.end("w9"), match.start() + 1)
        while 0 < position < len(text) and text[position - 1 : position + 1].isdigit():
            position += 1


def _read_match(match: re.Match[str], text: str, clock: Clock) -> Moment | None:
    part = {name[0]: value for name, value in match.groupdict().items() if value is not None}
    year_text, word, day, marks = part.get("y"), part.get("w"), int(part.get("d", 1)), match["s2"]
    solar = year_text is not None and len(year_text) == 4 and int(year_text) < _SOLAR_ERA
    if solar and word is None and not SOLAR_LANGUAGES.intersection(clock.languages):
        return None
    if word is not None and year_text is None and len(word) < 3 and word.isascii():
        return None
    month = int(part["m"]) if word is None else solar_month_of(word) if solar else month_of(word, clock.languages)
    if month is None:
        return None
    said: dict[str, Any] = {"year_guessed": year_text is None}
    if marks is not None and "." not in marks:
        said["ambiguous"] = day <= _MONTHS and month <= _MONTHS and day != month
        said["day_order"] = "dmy" if day > _MONTHS else "mdy" if month > _MONTHS else None
        if day <= _MONTHS and clock.puts_month_first:
            day, month = month, day
    if month > _MONTHS:
        day, month = month, day
    if marks is not None and year_text is not None and len(year_text) == 2:
        if not _two_digits_are_a_year(match, text):
            return None
        year_text = f"20{year_text}" if int(year_text) < 70 else f"19{year_text}"
    year = int(year_text) if year_text is not None else _nearest_year(month, day, clock)
    if year is not None and solar:
        there = gregorian(year, month, day)
        year, month, day = (there.year, there.month, there.day) if there is not None else (None, month, day)
    if year is None:
        return None
    time, zone, start, end = None, None, match.start(), match.end()
    if (packed := part.get("t")) and int(packed[:2]) < 24:
        time = int(packed[:2]), int(packed[2:4]), int(packed[4:6] or 0)
    elif "d" in part:
        time, zone, start, end = _time_around(text, start, end)
    precision = None if "d" in part else DatePrecision.MONTH
    era = _THAI_ERA if year >= _FIRST_THAI_YEAR else 0
    return _moment(year - era, month, day, time, zone, clock, precision=precision, start=start, end=end, **said)


def _two_digits_are_a_year(match: re.Match[str], text: str) -> bool:
    """Tell 24.10.20 from a version, a score or a telephone number: it stands by itself."""
    goes_on, goes_back = _GOES_ON.match(text, match.end()), _GOES_BACK.search(text, max(0, match.start() - 2), match.start())
    return match["s2"].strip() in "./-" and not goes_on and not goes_back


def _nearest_year(month: int, day: int, clock: Clock) -> int | None:
    """Give the year in which the day last came round before the fetch; None without the time of the fetch."""
    if clock.fetched_at is None:
        return None
    now = clock.fetched_at.astimezone(clock.zone)
    latest = now + timedelta(days=1)
    return latest.year if (month, day) <= (latest.month, latest.day) else latest.year - 1


def _time_around(text: str, start: int, end: int) -> tuple[tuple[int, int, int] | None, tzinfo | None, int, int]:
    """Find the time that belongs to a date: behind it, with at most two words between, or right before it."""
    behind = text[end : end + 40]
    if behind[:1] in {"T", "t"} and behind[1:2].isdigit():
        behind = " " + behind[1:]
    match = TIME.search(behind)
    if match and match.start() <= 24 and GAP.match(behind[: match.start()]) and (time := _time_of(match)):
        zone, length = _zone_of(behind[match.end() :])
        return time, zone, start, end + match.end() + length
    ahead = text[max(0, start - 24) : start]
    for match in TIME.finditer(ahead):
        rest = ahead[match.end() :]
        zone, length = _zone_of(rest)
        if len(rest) - length <= 6 and not any(c.isdigit() for c in rest[length:]) and (time := _time_of(match)):
            return time, zone, start - len(ahead) + match.start(), end
    return None, None, start, end


def on_day(
    day: datetime, time: tuple[int, int, int] | None, clock: Clock, precision: DatePrecision = DatePrecision.DAY
) -> Moment | None:
    """Return the time of a day on the clock, or without one the day, as precise as is said."""
    hour, minute, second = time or (0, 0, 0)
    try:
        value = localize(day.replace(hour=hour, minute=minute, second=second, microsecond=0, tzinfo=None), clock.zone)
    except (ValueError, OverflowError):
        return None
    return Moment(value=value, precision=DatePrecision.MINUTE if time else precision)


def time_in(text: str) -> tuple[int, int, int] | None:
    """Give the first time of day in a short text."""
    return next(filter(None, map(_time_of, TIME.finditer(text))), None)


def _time_of(match: re.Match[str]) -> tuple[int, int, int] | None:
    hour, minute = int(match["h"]), int(match["m"] or match["m2"] or 0)
    said = (match["before"] or match["ampm"] or "").lower()
    half = _HALF_OF.get(fold(said).rstrip("."), said[:1])
    if half in {"a", "p"} and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour == 24:
        return (23, 59, 59) if minute == 0 else None
    return hour, minute, int(match["s"] or 0)


def _zone_of(text: str) -> tuple[tzinfo | None, int]:
    """Read "CEST", "Z", "+02:00", "GMT+2", "(UTC)" at the start of a text; gives the length that was read, too."""
    match = ZONE.match(text)
    if match is None:
        return None, 0
    name, sign = match["name"], match["sign"]
    if sign and match["h"] and (name is None or name.lower() in {"utc", "gmt", "z"}):
        return offset_zone(sign, int(match["h"]), int(match["m"] or 0)), match.end()
    zone = zone_of_abbreviation(name) if name and (name.isupper() or name.lower() in {"z", "utc", "gmt"}) else None
    return zone, match.end("name") if zone else 0


def _moment(
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
    if not _EARLIEST_YEAR <= year <= _LATEST_YEAR:
        return None
    exact = time is not None
    precision = precision or (DatePrecision.MINUTE if exact else DatePrecision.DAY)
    return Moment(value=value, precision=precision, offset_given=zone is not None and exact, **said)
