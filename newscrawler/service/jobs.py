"""Runs the jobs of the service: crawls, exports, and requests of people in the web application.

A crawl that breaks off waits for its next attempt; crawls and exports whose service ended wait for the next one.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from newscrawler.config import Configuration, Export
from newscrawler.service.children import Child, Launcher
from newscrawler.service.free_memory import count_crawls_that_fit, measure_crawl_mib
from newscrawler.service.scheduled_crawls import ScheduledCrawls
from newscrawler.store import Store
from newscrawler.store.service import Job, JobKind, JobState

logger = logging.getLogger(__name__)

#: Pauses before retries of a crawl that died; after the last, it is given up.
PAUSES = (timedelta(minutes=1), timedelta(minutes=10))
#: Pause before a failed export is retried.
AGAIN = timedelta(minutes=15)
#: Most jobs with a separate process at a time, besides crawls and exports.
MOST_TASKS = 2
#: Free memory changes slowly, and reading the memory of a hundred processes takes a fifth of a second.
_FRESH = timedelta(seconds=30)
#: Exit codes of a crawl that ended by itself: success, and no page could be fetched.
OWN_END = (0, 1)
_CRAWLS = (JobKind.CRAWL, JobKind.BACKFILL)
_RESUMED = (JobKind.CRAWL, JobKind.EXPORT)
_OWN_PLACES = (*_RESUMED, JobKind.BACKFILL)
#: Whether a backfill may begin is looked at so often.
_LOOK_AGAIN = timedelta(minutes=10)
_LOST = "the service ended meanwhile; ask for it again"


@dataclass(slots=True, kw_only=True)
class RunningJob:
    """A job that a child carries out."""

    job: Job
    child: Child
    #: When its end is requested.
    ends_at: datetime
    #: When it is killed; None: its end was not requested.
    killed_at: datetime | None = None
    #: Why its end was requested; empty: it was not.
    end_request: str = ""
    #: The state of a crawl after that; None: it broke off.
    then: JobState | None = None


class JobRunner:
    """Starts jobs and follows them to their end; call `reap` and `start_due` periodically."""

    def __init__(self, store: Store, launcher: Launcher, *, schedules: bool = True) -> None:
        """Store the database and the launcher; without `schedules`, only requested jobs are started."""
        self._store = store
        self._launcher = launcher
        self._configuration = Configuration()
        self._running: dict[int, RunningJob] = {}
        #: Crawls for which there is room.
        self._places = 1
        self._counted_at: datetime | None = None
        #: When waiting jobs are tried again.
        self._retries: list[datetime] = []
        self.scheduled = ScheduledCrawls(store, is_active=schedules)

    def configure(self, configuration: Configuration, *, now: datetime) -> None:
        """Apply a configuration; running jobs continue, crawls that only wait for a worker do not."""
        self._configuration = configuration
        off = self.scheduled.configure(configuration.crawled, configuration.service, now=now)
        for name, crawl in self.crawls.items():
            if name in off and self._launcher.withdraw(name):
                crawl.end_request, crawl.then = "its portal was paused or removed", JobState.WAITING
        self._counted_at = None

    def take_over(self, *, now: datetime) -> None:
        """Resume the jobs of a dead service, and follow crawls that have survived it."""
        for job in self._store.jobs.running():
            is_known = job.kind is JobKind.CRAWL and job.target in self.scheduled.portals
            child = self._launcher.adopt(job.target, job.label or "") if is_known else None
            if child is not None:
                self._follow(job, child, job.began_at or now)
                continue
            if job.kind is JobKind.CRAWL and not is_known:
                self._launcher.withdraw(job.target)
            if job.kind in _RESUMED:
                logger.info("resuming the %s of a service that died", job.kind, extra={"facts": _describe(job)})
            self._store.jobs.put(_interrupt(job, "the service died", now))

    @property
    def crawls(self) -> dict[str, RunningJob]:
        """Return the crawls under way by their portals."""
        return {running.job.target: running for running in self._running.values() if running.job.kind is JobKind.CRAWL}

    @property
    def idle(self) -> bool:
        """Return whether no child is left."""
        return not self._running

    # ------------------------------------------------------------------ jobs under way

    def reap(self, now: datetime) -> list[Job]:
        """Check the jobs: stop those over their limits, and return those that have ended."""
        ended = []
        for number, running in list(self._running.items()):
            code = running.child.exit_code()
            if code is None:
                self._watch(running, now)
                continue
            job = self._judge_end(running, code, now)
            self._store.jobs.put(job)  # if this fails, the job is checked again
            del self._running[number]
            facts = {**_describe(job), "state": str(job.state), "because": job.message, "exit_code": code}
            logger.info("%s ended", _name(job), extra={"facts": facts})
            if job.kind is JobKind.CRAWL:
                self.scheduled.plans.pop(job.target, None)
            elif job.kind is JobKind.EXPORT and job.state is JobState.FAILED and self._find_export(job.target):
                self._store.jobs.ask(JobKind.EXPORT, job.target, now=now, due_at=now + AGAIN)
            ended.append(job)
        return ended

    def _watch(self, running: RunningJob, now: datetime) -> None:
        if running.killed_at is not None:
            if now >= running.killed_at:
                running.child.kill()
            return
        memory = running.child.measure_memory_mib() if running.job.kind in _CRAWLS else 0
        most = self._configuration.service.max_memory
        if memory > most:
            self._end(running, now, f"it took {memory} MiB of memory, {most} are allowed")
        elif now >= running.ends_at:
            hours = (now - (running.job.began_at or now)).total_seconds() / 3600
            self._end(running, now, f"it had not come to an end after {hours:.1f} hours", then=JobState.FAILED)

    def _end(self, running: RunningJob, now: datetime, why: str, *, then: JobState | None = None) -> None:
        logger.warning("stopping the %s", _name(running.job), extra={"facts": {**_describe(running.job), "because": why}})
        running.end_request, running.then = why, then
        running.killed_at = now + timedelta(seconds=self._configuration.service.grace_seconds)
        running.child.terminate()

    def _judge_end(self, running: RunningJob, code: int, now: datetime) -> Job:
        job = replace(running.job, ended_at=now)
        if job.kind not in _CRAWLS:
            stored = self._store.jobs.get(job.id)
            if stored is not None and stored.is_over:  # its process has stored the result
                return stored
        elif code in OWN_END:
            return replace(job, state=JobState.DONE, message="the crawl came to its end")
        if running.then is JobState.WAITING:
            return _interrupt(job, running.end_request, now)
        if running.then is not None:
            return replace(job, state=running.then, message=running.end_request)
        if job.kind is not JobKind.CRAWL:
            return replace(job, state=JobState.FAILED, message=f"it ended with exit code {code}; the log says why")
        because = running.end_request or (f"it was killed by signal {-code}" if code < 0 else f"it ended with exit code {code}")
        if job.attempts > len(PAUSES):
            return replace(job, state=JobState.FAILED, message=because)
        return replace(job, state=JobState.WAITING, ended_at=None, message=because, due_at=now + PAUSES[job.attempts - 1])

    def stop(self, now: datetime) -> None:
        """Ask all jobs to end."""
        latest = now + timedelta(seconds=self._configuration.service.grace_seconds)
        for running in self._running.values():
            if not running.end_request:
                running.end_request, running.then = "the service was ended", JobState.WAITING
                running.child.terminate()
            running.killed_at = min(running.killed_at or latest, latest)

    def kill(self, *, crawls: bool = True) -> None:
        """Kill all jobs; without `crawls`, those continue on other machines."""
        for running in self._running.values():
            if crawls or running.job.kind not in _CRAWLS:
                running.child.kill()

    # ------------------------------------------------------------------ jobs that are due

    def start_due(self, now: datetime) -> list[Job]:
        """Start due jobs as far as there are places; return the crawls that were missed."""
        crawling = self.crawls
        waiting = self._store.jobs.waiting()
        self._retries = [job.due_at for job in waiting if job.due_at is not None and job.due_at > now]
        waiting = [job for job in waiting if job.due_at is None or job.due_at <= now]
        requested = [job for job in waiting if job.kind is JobKind.CRAWL and not self._refuse(job, crawling, now)]
        self.scheduled.request(requested)
        missed = self.scheduled.plan_all(now, crawling=crawling.keys())
        self._count_places(crawling.values(), now)
        chosen, later_missed = self.scheduled.choose(now, free=self._places - len(crawling), places=self._places)
        for name in chosen:
            job, closes_at = self.scheduled.begin(name)
            job = self._begin(job, now)
            self._follow(job, self._launcher.start_crawl(name, label=job.label or "", closes_at=closes_at), now)
        for job in waiting:
            if job.kind is not JobKind.CRAWL:
                self._start(job, now)
        self._start_backfills(now)
        return missed + later_missed

    def _start_backfills(self, now: datetime) -> None:
        """Start each backfill's daily share: in its window, after the portal's own crawl, and where crawls leave a place."""
        running = [each.job.target for each in self._running.values() if each.job.kind is JobKind.BACKFILL]
        busy = {*self.scheduled.find_busy(now), *self.crawls, *running}
        for backfill in self._configuration.list_backfills(now.date()):
            zone, window = ZoneInfo(backfill.time_zone), backfill.window
            closes_at = window.closes_at(now, zone) if window is not None else None
            if closes_at is None or backfill.name in busy or len(self.crawls) + len(running) >= self._places:
                continue
            label = f"until {closes_at.astimezone(zone):%Y-%m-%d}"
            job = self._store.jobs.find(JobKind.BACKFILL, backfill.name, label)
            if job is not None and (job.state is JobState.DONE or job.attempts > len(PAUSES)):
                continue
            job = job or Job(kind=JobKind.BACKFILL, target=backfill.name, label=label, state=JobState.WAITING, planned_at=now)
            job = self._begin(job, now)
            self._follow(job, self._launcher.start_crawl(backfill.queue, label=label, closes_at=closes_at), now)
            running.append(backfill.name)

    def follow_crawl(self, portal: str, now: datetime) -> None:
        """Let the exports that a crawl is for wait until all of their portals are done."""
        for export in self._configuration.exports:
            if _is_of(export, [portal]):
                self._store.jobs.ask(JobKind.EXPORT, export.name, now=now)

    def _refuse(self, job: Job, crawling: Iterable[str], now: datetime) -> bool:
        """Return whether a requested crawl cannot be made, after storing why."""
        because = "it is being crawled already" if job.target in crawling else self.scheduled.find_refusal(job.target, now)
        if because:
            self._store.jobs.put(replace(job, state=JobState.FAILED, ended_at=now, message=because))
        return bool(because)

    def _start(self, job: Job, now: datetime) -> None:
        """Start a job that is no crawl, if it may begin now."""
        if job.kind is JobKind.STOP:
            crawl = self.crawls.get(job.target)
            if crawl is not None and not crawl.end_request:
                self._end(crawl, now, f"{job.asked_by} stopped it", then=JobState.STOPPED)
            state = JobState.DONE if crawl else JobState.FAILED
            message = "the crawl was asked to end" if crawl else "the service is not crawling it"
            self._store.jobs.put(replace(job, state=state, ended_at=now, message=message))
        elif job.kind is JobKind.EXPORT and self._find_export(job.target) is None:
            message = "the configuration has no such export"
            self._store.jobs.put(replace(job, state=JobState.FAILED, ended_at=now, message=message))
        elif self._has_place(job, now):
            job = self._begin(job, now)
            self._follow(job, self._launcher.start_job(job.id), now)

    def _has_place(self, job: Job, now: datetime) -> bool:
        """Return whether an export, or what takes long, may begin; a scheduled export waits for the crawls of its portals."""
        if job.kind is not JobKind.EXPORT:
            return sum(running.job.kind not in _OWN_PLACES for running in self._running.values()) < MOST_TASKS
        if any(running.job.kind is JobKind.EXPORT and running.job.target == job.target for running in self._running.values()):
            return False
        export, busy = self._find_export(job.target), self.scheduled.find_busy(now) | self.crawls.keys()
        return bool(job.asked_by) or export is None or not _is_of(export, busy)

    def _begin(self, job: Job, now: datetime) -> Job:
        begun = replace(
            job, state=JobState.RUNNING, attempts=job.attempts + 1, began_at=now, ended_at=None, due_at=None, message=""
        )
        return self._store.jobs.put(begun)

    def _follow(self, job: Job, child: Child, began_at: datetime) -> None:
        ends_at = began_at + timedelta(hours=self._configuration.service.max_hours)
        self._running[job.id] = RunningJob(job=job, child=child, ends_at=ends_at)
        logger.info("%s started", _name(job), extra={"facts": {**_describe(job), "attempt": job.attempts, "pid": child.pid}})

    def _find_export(self, name: str) -> Export | None:
        return next((export for export in self._configuration.exports if export.name == name), None)

    def _count_places(self, crawls: Iterable[RunningJob], now: datetime) -> None:
        """Count now and then the crawls for which there is room on the workers, or on this machine."""
        if self._counted_at is not None and timedelta(0) <= now - self._counted_at < _FRESH:
            return
        places = self._launcher.count_places()
        if places is None:
            self._counted_at = now
            backfills = [running for running in self._running.values() if running.job.kind is JobKind.BACKFILL]
            taken_mib = [crawl.child.measure_private_mib() for crawl in (*crawls, *backfills)]
            places = self._configuration.service.at_once or count_crawls_that_fit(taken_mib, measure_crawl_mib(self._store))
        self._places = places

    def find_next_event(self, now: datetime) -> datetime:
        """Return when the next known work is due."""
        moments = [running.killed_at or running.ends_at for running in self._running.values()]
        moments += [now + _LOOK_AGAIN] if self._configuration.backfills else []
        return min([*moments, *self._retries, self.scheduled.find_next_event(now, has_place=len(self.crawls) < self._places)])


def _interrupt(job: Job, because: str, now: datetime) -> Job:
    """Return a job as its service leaves it: crawls and exports go on later, which is no attempt; others are over."""
    if job.kind not in _RESUMED:
        return replace(job, state=JobState.FAILED, ended_at=now, message=because if job.kind is JobKind.BACKFILL else _LOST)
    return replace(job, state=JobState.WAITING, attempts=max(0, job.attempts - 1), ended_at=None, message=because)


def _is_of(export: Export, portals: Iterable[str]) -> bool:
    """Return whether an export contains articles of one of these portals."""
    wanted = (*export.portals, export.collection) if export.collection else export.portals
    return any(not wanted or portal in wanted for portal in portals)


def _name(job: Job) -> str:
    return job.kind if job.kind in _OWN_PLACES else "job"


def _describe(job: Job) -> dict[str, object]:
    """Return the facts of log lines about a job."""
    if job.kind is JobKind.CRAWL:
        return {"portal": job.target, "turn": job.label}
    return {job.kind: job.target, "job": job.id}
