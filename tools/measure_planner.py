#!/usr/bin/env python3
"""Measure the processor time of the planner's looks by the number of portals, while the windows of all are open.

    tools/measure_planner.py                           100, 1,000 and 10,000 portals
    tools/measure_planner.py --portals 500 --nights 60 --places 100

Prints JSON, in seconds of processor time, PostgreSQL's included, for each number of portals:

- `take over`: to become the planner: portals that are missing in the database are added.
- `first`: the first look, which plans every portal, dispatches crawls to all places of the workers, and begins to assess nights.
- `full`: a look while no place is free.
- `later`: a look 31 s later, which plans every waiting portal again.
- `survey`: all looks until every portal's nights have been assessed, the first one included; that happens every twelve hours.

Every portal has a history of crawls in the database.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import process_time
from typing import Any

from sqlalchemy import insert

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from newscrawler.config import Configuration, parse_configuration  # noqa: E402
from newscrawler.service.notifications import Delivery  # noqa: E402
from newscrawler.service.supervisor import Supervisor  # noqa: E402
from newscrawler.service.workers.planner import DispatchLauncher  # noqa: E402
from newscrawler.store import Store, open_store  # noqa: E402
from newscrawler.store.tables import JOB, PORTAL, RUN  # noqa: E402
from newscrawler.store.vocabularies import FINISHED, JobState, end_values  # noqa: E402
from tools.chaos_trial.database import new_database, postgresql, postmaster_of, server_seconds  # noqa: E402
from tools.chaos_trial.workers import NoExecutor, NoLocalWork  # noqa: E402

_COUNTS = {"requests": 45, "pages": 42, "new_articles": 40}


def configuration_of(portals: int) -> Configuration:
    """Return a configuration whose portals are crawled daily; their windows are open for 23 hours."""
    now = datetime.now(UTC)
    window = f"{(now - timedelta(hours=1)).hour:02}:00-{(now - timedelta(hours=2)).hour:02}:00"
    lines = (
        f'[[portal]]\nname = "p{number}"\nstart_urls = ["http://p{number}.example/"]\nkeep_pages = false\n'
        f'schedule = "nightly"\nwindow = "{window}"\ntime_zone = "UTC"\n'
        for number in range(portals)
    )
    return parse_configuration('[alerts]\ndigest = "never"\n' + "".join(lines), Path("newscrawler.toml"))


def add_history(store: Store, configuration: Configuration, nights: int) -> None:
    """Store so many complete crawls of each portal, the last of yesterday."""
    now = datetime.now(UTC)
    begun = [now - timedelta(days=1 + night) for night in reversed(range(nights))]
    with store.engine.begin() as connection:
        portals = [{"name": portal.name, "created_at": now, "round": nights} for portal in configuration.crawled]
        ids = connection.execute(insert(PORTAL).returning(PORTAL.c.id), portals).scalars().all()
        for night, at in enumerate(begun):
            times = {"started_at": at, "ended_at": at + timedelta(minutes=30)}
            of_run = {"host": "h", "pid": 1, "version": "1", "round": night + 1, "heartbeat_at": at, "counts": _COUNTS}
            runs = [{"portal_id": number, **times, **of_run, **end_values(FINISHED)} for number in ids]
            connection.execute(insert(RUN), runs)
            job = {
                "kind": "crawl",
                "asked_by": "",
                "label": f"{at:%Y-%m-%d}",
                "planned_at": at,
                "state": str(JobState.DONE),
                "attempts": 1,
                "began_at": at,
                "ended_at": times["ended_at"],
                "message": "",
            }
            connection.execute(insert(JOB), [{"target": portal.name, **job} for portal in configuration.crawled])
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM ANALYZE")


class Trial:
    """A planner on a database of its own, whose looks are measured."""

    def __init__(self, server: Any, *, portals: int, nights: int, places: int) -> None:
        self._postmaster = postmaster_of(server)
        self._places = places
        self.store = open_store(new_database(server))
        self.store.dispatch.prepare()
        self.configuration = configuration_of(portals)
        add_history(self.store, self.configuration, nights)
        self._worker = self.store.dispatch.register("w", places=places, version="1")
        self.now = datetime.now(UTC)
        launcher = DispatchLauncher(self.store, NoLocalWork(), clock=lambda: self.now)
        delivery = Delivery(self.store, NoExecutor())
        self.supervisor = Supervisor(
            store=self.store, launcher=launcher, delivery=delivery, create_notifiers=lambda _: [], now=self.now
        )

    def report(self) -> dict[str, float]:
        """Return the processor time of each look."""
        self.store.service.elect(silence=timedelta(seconds=40))
        found = {"take over": self._seconds(lambda: self.supervisor.take_over(self.configuration, self.now))}
        found["first"] = self._seconds(self._look)
        self._pass(1)
        found["survey"] = found["first"] + self._seconds(self._look_until_surveyed)
        self._pass(5)
        found["full"] = self._seconds(self._look)
        self._pass(31)
        found["later"] = self._seconds(self._look)
        waiting = sum(plan is not None for plan in self.supervisor.jobs.scheduled.plans.values())
        return {name: round(seconds, 2) for name, seconds in found.items()} | {
            "dispatched": len(self.supervisor.jobs.crawls),
            "waiting": waiting,
        }

    def _pass(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.store.dispatch.beat(self._worker, places=self._places, held={})

    def _look(self) -> None:
        self.supervisor.check(self.now)

    def _look_until_surveyed(self) -> None:
        while self.supervisor.unsurveyed:
            self._look()

    def _seconds(self, call: Callable[[], Any]) -> float:
        before = process_time() + server_seconds(self._postmaster)
        call()
        return process_time() + server_seconds(self._postmaster) - before


def main() -> None:
    """Measure what the options say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--portals", type=int, nargs="+", default=[100, 1_000, 10_000])
    parser.add_argument("--nights", type=int, default=30, help="complete crawls of each portal in the database")
    parser.add_argument("--places", type=int, default=120, help="crawls that all workers together hold")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    reports = {}
    with postgresql() as server:
        for portals in options.portals:
            trial = Trial(server, portals=portals, nights=options.nights, places=options.places)
            reports[portals] = trial.report()
            trial.store.close()
    print(json.dumps(reports, indent=2))


if __name__ == "__main__":
    main()
