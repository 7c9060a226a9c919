"""A clock that jumps, and crawls that are told how they will end: what the supervisor is tried out with."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, insert, select, update

from newscrawler.service import DeliveryError, Notification
from newscrawler.store.tables import PORTAL, RUN
from newscrawler.store.vocabularies import RunEnd, end_values

#: Exit codes of children.
FINE, FAILED, KILLED, ENDED = 0, 1, -9, 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """How a crawl will go."""

    minutes: float = 40.0
    #: None: it never ends by itself, and takes no notice of SIGTERM.
    exit_code: int | None = FINE
    because: str = "finished"
    counts: dict[str, Any] = field(default_factory=dict)


def brought(articles: int, **more: Any) -> dict[str, Any]:
    """The counts of a crawl that brought so many articles."""
    counts: dict[str, Any] = {
        "requests": articles + 20,
        "pages": articles + 20,
        "new_articles": articles,
        "statuses": {"200": articles + 20},
    }
    return counts | more


@dataclass(slots=True, kw_only=True)
class Started:
    """One crawl as it happened."""

    portal: str
    began_at: datetime
    ended_at: datetime | None = None
    #: It came to its own end.
    whole: bool = False


class World:
    """The clock, the processes and the database's rows of runs."""

    def __init__(self, engine: Engine, now: datetime, night: Callable[[str, datetime, int], Night]) -> None:
        self.engine = engine
        self.now = now
        self.night = night
        self.children: list[SimulatedChild] = []
        self.crawls: list[Started] = []
        self.jobs: list[tuple[int, datetime]] = []
        self._tries: dict[tuple[str, str], int] = {}

    def start_crawl(self, portal: str, *, label: str = "", closes_at: datetime | None = None) -> SimulatedChild:
        """Start a crawl."""
        assert not [child for child in self.children if child.portal == portal], f"{portal} is crawled twice at once"
        key = (portal, f"{self.now:%j}")
        self._tries[key] = self._tries.get(key, 0) + 1
        child = SimulatedChild(self, portal, self.night(portal, self.now, self._tries[key]))
        self.children.append(child)
        return child

    def withdraw(self, _portal: str) -> bool:
        """Nothing waits here."""
        return False

    def adopt(self, _portal: str, _label: str) -> None:
        """Children die with their service."""

    def count_places(self) -> None:
        """As many as memory holds."""

    def start_job(self, number: int) -> SimulatedChild:
        """Carry out a job, in half a minute."""
        self.jobs.append((number, self.now))
        child = SimulatedChild(self, "", Night(minutes=0.5))
        self.children.append(child)
        return child

    def next_end(self) -> datetime | None:
        """When a child ends by itself."""
        return min((child.ends_at for child in self.children if child.ends_at is not None), default=None)

    def kill_all(self) -> None:
        """The service was killed, and all that it had started with it; nobody writes anything down."""
        for child in self.children:
            if child.crawl:
                child.crawl.ended_at = self.now
        self.children.clear()


class SimulatedChild:
    """A process that ends when its time has come."""

    def __init__(self, world: World, portal: str, night: Night) -> None:
        self.pid = random.randrange(2**20, 2**21)
        self.portal = portal
        self._world = world
        self._night = night
        self.ends_at = world.now + timedelta(minutes=night.minutes) if night.exit_code is not None else None
        self._code: int | None = None
        self._run_id = self._begin() if portal else 0
        self.crawl = Started(portal=portal, began_at=world.now) if portal else None
        if self.crawl:
            world.crawls.append(self.crawl)

    def exit_code(self) -> int | None:
        """End if it is time."""
        if self._code is None and self.ends_at is not None and self.ends_at <= self._world.now:
            self._end(self._night.exit_code or 0)
        return self._code

    def measure_memory_mib(self) -> int:
        """Little."""
        return 80

    measure_private_mib = measure_memory_mib

    def terminate(self) -> None:
        """End within a minute, unless it hangs."""
        if self._night.exit_code is not None:
            self._night = Night(exit_code=ENDED, because="interrupted", counts=self._night.counts)
            self.ends_at = self._world.now + timedelta(seconds=5)

    def kill(self) -> None:
        """End at once, without a word to the database."""
        if self._code is None:
            self._end(KILLED)

    def _begin(self) -> int:
        """What `Runs.begin` does: bury the dead, begin a round or go on with one."""
        now, engine = self._world.now, self._world.engine
        with engine.begin() as connection:
            row = connection.execute(select(PORTAL.c.id, PORTAL.c.round).where(PORTAL.c.name == self.portal)).first()
            if row is None:
                values = {"name": self.portal, "round": 0, "created_at": now}
                portal_id, number = connection.execute(insert(PORTAL).values(values).returning(PORTAL.c.id)).scalar_one(), 0
            else:
                portal_id, number = row.id, row.round
            mine = RUN.c.portal_id == portal_id
            dead = mine & RUN.c.ended_at.is_(None)
            connection.execute(update(RUN).where(dead).values(ended_at=RUN.c.heartbeat_at, end_reason="killed"))
            last = connection.execute(select(RUN).where(mine).order_by(RUN.c.id.desc()).limit(1)).first()
            if last is None or last.end_reason == "finished" or now - last.ended_at > timedelta(hours=12):
                number += 1
                connection.execute(update(PORTAL).where(PORTAL.c.id == portal_id).values(round=number))
            values = {
                "portal_id": portal_id, "round": number, "started_at": now, "heartbeat_at": now, "host": "simulated",
                "machine": "simulated", "pid": self.pid, "version": "1", "counts": {},
            }  # fmt: skip
            return int(connection.execute(insert(RUN).values(values).returning(RUN.c.id)).scalar_one())

    def _end(self, code: int) -> None:
        self._code = code
        self._world.children.remove(self)
        if not self.crawl:
            return
        self.crawl.ended_at, self.crawl.whole = self._world.now, code in {FINE, FAILED}
        values: dict[str, Any] = {"heartbeat_at": self._world.now, "counts": self._night.counts}
        if code != KILLED:
            values |= {"ended_at": self._world.now, **end_values(RunEnd.parse(self._night.because))}
        with self._world.engine.begin() as connection:
            connection.execute(update(RUN).where(RUN.c.id == self._run_id).values(values))


class AtOnce(Executor):
    """Does what it is given in the thread that gives it."""

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(call(*arguments, **named))
        except Exception as error:  # noqa: BLE001  as executors do
            future.set_exception(error)
        return future


class Listener:
    """A way to be told that keeps what it heard, and is out of order at times."""

    def __init__(self, world: World, name: str = "mail", broken: Callable[[datetime], bool] = lambda _now: False) -> None:
        self.name = name
        self.heard: list[tuple[datetime, Notification]] = []
        self._world = world
        self._broken = broken

    def deliver(self, message: Notification) -> None:
        if self._broken(self._world.now):
            raise DeliveryError("out of order")
        self.heard.append((self._world.now, message))

    @property
    def news(self) -> list[tuple[str, str, str]]:
        """(portal, problem, event), in order of delivery."""
        told = (each for _, message in self.heard if message.data["kind"] == "alert" for each in message.data["news"])
        return [(each["portal"], each["problem"], each["event"]) for each in told]

    @property
    def digests(self) -> list[datetime]:
        """When each was told."""
        return [at for at, message in self.heard if message.data["kind"] == "digest"]
