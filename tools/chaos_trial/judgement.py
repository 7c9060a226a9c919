"""What is counted after a trial, by the portals' logs and the database."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import text

from newscrawler.config import Portal
from newscrawler.store import open_store
from tools.chaos_trial.portals import DELAY_SECONDS, Visit, time_zones
from tools.chaos_trial.simulation import Simulation

#: Another worker has to go on with the crawls of a dead one within this time.
IDLE_SECONDS = 60.0


def judge(simulation: Simulation) -> dict[str, Any]:
    """Count what happened by the portals' logs and the database."""
    size, logs = simulation.size, simulation.server.logs
    fetched = Counter(visit.url for visits in logs.values() for visit in visits if not visit.url.endswith("/"))
    idle = _idle(simulation)
    stored, distinct, missing = stored_articles(simulation.plain_url, fetched)
    hours = (simulation.now - simulation.begin) / 3600
    return {
        "simulated_hours": round(hours, 2),
        "hours_leapt_over": round(simulation.leapt_seconds / 3600, 2),
        "workers": size.workers,
        "portals": size.portals,
        "time_zones": min(size.portals, len(time_zones())),
        "portals_crawled": len(logs),
        "crawls": len({(portal, visit.by) for portal, visits in logs.items() for visit in visits}),
        "requests": sum(map(len, logs.values())),
        "faults": dict(simulation.faults),
        "crawls_that_lost_their_worker": len(simulation.losses),
        "judged_for_idleness": len(idle),
        "longest_idle_seconds": round(max(idle, default=0.0), 1),
        "idle_over_60_s": sum(each > IDLE_SECONDS for each in idle),
        "portal_twice_at_once": sum(map(_returns, logs.values())),
        **gaps_of(logs, DELAY_SECONDS),
        "articles": stored,
        "doubled": stored - distinct,
        "lost": missing,
        "fetched_again": sum(number - 1 for number in fetched.values()),
        "exit_codes": dict(simulation.ended),
    }


def gaps_of(logs: Mapping[str, Sequence[Visit]], delay_seconds: float) -> dict[str, Any]:
    """Return the shortest gap between two requests to a portal, and how many were too short."""
    gaps = [later.at - earlier.at for visits in logs.values() for earlier, later in pairwise(visits)]
    return {
        "shortest_gap_seconds": round(min(gaps, default=0.0), 2),
        "gaps_under_nine_tenths": sum(gap < 0.9 * delay_seconds for gap in gaps),
    }


def _returns(visits: Sequence[Visit]) -> int:
    """Return how often a run sent a request after another one had begun to."""
    seen: dict[int | str, None] = {}
    returns, latest = 0, None
    for visit in visits:
        if visit.by != latest:
            returns += visit.by in seen
            seen[visit.by], latest = None, visit.by
    return returns


def _idle(simulation: Simulation) -> list[float]:
    """Return how long portals were idle after their worker was lost, while their window was open.

    Times at which the database was away, or all workers were in trouble, do not count.
    """
    begun = _begun(simulation)
    found = []
    for loss in simulation.losses:
        if simulation.now - loss.at < 2 * IDLE_SECONDS:
            continue
        if not _is_open_for(simulation.portals[loss.portal], loss.at, 3 * IDLE_SECONDS):
            continue
        later = [other.at - loss.at for other in simulation.losses if other.portal == loss.portal and other is not loss]
        if any(0 <= seconds < 2 * IDLE_SECONDS for seconds in later):
            continue  # its next worker was lost, too
        starts = [at for at in begun.get(loss.portal, ()) if at > loss.at]
        until = min(starts) if starts else simulation.now
        found.append(until - loss.at - _seconds_of(loss.at, until, [*simulation.outages, *simulation.helpless]))
    return found


def _seconds_of(begin: float, end: float, spans: Iterable[tuple[float, float]]) -> float:
    """Return how many seconds between two times lie in any of the spans."""
    seconds, at = 0.0, begin
    for first, last in sorted(spans):
        seconds += max(0.0, min(end, last) - max(at, first))
        at = max(at, last)
    return seconds


def _begun(simulation: Simulation) -> dict[str, list[float]]:
    """Return when runs of each portal began."""
    found: dict[str, list[float]] = defaultdict(list)
    with open_store(simulation.plain_url, create=False) as store, store.engine.connect() as connection:
        query = text("SELECT portal.name, extract(epoch FROM started_at) FROM run JOIN portal ON portal.id = portal_id")
        for name, started in connection.execute(query):
            found[name].append(float(started))
    return found


def _is_open_for(portal: Portal, at: float, seconds: float) -> bool:
    if portal.window is None:
        return True
    closes_at = portal.window.closes_at(datetime.fromtimestamp(at, UTC), ZoneInfo(portal.time_zone))
    return closes_at is not None and closes_at.timestamp() - at > seconds


def stored_articles(url: str, fetched: Mapping[str, int]) -> tuple[int, int, int]:
    """Return articles, different addresses of them, and how many were fetched and are neither stored nor still to be fetched."""
    with open_store(url, create=False) as store, store.engine.connect() as connection:
        urls = connection.execute(text("SELECT url FROM article")).scalars().all()
        waiting = set(connection.execute(text("SELECT url FROM frontier WHERE state IN ('waiting', 'fetching')")).scalars())
    return len(urls), len(set(urls)), len(fetched.keys() - set(urls) - waiting)


def holds(report: dict[str, Any]) -> bool:
    """Whether nothing happened that must not."""
    names = ("portal_twice_at_once", "gaps_under_nine_tenths", "idle_over_60_s", "lost", "doubled")
    return not any(report[name] for name in names) and report["crawls"] > 0
