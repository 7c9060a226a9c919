"""The days that a page's dates fall on, each with a row of features for the model."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates.candidate import DECLARED, DateCandidate, Family, Role
from newscrawler.extraction.dates.spots import OTHER_TEXT, UNKNOWN
from newscrawler.page.marks import Mark


class Stage(IntEnum):
    """How much of a page has been looked at."""

    DECLARED = 0
    SHOWN = 1
    SCRIPTS = 2


_MARKS = {
    "in comments": Mark.COMMENT,
    "in related": Mark.RELATED | Mark.PROMOTION | Mark.SOCIAL,
    "in aside": Mark.ASIDE | Mark.NAVIGATION | Mark.FOOTER | Mark.WIDGET,
    "in header": Mark.HEADER,
    "in article": Mark.ARTICLE | Mark.MAIN | Mark.BODY,
    "in byline": Mark.BYLINE,
    "in hidden": Mark.HIDDEN | Mark.POPUP | Mark.CONSENT,
    "in other text": OTHER_TEXT,
}
_BITS = tuple(int(bits) for bits in _MARKS.values())
_FOREIGN = OTHER_TEXT | int(Mark.COMMENT | Mark.RELATED)
_SPOT = ("from headline", "from body", "from body end", "likely", "likely around", "linked", "links between", "rest", "prose")
_CHANGES = ("json-ld", "meta", "state", "script", "shown")
NAMES: tuple[str, ...] = (
    *Family, *(f"changed {source}" for source in _CHANGES), "other", "says published", "says changed", "says other",
    "declared", "declared beside", "shown", "shown beside", "declared share", "minute", "offset", "utc", "age", "is today",
    "older days", "newer days", "from declared", "from changed", "from address", "address month", "ambiguous",
    "exchanged", "fewest alike", "nearer days", *_SPOT, *_MARKS,
)  # fmt: skip
_PLACE = {name: place for place, name in enumerate(NAMES)}
_MOST = 3
#: Blocks by which a date above the headline, where the page shows the day of today, counts as farther from it.
_ABOVE = 3.0
#: Families that say of the article itself that it was published then.
_SAYING = frozenset({Family.LD_ARTICLE, Family.LD_PAGE, Family.META_NAMED, Family.META_PUBLISHED, Family.MICRODATA, Family.STATE})
_ADDRESS = frozenset({Family.ADDRESS_PART, Family.ADDRESS_PATH, Family.ADDRESS_SLUG})
#: What a box says as a whole, of which elements in it may say more.
BOXES = frozenset({Family.TEXT, Family.PERHAPS_NAMED})
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """The days of a page, what falls on each, and their features, one row a day."""

    days: Sequence[date]
    candidates: Sequence[Sequence[DateCandidate]]
    rows: NDArray[np.float32]


def readings(found: Iterable[DateCandidate], zone: tzinfo) -> list[DateCandidate]:
    """Return the candidates on the clock of the portal, and those in which day and month could be exchanged in both readings."""
    found = list(found)
    said = _said_inside(found)
    read: list[DateCandidate] = []
    for c in found:
        if zone is not UTC and c.offset_given and not c.value.utcoffset():
            c = replace(c, value=c.value.astimezone(zone))  # noqa: PLW2901
        elif c.spot is not None and c.family in BOXES and not c.labelled and (role := said.get((c.spot.from_headline, c.value))):
            c = replace(c, role=role)  # noqa: PLW2901
        read.append(c)
        if c.ambiguous:
            read.append(replace(c, value=c.value.replace(month=c.value.day, day=c.value.month), exchanged=True))
    return read


def _said_inside(found: Iterable[DateCandidate]) -> dict[tuple[float, datetime], Role]:
    """Return of dates, by block and time, the role that elements in the block give them; not where one says that of publication."""
    said: dict[tuple[float, datetime], Role] = {}
    for c in found:
        if c.spot is not None and (c.family not in BOXES or c.labelled or c.role is not Role.PUBLISHED):
            key = c.spot.from_headline, c.value
            said[key] = Role.PUBLISHED if said.get(key) is Role.PUBLISHED else c.role
    return {key: role for key, role in said.items() if role is not Role.PUBLISHED}


def days_of(found: Sequence[DateCandidate], today: date | None) -> Days:
    """Group candidates by day and compute the features of each day.

    Args:
        found: the candidates, as `readings` gives them; those that name a month only tell whether the address agrees.
        today: the day of the fetch; None where that is not known.
    """
    groups: dict[date, list[DateCandidate]] = defaultdict(list)
    for c in found:
        if c.precision != DatePrecision.MONTH:
            groups[c.value.date()].append(c)
    days = sorted(groups)
    rows = np.zeros((len(days), len(NAMES)), dtype=np.float32)
    page = _Page(found, groups, today)
    for number, day in enumerate(days):
        values = _sources(groups[day]) | page.neighbours(day) | _place(groups[day], page.alike)
        for name, value in values.items():
            rows[number, _PLACE[name]] = value
    return Days(days=days, candidates=[groups[day] for day in days], rows=rows)


def _sources(group: Sequence[DateCandidate]) -> dict[str, float]:
    """Count what says that something happened on a day."""
    found: Counter[str] = Counter()
    for c in group:
        if c.exchanged:
            found["exchanged"] += 1
            continue
        if c.role is Role.MODIFIED:
            found[f"changed {c.source if c.source in _CHANGES else 'shown'}"] += 1
        else:
            found[c.family if c.role is Role.PUBLISHED else "other"] += 1
        is_exact = c.precision == DatePrecision.MINUTE
        found[_SAID[c.role]] += c.labelled
        found["ambiguous"] += c.ambiguous
        found["minute"] += is_exact
        found["offset"] += is_exact and c.offset_given
        found["utc"] += is_exact and c.offset_given and not c.value.utcoffset()
    return {name: float(min(_MOST, count)) for name, count in found.items()}


_SAID = {Role.PUBLISHED: "says published", Role.MODIFIED: "says changed", Role.OTHER: "says other"}


class _Page:
    """What all days of a page say of one of them."""

    def __init__(self, found: Sequence[DateCandidate], groups: Mapping[date, Sequence[DateCandidate]], today: date | None) -> None:
        self._today = today
        plain = [c for group in groups.values() for c in group if not c.exchanged]
        shown = [(c.value.date(), c.spot) for c in plain if c.spot is not None]
        published = [(c.value.date(), c.family) for c in plain if c.role is Role.PUBLISHED]
        #: How many kinds of evidence declare each day, and show it.
        self._declared = Counter(day for day, family in set(published) if family in DECLARED)
        self._shown = Counter(day for day, family in set(published) if family not in DECLARED | {Family.SCRIPT})
        self._saying = Counter(day for day, family in published if family in _SAYING)
        self._most_said = max(self._saying, key=self._saying.__getitem__, default=None)
        self._changed = max((c.value.date() for c in plain if c.role is Role.MODIFIED), default=None)
        self._days = sorted({day for day, _ in published})
        self._address = next((c for c in found if c.family in _ADDRESS), None)
        #: On how many days elements of the same tag and class are.
        self.alike = Counter(signature for _, signature in {(day, spot.signature) for day, spot in shown})
        distances = dict.fromkeys(groups, -UNKNOWN)
        for day, spot in shown:
            distances[day] = min(distances[day], abs(spot.from_headline))
        self._nearer = {day: rank for rank, day in enumerate(sorted(distances, key=distances.__getitem__))}

    def neighbours(self, day: date) -> dict[str, float]:
        """Compare a day with the others, with the address and with the fetch."""
        before, behind, address = day - _DAY, day + _DAY, self._address
        exact = address.value.date() if address is not None and address.precision != DatePrecision.MONTH else None
        is_month = address is not None and (address.value.year, address.value.month) == (day.year, day.month)
        return {
            "declared": self._declared[day],
            "declared beside": self._declared[before] + self._declared[behind],
            "shown": self._shown[day],
            "shown beside": self._shown[before] + self._shown[behind],
            "declared share": self._saying[day] / max(1, self._saying.total()),
            "age": math.log1p(max(0, (self._today - day).days)) if self._today is not None else -1.0,
            "is today": float(self._today == day) if self._today is not None else -1.0,
            "older days": float(bisect_left(self._days, day)),
            "newer days": float(len(self._days) - bisect_right(self._days, day)),
            "from declared": _apart(day, self._most_said),
            "from changed": _apart(day, self._changed),
            "from address": _apart(day, exact),
            "address month": 0.0 if address is None else 1.0 if is_month else -1.0,
            "nearer days": float(self._nearer[day]),
        }


def _apart(day: date, other: date | None) -> float:
    """Return how far a day lies behind another, in logarithms of days; UNKNOWN where there is no other."""
    if other is None:
        return UNKNOWN
    days = (day - other).days
    return math.copysign(math.log1p(abs(days)), days)


def _place(group: Sequence[DateCandidate], alike: Counter[str]) -> dict[str, float]:
    """Describe where a page shows a day: of several places, the one nearest to the headline outside of other texts."""
    shown = [c for c in group if c.spot is not None]
    spot = min(shown, key=distance).spot if shown else None
    if spot is None:
        return dict.fromkeys((*_SPOT, "fewest alike"), UNKNOWN)
    values = {name: float(getattr(spot, name.replace(" ", "_"))) for name in _SPOT}
    values |= {name: float(spot.within & bits != 0) for name, bits in zip(_MARKS, _BITS, strict=True)}
    return values | {"fewest alike": float(max(1, min(alike[c.spot.signature] for c in shown if c.spot is not None)))}


def distance(c: DateCandidate) -> tuple[bool, bool, float]:
    """Order dates by how close to the headline, and outside of other texts, they are shown."""
    if c.spot is None:
        return False, False, 0.0
    above = _ABOVE if c.spot.from_headline < 0 else 0.0
    return c.role is Role.OTHER or c.exchanged, c.spot.within & _FOREIGN != 0, abs(c.spot.from_headline) + above
