"""Computes now and then how many crawls may run at once, and whether planned crawls fit into their time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta

from newscrawler.service.forecast import Forecast, Job, expected_length, forecast, places_needed
from newscrawler.service.free_memory import crawls_that_fit
from newscrawler.store.service import PlannedCrawl

#: Memory and plans change slowly, and reading the memory of a hundred processes takes a fifth of a second.
_FRESH = timedelta(seconds=30)
#: Workers come and go, and one query counts their places.
_FRESH_OF_CLUSTER = timedelta(seconds=2)
#: Crawls at once if the free memory is unknown.
_UNKNOWN_MEMORY = 4
logger = logging.getLogger(__name__)


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
        """Learn from a portal's latest turns, newest first."""
        self._expected[portal] = expected_length(turns)

    def job(self, portal: str, ready_at: datetime, closes_at: datetime, since: datetime | None = None) -> Job:
        """Return a portal's job; `since`: when it began, if it is running."""
        expected = self._expected.get(portal)
        if expected is not None and since is not None:
            expected = max(expected - (ready_at - since), timedelta(0))
        return Job(portal=portal, ready_at=ready_at, closes_at=max(ready_at, closes_at), expected=expected)

    def expire(self) -> None:
        """Discard the result, because the configuration has changed."""
        self._refreshed_at = None

    def refresh(
        self,
        jobs: Callable[[], list[Job]],
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
            self.at_once = setting or places_needed(found, crawls_that_fit(taken_mib()) or _UNKNOWN_MEMORY)
        else:  # each worker applies `setting` itself
            self.at_once, self._fresh = of_cluster, _FRESH_OF_CLUSTER
        before, self.forecast = self.forecast, forecast(found, max(1, self.at_once))
        planned = frozenset((job.portal, job.ready_at) for job in found if job.ready_at > now)
        is_complete = len(planned) == len(found) and planned != self._planned  # none is under way: it holds for a while
        if is_complete:
            self._planned = planned
            logger.info("crawls planned", extra={"facts": _facts(self.forecast, len(found))})
        if self.forecast.shortage and (is_complete or not (before and before.shortage)):
            logger.warning(self.forecast.shortage)


def _facts(found: Forecast, portals: int) -> Mapping[str, object]:
    hours = timedelta(hours=1)
    return {
        "portals": portals,
        "at_once": found.at_once,
        "needed_hours": round(found.needed / hours, 2),
        "available_hours": round(found.available / hours, 2),
        "ends_at": found.ends_at.isoformat() if found.ends_at else None,
        "late": len(found.late) + len(found.too_long),
    }
