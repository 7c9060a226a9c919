"""Crawls on other machines, as the supervisor sees them: children that it can follow and end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol

from newscrawler.service.children import Child
from newscrawler.service.turns import OWN_END
from newscrawler.store import Store
from newscrawler.store.service import CrawlJob

#: Jobs are read together, so often at most.
_FRESH = timedelta(seconds=1)
_EPOCH = datetime(2020, 1, 1, tzinfo=UTC)


class LocalLauncher(Protocol):
    """Starts what the planner does on its own machine."""

    def export(self, name: str) -> Child:
        """Write an export."""
        ...

    def job(self, number: int) -> Child:
        """Carry out a job that people asked for."""
        ...


class DispatchedCrawl:
    """A crawl that a worker carries out, or will; the worker watches its memory."""

    pid = 0

    def __init__(self, launcher: DispatchLauncher, job: CrawlJob) -> None:
        self._launcher = launcher
        self.job_id = job.id

    def exit_code(self) -> int | None:
        """Return how it ended; None: it waits or is under way."""
        job = self._launcher.job_of(self.job_id)
        if job is None:  # deleted from the database
            return 130
        return job.exit_code

    def memory_mib(self) -> int:
        """Return 0: it takes none here."""
        return 0

    private_mib = memory_mib

    def terminate(self) -> None:
        """Ask its worker to end it."""
        self._launcher.ask_stop(self.job_id, "end")

    def kill(self) -> None:
        """Ask its worker to kill it."""
        self._launcher.ask_stop(self.job_id, "kill")


class DispatchLauncher:
    """Dispatches crawls to workers; exports and jobs that people asked for run on the planner's machine."""

    def __init__(self, store: Store, local: LocalLauncher, *, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._local = local
        self._clock = clock
        self._known: dict[int, CrawlJob] = {}
        self._followed: set[int] = set()
        self._read_at: datetime | None = None

    def crawl(self, portal: str, *, label: str, latest_start: datetime) -> DispatchedCrawl:
        """Dispatch a crawl; of two that wait, the one that has to begin sooner is taken first."""
        priority = -int((latest_start - _EPOCH).total_seconds() // 60)
        return self._follow(self._store.dispatch.defer(portal, label=label, priority=priority))

    def adopt(self, portal: str, label: str) -> DispatchedCrawl | None:
        """Return the crawl that an earlier planner dispatched; None: it did not come to that.

        A job that has failed may be of an earlier attempt, whose failure is counted.
        """
        job = self._store.dispatch.latest(portal, label)
        return self._follow(job) if job is not None and job.exit_code in {None, *OWN_END} else None

    def withdraw(self, portal: str) -> bool:
        """Take back a crawl that no worker has begun; return whether there was one."""
        return self._store.dispatch.withdraw(portal)

    def places(self) -> int:
        """Return how many crawls the workers that are alive hold."""
        return self._store.dispatch.places()

    def export(self, name: str) -> Child:
        """Write an export."""
        return self._local.export(name)

    def job(self, number: int) -> Child:
        """Carry out a job that people asked for."""
        return self._local.job(number)

    def job_of(self, job_id: int) -> CrawlJob | None:
        """Return a job as it was a second ago at most; None: there is none."""
        now = self._clock()
        if self._read_at is None or not timedelta(0) <= now - self._read_at < _FRESH:
            self._known = self._store.dispatch.jobs(self._followed)
            self._read_at = now
        job = self._known.get(job_id)
        if job is None or job.exit_code is not None:
            self._followed.discard(job_id)
        return job

    def ask_stop(self, job_id: int, how: str) -> None:
        """Ask a worker to end a crawl."""
        self._store.dispatch.ask_stop(job_id, how)

    def _follow(self, job: CrawlJob) -> DispatchedCrawl:
        self._followed.add(job.id)
        self._known[job.id] = job
        return DispatchedCrawl(self, job)
