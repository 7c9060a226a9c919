"""How all portals are: their nights, their problems, what they are at and what is next; read once for whoever shows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from types import MappingProxyType
from zoneinfo import ZoneInfo

from newscrawler.config.portal import Collection, Portal
from newscrawler.config.schedule import schedule_of
from newscrawler.service.assessment import assessed_nights
from newscrawler.service.digest import Digest, PortalNight
from newscrawler.service.health import Assessment
from newscrawler.service.planner import Past, Plan, plan
from newscrawler.store import Store
from newscrawler.store.vocabularies.outcomes import FINISHED


def survey(
    store: Store, portals: Iterable[Portal], *, now: datetime, known: Mapping[str, PortalNight] = MappingProxyType({})
) -> list[PortalNight]:
    """Look at each portal; `known`: how they were before."""
    live = {run.portal for run in store.runs.live(now=now)}
    watched = store.service.watched()
    found = []
    for portal in portals:
        following = planned(store, portal, watched.get(portal.name, now), now=now)
        next_at = following.start_at if following else None
        before = known[portal.name].nights if portal.name in known else ()
        night = look_at(store, portal.name, before)
        is_collection = night.is_collection or isinstance(portal, Collection)  # one that has never run is not in the database
        found.append(replace(night, is_collection=is_collection, next_at=next_at, running=portal.name in live))
    return found


def planned(store: Store, portal: Portal, since: datetime, *, now: datetime) -> Plan | None:
    """When a portal is crawled next, by what is written down; None: never."""
    if portal.paused:
        return None
    runs = store.runs.latest(portal.name, limit=5)
    whole = next((run.started_at for run in runs if run.ended_because == FINISHED), None)
    past = Past(watched_since=since, turns=store.service.turns(portal.name), last_whole_began_at=whole)
    zone = ZoneInfo(portal.time_zone)
    schedule = schedule_of(portal.schedule, portal.window, zone)
    return plan(schedule, window=portal.window, zone=zone, past=past, now=now)


def look_at(store: Store, portal: str, known: Sequence[Assessment] = ()) -> PortalNight:
    """Read a portal's nights and problems; `known`: its nights as they were assessed before."""
    is_collection = portal in store.collections.names()
    nights = assessed_nights(store, portal, known, is_collection=is_collection)
    return PortalNight(name=portal, is_collection=is_collection, nights=nights, alerts=store.service.open_alerts(portal))


def digest_of(
    store: Store,
    portals: Iterable[Portal],
    *,
    now: datetime,
    zone: tzinfo | None = None,
    exports: Iterable[str] = (),
    known: Mapping[str, PortalNight] = MappingProxyType({}),
) -> Digest:
    """Put together the report of the day; `known`: how portals were before."""
    portals = list(portals)
    service = store.service.service(now=now)
    problem = service.problem if service else ""
    lines = []
    for name in exports:
        last = store.service.last_export(name)
        if last is not None and now - last.written_at <= timedelta(days=1):
            lines.append(f"{name}: {last.articles} articles in {last.path}")
    return Digest(
        day=now.astimezone(zone).date(),
        now=now,
        zone=zone,
        portals=survey(store, portals, now=now, known=known),
        over=[alert for alert in store.service.alerts_since(now - timedelta(days=1)) if alert.over_at is not None],
        problem=problem,
        exports=lines,
    )
