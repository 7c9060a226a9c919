"""The days that a page's dates fall on, each with a row of features for the model."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from newscrawler.article import DatePrecision
from newscrawler.dates.candidate import DECLARED, DateCandidate, Family, Role, Spot
from newscrawler.dates.spots import OTHER_TEXT, UNKNOWN
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
    "before 1995", "older days", "newer days", "from declared", "from changed", "from address", "address month", "ambiguous",
    "exchanged", "counted", "fewest alike", "nearer days", "count", *_SPOT, *_MARKS, "stage",
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
_FIRST_YEAR = 1995


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


def days_of(found: Sequence[DateCandidate], stage: Stage, today: date | None) -> Days:
    """Group candidates by day and compute the features of each day.

    Args:
        found: the candidates, as `readings` gives them; those that name a month only tell whether the address agrees.
        stage: how much of the page was looked at.
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
        values = _sources(groups[day]) | page.neighbours(day) | _place(groups[day], page.alike) | {"stage": float(stage)}
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
        if c.role is Role.PUBLISHED:
            found[c.family] += 1
        elif c.role is Role.MODIFIED:
            found[f"changed {c.source if c.source in _CHANGES else 'shown'}"] += 1
        else:
            found["other"] += 1
        if c.labelled:
            found[_SAID[c.role]] += 1
        found["count"] += 1
        found["ambiguous"] += c.ambiguous
        found["counted"] += c.counted
        if c.precision == DatePrecision.MINUTE:
            found["minute"] += 1
            found["offset"] += c.offset_given
            found["utc"] += c.offset_given and not c.value.utcoffset()
    return {name: float(min(_MOST, count)) for name, count in found.items()}


_SAID = {Role.PUBLISHED: "says published", Role.MODIFIED: "says changed", Role.OTHER: "says other"}


class _Page:
    """What all days of a page say of one of them."""

    def __init__(self, found: Sequence[DateCandidate], groups: dict[date, list[DateCandidate]], today: date | None) -> None:
        self._today = today
        plain = [c for c in found if not c.exchanged and c.precision != DatePrecision.MONTH]
        published = [c for c in plain if c.role is Role.PUBLISHED]
        self._declared = _families(c for c in published if c.family in DECLARED)
        self._shown = _families(c for c in published if c.family not in DECLARED and c.spot is not None)
        saying = Counter(c.value.date() for c in published if c.family in _SAYING)
        self._saying, self._most_said = saying, (saying.most_common(1)[0][0] if saying else None)
        self._changed = max((c.value.date() for c in plain if c.role is Role.MODIFIED), default=None)
        self._days = sorted({c.value.date() for c in published})
        self._address = next((c for c in found if c.family in _ADDRESS), None)
        signatures: dict[str, set[date]] = defaultdict(set)
        for c in plain:
            if c.spot is not None:
                signatures[c.spot.signature].add(c.value.date())
        self.alike = {signature: len(days) for signature, days in signatures.items()}
        self._distances = sorted(
            {day: min((abs(c.spot.from_headline) for c in group if c.spot is not None), default=-UNKNOWN)
             for day, group in groups.items()}.items(), key=lambda item: item[1]
        )  # fmt: skip
        self._nearer = {day: rank for rank, (day, _) in enumerate(self._distances)}

    def neighbours(self, day: date) -> dict[str, float]:
        """Compare a day with the others, with the address and with the fetch."""
        beside = (day - _DAY, day + _DAY) if date.min < day < date.max else ()
        address = self._address
        month = address is not None and (address.value.year, address.value.month) == (day.year, day.month)
        exact = address is not None and address.precision != DatePrecision.MONTH
        return {
            "declared": len(self._declared[day]),
            "declared beside": sum(len(self._declared[other]) for other in beside),
            "shown": len(self._shown[day]),
            "shown beside": sum(len(self._shown[other]) for other in beside),
            "declared share": self._saying[day] / max(1, self._saying.total()),
            "age": math.log1p(max(0, (self._today - day).days)) if self._today is not None else -1.0,
            "is today": float(self._today == day) if self._today is not None else -1.0,
            "before 1995": float(day.year < _FIRST_YEAR),
            "older days": float(sum(other < day for other in self._days)),
            "newer days": float(sum(other > day for other in self._days)),
            "from declared": _apart(day, self._most_said),
            "from changed": _apart(day, self._changed),
            "from address": _apart(day, address.value.date() if address is not None and exact else None),
            "address month": 0.0 if address is None else 1.0 if month else -1.0,
            "nearer days": float(self._nearer[day]),
        }


def _families(found: Iterable[DateCandidate]) -> dict[date, set[Family]]:
    families: dict[date, set[Family]] = defaultdict(set)
    for c in found:
        families[c.value.date()].add(c.family)
    return families


def _apart(day: date, other: date | None) -> float:
    """Return how far a day lies behind another, in logarithms of days; UNKNOWN where there is no other."""
    if other is None:
        return UNKNOWN
    days = (day - other).days
    return math.copysign(math.log1p(abs(days)), days)


def _place(group: Sequence[DateCandidate], alike: dict[str, int]) -> dict[str, float]:
    """Describe where a page shows a day: of several places, the one nearest to the headline outside of other texts."""
    shown = [c for c in group if c.spot is not None]
    if not shown:
        return dict.fromkeys((*_SPOT, "fewest alike"), UNKNOWN)
    spot = best_spot(shown)
    values = {name: float(getattr(spot, name.replace(" ", "_"))) for name in _SPOT}
    values |= {name: float(spot.within & bits != 0) for name, bits in zip(_MARKS, _BITS, strict=True)}
    return values | {"fewest alike": float(min(alike.get(c.spot.signature, 1) for c in shown if c.spot is not None))}


def best_spot(shown: Sequence[DateCandidate]) -> Spot:
    """Return the place nearest to the headline, preferably outside of other texts."""
    best = min(shown, key=distance)
    assert best.spot is not None
    return best.spot


def distance(c: DateCandidate) -> tuple[bool, bool, float]:
    """Order dates by how close to the headline, and outside of other texts, they are shown."""
    if c.spot is None:
        return False, False, 0.0
    above = _ABOVE if c.spot.from_headline < 0 else 0.0
    return c.role is Role.OTHER or c.exchanged, c.spot.within & _FOREIGN != 0, abs(c.spot.from_headline) + above
