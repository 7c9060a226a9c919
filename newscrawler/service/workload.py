"""Computes now and then how many crawls may run at once, and whether planned crawls fit into their time."""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from heapq import heapify, heapreplace
from statistics import median_low

from newscrawler.service.free_memory import count_crawls_that_fit
from newscrawler.store.service import PlannedCrawl
from newscrawler.store.vocabularies import CrawlState

#: Memory and plans change slowly, and reading the memory of a hundred processes takes a fifth of a second.
_FRESH = timedelta(seconds=30)
#: Workers come and go, and one query counts their places.
_FRESH_OF_CLUSTER = timedelta(seconds=2)
#: Crawls at once if the free memory is unknown.
_UNKNOWN_MEMORY = 4
logger = logging.getLogger(__name__)
#: Number of latest crawls from which a portal's next one is predicted.
_LATEST = 3
#: Reserve for crawls longer than expected, as a factor.
_RESERVE = 1.25
#: A crawl of at least this share of its window was ended by the window.
_NEARLY = 0.98
_HOUR = timedelta(hours=1)
_MOST_NAMES = 3


class Workload:
    """The needs of the portals' crawls, from earlier ones."""

    def __init__(self) -> None:
        self._expected: dict[str, timedelta | None] = {}
        self._refreshed_at: datetime | None = None
        self._fresh = _FRESH
        self._planned: frozenset[tuple[str, datetime]] = frozenset()
        self.at_once = 1
        self.forecast: Forecast | None = None

    def learn(self, portal: str, turns: Iterable[PlannedCrawl]) -> None:
        """Learn from a portal's latest crawls, newest first."""
        self._expected[portal] = estimate_length(turns)

    def job(self, portal: str, ready_at: datetime, closes_at: datetime, since: datetime | None = None) -> ExpectedCrawl:
        """Return a portal's job; `since`: when it began, if it is running."""
        expected = self._expected.get(portal)
        if expected is not None and since is not None:
            expected = max(expected - (ready_at - since), timedelta(0))
        return ExpectedCrawl(portal=portal, ready_at=ready_at, closes_at=max(ready_at, closes_at), expected=expected)

    def expire(self) -> None:
        """Discard the result, because the configuration has changed."""
        self._refreshed_at = None

    def refresh(
        self,
        jobs: Callable[[], list[ExpectedCrawl]],
        *,
        taken_mib: Callable[[], Iterable[int]],
        setting: int | None,
        places: Callable[[], int | None],
        now: datetime,
    ) -> None:
        """Compute the result again if it is too old.

        Args:
            jobs: running ones and the next of each other portal, in the order in which they begin.
            taken_mib: private memory of the running crawls.
            setting: configured number of crawls at once; None: as memory allows and the jobs need.
            places: number that fits on the machines of a cluster; None: limited by this machine's memory.
            now: the current time.
        """
        if self._refreshed_at is not None and timedelta(0) <= now - self._refreshed_at < self._fresh:
            return
        self._refreshed_at = now
        found = jobs()
        of_cluster = places()
        if of_cluster is None:
            self.at_once = setting or count_places_needed(found, count_crawls_that_fit(taken_mib()) or _UNKNOWN_MEMORY)
        else:  # each worker applies `setting` itself
            self.at_once, self._fresh = of_cluster, _FRESH_OF_CLUSTER
        before, self.forecast = self.forecast, forecast_crawls(found, max(1, self.at_once))
        planned = frozenset((job.portal, job.ready_at) for job in found if job.ready_at > now)
        is_complete = len(planned) == len(found) and planned != self._planned  # none is under way: it holds for a while
        if is_complete:
            self._planned = planned
            logger.info("crawls planned", extra={"facts": _list_facts(self.forecast, len(found))})
        if self.forecast.shortage and (is_complete or not (before and before.shortage)):
            logger.warning(self.forecast.shortage)


def _list_facts(found: Forecast, portals: int) -> Mapping[str, object]:
    hours = timedelta(hours=1)
    return {
        "portals": portals,
        "at_once": found.at_once,
        "needed_hours": round(found.needed / hours, 2),
        "available_hours": round(found.available / hours, 2),
        "ends_at": found.ends_at.isoformat() if found.ends_at else None,
        "late": len(found.late) + len(found.too_long),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedCrawl:
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
    #: Crawls that do not fit even by themselves, and those for which others leave no place.
    too_long: tuple[ExpectedCrawl, ...] = ()
    late: tuple[ExpectedCrawl, ...] = ()

    @property
    def shortage(self) -> str:
        """Return a sentence about the jobs that do not fit; empty: all do."""
        said = []
        if self.late:
            said.append(
                f"time is too short for {_join_names(self.late)}: the crawls that are planned need {_format_hours(self.needed)}, "
                f"{self.at_once} at once have {_format_hours(self.available)}"
            )
        said += [
            f"{job.portal} needs {_format_hours(job.expected)}, its time is {_format_hours(job.closes_at - job.ready_at)}"
            for job in self.too_long[:_MOST_NAMES]
            if job.expected is not None
        ]
        if len(self.too_long) > _MOST_NAMES:
            said.append(f"{len(self.too_long) - _MOST_NAMES} more portals need more than their time")
        return "; ".join(said)


def estimate_length(turns: Iterable[PlannedCrawl]) -> timedelta | None:
    """Return how long a portal's next crawl will take, by its latest crawls, newest first; None: there is none."""
    lengths = [turn.ended_at - turn.began_at for turn in turns if turn.state is CrawlState.DONE and turn.began_at and turn.ended_at]
    return median_low(lengths[:_LATEST]) if lengths else None


def forecast_crawls(jobs: Sequence[ExpectedCrawl], at_once: int) -> Forecast:
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
    others = _find_overlapping(jobs, late) or jobs
    span = max(job.closes_at for job in others) - min(job.ready_at for job in others)
    return Forecast(
        at_once=at_once,
        needed=sum((job.expected for job in others if job.expected is not None), timedelta(0)),
        available=at_once * span,
        ends_at=max((end for end in ends if end is not None), default=None),
        too_long=too_long,
        late=late,
    )


def count_places_needed(jobs: Sequence[ExpectedCrawl], most: int) -> int:
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


def _ends(jobs: Sequence[ExpectedCrawl], at_once: int) -> list[datetime | None]:
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


def _find_overlapping(jobs: Sequence[ExpectedCrawl], others: Iterable[ExpectedCrawl]) -> list[ExpectedCrawl]:
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


def _join_names(jobs: Sequence[ExpectedCrawl]) -> str:
    more = f" and {len(jobs) - _MOST_NAMES} more" if len(jobs) > _MOST_NAMES else ""
    return ", ".join(job.portal for job in jobs[:_MOST_NAMES]) + more


def _format_hours(span: timedelta) -> str:
    return f"{span / _HOUR:.1f} hours"
