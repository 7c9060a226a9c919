"""Calls to the database beside the reactor, while it is there and while it is away."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import text

from newscrawler.crawl.process import threads
from newscrawler.crawl.process.threads import DatabaseThread
from newscrawler.errors import LeaseLostError, StoreAwayError, StoreError
from newscrawler.store import open_store, translated


@pytest.fixture
def waited() -> list[str]:
    return []


@pytest.fixture
def database(waited: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[DatabaseThread]:
    monkeypatch.setattr(threads, "_FIRST_PAUSE_SECONDS", 0.01)
    made = DatabaseThread("portal", waits=lambda _, why: waited.append(why))
    yield made
    made.close()


def test_calls_run_one_after_another_in_one_thread(database: DatabaseThread) -> None:
    order: list[tuple[int, int]] = []

    async def all_of_them() -> None:
        await asyncio.gather(*(database.run(lambda n=n: order.append((n, threading.get_ident()))) for n in range(20)))  # type: ignore[misc]

    asyncio.run(all_of_them())

    assert [number for number, _ in order] == list(range(20))
    assert len({thread for _, thread in order} - {threading.get_ident()}) == 1


def test_a_call_is_made_again_until_the_database_is_back(database: DatabaseThread, waited: list[str]) -> None:
    answers = iter([StoreAwayError("away"), StoreAwayError("away"), "here"])

    def call() -> str:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert asyncio.run(database.run(call)) == "here"
    assert waited == ["for the database to come back"] * 2


@pytest.mark.parametrize("error", [StoreError("broken"), LeaseLostError("taken over")])
def test_what_will_not_pass_is_told_at_once(database: DatabaseThread, waited: list[str], error: StoreError) -> None:
    def call() -> None:
        raise error

    with pytest.raises(type(error)):
        asyncio.run(database.run(call))
    assert waited == []


def test_a_database_that_stays_away_ends_the_wait(database: DatabaseThread, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "LONGEST_OUTAGE_SECONDS", 0.05)

    def call() -> None:
        raise StoreAwayError("away")

    with pytest.raises(StoreAwayError):
        asyncio.run(database.run(call))


def test_what_is_brief_is_done_on_the_spot_if_this_process_writes_the_file_and_nothing_is_under_way() -> None:
    order: list[tuple[str, bool]] = []

    def note(name: str) -> None:
        order.append((name, threading.current_thread() is threading.main_thread()))

    async def some(database: DatabaseThread) -> None:
        await database.run_briefly(note, "brief")
        long = asyncio.ensure_future(database.run(lambda: (time.sleep(0.05), note("long"))))
        await asyncio.sleep(0.01)
        await database.run_briefly(note, "behind it")
        await long

    for in_process in (True, False):
        database = DatabaseThread("portal", waits=lambda _, why: None, in_process=in_process)
        asyncio.run(some(database))
        database.close()

    assert order == [
        ("brief", True), ("long", False), ("behind it", False), ("brief", False), ("long", False), ("behind it", False),
    ]  # fmt: skip


def test_while_another_process_writes_the_crawl_does_not_stand_still(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'locked.sqlite'}"
    with open_store(url) as store, open_store(url) as other:
        database = DatabaseThread("portal", waits=lambda _, why: None, in_process=store.in_process)
        ticks: list[float] = []

        def write() -> int:
            with translated(store.engine), store.engine.begin() as connection:
                return connection.execute(text("SELECT count(*) FROM portal")).scalar_one()

        async def tick() -> None:
            while True:
                ticks.append(time.monotonic())
                await asyncio.sleep(0.01)

        async def crawl() -> int:
            ticking = asyncio.ensure_future(tick())
            await asyncio.sleep(0)
            locked = other.engine.connect()
            locked.begin()
            asyncio.get_running_loop().call_later(0.5, locked.close)
            answer = await database.run_briefly(write)
            ticking.cancel()
            return answer

        assert asyncio.run(crawl()) == 0
        database.close()
    assert max(later - earlier for earlier, later in pairwise(ticks)) < 0.3
    assert ticks[-1] - ticks[0] > 0.3
