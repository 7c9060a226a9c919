"""Jobs and their leases on a real PostgreSQL, with Procrastinate's own functions: what becomes of them when workers die."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from newscrawler.errors import ConfigError, LeaseLostError, PortalBusyError, StoreError
from newscrawler.service.workers.planner import SILENCE
from newscrawler.store import Store, open_store
from newscrawler.store.service import CrawlJob, WorkerRecord
from newscrawler.store.service.dispatch import LEASE
from newscrawler.store.vocabularies import FINISHED, CrawlJobState


@pytest.fixture
def store(postgresql_database: str) -> Iterator[Store]:
    with open_store(postgresql_database) as opened:
        opened.dispatch.prepare()
        yield opened


def worker(store: Store, name: str = "one", machine: str = "elsewhere") -> WorkerRecord:
    """Enter a worker whose process nobody here can look at."""
    record = store.dispatch.register(name, places=4, version="1")
    run(store, "UPDATE worker SET machine = :machine WHERE id = :id", machine=machine, id=record.id)
    return record


def run(store: Store, statement: str, **values: object) -> None:
    with store.engine.begin() as connection:
        connection.execute(text(statement), values)


def rows(store: Store, query: str) -> list[tuple[object, ...]]:
    with store.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def messages(store: Store) -> list[tuple[object, ...]]:
    return rows(store, "SELECT status::text, lock FROM procrastinate_jobs ORDER BY id")


def pass_time(store: Store, seconds: float) -> None:
    """Put back every sign of life, Procrastinate's too."""
    for table, column in (
        ("run", "heartbeat_at"), ("run", "started_at"), ("service", "heartbeat_at"),
        ("procrastinate_workers", "last_heartbeat"),
    ):  # fmt: skip
        run(store, f"UPDATE {table} SET {column} = {column} - make_interval(secs => :seconds)", seconds=seconds)


def taken(store: Store, by: WorkerRecord) -> CrawlJob:
    job = store.dispatch.take(by)
    assert job is not None
    return job


def wake(store: Store, sleeper: WorkerRecord) -> WorkerRecord:
    """Let a worker give a sign of life, after which it may take jobs again."""
    store.dispatch.beat(sleeper, places=4, held={})
    return sleeper


def end(store: Store, job: CrawlJob, exit_code: int = 0) -> bool:
    return store.dispatch.end(job.id, job.token, status="failed" if exit_code else "succeeded", exit_code=exit_code)


def test_a_job_goes_to_one_worker_and_ends_once(store: Store) -> None:
    one, two = worker(store), worker(store, "two")
    store.dispatch.defer("example", label="2026-11-20", priority=-5)

    job = taken(store, one)

    assert (job.portal, job.label, job.worker, job.state) == ("example", "2026-11-20", "one", CrawlJobState.RUNNING)
    assert store.dispatch.take(two) is None
    assert end(store, job)
    assert not end(store, job, 3)
    assert store.dispatch.jobs([job.id])[job.id].exit_code == 0
    assert messages(store) == [("succeeded", "portal:example")]


def test_a_portal_that_waits_or_is_crawled_is_not_dispatched_twice(store: Store) -> None:
    one = worker(store)
    first = store.dispatch.defer("example", label="a", priority=0)
    again = store.dispatch.defer("example", label="b", priority=0)
    taken(store, one)
    third = store.dispatch.defer("example", label="c", priority=0)

    assert first.id == again.id == third.id
    assert len(messages(store)) == 1


def test_the_crawl_that_has_to_begin_soonest_is_taken_first(store: Store) -> None:
    one = worker(store)
    for portal, priority in (("late", -300), ("soon", -100), ("later", -400)):
        store.dispatch.defer(portal, label="a", priority=priority)

    assert [taken(store, one).portal for _ in range(3)] == ["soon", "late", "later"]


def test_a_job_of_a_silent_worker_is_put_back_and_what_that_one_writes_later_is_refused(store: Store) -> None:
    one, two = worker(store), worker(store, "two")
    store.dispatch.defer("example", label="a", priority=0)
    lost = taken(store, one)
    pass_time(store, LEASE.total_seconds() - 5)
    assert store.dispatch.sweep().put_back == ()
    pass_time(store, 10)

    swept = store.dispatch.sweep()
    mine = taken(store, wake(store, two))

    assert swept.put_back == ("example",)
    assert mine.id == lost.id
    assert mine.token > lost.token
    assert store.dispatch.beat(one, places=4, held={lost.id: lost.token}) == {lost.id}
    assert not end(store, lost)
    assert not store.dispatch.give_back(lost.id, lost.token)
    assert end(store, mine)


# ------------------------------------------------------------------ faults of Procrastinate that are open


def test_a_job_whose_worker_was_pruned_is_put_back_issue_1518_first_form(store: Store) -> None:
    one, two = worker(store), worker(store, "two")
    store.dispatch.defer("example", label="a", priority=0)
    taken(store, one)
    pass_time(store, 45)
    run(store, "SELECT procrastinate_prune_stalled_workers_v1(30)")  # what any other worker of Procrastinate does
    run(store, "UPDATE procrastinate_jobs SET worker_id = NULL")
    assert messages(store) == [("doing", "portal:example")]
    assert store.dispatch.take(two) is None  # the lock is held by a message that nobody carries out

    assert store.dispatch.sweep().put_back == ("example",)

    assert taken(store, wake(store, two)).portal == "example"


def test_a_job_of_a_worker_that_was_started_again_under_its_number_is_put_back_issue_1518_second_form(store: Store) -> None:
    one = worker(store, "pod-0")
    store.dispatch.defer("example", label="a", priority=0)
    lost = taken(store, one)
    for _ in range(9):  # the new process gives signs of life in the old one's place
        pass_time(store, 5)
        again = wake(store, one)
    stalled = (
        "SELECT count(*) FROM procrastinate_jobs j JOIN procrastinate_workers w ON w.id = j.worker_id "
        "WHERE w.last_heartbeat < now() - interval '30 s'"
    )
    assert rows(store, stalled) == [(0,)]  # its own query for stalled jobs finds nothing
    assert store.dispatch.sweep().put_back == ()

    assert store.dispatch.sweep(again, held={}).put_back == ("example",)

    assert taken(store, again).token > lost.token


def test_a_job_beside_a_waiting_one_with_its_queueing_lock_is_put_right_issue_1543(store: Store) -> None:
    one, two = worker(store), worker(store, "two")
    store.dispatch.defer("example", label="a", priority=0)
    taken(store, one)
    sibling = (
        "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args) "
        "VALUES ('crawl', 'newscrawler.crawl', 'portal:example', 'portal:example', '{\"job\": 1}')"
    )
    run(store, sibling)
    with pytest.raises(Exception, match="procrastinate_jobs_queueing_lock_idx"):  # what its retry does, and where it stays
        run(store, "SELECT procrastinate_retry_job_v2((SELECT min(id) FROM procrastinate_jobs), now(), NULL, NULL, NULL)")
    assert [status for status, _ in messages(store)] == ["doing", "todo"]
    pass_time(store, 45)

    assert store.dispatch.sweep().put_back == ("example",)

    assert messages(store) == [("todo", "portal:example")]
    assert taken(store, wake(store, two)).portal == "example"


def test_a_worker_whose_row_of_procrastinate_was_deleted_keeps_its_jobs(store: Store) -> None:
    one = worker(store)
    store.dispatch.defer("example", label="a", priority=0)
    job = taken(store, one)
    run(store, "DELETE FROM procrastinate_workers")

    assert store.dispatch.beat(one, places=4, held={job.id: job.token}) == set()

    assert store.dispatch.sweep().put_back == ()
    assert [each.worker for each in store.dispatch.open_jobs()] == ["one"]


def test_a_job_that_somebody_deleted_is_over_and_may_be_dispatched_again(store: Store) -> None:
    one = worker(store)
    job = store.dispatch.defer("example", label="a", priority=0)
    run(store, "DELETE FROM procrastinate_jobs")
    assert store.dispatch.jobs([job.id]) == {}

    assert store.dispatch.defer("example", label="a", priority=0).id != job.id
    assert taken(store, one).portal == "example"


def test_jobs_of_the_queue_that_are_not_ours_are_deleted(store: Store) -> None:
    run(store, "INSERT INTO procrastinate_jobs (queue_name, task_name, args) VALUES ('crawl', 'x', '{\"job\": 77}')")
    run(store, "INSERT INTO procrastinate_jobs (queue_name, task_name, args) VALUES ('crawl', 'x', '{}')")
    run(store, "INSERT INTO procrastinate_jobs (queue_name, task_name, args) VALUES ('other', 'x', '{}')")

    assert store.dispatch.take(worker(store)) is None

    assert rows(store, "SELECT queue_name FROM procrastinate_jobs") == [("other",)]


# ------------------------------------------------------------------ crawls


def test_a_crawl_that_goes_on_without_its_worker_is_left_alone_and_its_end_is_noted(store: Store) -> None:
    one = worker(store)
    store.dispatch.defer("example", label="a", priority=0)
    job = taken(store, one)
    pass_time(store, 45)
    record, _ = store.runs.begin("example", now=datetime.now(UTC), version="1")  # its run gives signs of life
    assert store.dispatch.sweep().put_back == ()

    store.runs.end(record.id, now=datetime.now(UTC), because=FINISHED, counts={})
    swept = store.dispatch.sweep()

    assert swept.ended == ("example",)
    assert store.dispatch.jobs([job.id])[job.id].exit_code == 0


def test_the_run_of_a_dead_worker_is_closed_so_that_the_next_can_begin_and_the_dead_one_writes_nothing(store: Store) -> None:
    one, two = worker(store), worker(store, "two")
    store.dispatch.defer("example", label="a", priority=0)
    taken(store, one)
    dead, _ = store.runs.begin("example", now=datetime.now(UTC), version="1")
    run(store, "UPDATE run SET machine = 'elsewhere'")
    with pytest.raises(PortalBusyError):
        store.runs.begin("example", now=datetime.now(UTC), version="1")
    pass_time(store, 45)

    store.dispatch.sweep()
    taken(store, wake(store, two))
    successor, _ = store.runs.begin("example", now=datetime.now(UTC), version="1")

    assert successor.resumed
    with pytest.raises(LeaseLostError):
        store.runs.heartbeat(dead.id, now=datetime.now(UTC), counts={})


def test_a_waiting_job_that_is_withdrawn_ends_and_one_under_way_is_asked_to(store: Store) -> None:
    one = worker(store)
    waiting = store.dispatch.defer("one", label="a", priority=0)
    store.dispatch.ask_stop(waiting.id)
    assert store.dispatch.take(one) is None
    assert store.dispatch.jobs([waiting.id])[waiting.id].exit_code == 130

    store.dispatch.defer("two", label="a", priority=0)
    job = taken(store, one)
    store.dispatch.ask_stop(job.id)

    assert store.dispatch.list_stops() == [job.id]


def test_only_workers_that_give_signs_of_life_count_as_places(store: Store) -> None:
    one = worker(store)
    assert store.dispatch.places() == 4
    pass_time(store, 45)
    worker(store, "two")
    assert [each.name for each in store.dispatch.workers()] == ["two"]
    assert store.dispatch.places() == 4

    store.dispatch.sweep()
    store.dispatch.beat(one, places=3, held={})

    assert store.dispatch.places() == 7


# ------------------------------------------------------------------ the planner


def test_one_planner_is_elected_and_a_silent_one_is_fenced_out(store: Store, postgresql_database: str) -> None:
    with open_store(postgresql_database, create=False) as second:
        assert store.service.elect(silence=SILENCE)
        assert not second.service.elect(silence=SILENCE)
        pass_time(store, 45)

        assert second.service.elect(silence=SILENCE)

        with pytest.raises(LeaseLostError, match="has become the planner"):
            store.service.watch(["example"], now=datetime.now(UTC))
        with pytest.raises(LeaseLostError):
            store.service.keep_place()
        second.service.watch(["example"], now=datetime.now(UTC))


# ------------------------------------------------------------------ what cannot be


def test_a_database_of_sqlite_is_refused_with_the_way_out(tmp_path: object) -> None:
    refusal = pytest.raises(ConfigError, match="workers need a database on PostgreSQL")
    with open_store(f"sqlite:///{tmp_path}/store.sqlite") as store, refusal:
        store.dispatch.require()


def test_a_database_without_the_queue_is_refused_with_the_command_that_makes_it(postgresql_database: str) -> None:
    with open_store(postgresql_database) as store:
        with pytest.raises(StoreError, match="newscrawler worker --prepare"):
            store.dispatch.require()
        assert store.dispatch.prepare()
        assert not store.dispatch.prepare()
        store.dispatch.require()


def test_a_missing_extra_is_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "procrastinate", None)
    with pytest.raises(ConfigError, match=r"polite-newscrawler\[cluster\]"):
        store.dispatch.require()
