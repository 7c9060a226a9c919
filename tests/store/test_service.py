"""What the service keeps, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.errors import StoreError
from newscrawler.store import Store, open_store
from newscrawler.store.service import ExportRecord, PlannedCrawl
from newscrawler.store.vocabularies import CrawlState

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


def test_a_turn_is_kept_once_and_changes(store: Store) -> None:
    turn = PlannedCrawl(portal="p", label="night 1", planned_at=NOW, state=CrawlState.RUNNING, attempts=1, began_at=NOW)
    done = PlannedCrawl(
        portal="p",
        label="night 1",
        planned_at=NOW,
        state=CrawlState.DONE,
        attempts=1,
        began_at=NOW,
        ended_at=NOW,
        because="finished",
    )
    store.service.put_turn(turn)
    assert store.service.open_turns() == [turn]

    store.service.put_turn(done)

    assert store.service.turns("p") == [done]
    assert store.service.open_turns() == []


def test_each_way_tells_a_problem_once_and_its_end_once(store: Store) -> None:
    book = store.service
    book.record_alerts([("p", "blocked", "403")], [], now=NOW)
    (alert,) = book.undelivered(["mail", "webhook"], since=LONG_AGO)
    book.mark_delivered(alert.id, "mail", over=False)
    book.mark_delivered(alert.id, "webhook", over=False)
    assert book.undelivered(["mail", "webhook"], since=LONG_AGO) == []

    book.record_alerts([], [alert.id], now=NOW + timedelta(days=1))

    (ended,) = book.undelivered(["mail"], since=LONG_AGO)
    assert ended.over_at == NOW + timedelta(days=1)
    assert book.open_alerts() == []
    book.mark_delivered(alert.id, "mail", over=True)
    assert book.undelivered(["mail"], since=LONG_AGO) == []
    assert len(book.alerts_since(NOW)) == 1


def test_digests_and_exports_are_remembered(store: Store) -> None:
    book = store.service
    assert (book.digest_delivered("2026-11-20"), book.last_export("daily")) == (None, None)
    export = ExportRecord(name="daily", path="a.jsonl", written_at=NOW, articles=3, last_article_id=17)

    book.put_digest("2026-11-20", ["mail"], now=NOW)
    book.put_digest("2026-11-20", ["mail", "webhook"], now=NOW)
    book.put_export(export)

    assert book.digest_delivered("2026-11-20") == {"mail", "webhook"}
    assert book.last_export("daily") == export
