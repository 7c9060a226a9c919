"""Surveys all portals: nights, problems, current and next crawls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from types import MappingProxyType
from zoneinfo import ZoneInfo

from newscrawler.config.portal import Collection, Portal
from newscrawler.config.schedule import schedule_of
from newscrawler.service.assessment import assessed_nights, assessed_nights_of
from newscrawler.service.digest import Digest, PortalNight
from newscrawler.service.health import Assessment
from newscrawler.service.planner import Past, Plan, plan
from newscrawler.store import Store
from newscrawler.store.service import AlertRecord

#: Portals whose latest turns are read in one query; and whose nights, which take much more memory.
_PASTS_TOGETHER, _NIGHTS_TOGETHER = 1_000, 100


def survey(
    store: Store, portals: Iterable[Portal], *, now: datetime, known: Mapping[str, PortalNight] = MappingProxyType({})
) -> list[PortalNight]:
    """Return the state of each portal; `known`: earlier states."""
    live = {run.portal for run in store.runs.live(now=now)}
    watched = store.service.watched()
    portals = list(portals)
    nights = look_at_all(store, [portal.name for portal in portals], known)
    pasts = pasts_of(store, [portal.name for portal in portals], watched, now=now)
    found = []
    for portal in portals:
        following = planned(portal, pasts[portal.name], now=now)
        next_at = following.start_at if following else None
        night = nights[portal.name]
        is_collection = night.is_collection or isinstance(portal, Collection)  # if it never ran, it is not in the database
        found.append(replace(night, is_collection=is_collection, next_at=next_at, running=portal.name in live))
    return found


def pasts_of(store: Store, portals: Sequence[str], since: Mapping[str, datetime], *, now: datetime) -> dict[str, Past]:
    """Return the history of portals that planning needs, in a few queries.

    Args:
        store: the database.
        portals: names.
        since: since when each portal is scheduled, where it is.
        now: the current time.
    """
    found = {}
    for first in range(0, len(portals), _PASTS_TOGETHER):
        names = portals[first : first + _PASTS_TOGETHER]
        whole, turns = store.runs.whole_began_at(names), store.service.turns_of_portals(names)
        for name in names:
            found[name] = Past(watched_since=since.get(name, now), turns=turns.get(name, ()), last_whole_began_at=whole.get(name))
    return found


def planned(portal: Portal, past: Past, *, now: datetime) -> Plan | None:
    """Return the plan of a portal's next crawl; None: never."""
    if portal.paused:
        return None
    zone = ZoneInfo(portal.time_zone)
    schedule = schedule_of(portal.schedule, portal.window, zone)
    return plan(schedule, window=portal.window, zone=zone, past=past, now=now)


def look_at(store: Store, portal: str, known: Sequence[Assessment] = ()) -> PortalNight:
    """Return a portal's nights and problems; `known`: its nights assessed earlier."""
    is_collection = portal in store.collections.names()
    nights = assessed_nights(store, portal, known, is_collection=is_collection)
    return PortalNight(name=portal, is_collection=is_collection, nights=nights, alerts=store.service.open_alerts(portal))


def look_at_all(
    store: Store, portals: Sequence[str], known: Mapping[str, PortalNight] = MappingProxyType({})
) -> dict[str, PortalNight]:
    """Return for each of several portals what `look_at` returns, in a few queries; `known`: earlier states."""
    collections = store.collections.names()
    alerts: dict[str, list[AlertRecord]] = {}
    for alert in store.service.open_alerts():
        alerts.setdefault(alert.portal, []).append(alert)
    found = {}
    for first in range(0, len(portals), _NIGHTS_TOGETHER):
        names = portals[first : first + _NIGHTS_TOGETHER]
        before = {name: known[name].nights for name in names if name in known}
        nights = assessed_nights_of(store, names, before, collections=collections)
        for name in names:
            found[name] = PortalNight(
                name=name, is_collection=name in collections, nights=nights[name], alerts=alerts.get(name, ())
            )
    return found


def digest_of(
    store: Store,
    portals: Iterable[Portal],
    *,
    now: datetime,
    zone: tzinfo | None = None,
    exports: Iterable[str] = (),
    known: Mapping[str, PortalNight] = MappingProxyType({}),
) -> Digest:
    """Return the digest of the day; `known`: earlier states of portals."""
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
