"""Reads the state of all portals in a fixed number of queries."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from newscrawler.config.portal import Configuration, Portal
from newscrawler.config.schedule import schedule_of
from newscrawler.service.assessment import MOST_RUNS
from newscrawler.service.digest import PortalNight
from newscrawler.service.figures import nights_of
from newscrawler.service.health import Assessment, assess
from newscrawler.service.planner import Past, plan
from newscrawler.store import Store
from newscrawler.store.service import Job, PlannedCrawl, RunMark, RunRecord, ServiceRecord

#: A crawl that begins before this hour belongs to the day before.
NIGHT_BEGINS = timedelta(hours=6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The state of all portals and of the service."""

    now: datetime
    #: Portals and collections, configured or crawled without configuration.
    portals: Sequence[PortalNight]
    #: None: there never was one.
    service: ServiceRecord | None
    live: Sequence[RunRecord]
    jobs: Sequence[Job]


def day_of(night: Assessment) -> date:
    """Return the day to which a night belongs."""
    return (night.figures.began_at - NIGHT_BEGINS).date()


class Overviews:
    """Reads overviews; caches the nights of portals without new runs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._marks: dict[str, RunMark] = {}
        self._nights: dict[str, list[Assessment]] = {}

    def read(self, configuration: Configuration, *, now: datetime) -> Overview:
        """Return the current overview."""
        live = self._store.runs.live(now=now)
        nights = self.nights()
        alerts = self._store.service.open_alerts()
        running = {run.portal for run in live}
        next_at = self._next_starts(configuration.crawled, now)
        collections = {collection.name for collection in configuration.collections}
        collections |= {name for name, known in nights.items() if known and known[-1].figures.is_collection}
        names = list(dict.fromkeys([*(portal.name for portal in configuration.crawled), *nights]))
        return Overview(
            now=now,
            portals=[
                PortalNight(
                    name=name,
                    is_collection=name in collections,
                    nights=nights.get(name, ()),
                    alerts=[alert for alert in alerts if alert.portal == name],
                    next_at=next_at.get(name),
                    running=name in running,
                )
                for name in names
            ],
            service=self._store.service.service(now=now),
            live=live,
            jobs=self._store.jobs.open(),
        )

    def nights(self) -> dict[str, list[Assessment]]:
        """Return the assessed nights of every portal, oldest first."""
        with self._lock:
            marks = self._store.runs.marks()
            changed = [name for name, mark in marks.items() if self._marks.get(name) != mark]
            if changed:
                runs = self._store.runs.of_portals(changed, limit=MOST_RUNS)
                drift = self._store.service.drift_of_portals(changed)
                collections = self._store.collections.names()
                for name in changed:
                    figures = nights_of(runs.get(name, ()), drift.get(name), is_collection=name in collections)
                    self._nights[name] = assess(figures, self._nights.get(name, ()))
                    self._marks[name] = marks[name]
            return dict(self._nights)

    def _next_starts(self, portals: Sequence[Portal], now: datetime) -> dict[str, datetime | None]:
        watched = self._store.service.watched()
        turns = self._store.service.turns_of_portals()
        whole = {name: mark.whole_began_at for name, mark in self._marks.items()}
        return {
            portal.name: _next_start(
                portal, Past(watched_since=watched.get(portal.name, now), last_whole_began_at=whole.get(portal.name)),
                turns.get(portal.name, ()), now,
            )
            for portal in portals
        }  # fmt: skip


def _next_start(portal: Portal, past: Past, turns: Sequence[PlannedCrawl], now: datetime) -> datetime | None:
    if portal.paused:
        return None
    zone = ZoneInfo(portal.time_zone)
    schedule = schedule_of(portal.schedule, portal.window, zone)
    found = plan(schedule, window=portal.window, zone=zone, past=replace(past, turns=turns), now=now)
    return found.start_at if found else None
