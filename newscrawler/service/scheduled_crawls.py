"""Scheduled crawls: when each portal is due, in which order, and which crawls were missed."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from newscrawler.config import NEVER, Portal, ScheduledCrawl, ServiceSettings
from newscrawler.service.overview import read_pasts
from newscrawler.service.planner import Past, Plan, find_closing, find_record, plan_portal
from newscrawler.store import Store
from newscrawler.store.service import Job, JobKind, JobState

logger = logging.getLogger(__name__)

#: A portal crawled by another process is checked again after this.
TAKEN_PAUSE = timedelta(seconds=3)
#: The plan of a waiting crawl is renewed after this.
STALE = timedelta(seconds=30)
_NEVER = datetime.max.replace(tzinfo=UTC)


class ScheduledCrawls:
    """The next crawls of all portals of a configuration."""

    def __init__(self, store: Store, *, is_active: bool = True) -> None:
        """Store the database; if not `is_active`, portals are crawled on request only, and none counts as watched."""
        self._store = store
        self._is_active = is_active
        self._settings = ServiceSettings()
        self._since: Mapping[str, datetime] = {}
        #: Crawls that are due and wait.
        self._due: dict[str, ScheduledCrawl] = {}
        self._planned_at: dict[str, datetime] = {}
        self._not_before: dict[str, datetime] = {}
        self._why_waiting: dict[str, str] = {}
        #: Requested crawls, independent of the schedule.
        self._requested: Mapping[str, Job] = {}
        self._closes: dict[str, datetime] = {}
        #: For portals that missed their last crawl: when the one before began.
        self._missed_since: dict[str, datetime] = {}
        self.portals: dict[str, Portal] = {}
        #: The next crawl of each portal that is not being crawled; None: never.
        self.plans: dict[str, Plan | None] = {}

    def configure(self, portals: Iterable[Portal], settings: ServiceSettings, *, now: datetime) -> set[str]:
        """Apply a configuration; return the portals that it has paused or removed."""
        if not self._is_active:
            portals = [portal.model_copy(update={"schedule": NEVER}) for portal in portals]
        before, self.portals = self.portals, {portal.name: portal for portal in portals}
        for name in list(self._due):
            if name not in self.portals or _get_timetable(before[name]) != _get_timetable(self.portals[name]):
                del self._due[name]
        self._settings = settings
        self._since = self._store.service.watch(self.portals, now=now) if self._is_active else {}
        self.plans.clear()
        return {name for name in before if name not in self.portals or (self.portals[name].paused and not before[name].paused)}

    def find_refusal(self, name: str, now: datetime) -> str:
        """Return why a portal cannot be crawled now; empty: it can."""
        portal = self.portals.get(name)
        if portal is None:
            return "the configuration has no such portal"
        if portal.window is not None and portal.window.closes_at(now, ZoneInfo(portal.time_zone)) is None:
            return f"its window, {portal.window}, is closed"
        return ""

    def request(self, jobs: Iterable[Job]) -> None:
        """Plan exactly these crawls, regardless of the schedule, as soon as there is a place."""
        before, self._requested = self._requested, {job.target: job for job in jobs}
        for name in before.keys() ^ self._requested.keys():
            self.plans.pop(name, None)

    def find_busy(self, now: datetime) -> set[str]:
        """Return the portals that are due."""
        return {name for name, plan in self.plans.items() if plan is not None and plan.start_at <= now}

    def plan_all(self, now: datetime, *, crawling: Collection[str]) -> list[Job]:
        """Plan all portals but those that are being crawled; return the crawls that were missed."""
        names = [name for name in self.portals if name not in crawling and (name not in self.plans or self._is_stale(name, now))]
        return [job for name, past in self._read_pasts(names, now).items() for job in self._plan(name, past, now)]

    def choose(self, now: datetime, *, free: int, places: int) -> tuple[list[str], list[Job]]:
        """Return the portals whose crawls begin now, up to the number of free places, and the crawls that were missed."""
        waiting = [name for name in self._order_due(now) if self._not_before.get(name, now) <= now]
        live = {run.portal for run in self._store.runs.live(now=now)} if waiting and free > 0 else set()
        chosen: list[str] = []
        missed: list[Job] = []
        pasts: dict[str, Past] = {}
        for number, name in enumerate(waiting):
            if len(chosen) >= free:
                because = f"no place was free: {places} portals are crawled at once"
                self._why_waiting.update(dict.fromkeys(waiting[number:], because))
                break
            if name in live:
                self._why_waiting[name] = "it was being crawled by another process"
                self._not_before[name] = now + TAKEN_PAUSE
                continue
            if name not in pasts:
                pasts = self._read_pasts([each for each in waiting[number : number + free] if each not in live], now)
            missed += self._plan(name, pasts[name], now)  # the situation may have changed since it was planned
            plan = self.plans[name]
            if plan is not None and plan.start_at <= now:
                chosen.append(name)
        return chosen, missed

    def begin(self, name: str) -> tuple[Job, datetime]:
        """Return the planned job of a portal, and when it must end; the portal is planned again after that."""
        plan = self.plans.pop(name)
        assert plan is not None
        self._why_waiting.pop(name, None)
        return replace(plan.job or _make_job(name, plan.crawl), label=plan.crawl.label), self._closes[name]

    def find_next_event(self, now: datetime, *, has_place: bool) -> datetime:
        """Return when the next crawl is due."""
        moments = [
            max(plan.start_at, self._not_before.get(name, plan.start_at))
            for name, plan in self.plans.items()
            if plan is not None and (has_place or plan.start_at > now)
        ]
        return min(moments, default=now + timedelta(days=1))

    # ------------------------------------------------------------------ plans

    def _order_due(self, now: datetime) -> list[str]:
        """Return the portals that are due: by their time, those that missed their last first, then those whose time ends first."""
        due = {name: plan.crawl.planned_at for name, plan in self.plans.items() if plan is not None and plan.start_at <= now}
        return sorted(due, key=lambda name: (due[name], self._missed_since[name], self._closes[name]))

    def _is_stale(self, name: str, now: datetime) -> bool:
        """Return whether a plan must be renewed: a waiting crawl may be too late by now."""
        plan = self.plans[name]
        return plan is not None and plan.start_at <= now and now - self._planned_at[name] >= STALE

    def _plan(self, name: str, past: Past, now: datetime) -> list[Job]:
        """Plan a portal again; return the crawl that it has missed, if any."""
        portal = self.portals[name]
        self._planned_at[name] = now
        job = self._requested.get(name)
        if job is not None:
            crawl = ScheduledCrawl(label=f"job {job.id}", planned_at=job.planned_at)
            plan: Plan | None = Plan(crawl=crawl, start_at=now, job=job)
        else:
            plan = plan_portal(portal, past, now=now)
        self.plans[name] = plan
        if plan is not None:
            start_at = max(now, plan.start_at)
            longest = start_at + timedelta(hours=self._settings.max_hours)
            self._closes[name] = min(longest, find_closing(portal, start_at) or longest)
        if job is not None:
            return []
        due = self._due.pop(name, None)
        if plan is not None and plan.crawl.planned_at <= now:
            self._due[name] = plan.crawl
        if due is None or (plan is not None and plan.crawl.label == due.label):
            return []
        record = find_record(past, due)
        whole = past.last_whole_began_at
        if (record is not None and record.is_over) or (whole is not None and whole >= due.planned_at):
            return []
        return [self._note_missed(record or _make_job(name, due), now)]

    def _note_missed(self, job: Job, now: datetime) -> Job:
        because = self._why_waiting.pop(job.target, "its window had closed")
        if job.due_at is not None:  # it broke off, and was to be tried again
            job = self._store.jobs.put(replace(job, state=JobState.FAILED, due_at=None))
        else:
            job = self._store.jobs.put(replace(job, state=JobState.MISSED, message=because, ended_at=now))
        event = "scheduled crawl given up" if job.state is JobState.FAILED else "scheduled crawl missed"
        logger.warning(event, extra={"facts": {"portal": job.target, "turn": job.label, "because": job.message}})
        return job

    def _read_pasts(self, names: list[str], now: datetime) -> dict[str, Past]:
        """Read the history of portals, in a few queries."""
        pasts = read_pasts(self._store, names, self._since, now=now)
        for name, past in pasts.items():
            missed = bool(past.crawls) and past.crawls[0].state is JobState.MISSED
            began = (job.began_at for job in past.crawls if job.began_at)
            self._missed_since[name] = next(began, past.watched_since) if missed else _NEVER
        return pasts


def _make_job(name: str, crawl: ScheduledCrawl) -> Job:
    return Job(kind=JobKind.CRAWL, target=name, label=crawl.label, state=JobState.WAITING, planned_at=crawl.planned_at)


def _get_timetable(portal: Portal) -> tuple[object, ...]:
    return portal.schedule, portal.window, portal.time_zone, portal.paused
