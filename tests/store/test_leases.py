"""A portal belongs to one run; who was taken over can write nothing more, and who is dead is told from who is slow."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

import pytest
from sqlalchemy import create_engine, text

from newscrawler.errors import LeaseLostError, PageReason, StoreAwayError, StoreError
from newscrawler.store import Store, open_store
from newscrawler.store.frontier import FoundUrl, Frontier, PageOutcome
from newscrawler.store.hosts import this_process
from newscrawler.store.service import RunRecord
from newscrawler.store.vocabularies import FINISHED, KILLED, Reason

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(minutes=10)
FOUND = FoundUrl(url="http://a/", kind="start", priority=0, depth=0)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


def begin(store: Store, now: datetime = NOW) -> tuple[RunRecord, Frontier]:
    return store.runs.begin("portal", now=now, version="1")


WRITES: dict[str, Callable[[Store, RunRecord, Frontier], object]] = {
    "claim": lambda store, run, frontier: frontier.lease(5, now=LATER),
    "seed": lambda store, run, frontier: frontier.seed([replace(FOUND, url="http://a/late")], now=LATER),
    "commit": lambda store, run, frontier: frontier.commit([PageOutcome(url_id=1, state="done", fetched_at=LATER)]),
    "look again": lambda store, run, frontier: frontier.requeue([1]),
    "release": lambda store, run, frontier: frontier.release(),
    "heartbeat": lambda store, run, frontier: store.runs.heartbeat(run.id, now=LATER, counts={}),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_run_that_was_taken_over_writes_nothing(store: Store, write: str) -> None:
    old_run, old = begin(store)
    old.seed([FOUND], now=NOW)
    old.lease(1, now=NOW)
    _, new = begin(store, LATER)
    new.lease(1, now=LATER)

    with pytest.raises(LeaseLostError, match="another process has taken it over"):
        WRITES[write](store, old_run, old)

    assert new.counts().by_state == {"fetching": 1}
    (done,) = new.commit([PageOutcome(url_id=1, state="done", fetched_at=LATER)])
    assert done.written


def test_a_run_that_was_taken_over_does_not_change_its_record(store: Store) -> None:
    old_run, _ = begin(store)
    begin(store, LATER)

    store.runs.end(old_run.id, now=LATER, because=FINISHED, counts={"pages": 9})

    assert [(run.ended_because, dict(run.counts)) for run in store.runs.latest()] == [(None, {}), (KILLED, {})]


@pytest.mark.parametrize(
    ("column", "value", "seconds", "taken_over"),
    [
        pytest.param("pid", os.getpid(), 5, False, id="our own pid"),
        ("process_started", 1, 5, True),  # the number was given anew
        ("machine", "another machine", 100, False),
        ("machine", "another machine", 130, True),
        ("machine", None, 5, False),  # written by an older version
    ],
)
def test_the_dead_are_told_from_the_slow(
    store: Store, database_url: str, column: str, value: object, seconds: int, *, taken_over: bool
) -> None:
    begin(store)
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE run SET {column} = :value"), {"value": value})
    engine.dispose()

    if taken_over:
        run, _ = begin(store, NOW + timedelta(seconds=seconds))
        assert run.resumed
    else:
        with pytest.raises(StoreError, match="is being crawled by process"):
            begin(store, NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize("hours", [-3, 3])
def test_a_machine_whose_clock_is_wrong_takes_nobody_for_dead_who_lives(
    postgresql_database: str, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Wrong:
            return super().now(tz) + timedelta(hours=hours)

    with open_store(postgresql_database) as store:
        begin(store, datetime.now(UTC))
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE run SET machine = 'another machine'"))
        monkeypatch.setattr("newscrawler.store.frontier.leases.datetime", Wrong)

        assert len(store.runs.live(now=Wrong.now(UTC))) == 1
        assert not store.runs.live(now=Wrong.now(UTC) + timedelta(minutes=3))
        with pytest.raises(StoreError, match="is being crawled by process"):
            begin(store, Wrong.now(UTC))
        begin(store, Wrong.now(UTC) + timedelta(minutes=3))
        monkeypatch.undo()
        assert len(store.runs.live(now=datetime.now(UTC))) == 1


def test_a_process_that_ended_does_not_exist() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    here = replace(this_process(), pid=process.pid, process_started=None)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)

    assert not here.exists()  # a zombie until it is waited for
    process.wait()
    assert not here.exists()
    assert this_process().exists()


def test_two_that_begin_at_once_are_told_apart(store: Store, database_url: str) -> None:
    begin_now = (
        "import sys; from datetime import *; from newscrawler.store import *; from newscrawler.store.frontier import *\n"
        "store = open_store(sys.argv[1]); print('ready', flush=True); sys.stdin.readline()\n"
        "try: store.runs.begin('portal', now=datetime.now(UTC), version='1')\n"
        "except Exception as error: print(type(error).__name__, error)\n"
        "else: print('begun')\n"
        "sys.stdout.flush(); sys.stdin.readline()"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", begin_now, database_url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in both:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    told = sorted(process.stdout.readline() for process in both if process.stdout)
    for process in both:
        process.communicate("\n")

    assert told[0].startswith("PortalBusyError portal 'portal' is being crawled by process")
    assert told[1] == "begun\n"
    assert len(store.runs.latest()) == 1


def test_a_database_that_is_locked_is_away_and_not_broken(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawler.store.database.BUSY_SECONDS", 0.1)
    url = f"sqlite:///{tmp_path}/store.sqlite"
    with open_store(url) as store:
        _, frontier = begin(store)
        other = create_engine(url)
        with other.connect() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

            with pytest.raises(StoreAwayError, match="locked by another process"):
                frontier.lease(1, now=NOW)

        other.dispose()
        assert frontier.lease(1, now=NOW) == []


def test_a_failure_rests_until_its_next_try(store: Store) -> None:
    run, frontier = begin(store)
    frontier.seed([replace(FOUND, url=f"http://a/{number}", kind="article") for number in range(2)], now=NOW)
    first, second = frontier.lease(5, now=NOW)
    frontier.commit([
        PageOutcome(url_id=first.id, state="failed", reason=Reason(PageReason.TIMEOUT), fetched_at=NOW, tries=3, next_try_at=LATER),
        PageOutcome(url_id=second.id, state="failed", reason=Reason(PageReason.TIMEOUT), fetched_at=NOW, tries=12),
    ])  # fmt: skip
    store.runs.end(run.id, now=NOW, because=FINISHED, counts={})
    early, frontier = begin(store, NOW + timedelta(minutes=9))
    at_nine_minutes = frontier.lease(5, now=LATER)
    store.runs.end(early.id, now=NOW + timedelta(minutes=9), because=FINISHED, counts={})

    _, frontier = begin(store, NOW + timedelta(minutes=11))

    assert at_nine_minutes == []
    assert [item.url for item in frontier.lease(5, now=LATER)] == ["http://a/0"]
