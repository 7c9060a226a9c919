"""What could go wrong between planner, queue and workers: deposed planners, configurations that differ, jobs taken twice."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from newscrawler.config import Configuration, ServiceSettings, parse_configuration
from newscrawler.errors import ConfigError, LeaseLostError, StoreAwayError, StoreError
from newscrawler.service.children import ChildTask, crawl_portal
from newscrawler.service.notifications import Delivery
from newscrawler.service.supervisor import Supervisor
from newscrawler.service.workers.planner import SILENCE, DispatchLauncher, Planner
from newscrawler.service.workers.worker import Worker
from newscrawler.store import Store, database, open_store, translated
from newscrawler.store.service import JobState, dispatch
from newscrawler.store.service.dispatch import LEASE
from newscrawler.store.vocabularies import CrawlJobState
from tools.chaos_trial.workers import NoExecutor, NoLocalWork, SteppedLoop

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)


@pytest.fixture
def store(postgresql_database: str) -> Iterator[Store]:
    with open_store(postgresql_database) as opened:
        opened.dispatch.prepare()
        yield opened


def run(store: Store, statement: str, **values: object) -> None:
    with store.engine.begin() as connection:
        connection.execute(text(statement), values)


def pass_time(store: Store, seconds: float) -> None:
    for table, column in (("service", "heartbeat_at"), ("procrastinate_workers", "last_heartbeat")):
        run(store, f"UPDATE {table} SET {column} = {column} - make_interval(secs => :seconds)", seconds=seconds)


def configuration(*portals: str, paused: bool = False, listen: str = "") -> Configuration:
    service = f'[service]\nlisten = "{listen}"\n' if listen else ""
    common = f'schedule = "0 * * * *"\npaused = {str(paused).lower()}\n'
    each = "".join(f'[[portal]]\nname = "{name}"\nstart_urls = ["http://{name}.example/"]\n{common}' for name in portals)
    return parse_configuration(
        f'[crawler]\ncontact = "me@example.org"\n[alerts]\ndigest = "never"\n{service}{each}', Path("x.toml")
    )


def planner_of(store: Store, configuration: Configuration) -> Planner:
    def supervise(store: Store, now: datetime) -> Supervisor:
        launcher = DispatchLauncher(store, NoLocalWork(), clock=lambda: now)
        return Supervisor(
            store=store, launcher=launcher, delivery=Delivery(store, NoExecutor()), create_notifiers=lambda _: [], now=now
        )  # type: ignore[arg-type]

    return Planner(store, supervise=supervise, configuration=configuration)


def dispatched(store: Store, portal: str = "one") -> Planner:
    """Let a planner dispatch the crawl of a portal, for which there is a worker."""
    store.dispatch.register("worker", places=4, version="1")
    planner = planner_of(store, configuration(portal))
    planner.check(NOW - timedelta(minutes=5))
    planner.check(NOW + timedelta(minutes=1))
    assert [job.portal for job in store.dispatch.open_jobs()] == [portal]
    return planner


class FakeChild:
    """A crawl that ends when it is told to."""

    pid = 2**21

    def __init__(self) -> None:
        self.code: int | None = None
        self.is_deaf = False
        self.kills = 0

    def exit_code(self) -> int | None:
        return self.code

    def measure_memory_mib(self) -> int:
        return 1

    measure_private_mib = measure_memory_mib

    def terminate(self) -> None:
        self.code = None if self.is_deaf else 130

    def kill(self) -> None:
        self.kills += 1  # it is gone a little later


class FakeLauncher:
    def __init__(self) -> None:
        self.children: list[FakeChild] = []

    def start_crawl(self, portal: str, *, label: str, closes_at: datetime) -> FakeChild:
        self.children.append(FakeChild())
        return self.children[-1]


class Desk:
    """A worker whose clock is set by hand."""

    def __init__(self, store: Store) -> None:
        self.launcher = FakeLauncher()
        limits = ServiceSettings(at_once=4, max_memory=1000, max_hours=1.0, grace_seconds=10.0)
        self.worker = Worker(store=store, launcher=self.launcher, limits=limits, name="w", version="1", memory=lambda *_: 4)
        self.loop = SteppedLoop()
        self.running = self.loop.create_task(self.worker.run())

    def step(self, *seconds: float) -> None:
        """Set the clock to each of these times."""
        for moment in seconds:
            self.loop.step(moment)

    def end(self) -> None:
        """End the worker, and look for a quarter of a minute."""
        self.running.cancel()
        self.step(*(self.loop.time() + second for second in range(15)))


@pytest.fixture
def desks(store: Store) -> Iterator[Callable[[], Desk]]:
    """Return a maker of workers, which are ended at last."""
    made: list[Desk] = []

    def make() -> Desk:
        made.append(Desk(store))
        return made[-1]

    yield make
    for desk in made:
        for child in desk.launcher.children:
            child.code = child.code if child.code is not None else 0
        desk.end()
        assert desk.running.done()
        desk.loop.close()


# ------------------------------------------------------------------ planners


def test_a_planner_that_was_deposed_while_it_was_stopped_dispatches_and_stops_nothing(
    store: Store, postgresql_database: str
) -> None:
    job = store.dispatch.defer("one", label="a", priority=0)
    assert store.service.elect(silence=SILENCE)
    pass_time(store, 45)
    with open_store(postgresql_database, create=False) as second:
        assert second.service.elect(silence=SILENCE)

        with pytest.raises(LeaseLostError):
            store.dispatch.defer("two", label="a", priority=0)
        with pytest.raises(LeaseLostError):
            store.dispatch.ask_stop(job.id)
        with pytest.raises(LeaseLostError):
            store.dispatch.withdraw("one")
        assert [(each.portal, each.state) for each in second.dispatch.open_jobs()] == [("one", CrawlJobState.WAITING)]


def test_a_planner_whose_database_went_away_while_it_took_over_plans_at_its_next_try(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    planner = planner_of(store, configuration("one", listen=f"127.0.0.1:{port}"))
    with monkeypatch.context() as patch:

        def away() -> list[Any]:
            raise StoreAwayError("the database is away")

        patch.setattr(store.jobs, "running", away)
        with pytest.raises(StoreAwayError):
            planner.check(NOW)

    planner.check(NOW + timedelta(seconds=6))  # its own place is no obstacle, and its port is free again

    assert planner.is_elected
    planner.leave(NOW)


def test_a_port_that_another_program_has_leaves_the_place_to_another_worker(store: Store, postgresql_database: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        planner = planner_of(store, configuration("one", listen=f"127.0.0.1:{taken.getsockname()[1]}"))
        planner.check(NOW)
        assert not planner.is_elected

        with open_store(postgresql_database, create=False) as second:
            assert second.service.elect(silence=SILENCE)


def test_a_new_configuration_whose_port_is_taken_is_refused_and_the_planner_goes_on(store: Store) -> None:
    planner = planner_of(store, configuration("one"))
    planner.check(NOW)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        planner.configure(configuration("one", listen=f"127.0.0.1:{taken.getsockname()[1]}"))
        planner.check(NOW + timedelta(seconds=6))

    assert planner.is_elected
    assert "the one before stays in force" in planner.problem
    planner.leave(NOW)


def test_the_failed_job_of_an_earlier_attempt_is_not_taken_for_the_next_one(store: Store) -> None:
    one = store.dispatch.register("one", places=4, version="1")
    store.dispatch.defer("one", label="a", priority=0)
    job = store.dispatch.take(one)
    assert job is not None
    launcher = DispatchLauncher(store, NoLocalWork(), clock=lambda: NOW)
    assert launcher.adopt("one", "a") is not None
    store.dispatch.end(job.id, job.token, status="failed", exit_code=3)

    assert launcher.adopt("one", "a") is None


# ------------------------------------------------------------------ configurations that change, or differ


@pytest.mark.parametrize("after", [configuration("two"), configuration("one", "two", paused=True)], ids=["removed", "paused"])
def test_a_crawl_that_waits_is_withdrawn_when_its_portal_is_removed_or_paused(store: Store, after: Configuration) -> None:
    planner = dispatched(store)

    planner.configure(after)
    planner.check(NOW + timedelta(minutes=1, seconds=6))
    planner.check(NOW + timedelta(minutes=1, seconds=12))

    assert "one" not in [job.portal for job in store.dispatch.open_jobs()]
    (job,) = store.jobs.crawls(["one"])["one"]
    assert job.state is JobState.WAITING
    planner.leave(NOW)


def test_a_crawl_that_waits_for_a_portal_removed_while_nobody_planned_is_withdrawn(store: Store, postgresql_database: str) -> None:
    dispatched(store)
    pass_time(store, 45)

    with open_store(postgresql_database, create=False) as second:
        planner = planner_of(second, configuration("two"))
        planner.check(NOW + timedelta(minutes=2))

        assert planner.is_elected
        assert "one" not in [job.portal for job in second.dispatch.open_jobs()]
        planner.leave(NOW)


def test_a_crawl_under_way_goes_on_when_its_portal_is_removed(store: Store, desks: Callable[[], Desk]) -> None:
    planner = dispatched(store)
    desks().step(0)

    planner.configure(configuration("two"))
    planner.check(NOW + timedelta(minutes=1, seconds=6))

    assert [job.portal for job in store.dispatch.open_jobs() if job.worker] == ["one"]
    assert store.dispatch.list_stops() == []
    planner.leave(NOW)


def test_a_worker_without_the_portal_fails_instead_of_noting_a_crawl_that_never_was() -> None:
    task = ChildTask(kind="crawl", name="one", text="", path="x", database_url="", max_memory=1, parent=0, log="text")
    with pytest.raises(ConfigError, match="has no portal one"):
        crawl_portal(task, configuration("two"), {})


# ------------------------------------------------------------------ workers


def test_a_worker_that_takes_its_own_lost_job_again_still_waits_for_the_crawl_that_it_killed(
    store: Store, desks: Callable[[], Desk]
) -> None:
    desk = desks()
    store.dispatch.defer("one", label="a", priority=0)
    desk.step(0)
    run(store, "UPDATE worker SET machine = 'elsewhere'")
    pass_time(store, LEASE.total_seconds() + 5)  # it was stopped, and others have swept
    store.dispatch.sweep()

    desk.step(45, 46)  # it wakes, and nobody else was free

    first, second = desk.launcher.children
    assert (first.kills, second.kills) == (1, 0)
    second.code = 0
    desk.step(47, 48)
    assert [crawl.child for crawl in desk.worker.crawls] == [first]  # the killed one is not gone yet
    first.code = -9
    desk.step(49)
    assert desk.worker.crawls == []
    assert {job.exit_code for job in store.dispatch.jobs([1]).values()} == {0}


def test_after_an_outage_of_the_database_workers_keep_their_crawls_and_a_dead_one_still_loses_its_own(
    store: Store, desks: Callable[[], Desk]
) -> None:
    one, two, three = desks(), desks(), desks()
    for desk, portal in ((one, "one"), (two, "two"), (three, "three")):
        store.dispatch.defer(portal, label="a", priority=0)
        desk.step(0)
    run(store, "UPDATE worker SET machine = 'elsewhere'")
    pass_time(store, LEASE.total_seconds() + 5)

    one.step(45)  # the first that reaches the database again
    two.step(46)
    one.step(51)
    assert [job.state for job in store.dispatch.open_jobs()] == [CrawlJobState.RUNNING] * 3

    one.step(56, 61)

    assert [child.kills for child in one.launcher.children[:1] + two.launcher.children] == [0, 0]
    assert {job.portal: job.worker_id for job in store.dispatch.open_jobs()}["three"] in {1, None}


def test_a_worker_that_ends_gives_its_crawl_back_and_one_that_the_planner_stops_ends_its_own(
    store: Store, desks: Callable[[], Desk]
) -> None:
    desk = desks()
    stopped = store.dispatch.defer("one", label="a", priority=0)
    given_back = store.dispatch.defer("two", label="a", priority=0)
    desk.step(0)
    store.dispatch.ask_stop(stopped.id)
    desk.step(5, 6)
    assert [job.portal for job in store.dispatch.open_jobs()] == ["two"]
    assert store.dispatch.jobs([stopped.id])[stopped.id].exit_code == 130

    desk.end()

    assert [child.code for child in desk.launcher.children] == [130, 130]
    job = store.dispatch.jobs([given_back.id])[given_back.id]
    assert (job.state, job.worker) == (CrawlJobState.WAITING, None)
    assert store.dispatch.workers() == []


def test_a_crawl_that_takes_too_long_is_ended_and_one_that_does_not_end_is_killed(store: Store, desks: Callable[[], Desk]) -> None:
    desk = desks()
    job = store.dispatch.defer("one", label="a", priority=0)
    desk.step(0)
    (child,) = desk.launcher.children
    child.is_deaf = True
    desk.step(3601, 3605)
    assert child.kills == 0

    desk.step(3612)
    child.code = -9
    desk.step(3613, 3614)

    assert child.kills == 1
    assert store.dispatch.jobs([job.id])[job.id].exit_code == -9


def test_a_crawl_that_cannot_be_started_here_waits_for_another_worker(
    store: Store, desks: Callable[[], Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desks()
    job = store.dispatch.defer("one", label="a", priority=0)

    def refuse(*_: object, **__: object) -> FakeChild:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(desk.launcher, "start_crawl", refuse)
    desk.step(0)

    assert desk.worker.crawls == []
    assert store.dispatch.jobs([job.id])[job.id].state is CrawlJobState.WAITING


def test_while_the_database_is_away_crawls_go_on_and_how_they_ended_is_noted_when_it_is_back(
    store: Store, desks: Callable[[], Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desks()
    job = store.dispatch.defer("one", label="a", priority=0)
    desk.step(0)

    def away(*_: object, **__: object) -> None:
        raise StoreAwayError("the database is away")

    with monkeypatch.context() as patch:
        for name in ("beat", "take", "end", "list_stops"):
            patch.setattr(store.dispatch, name, away)
        desk.step(5, 10, 15)
        desk.launcher.children[0].code = 0
        desk.step(16, 20, 25)
    assert store.dispatch.jobs([job.id])[job.id].exit_code is None

    desk.step(30, 35)

    assert store.dispatch.jobs([job.id])[job.id].exit_code == 0
    assert not desk.running.done()


def test_a_worker_whose_row_is_gone_enters_itself_anew(store: Store, desks: Callable[[], Desk]) -> None:
    desk = desks()
    desk.step(0)
    run(store, "DELETE FROM worker")  # an older state of the database was restored

    desk.step(6)

    assert [each.name for each in store.dispatch.workers()] == ["w"]


def test_a_job_that_was_asked_to_end_is_not_begun_again_when_its_worker_dies(store: Store) -> None:
    one = store.dispatch.register("one", places=4, version="1")
    run(store, "UPDATE worker SET machine = 'elsewhere'")
    store.dispatch.defer("one", label="a", priority=0)
    job = store.dispatch.take(one)
    assert job is not None
    store.dispatch.ask_stop(job.id)
    pass_time(store, 45)

    store.dispatch.sweep()

    assert store.dispatch.jobs([job.id])[job.id].exit_code == 130


def test_tables_of_another_version_of_procrastinate_are_refused_with_what_is_missing(store: Store) -> None:
    run(store, "ALTER FUNCTION procrastinate_fetch_job_v2 RENAME TO procrastinate_fetch_job_v99")

    for call in (store.dispatch.require, store.dispatch.prepare):
        with pytest.raises(StoreError, match=r"another version of Procrastinate \(missing: procrastinate_fetch_job_v2\)"):
            call()


# ------------------------------------------------------------------ PostgreSQL


def test_a_process_that_is_stopped_in_a_transaction_does_not_keep_its_locks(
    store: Store, postgresql_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_IDLE_SECONDS", 1)
    assert store.service.elect(silence=SILENCE)
    pass_time(store, 45)
    with store.engine.connect() as stopped, open_store(postgresql_database, create=False) as second:
        stopped.execute(text("SELECT * FROM service FOR UPDATE"))
        stopped.execute(text(f"SELECT pg_advisory_xact_lock({dispatch._SWEEP_LOCK})"))
        began = time.monotonic()

        assert second.service.elect(silence=SILENCE)

        assert 0.5 < time.monotonic() - began < 20
        with second.engine.begin() as connection:
            assert connection.execute(text(f"SELECT pg_try_advisory_xact_lock({dispatch._SWEEP_LOCK})")).scalar()
        with pytest.raises(StoreAwayError), translated(store.engine):
            stopped.execute(text("SELECT 1"))


def test_what_the_url_says_of_the_network_stays_in_force(postgresql_database: str) -> None:
    with open_store(f"{postgresql_database}&keepalives_idle=77") as store, store.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        found = driver.info.get_parameters()
    assert (found["keepalives_idle"], found["tcp_user_timeout"]) == ("77", "30000")
