"""Predicts when planned crawls end and how many must run at once. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from heapq import heapify, heapreplace
from statistics import median_low

from newscrawler.store.service import PlannedCrawl
from newscrawler.store.vocabularies import CrawlState

#: Number of latest crawls from which a portal's next one is predicted.
_LATEST = 3
#: Reserve for crawls longer than expected, as a factor.
_RESERVE = 1.25
#: A crawl of at least this share of its window was ended by the window.
_NEARLY = 0.98
_HOUR = timedelta(hours=1)
_MOST_NAMES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A running or planned crawl."""

    portal: str
    #: It may begin then, or has begun before.
    ready_at: datetime
    #: It should have ended by then.
    closes_at: datetime
    #: The remaining time; None: unknown, the portal was never crawled.
    expected: timedelta | None

    @property
    def latest_start(self) -> datetime:
        """Return when it must begin to end in time."""
        return self.closes_at - self.expected if self.expected is not None else self.ready_at

    @property
    def is_too_long(self) -> bool:
        """Return whether it does not fit even without other jobs."""
        return self.expected is not None and self.expected > _NEARLY * (self.closes_at - self.ready_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The prediction for jobs."""

    at_once: int
    needed: timedelta
    #: Time of all places, from the first job's beginning to when the last should have ended.
    available: timedelta
    ends_at: datetime | None = None
    #: Jobs that do not fit even alone, and jobs for which others leave no place.
    too_long: tuple[Job, ...] = ()
    late: tuple[Job, ...] = ()

    @property
    def shortage(self) -> str:
        """Return a sentence about the jobs that do not fit; empty: all do."""
        said = []
        if self.late:
            said.append(
                f"time is too short for {_names(self.late)}: the crawls that are planned need {_hours(self.needed)}, "
                f"{self.at_once} at once have {_hours(self.available)}"
            )
        said += [
            f"{job.portal} needs {_hours(job.expected)}, its time is {_hours(job.closes_at - job.ready_at)}"
            for job in self.too_long[:_MOST_NAMES]
            if job.expected is not None
        ]
        if len(self.too_long) > _MOST_NAMES:
            said.append(f"{len(self.too_long) - _MOST_NAMES} more portals need more than their time")
        return "; ".join(said)


def expected_length(turns: Iterable[PlannedCrawl]) -> timedelta | None:
    """Return how long a portal's next crawl will take, by its latest turns, newest first; None: there is none."""
    lengths = [turn.ended_at - turn.began_at for turn in turns if turn.state is CrawlState.DONE and turn.began_at and turn.ended_at]
    return median_low(lengths[:_LATEST]) if lengths else None


def forecast(jobs: Sequence[Job], at_once: int) -> Forecast:
    """Return the prediction for jobs that run `at_once`, in the order in which the service starts them.

    Args:
        jobs: in the order in which those ready at the same time begin; jobs of unknown length take as long as usual.
        at_once: number of places.
    """
    known = [job.expected for job in jobs if job.expected is not None]
    usual = median_low(known) if known else None
    jobs = [replace(job, expected=usual) if job.expected is None else job for job in jobs] if usual is not None else []
    if not jobs:
        return Forecast(at_once=at_once, needed=timedelta(0), available=timedelta(0))
    ends = _ends(jobs, at_once)
    too_long = tuple(job for job in jobs if job.is_too_long)
    is_late = [end is None or end > job.closes_at for job, end in zip(jobs, ends, strict=True)]
    late = tuple(job for job, missed in zip(jobs, is_late, strict=True) if missed and not job.is_too_long)
    beside = _overlapping(jobs, late) or jobs
    span = max(job.closes_at for job in beside) - min(job.ready_at for job in beside)
    return Forecast(
        at_once=at_once,
        needed=sum((job.expected for job in beside if job.expected is not None), timedelta(0)),
        available=at_once * span,
        ends_at=max((end for end in ends if end is not None), default=None),
        too_long=too_long,
        late=late,
    )


def places_needed(jobs: Sequence[Job], most: int) -> int:
    """Return the smallest number of places, up to `most`, with which no job comes too late for lack of one.

    A job of unknown length may need all of its time, so it counts as one place.
    """
    jobs = [
        replace(job, expected=min(_RESERVE * job.expected, whole) if job.expected is not None else whole)
        for job in jobs
        if (whole := job.closes_at - job.ready_at) > timedelta(0)
    ]
    low, high = 1, max(1, min(most, len(jobs)))
    while low < high:
        middle = (low + high) // 2
        fits = all(end is not None and end <= job.closes_at for job, end in zip(jobs, _ends(jobs, middle), strict=True))
        low, high = (low, middle) if fits else (middle + 1, high)
    return low


def _ends(jobs: Sequence[Job], at_once: int) -> list[datetime | None]:
    """Return when each job ends; None: no place is free in time."""
    places = [min(job.ready_at for job in jobs)] * at_once
    heapify(places)
    ends: dict[int, datetime] = {}
    for number, job in sorted(enumerate(jobs), key=lambda each: each[1].ready_at):
        begin = max(job.ready_at, places[0])
        if begin < job.closes_at or begin == job.ready_at:
            ends[number] = begin + (job.expected or timedelta(0))
            heapreplace(places, max(begin, min(ends[number], job.closes_at)))
    return [ends.get(number) for number in range(len(jobs))]


def _overlapping(jobs: Sequence[Job], others: Iterable[Job]) -> list[Job]:
    """Return the jobs whose time overlaps with that of any of the others, in O(n log n)."""
    begins: list[datetime] = []
    ends: list[datetime] = []
    for other in sorted(others, key=lambda each: each.ready_at):
        if ends and other.ready_at < ends[-1]:
            ends[-1] = max(ends[-1], other.closes_at)
        else:
            begins.append(other.ready_at)
            ends.append(other.closes_at)
    found = []
    for job in jobs:
        index = bisect_right(ends, job.ready_at)
        if index < len(begins) and begins[index] < job.closes_at:
            found.append(job)
    return found


def _names(jobs: Sequence[Job]) -> str:
    more = f" and {len(jobs) - _MOST_NAMES} more" if len(jobs) > _MOST_NAMES else ""
    return ", ".join(job.portal for job in jobs[:_MOST_NAMES]) + more


def _hours(span: timedelta) -> str:
    return f"{span / _HOUR:.1f} hours"
