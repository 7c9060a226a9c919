"""Ranges of days, the days that addresses name, and days by neighbours: the identifiers and the days of a pattern rise together."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from newscrawler.discovery.urls import make_pattern
from newscrawler.extraction.dates import read_url_day

_DAY = timedelta(days=1)
#: Dated addresses of one pattern that are kept: every second one is dropped when there are twice as many; and patterns.
_MOST_KEPT, _MOST_PATTERNS = 4_000, 200
#: Numbers tell days if so many percent of the neighbours rise, apart from a share of all their days; fewer do not show it.
_LEAST_DATED, _LEAST_SURE, _NOISE = 8, 80, 0.01
#: How keys of lists begin, unlike patterns.
_LIST = "list "
_NUMBER = re.compile(r"\d{3,18}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRange:
    """The days of a backfill, both ends included."""

    since: date
    until: date

    def __contains__(self, day: date) -> bool:
        return self.since <= day <= self.until

    def find_day(self, first: date, last: date) -> date | None:
        """Return the day that stands for a period within or outside the range; None: the range begins or ends in it."""
        if first < self.since <= last or first <= self.until < last:
            return None
        return first + (last - first) / 2

    def list_months(self) -> Iterator[date]:
        """Yield the first days of its months, the latest first."""
        month = self.until.replace(day=1)
        while month >= self.since.replace(day=1):
            yield month
            month = (month - _DAY).replace(day=1)

    def list_days(self) -> Iterator[date]:
        """Yield its days, the latest first."""
        return (self.until - number * _DAY for number in range((self.until - self.since).days + 1))


def find_address_days(url: str) -> tuple[date, date] | None:
    """Return the first and last day of the day or month in an address; None: it names none."""
    found = read_url_day(url)
    return (found[0].date(), (found[1] - _DAY).date()) if found is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place of an address among dated ones of its pattern, or else of the list that named it."""

    key: str
    number: int
    #: The numbers and the days of the dated addresses before and behind it; there may be none, and the day is open then.
    low: int
    high: int
    first: date
    last: date
    #: Certainty that the day is between these.
    percent: int

    def find_day(self, days: DayRange) -> date | None:
        """Return the likely day; None: it may be within a range as well as outside, or too few neighbours are dated."""
        if days.find_day(self.first, self.last) is None or self.percent < _LEAST_SURE:
            return None
        if date.min in {self.first, self.last} or self.last == date.max:
            return self.last if self.first == date.min else self.first
        return self.first + (self.last - self.first) * ((self.number - self.low) / max(1, self.high - self.low))

    def choose_probe(self, numbers: Sequence[int], days: DayRange, today: date) -> int:
        """Return the place, in the ascending numbers of this stretch, of the address whose day tells most.

        By interpolation. An end of the range is approached from within, as addresses within it are requested in any case.
        """
        high, last = (self.high, self.last) if self.last != date.max else (numbers[-1], max(today, self.first))
        if self.first == date.min or last <= self.first:
            return len(numbers) // 2
        low_end, high_end = self.first < days.since, last > days.until
        wanted = days.since + (days.until - days.since) / 2 if low_end and high_end else days.since if low_end else days.until
        aim = self.low + (high - self.low) * ((wanted - self.first) / (last - self.first))
        if low_end != high_end:
            aim = (aim + (high if low_end else self.low)) / 2
        return min(range(len(numbers)), key=lambda place: abs(numbers[place] - aim))


class Neighbours:
    """Dated addresses of a portal, from which others get their day: by their numbers, or else by their order in a list."""

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[int, date]]] = {}
        self._steps: dict[str, int] = {}
        self._sure: dict[str, int] = {}
        #: Lists whose first addresses are the latest.
        self._falling: set[str] = set()

    def add(self, url: str, day: date, *, place: int = 0, in_list: str | None = None) -> None:
        """Add an address whose day is known, with its place in the list that named it."""
        key, number = _split_number(url, place, in_list)
        if number is None or (key not in self._known and len(self._known) >= _MOST_PATTERNS):
            return
        kept = self._known.setdefault(key, [])
        step = self._steps.setdefault(key, 1)
        if number % step == 0:
            kept.append((number, day))
        if len(kept) >= 2 * _MOST_KEPT:
            self._steps[key] = step = 2 * step
            self._known[key] = [pair for pair in kept if pair[0] % step == 0]

    def sort(self) -> None:
        """Order the addresses, and measure of each pattern how often numbers and days rise together."""
        for key, kept in self._known.items():
            kept.sort()
            days = [day for _, day in kept]
            slack = max(_DAY, (max(days) - min(days)) * _NOISE)
            rising, falling = (sum(a <= b + slack for a, b in pairwise(each)) for each in (days, days[::-1]))
            if falling > rising and key.startswith(_LIST):
                self._falling.add(key)
                kept[:] = [(-number, day) for number, day in reversed(kept)]
                rising = falling
            self._sure[key] = 100 * rising // (len(kept) - 1) if len(kept) > 2 else 0 if key.startswith(_LIST) else 100

    def locate(self, url: str, *, place: int = 0, in_list: str | None = None) -> Place | None:
        """Return the place of an address among those of its pattern or list; None: it has none, or numbers do not tell days."""
        key, number = _split_number(url, place, in_list)
        kept = self._known.get(key, [])
        sure = self._sure.get(key, 0 if key.startswith(_LIST) else 100)
        if number is None or (sure < _LEAST_SURE and len(kept) >= _LEAST_DATED):
            return None
        number = -number if key in self._falling else number
        index = bisect_left(kept, (number, date.min))
        low, first = kept[index - 1] if index else (min(number, 0), date.min)
        high, last = kept[index] if index < len(kept) else (number, date.max)
        return Place(key=key, number=number, low=low, high=max(low, high), first=min(first, last), last=last, percent=sure)


def _split_number(url: str, place: int, in_list: str | None) -> tuple[str, int | None]:
    """Return the pattern of an address and its longest number, that of the article; without one, its list and its place."""
    pattern = make_pattern(url)
    numbers = _NUMBER.findall(url[url.find("/", 8) :]) if "{id}" in pattern else []
    if numbers or in_list is None:
        return pattern, max(map(int, numbers), default=None)
    return f"{_LIST}{in_list}", place
