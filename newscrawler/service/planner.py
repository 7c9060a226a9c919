"""The next crawl of a portal: a pure function of its schedule, its history and the clock.

Only the latest missed crawl is made up for: in the next open hour if the portal has a window, otherwise at once, unless the next
crawl is due soon.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from newscrawler.config import Nightly, Portal, Schedule, ScheduledCrawl, parse_schedule
from newscrawler.politeness import Window
from newscrawler.store.service import Job

#: A missed crawl is not made up for if the next is due within this time, or within a quarter of the interval.
SOON = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """The history of a portal that planning needs."""

    #: Since when the service schedules the portal.
    watched_since: datetime
    #: The latest scheduled crawls.
    crawls: Sequence[Job] = ()
    #: When the last complete crawl began, whoever started it.
    last_whole_began_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The next crawl."""

    crawl: ScheduledCrawl
    start_at: datetime
    #: Its job, if it was begun before.
    job: Job | None = None


def plan(schedule: Schedule, *, window: Window | None, zone: ZoneInfo, past: Past, now: datetime) -> Plan | None:
    """Return when the next crawl begins, within the window if there is one; None: never."""
    due, coming = schedule.find_latest(now), schedule.find_following(now)
    if due is not None and _is_due(schedule, due, window, zone, past, now):
        found = _make_up(due, coming, window, zone, past, now)
        if found is not None:
            return found
    if coming is None:
        return None
    return Plan(crawl=coming, start_at=_open_from(window, coming.planned_at, zone))


def plan_portal(portal: Portal, past: Past, *, now: datetime) -> Plan | None:
    """Return when the next crawl of a portal begins; None: never."""
    if portal.paused:
        return None
    zone = ZoneInfo(portal.time_zone)
    schedule = parse_schedule(portal.schedule, portal.window, zone)
    return plan(schedule, window=portal.window, zone=zone, past=past, now=now)


def find_closing(portal: Portal, start_at: datetime) -> datetime | None:
    """Return when a crawl that begins at a time must end: with its window or at the next crawl; None: no limit."""
    zone = ZoneInfo(portal.time_zone)
    schedule = parse_schedule(portal.schedule, portal.window, zone)
    hours = portal.window or (schedule.window if isinstance(schedule, Nightly) else None)
    closing = hours.closes_at(start_at, zone) if hours else None
    following = schedule.find_following(start_at)
    return closing or (following.planned_at if following else None)


def find_record(past: Past, crawl: ScheduledCrawl) -> Job | None:
    """Return the job of a scheduled crawl, if there is one."""
    return next((record for record in past.crawls if record.label == crawl.label), None)


def _is_due(schedule: Schedule, due: ScheduledCrawl, window: Window | None, zone: ZoneInfo, past: Past, now: datetime) -> bool:
    """Return whether the latest crawl is still to be made."""
    record = find_record(past, due)
    if record is not None and record.is_over:
        return False
    if past.last_whole_began_at is not None and past.last_whole_began_at >= due.planned_at:
        return False  # it was crawled manually meanwhile
    if record is not None or due.planned_at >= past.watched_since:
        return True
    hours = window or (schedule.window if isinstance(schedule, Nightly) else None)
    return hours is not None and hours.latest(now, zone)[0] == due.planned_at and hours.closes_at(now, zone) is not None


def _make_up(
    due: ScheduledCrawl, coming: ScheduledCrawl | None, window: Window | None, zone: ZoneInfo, past: Past, now: datetime
) -> Plan | None:
    """Plan a crawl that is due; None: it is too late, and the next replaces it."""
    record = find_record(past, due)
    earliest = record.due_at if record is not None and record.due_at is not None else due.planned_at
    start_at = _open_from(window, max(now, earliest), zone)
    if coming is not None:
        soon = min(SOON, (coming.planned_at - due.planned_at) / 4)
        if start_at >= coming.planned_at or (window is None and record is None and coming.planned_at - now < soon):
            return None
    return Plan(crawl=due, start_at=start_at, job=record)


def _open_from(window: Window | None, moment: datetime, zone: ZoneInfo) -> datetime:
    return window.open_from(moment, zone) if window else moment
