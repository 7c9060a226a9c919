"""The log of requests by months on PostgreSQL, and programs of an earlier schema that go on writing a later one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from newscrawler.errors import StoreError
from newscrawler.store import Store, open_store
from newscrawler.store.frontier import FoundUrl, PageOutcome
from newscrawler.store.hosts import FetchRecord, HostRecord, holder_name
from newscrawler.store.hosts.partitions import drop_partitions, ensure_partitions
from newscrawler.store.vocabularies import FINISHED

NOW = datetime.now(UTC)


@pytest.fixture
def store(postgresql_database: str) -> Iterator[Store]:
    with open_store(postgresql_database) as opened:
        yield opened


def request(at: datetime) -> FetchRecord:
    return FetchRecord(
        at=at, host="h", address=None, portal=None, run_id=None, kind="page", status=200, reason=None, bytes=1, milliseconds=1,
        gap_seconds=0.0,
    )  # fmt: skip


def note(store: Store, *moments: datetime) -> None:
    holder = holder_name()
    store.hosts.take(["h"], holder, gap_seconds=0, hold_seconds=9)
    store.hosts.leave(["h"], holder, HostRecord(name="h"), gap_seconds=0, log=[request(moment) for moment in moments])


def partitions(store: Store) -> dict[str, int]:
    """Return the number of rows of each partition."""
    with store.engine.connect() as connection:
        names = connection.execute(text("SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'request'::regclass"))
        return {name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in sorted(names.scalars())}


def test_each_month_has_its_partition_and_one_that_is_over_by_long_enough_is_dropped(store: Store) -> None:
    with store.engine.begin() as connection:
        for month in (datetime(2024, 11, 3, tzinfo=UTC), datetime(2025, 1, 31, 23, tzinfo=UTC)):
            ensure_partitions(connection, now=month)
    note(store, datetime(2024, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC), NOW)

    found = partitions(store)
    assert (found["request_2024_12"], found["request_2025_01"], found[f"request_{NOW:%Y_%m}"]) == (1, 1, 1)
    with store.engine.begin() as connection:
        dropped = drop_partitions(connection, before=datetime(2025, 1, 31, tzinfo=UTC))

    assert dropped == ["request_2024_11", "request_2024_12"]
    assert len(store.hosts.fetches(host="h")) == 2


def test_rows_of_months_without_a_partition_are_kept_as_well(store: Store) -> None:
    note(store, datetime(2020, 5, 5, tzinfo=UTC))

    assert partitions(store)["request_default"] == 1
    assert store.hosts.fetches(host="h")[0].at.year == 2020


def test_pruning_makes_the_next_month_and_drops_old_ones(store: Store) -> None:
    later = NOW + timedelta(days=100)

    store.hosts.prune(now=later)

    found = partitions(store)
    assert f"request_{later:%Y_%m}" in found
    assert f"request_{NOW:%Y_%m}" not in found


def test_one_day_is_looked_up_in_the_partition_of_its_month(store: Store) -> None:
    day = f"'{NOW:%Y-%m-%d}'::timestamptz"
    query = f"EXPLAIN SELECT * FROM request WHERE sent_at >= {day} AND sent_at < {day} + interval '1 hour' AND host = 'h'"
    with store.engine.connect() as connection:
        plan = "\n".join(connection.execute(text(query)).scalars())

    assert f"request_{NOW:%Y_%m}" in plan
    assert plan.count("Scan on request") <= 2  # that of the month, and the one without bounds


def write(store: Store) -> None:
    """Do what a crawl writes: a run, URLs, outcomes, the log."""
    run, frontier = store.runs.begin("example", now=NOW, version="1")
    frontier.seed([FoundUrl(url="http://h/", kind="start", priority=0, depth=0)], now=NOW)
    (claimed,) = frontier.lease(1, now=NOW)
    frontier.commit([PageOutcome(url_id=claimed.id, state="done", outcome="listing", http_status=200, fetched_at=NOW)])
    note(store, NOW)
    store.runs.end(run.id, now=NOW, because=FINISHED, counts={})


def test_a_program_of_the_schema_before_goes_on_writing_a_schema_that_only_adds(
    database_url: str,
) -> None:
    with open_store(database_url) as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with open_store(database_url) as created, open_store(database_url, create=False) as opened:
        write(created)

        assert [run.portal for run in opened.runs.latest()] == ["example"]
        assert [each.host for each in opened.hosts.fetches()] == ["h"]


def test_a_schema_that_takes_something_away_refuses_programs_of_those_before(database_url: str) -> None:
    with open_store(database_url) as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    # as long as it only adds, it opens
    with open_store(database_url, create=False) as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE schema_writers SET oldest = '9998'"))

    for create in (True, False):
        with pytest.raises(StoreError, match="written by a newer newscrawler"):
            open_store(database_url, create=create)
