"""The clock, the database and the workers of a simulated cluster, and the faults that befall them."""

from __future__ import annotations

import heapq
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any

import psycopg

from newscrawler.store import open_store
from tools.chaos_trial.database import (
    dsn_of,
    kill_server,
    new_database,
    postmaster_of,
    server_seconds,
    simulate_clock,
    start_server,
)
from tools.chaos_trial.portals import Server, Size, configuration_of
from tools.chaos_trial.workers import LOOK_SECONDS, SimulatedWorker

#: One round of faults; kills are the most frequent.
_FAULTS = ("kill", "kill", "kill", "stop", "cut", "clock", "full disk of a worker", "database", "full disk of the database")
_DATABASE_AWAY_SECONDS, _DISK_FULL_SECONDS = 30.0, 45.0
#: Idle time is leapt over if there is more of it than this.
_LEAST_LEAP_SECONDS = 30.0
#: The processor time is read after so many events.
_LOOKS_AT_TIME = 200
#: What gives signs of life gives them meanwhile, too.
_LEAP = """
UPDATE service SET heartbeat_at = heartbeat_at + %(leap)s WHERE ended_at IS NULL;
UPDATE procrastinate_workers SET last_heartbeat = last_heartbeat + %(leap)s;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A crawl whose worker failed."""

    portal: str
    at: float
    fault: str


class Simulation:
    """Lets everything happen in the order of its simulated times."""

    def __init__(self, size: Size, server: Any) -> None:
        self.size = size
        self.random = random.Random(size.seed)
        self.database = server
        self.plain_url = new_database(server)
        with open_store(self.plain_url) as store:
            store.dispatch.prepare()
        self.simulated_url = simulate_clock(self.plain_url)
        self._began_seconds = time.process_time()
        #: Of the database: of servers that were killed, and in all.
        self._earlier_seconds = self._database_seconds = -server_seconds(postmaster_of(server))
        self.begin = time.time()
        self.now = self.begin
        #: Moment, order, what happens, and whether it comes later when idle time is leapt over.
        self._events: list[tuple[float, int, Callable[[], None], bool]] = []
        self._number = 0
        self._driver: psycopg.Connection[Any] | None = None
        self.is_down = False
        self.disk_is_full = False
        self.server = Server(begin=self.begin, publishes_minutes=size.publishes_minutes)
        self.faults: Counter[str] = Counter()
        self._coming: list[str] = []
        self.losses: list[Loss] = []
        self.ended: Counter[str] = Counter()
        self.configuration = configuration_of(size)
        self.portals = {portal.name: portal for portal in self.configuration.portals}
        self.outages: list[tuple[float, float]] = []
        #: When all workers were in trouble, and none could take over.
        self.helpless: list[tuple[float, float]] = []
        #: Seconds that were leapt over: workers' own clocks do not count them.
        self.leapt_seconds = 0.0
        self.workers = [SimulatedWorker(self, f"worker-{number}") for number in range(size.workers)]

    # ------------------------------------------------------------------ time

    def at(self, moment: float, call: Callable[[], None], *, waits: bool = False) -> None:
        """Let something happen then; `waits`: so much later as idle time is leapt over."""
        self._number += 1
        heapq.heappush(self._events, (moment, self._number, call, waits))

    def moment(self, offset: float = 0.0) -> datetime:
        """Return the time of a clock that is off by so much."""
        return datetime.fromtimestamp(self.now + offset, UTC)

    def run(self) -> bool:
        """Let all happen; return whether the trial came to its end in time."""
        end = self.begin + self.size.hours * 3600
        for number, worker in enumerate(self.workers):
            self.at(self.begin + number * LOOK_SECONDS / len(self.workers), worker.check, waits=True)
        self.at(self.begin + 2 * self.size.fault_seconds, self._fault, waits=True)
        for number in count(1):
            if not self._events or self._events[0][0] >= end:
                return True
            if number % _LOOKS_AT_TIME == 0 and self.cpu_seconds() > self.size.most_minutes * 60:
                return False
            self._leap(end)
            moment, _, call, _ = heapq.heappop(self._events)
            if all(worker.is_in_trouble for worker in self.workers):
                self.helpless.append((self.now, max(moment, self.now)))
            self._set_clock(max(moment, self.now))
            call()
        return True

    def cpu_seconds(self) -> float:
        """Return the processor time of the trial, and of its database."""
        if not self.is_down:
            self._database_seconds = self._earlier_seconds + server_seconds(postmaster_of(self.database))
        return time.process_time() - self._began_seconds + self._database_seconds

    def _set_clock(self, moment: float) -> None:
        if moment <= self.now and self._driver is not None:
            return
        self.now = moment
        if not self.is_down:
            if self._driver is None:
                self._driver = psycopg.connect(dsn_of(self.plain_url), autocommit=True)
            # A sequence, as a row of a table would leave a dead one behind at each event.
            self._driver.execute("SELECT setval('sim.clock', %s)", [round(moment * 1_000_000)])

    def _leap(self, end: float) -> None:
        """Go on to what comes next, if nothing is under way: no crawl, nothing that waits, no fault of the database."""
        planners = [worker for worker in self.workers if worker.plans]
        if self.is_down or self.disk_is_full or len(planners) != 1 or self._driver is None:
            return
        if any(worker.has_work for worker in self.workers):
            return
        fixed = min((moment for moment, _, _, waits in self._events if not waits), default=end)
        seconds = min(planners[0].plans_at, fixed, end) - LOOK_SECONDS - self.now
        if seconds < _LEAST_LEAP_SECONDS:
            return
        self._driver.execute(_LEAP.replace("%(leap)s", f"interval '{seconds:.6f} s'"))
        self._events = [(moment + waits * seconds, *rest, waits) for moment, *rest, waits in self._events]  # type: ignore[misc]
        heapq.heapify(self._events)
        self.leapt_seconds += seconds
        self._set_clock(self.now + seconds)

    def close(self) -> None:
        """Close all connections."""
        if self.is_down:
            self._start_database()
        if self._driver is not None:
            self._driver.close()
        for worker in self.workers:
            worker.close()

    # ------------------------------------------------------------------ faults

    def _fault(self) -> None:
        self.at(self.now + self.random.expovariate(1 / self.size.fault_seconds), self._fault, waits=True)
        well = [worker for worker in self.workers if not worker.is_in_trouble]
        if not well or self.is_down or self.disk_is_full:
            return
        at_work = [worker for worker in well if any(crawl.is_under_way for crawl in worker.crawls)]
        worker = self.random.choice(at_work or well)
        if not self._coming:  # shuffled, so that each kind comes up
            self._coming = [*_FAULTS]
            self.random.shuffle(self._coming)
        kind = self._coming.pop()
        self.faults[kind] += 1
        if kind == "database":
            self._kill_database()
        elif kind == "full disk of the database":
            self.disk_is_full = True
            self.outages.append((self.now, self.now + _DISK_FULL_SECONDS))
            self.at(self.now + _DISK_FULL_SECONDS, self._free_disk)
        else:
            worker.suffer(kind)

    def _free_disk(self) -> None:
        self.disk_is_full = False

    def _kill_database(self) -> None:
        """Kill the server with SIGKILL, and start it 30 s later."""
        self.is_down = True
        self.outages.append((self.now, self.now + _DATABASE_AWAY_SECONDS))
        if self._driver is not None:
            self._driver.close()
        self._driver = None
        self.cpu_seconds()
        self._earlier_seconds = self._database_seconds
        kill_server(self.database)
        self.at(self.now + _DATABASE_AWAY_SECONDS, self._start_database)

    def _start_database(self) -> None:
        start_server(self.database)
        self.is_down = False
        self._set_clock(self.now)

    def lose(self, portal: str, fault: str) -> None:
        """Note that a crawl of a portal has lost its worker."""
        self.losses.append(Loss(portal=portal, at=self.now, fault=fault))
