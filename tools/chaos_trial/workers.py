"""A process of `newscrawler worker` in a simulated cluster, on a machine of its own, and what befalls it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy import Connection, event, exc

from newscrawler.config import ServiceSettings
from newscrawler.errors import StoreError
from newscrawler.service.notifications import Delivery
from newscrawler.service.supervisor import Supervisor
from newscrawler.service.workers.planner import DispatchLauncher, Planner
from newscrawler.service.workers.worker import Worker
from newscrawler.store import Store, open_store
from tools.chaos_trial.crawls import SimulatedCrawl

if TYPE_CHECKING:
    from tools.chaos_trial.simulation import Simulation

#: A worker looks this often here; a real one every second.
LOOK_SECONDS = 5.0


class SteppedLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still between its steps."""

    def __init__(self) -> None:
        super().__init__()
        self._seconds = 0.0
        self._clock_resolution = 0.5  # what is due half a second later may come now

    def time(self) -> float:
        """Return the seconds of its clock."""
        return self._seconds

    def step(self, seconds: float) -> None:
        """Set the clock, and do all that is due."""
        self._seconds = seconds
        while True:
            self.call_soon(self.stop)
            self.run_forever()
            if not self._ready:  # type: ignore[attr-defined]
                return


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
        #: When its planner has something to do again.
        self.plans_at = 0.0
        self._begin()

    def _begin(self) -> None:
        simulation, self.generation = self.simulation, self.generation + 1
        self.crawls: list[SimulatedCrawl] = []
        self.store = self._opened()
        self.planning_store = self._opened()
        limits = ServiceSettings(at_once=8, max_memory=10_000, max_hours=12.0, grace_seconds=10.0)
        self.worker = Worker(store=self.store, launcher=self, limits=limits, name=self.name, version="1", memory=lambda *_: 8)
        self.loop = SteppedLoop()
        self.running = self.loop.create_task(self.worker.run())
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
        launcher = DispatchLauncher(store, NoLocalWork(), clock=lambda: self.simulation.moment(self.offset))
        return Supervisor(
            store=store, launcher=launcher, delivery=Delivery(store, NoExecutor()), create_notifiers=lambda _: [], now=now
        )

    @property
    def is_in_trouble(self) -> bool:
        """Whether something is wrong with it already."""
        return self.is_dead or self.is_stopped or self.is_cut or self.disk_is_full

    @property
    def is_stopped(self) -> bool:
        """Whether it was stopped and has not woken yet."""
        return self.simulation.now < self.stopped_until

    @property
    def plans(self) -> bool:
        """Whether it is the planner, and all that it has planned has come to its end."""
        supervisor = self.planner.supervisor
        return not self.is_in_trouble and supervisor is not None and not supervisor.jobs.crawls and self.plans_at > 0

    @property
    def has_work(self) -> bool:
        """Whether it does anything but wait for work."""
        return not (self.is_dead or self.is_stopped) and (bool(self.crawls) or bool(self.worker.crawls) or self.is_cut)

    def check(self) -> None:
        """Do what its loop does."""
        simulation, generation = self.simulation, self.generation
        if self.is_dead:
            return
        if self.is_stopped:
            simulation.at(self.stopped_until, self.check)
            return
        self.loop.step(simulation.now - simulation.begin - simulation.leapt_seconds)
        if self.running.done():
            self.running.result()
            raise AssertionError("a worker ended by itself")
        self.plans_at = 0.0
        with suppress(StoreError):
            self.plans_at = self.planner.check(simulation.moment(self.offset)).timestamp() - self.offset
        if generation == self.generation:
            simulation.at(simulation.now + LOOK_SECONDS, self.check, waits=True)

    def start_crawl(self, portal: str, *, label: str, closes_at: datetime) -> SimulatedCrawl:  # noqa: ARG002
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
        self.close()
        self.simulation.at(self.simulation.now + away_seconds, self._start_again)

    def close(self) -> None:
        """End all that its process did, and close all connections."""
        self.generation += 1
        for crawl in self.crawls:
            crawl.is_over = True
        while not self.running.done():
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.loop.step(self.loop.time() + LOOK_SECONDS)
        self.loop.close()
        for store in (self.store, self.planning_store):
            store.close()

    def _start_again(self) -> None:
        if self.simulation.is_down:
            self.simulation.at(self.simulation.now + 5, self._start_again)
            return
        self.is_dead = False
        self._begin()  # under the same name, as pods do
        self.check()

    def _join(self) -> None:
        self.is_cut = False

    def _free_disk(self) -> None:
        self.disk_is_full = False

    def _set_clock_right(self) -> None:
        self.offset = 0.0


class NoLocalWork:
    """Refuses jobs: a planner that only dispatches starts none."""

    def start_job(self, number: int) -> Any:
        """Refuse a job."""
        raise AssertionError(number)


class NoExecutor:
    """Refuses deliveries: a trial sends no mail."""

    def submit(self, *_: Any, **__: Any) -> Any:
        """Refuse a delivery."""
        raise AssertionError
