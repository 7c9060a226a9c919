"""Gates, robots.txt and the log of requests, on both databases."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from host_states import put_host
from sqlalchemy import event

from newscrawler.store import Store, open_store
from newscrawler.store.hosts import FetchRecord, HostRecord, OriginFile, holder_name
from newscrawler.store.vocabularies import OriginFileKind

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


def leave(store: Store, name: str, *, gap: float = 5.0, holder: str | None = None, **state: object) -> None:
    host = replace(store.hosts.of(name), **state)
    store.hosts.leave([name], holder or holder_name(), host, gap_seconds=gap, log=[])


def take(store: Store, *names: str, gap: float = 5.0, number: int = 0, hold: float = 60.0) -> float:
    return store.hosts.take(names, holder_name(number), gap_seconds=gap, hold_seconds=hold).wait_seconds


def test_a_gate_lets_one_through_at_a_time_and_the_next_one_a_delay_after_the_answer(store: Store) -> None:
    first = take(store, "a.example")
    while_held = store.hosts.take(["a.example"], holder_name(1), gap_seconds=5.0, hold_seconds=60.0)
    leave(store, "a.example")
    after = take(store, "a.example", number=1)

    assert first == 0.0
    assert while_held.held
    assert 0.0 < while_held.wait_seconds <= 1.0
    assert 4.0 < after <= 5.0


def test_the_longer_of_two_delays_counts(store: Store) -> None:
    take(store, "a.example")
    leave(store, "a.example", gap=1.0)
    slow_comes_after_quick = take(store, "a.example", gap=30.0)
    take(store, "b.example")
    leave(store, "b.example", gap=30.0)
    quick_comes_after_slow = take(store, "b.example", gap=1.0)

    assert 29.0 < slow_comes_after_quick <= 30.0
    assert 29.0 < quick_comes_after_slow <= 30.0


def test_hosts_that_share_an_address_share_its_gate(store: Store) -> None:
    take(store, "a.example", "192.0.2.1")
    other = take(store, "b.example", "192.0.2.1", number=1)
    unrelated = take(store, "c.example", "192.0.2.2", number=2)

    assert other > 0.0
    assert unrelated == 0.0


def test_a_holder_that_died_here_is_known_and_the_delay_counts_from_then(store: Store) -> None:
    code = "from newscrawler.store.hosts import holder_name; print(holder_name())"
    dead = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    store.hosts.take(["a.example"], dead, gap_seconds=0.5, hold_seconds=60.0)

    wait = take(store, "a.example", gap=0.5)
    time.sleep(0.6)

    assert wait == 0.5
    assert take(store, "a.example", gap=0.5) == 0.0


def test_a_holder_elsewhere_is_believed_until_its_time_is_over(store: Store) -> None:
    elsewhere = "other 0123456789abcdef 7 8 0"
    store.hosts.take(["a.example"], elsewhere, gap_seconds=1.0, hold_seconds=0.4)
    held = store.hosts.take(["a.example"], holder_name(), gap_seconds=0.0, hold_seconds=60.0)
    time.sleep(0.5)

    assert held.held
    assert take(store, "a.example", gap=0.0) == 0.0


def test_a_pause_closes_the_gate_and_says_why(store: Store) -> None:
    until = datetime.now(UTC) + timedelta(seconds=90)
    take(store, "a.example")
    leave(store, "a.example", paused_until=until, pause_reason="answers 503", failures=3)

    turn = store.hosts.take(["a.example"], holder_name(), gap_seconds=5.0, hold_seconds=60.0)

    assert 85 < turn.paused_seconds <= 90
    assert (turn.host.pause_reason, turn.host.failures) == ("answers 503", 3)


def test_a_pause_that_an_answer_brought_holds_for_its_host_alone(store: Store) -> None:
    until = datetime.now(UTC) + timedelta(seconds=300)
    take(store, "a.example", "192.0.2.1")
    host = replace(store.hosts.of("a.example"), paused_until=until, pause_reason="answers 503")
    store.hosts.leave(["a.example", "192.0.2.1"], holder_name(), host, gap_seconds=0.0, log=[])

    assert take(store, "b.example", "192.0.2.1", gap=0.0) == 0.0
    assert store.hosts.take(["a.example"], holder_name(), gap_seconds=0.0, hold_seconds=1.0).paused_seconds > 290


def test_a_pause_where_nobody_answers_holds_for_other_hosts_at_the_address_too_but_not_for_the_night(store: Store) -> None:
    until = datetime.now(UTC) + timedelta(hours=12)
    take(store, "a.example", "192.0.2.1")
    host = replace(store.hosts.of("a.example"), paused_until=until, pause_reason="answers 503", is_suspended=True)
    store.hosts.leave(["a.example", "192.0.2.1"], holder_name(), host, gap_seconds=1.0, log=[], of_address=True)

    turn = store.hosts.take(["b.example", "192.0.2.1"], holder_name(), gap_seconds=1.0, hold_seconds=60.0)

    assert 590 < turn.paused_seconds <= 600
    assert (turn.host.name, turn.host.is_suspended) == ("b.example", False)
    assert turn.host.pause_reason == "a.example answers 503 (at 192.0.2.1)"
    assert take(store, "c.example", "192.0.2.2") == 0.0


def test_who_needs_no_delay_keeps_the_gate_until_somebody_else_wants_it(store: Store) -> None:
    log = [FetchRecord(at=NOW, host="a.example")]
    take(store, "a.example", gap=0.0)
    alone = store.hosts.keep(["a.example"], holder_name(), HostRecord(name="a.example"), hold_seconds=60.0, log=log)
    waits = take(store, "a.example", gap=0.0, number=1)
    wanted = store.hosts.keep(["a.example"], holder_name(), HostRecord(name="a.example"), hold_seconds=60.0, log=log)

    assert (alone, wanted) == (True, False)
    assert 0.0 < waits <= 1.0
    assert len(store.hosts.fetches(host="a.example")) == 2
    assert take(store, "a.example", gap=0.0, number=1) == 0.0
    assert not store.hosts.keep(["a.example"], holder_name(), HostRecord(name="a.example"), hold_seconds=60.0, log=[])


def test_a_turn_that_was_taken_without_knowing_may_be_taken_again(store: Store) -> None:
    """The connection to the database broke off while the transaction was ending."""
    assert take(store, "a.example") == 0.0
    assert take(store, "a.example") == 0.0


def test_a_longer_pause_that_another_has_set_stays(store: Store) -> None:
    until = datetime.now(UTC) + timedelta(seconds=900)
    take(store, "a.example")
    host = store.hosts.of("a.example")
    put_host(store.hosts, replace(host, paused_until=until, pause_reason="long"))

    store.hosts.leave(["a.example"], holder_name(), host, gap_seconds=1.0, log=[])

    assert store.hosts.of("a.example").pause_reason == "long"


def test_a_pause_that_is_over_is_forgotten_with_the_next_answer(store: Store) -> None:
    put_host(store.hosts, HostRecord(name="a.example", paused_until=datetime.now(UTC) - timedelta(seconds=1), pause_reason="old"))
    take(store, "a.example")
    leave(store, "a.example", paused_until=None, pause_reason=None)

    assert store.hosts.of("a.example").pause_reason is None


def test_what_is_forgiven_may_be_asked_at_once(store: Store) -> None:
    until = datetime.now(UTC) + timedelta(hours=9)
    put_host(store.hosts, HostRecord(name="a.example", paused_until=until, is_suspended=True, failures=9))
    store.hosts.save_file(robots("https://a.example", failures=1))
    store.hosts.save_file(robots("https://a.example:8080", failures=1))

    store.hosts.forgive(["a.example"])

    assert take(store, "a.example", gap=0.0) == 0.0
    assert store.hosts.of("a.example").failures == 0
    assert store.hosts.files() == []


def test_a_clock_that_was_set_back_closes_no_gate_for_ever(store: Store) -> None:
    take(store, "a.example")
    leave(store, "a.example", gap=400 * 86_400.0)

    assert take(store, "a.example", gap=1.0) == 0.0


def test_a_clock_that_is_set_back_makes_a_gap_and_a_pause_no_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    behind = timedelta(0)

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + behind

    with open_store(f"sqlite:///{tmp_path / 'gates.sqlite'}") as store:
        monkeypatch.setattr("newscrawler.store.hosts.datetime", Clock)
        monkeypatch.setattr("newscrawler.store.database.datetime", Clock)
        take(store, "a.example", gap=0.5)
        leave(store, "a.example", gap=0.5)
        take(store, "b.example")
        leave(store, "b.example", paused_until=datetime.now(UTC) + timedelta(seconds=90))
        behind = timedelta(hours=-3)

        gap = take(store, "a.example", gap=0.5)
        pause = take(store, "b.example")
        time.sleep(gap + 0.05)
        after = take(store, "a.example", gap=0.5)

    assert 0.0 < gap <= 0.5
    assert 85.0 < pause <= 90.0
    assert after == 0.0


def test_machines_whose_clocks_differ_keep_one_delay_and_one_pause(
    postgresql_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ahead(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Ahead:
            return super().now(tz) + timedelta(hours=2)

    with open_store(postgresql_database) as store:
        monkeypatch.setattr("newscrawler.store.hosts.datetime", Ahead)
        take(store, "a.example")
        leave(store, "a.example")
        take(store, "b.example")
        leave(store, "b.example", paused_until=Ahead.now(UTC) + timedelta(seconds=90))
        monkeypatch.undo()

        assert 3.0 < take(store, "a.example") <= 5.0
        assert 80.0 < take(store, "b.example") <= 90.0


def test_many_threads_never_meet_in_a_gate(store: Store) -> None:
    moments: list[tuple[float, float]] = []

    def worker(number: int) -> None:
        for _ in range(3):
            while (wait := take(store, "a.example", gap=0.1, number=number)) > 0:
                time.sleep(wait)
            came = time.monotonic()
            store.hosts.leave(["a.example"], holder_name(number), HostRecord(name="a.example"), gap_seconds=0.1, log=[])
            moments.append((came, time.monotonic()))

    threads = [threading.Thread(target=worker, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    moments.sort()
    assert len(moments) == 12
    assert min(later[0] - earlier[0] for earlier, later in pairwise(moments)) >= 0.09


def robots(origin: str, *, failures: int = 0) -> OriginFile:
    return OriginFile(
        url=f"{origin}/robots.txt", origin=origin, kind=OriginFileKind.ROBOTS, status=200, body=b"User-agent: *\0\xff",
        asked_at=NOW, expires_at=NOW + timedelta(hours=24), said_since=NOW, failures=failures,
    )  # fmt: skip


def test_what_an_origin_says_takes_the_place_of_what_it_said(store: Store) -> None:
    store.hosts.save_file(robots("https://a.example", failures=1))
    store.hosts.save_file(robots("https://a.example"))
    store.hosts.save_file(robots("https://a.example:8080"))
    store.hosts.save_file(robots("https://a.example.org"))

    assert store.hosts.file("https://a.example/robots.txt") == robots("https://a.example")
    assert store.hosts.file("http://a.example/robots.txt") is None
    assert store.hosts.files(host="a.example") == [robots("https://a.example"), robots("https://a.example:8080")]
    assert store.hosts.files(origin="https://a.example") == [robots("https://a.example")]
    assert store.hosts.files(kind=OriginFileKind.TDM) == []


def test_the_log_tells_of_each_request_and_forgets_the_old_ones(store: Store) -> None:
    run, _ = store.runs.begin("a", now=NOW, version="1")
    old, new = (
        FetchRecord(
            at=at,
            host="a.example",
            address="192.0.2.1",
            portal="a",
            run_id=run.id,
            status=200,
            bytes=5,
            milliseconds=7,
            gap_seconds=1.5,
        )
        for at in (NOW - timedelta(days=62), NOW)
    )
    put_host(store.hosts, HostRecord(name="a.example"), [old, new])
    before = store.hosts.fetches(host="a.example")

    store.hosts.prune(now=NOW)

    assert before == [old, new]
    assert store.hosts.fetches(portal="a") == [new]
    assert store.hosts.fetches(portal="b") == []
    assert store.hosts.fetches(run_id=run.id + 1) == []


def test_the_log_of_a_file_has_a_bound(store: Store) -> None:
    if not store.in_process:
        pytest.skip("on PostgreSQL, the log is kept for its days, whatever its size")
    put_host(
        store.hosts,
        HostRecord(name="a.example"),
        [FetchRecord(at=NOW + timedelta(seconds=number), host="a.example") for number in range(50)],
    )

    store.hosts.prune(now=NOW, most=20)

    assert [record.at for record in store.hosts.fetches()] == [NOW + timedelta(seconds=number) for number in range(30, 50)]


def test_pruning_deletes_in_short_transactions(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawler.store.database._BATCH", 20)
    old = NOW - timedelta(days=31)
    put_host(store.hosts, HostRecord(name="a.example"), [FetchRecord(at=old, host="a.example") for _ in range(45)])
    deleted: list[int] = []

    def note_deletion(_connection: Any, cursor: Any, statement: str, *_more: Any) -> None:
        if statement.startswith("DELETE FROM request"):
            deleted.append(cursor.rowcount)

    event.listen(store.engine, "after_cursor_execute", note_deletion)
    store.hosts.prune(now=NOW)

    assert deleted[:3] == [20, 20, 5]
    assert store.hosts.fetches() == []
