"""How all portals are: their nights, their troubles, what they are at and what is next; read once for whoever shows it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from newscrawler.config.portal import Portal
from newscrawler.service.digest import Digest, PortalNight
from newscrawler.service.judging import judged_nights
from newscrawler.service.planner import Past, Plan, plan
from newscrawler.service.schedule import schedule_of
from newscrawler.store import Store
from newscrawler.store.runs import FINISHED


def survey(store: Store, portals: Iterable[Portal], *, now: datetime) -> list[PortalNight]:
    """Look at each portal."""
    live = {run.portal for run in store.runs.live(now=now)}
    watched = store.service.watched()
    return [_look(store, portal, watched.get(portal.name, now), now, running=portal.name in live) for portal in portals]


def planned(store: Store, portal: Portal, since: datetime, *, now: datetime) -> Plan | None:
    """When a portal is crawled next, by what is written down; None: never."""
    runs = store.runs.latest(portal.name, limit=5)
    whole = next((run.started_at for run in runs if run.ended_because == FINISHED), None)
    past = Past(watched_since=since, turns=store.service.turns(portal.name), last_whole_began_at=whole)
    zone = ZoneInfo(portal.time_zone)
    schedule = schedule_of(portal.schedule, portal.window, zone)
    return plan(schedule, window=portal.window, zone=zone, past=past, now=now)


def _look(store: Store, portal: Portal, since: datetime, now: datetime, *, running: bool) -> PortalNight:
    found = planned(store, portal, since, now=now)
    return PortalNight(
        name=portal.name,
        nights=judged_nights(store, portal.name),
        alerts=store.service.open_alerts(portal.name),
        next_at=found.start_at if found else None,
        running=running,
    )


def digest_of(
    store: Store, portals: Iterable[Portal], *, now: datetime, zone: tzinfo | None = None, exports: Iterable[str] = ()
) -> Digest:
    """Put together what is told of the day."""
    portals = list(portals)
    service = store.service.service(now=now)
    trouble = service.trouble if service else ""
    lines = []
    for name in exports:
        last = store.service.last_export(name)
        if last is not None and now - last.written_at <= timedelta(days=1):
            lines.append(f"{name}: {last.articles} articles in {last.path}")
    return Digest(
        day=now.astimezone(zone).date(),
        now=now,
        zone=zone,
        portals=survey(store, portals, now=now),
        over=[alert for alert in store.service.alerts_since(now - timedelta(days=1)) if alert.over_at is not None],
        trouble=trouble,
        exports=lines,
    )
