"""Runs the jobs that people start in the web application: crawl now, stop, export now, and long tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from newscrawler.config import Configuration
from newscrawler.service.children import Child, Launcher, LimitedChild
from newscrawler.service.scheduled_crawls import ScheduledCrawls
from newscrawler.service.tasks import TASKS
from newscrawler.store import Store
from newscrawler.store.service import Job, JobKind, JobState
from newscrawler.store.vocabularies import CrawlState

#: Most jobs with a separate process at a time.
MOST_TASKS = 2


class JobRunner:
    """Starts jobs and follows them to their end; call `check` periodically."""

    def __init__(
        self, store: Store, scheduled: ScheduledCrawls, launcher: Launcher, *, start_export: Callable[[str, datetime], None],
        exports: Mapping[str, object],
    ) -> None:  # fmt: skip
        self._store = store
        self._scheduled = scheduled
        self._launcher = launcher
        self._tasks: dict[int, LimitedChild] = {}
        self._start_export = start_export
        self._exports = exports
        self._configuration = Configuration()

    def configure(self, configuration: Configuration) -> None:
        """Apply a configuration."""
        self._configuration = configuration

    @property
    def children(self) -> list[Child]:
        """Return the processes that run jobs."""
        return [task.child for task in self._tasks.values()]

    def reap(self, now: datetime) -> None:
        """Store the results of ended processes, and stop those that take too long."""
        for number, task in list(self._tasks.items()):
            code = task.exit_code(now)
            if code is None:
                continue
            del self._tasks[number]
            job = self._store.jobs.get(number)
            if job is not None and job.ended_at is None:  # otherwise it has stored its result itself
                self._store.jobs.end(number, JobState.FAILED, f"it ended with exit code {code}; the log says why", now=now)

    def check(self, now: datetime) -> None:
        """Start waiting jobs, and store the results of ended ones."""
        for job in self._store.jobs.open():
            ended = self._follow(job, now) if job.state is JobState.RUNNING else self._begin(job, now)
            if ended is not None:
                state, message = ended
                self._store.jobs.end(job.id, state, message, now=now)

    def _begin(self, job: Job, now: datetime) -> tuple[JobState, str] | None:
        """Start a job; return its result if it ended at once."""
        if job.kind in TASKS:
            if len(self._tasks) < MOST_TASKS:
                killed_at = now + timedelta(hours=self._configuration.service.max_hours)
                self._store.jobs.begin(job.id, now=now)
                self._tasks[job.id] = LimitedChild(child=self._launcher.start_job(job.id), killed_at=killed_at)
            return None
        if job.kind is JobKind.STOP:
            if self._scheduled.stop_crawl(job.target, now, f"{job.asked_by} stopped it"):
                return JobState.DONE, "the crawl was asked to end"
            return JobState.FAILED, "the service is not crawling it"
        if job.kind is JobKind.EXPORT:
            if job.target not in {export.name for export in self._configuration.exports}:
                return JobState.FAILED, "the configuration has no such export"
            if job.target not in self._exports:
                self._start_export(job.target, now)
        else:
            refusal = self._scheduled.crawl_now(job.target, _make_label(job), now)
            if refusal:
                return JobState.FAILED, refusal
        self._store.jobs.begin(job.id, now=now)
        return None

    def _follow(self, job: Job, now: datetime) -> tuple[JobState, str] | None:
        """Return the result of a job; None: it is still running."""
        if job.kind in TASKS:
            return None if job.id in self._tasks else (JobState.FAILED, "the service ended meanwhile; ask for it again")
        if job.kind is JobKind.EXPORT:
            if job.target in self._exports:
                return None
            last = self._store.service.last_export(job.target)
            if last is None or job.began_at is None or last.written_at < job.began_at:
                return JobState.FAILED, "the export was not written; the log says why"
            return JobState.DONE, f"{last.articles} articles were written to {last.path}"
        turn = next((turn for turn in self._store.service.turns(job.target) if turn.label == _make_label(job)), None)
        if turn is None or turn.state is CrawlState.INTERRUPTED:  # it waits for a place, or the service was restarted
            refusal = self._scheduled.crawl_now(job.target, _make_label(job), now)
            return (JobState.FAILED, refusal) if refusal else None
        if turn.state is CrawlState.RUNNING:
            return None
        if turn.state is CrawlState.DONE:
            return JobState.DONE, "the crawl came to its end"
        return JobState.FAILED, turn.because or str(turn.state)


def _make_label(job: Job) -> str:
    """Return the label of the crawl of a job."""
    return f"job {job.id}"
