"""What the service keeps, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.errors import StoreError
from newscrawler.service.notifications import News, find_undelivered_news
from newscrawler.store import Store, open_store
from newscrawler.store.service import Job, JobKind, JobState

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=400)
ENTER = """
import sys
from datetime import datetime
from newscrawler.store import open_store
open_store(sys.argv[1]).service.enter(now=datetime.fromisoformat(sys.argv[2]))
print("entered", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


def test_there_is_one_service_a_database_and_a_dead_one_is_followed_at_once(store: Store, database_url: str) -> None:
    arguments = [sys.executable, "-c", ENTER, database_url, NOW.isoformat()]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "entered\n"
        with pytest.raises(StoreError, match=f"process {other.pid} on .* sees to this database already"):
            store.service.enter(now=NOW + timedelta(hours=5))
        seen = store.service.service(now=NOW)
        other.kill()
        other.wait()

        store.service.enter(now=NOW + timedelta(seconds=1))

    assert seen is not None
    assert (seen.alive, seen.pid) == (True, other.pid)
    store.service.enter(now=NOW + timedelta(seconds=2))  # a service may enter again
    store.service.leave(now=NOW + timedelta(seconds=3))
    after = store.service.service(now=NOW + timedelta(seconds=3))
    assert after is not None
    assert not after.alive


def test_a_portal_is_watched_since_it_was_first_seen(store: Store) -> None:
    store.service.watch(["one", "two"], now=NOW)
    later = NOW + timedelta(days=1)

    since = store.service.watch(["two", "three"], now=later)

    assert since == {"two": NOW, "three": later}
    assert store.service.watched() == since


def test_a_scheduled_crawl_is_kept_once_and_changes(store: Store) -> None:
    store.service.watch(["p"], now=NOW)
    planned = Job(kind=JobKind.CRAWL, target="p", label="night 1", planned_at=NOW, state=JobState.RUNNING, attempts=1, began_at=NOW)

    begun = store.jobs.put(planned)
    assert store.jobs.running() == [begun]
    done = store.jobs.put(replace(begun, state=JobState.DONE, ended_at=NOW, message="finished"))

    assert store.jobs.crawls(["p"]) == {"p": [done]}
    assert store.jobs.running() == []
    with pytest.raises(StoreError):
        store.jobs.put(planned)  # as a second service would


def test_what_waits_is_asked_for_once(store: Store) -> None:
    mine = store.jobs.ask(JobKind.COUNT, "trends", who="anna", parameters={"words": "a"}, now=NOW)
    other = store.jobs.ask(JobKind.COUNT, "trends", who="anna", parameters={"words": "b"}, now=NOW)
    daily = store.jobs.ask(JobKind.EXPORT, "daily", now=NOW)

    assert store.jobs.ask(JobKind.COUNT, "trends", who="bert", parameters={"words": "a"}, now=NOW) == mine
    assert store.jobs.ask(JobKind.EXPORT, "daily", now=NOW, due_at=NOW) == daily
    assert store.jobs.waiting() == [mine, other, daily]
    assert store.jobs.open() == [mine, other]
    store.jobs.put(replace(daily, state=JobState.RUNNING))
    assert store.jobs.ask(JobKind.EXPORT, "daily", now=NOW) != daily  # what changes meanwhile is not in its file


def undelivered(store: Store, channel: str) -> list[News]:
    return find_undelivered_news(store.service.open_alerts(since=LONG_AGO), channel, since=LONG_AGO)


def test_each_way_tells_a_problem_once_and_its_end_once(store: Store) -> None:
    book = store.service
    book.record_alerts([("p", "blocked", "403")], [], now=NOW)
    (alert,) = book.open_alerts(since=LONG_AGO)
    book.mark_delivered(alert.id, "mail", over=False)
    book.mark_delivered(alert.id, "webhook", over=False)
    assert undelivered(store, "mail") == undelivered(store, "webhook") == []

    book.record_alerts([], [alert.id], now=NOW + timedelta(days=1))

    (ended,) = undelivered(store, "mail")
    assert (ended.over, ended.alert.over_at) == (True, NOW + timedelta(days=1))
    assert book.open_alerts() == []
    book.mark_delivered(alert.id, "mail", over=True)
    assert undelivered(store, "mail") == []
    assert len(book.open_alerts(since=NOW)) == 1


def test_digests_and_exports_are_remembered(store: Store) -> None:
    assert (store.jobs.find(JobKind.DIGEST, "", "2026-11-20"), store.jobs.last_export("daily")) == (None, None)
    export = Job(kind=JobKind.EXPORT, target="daily", planned_at=NOW, state=JobState.DONE, path="a.jsonl", last_article_id=17)

    digest = store.jobs.put(Job(kind=JobKind.DIGEST, target="", label="2026-11-20", planned_at=NOW, state=JobState.DONE))
    written = store.jobs.put(export)
    store.jobs.put(replace(export, planned_at=NOW + timedelta(days=1), path=None, last_article_id=None))  # nothing was new

    assert store.jobs.find(JobKind.DIGEST, "", "2026-11-20") == digest
    assert store.jobs.last_export("daily") == written
