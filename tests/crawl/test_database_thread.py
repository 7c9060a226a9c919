"""Calls to the database beside the reactor, while it is there and while it is away."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from newscrawler.crawl import database_thread
from newscrawler.crawl.database_thread import DatabaseThread
from newscrawler.errors import LeaseLostError, StoreAwayError, StoreError


@pytest.fixture
def waited() -> list[str]:
    return []


@pytest.fixture
def database(waited: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[DatabaseThread]:
    monkeypatch.setattr(database_thread, "_FIRST_PAUSE_SECONDS", 0.01)
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
    monkeypatch.setattr(database_thread, "LONGEST_OUTAGE_SECONDS", 0.05)

    def call() -> None:
        raise StoreAwayError("away")

    with pytest.raises(StoreAwayError):
        asyncio.run(database.run(call))
