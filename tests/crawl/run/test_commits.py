"""Outcomes of pages share transactions, and none waits in vain."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from newscrawler.crawl.run.commits import GroupCommit
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.extraction.batch import collect_rarely
from newscrawler.store.frontier import Committed, LeasedUrl
from newscrawler.store.vocabularies import FrontierKind

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


class Book:
    """What was written, transaction by transaction."""

    def __init__(self, in_hand: int) -> None:
        self.written: list[list[int]] = []
        self.commits = GroupCommit(self._write, self._failed, lambda: in_hand)

    async def _write(self, items: list[FetchedUrl]) -> list[Committed]:
        self.written.append([item.lease.id for item in items])
        return [Committed(url_id=item.lease.id) for item in items]

    def _failed(self, error: Exception) -> None:
        raise AssertionError(error)

    async def add(self, url_id: int) -> None:
        await self.commits.add(
            FetchedUrl(lease=LeasedUrl(id=url_id, url="http://127.0.0.1/", kind=FrontierKind.ARTICLE), fetched_at=LONG_AGO)
        )


def test_two_outcomes_share_a_transaction_where_more_are_in_hand() -> None:
    async def crawl() -> list[list[int]]:
        book = Book(in_hand=4)
        first = asyncio.ensure_future(book.add(1))
        await asyncio.sleep(0.01)
        await asyncio.gather(first, book.add(2))
        return book.written

    assert asyncio.run(crawl()) == [[1, 2]]


def test_the_only_outcome_in_hand_waits_for_no_other() -> None:
    async def crawl() -> list[list[int]]:
        book = Book(in_hand=1)
        added = asyncio.ensure_future(book.add(1))
        for _ in range(10):  # turns of the loop, none of which takes time
            await asyncio.sleep(0)
        written = list(book.written)
        await added
        return written

    assert asyncio.run(crawl()) == [[1]]


def test_an_outcome_does_not_wait_long_for_a_page_that_does_not_come() -> None:
    async def crawl() -> list[list[int]]:
        book = Book(in_hand=2)
        await asyncio.wait_for(book.add(1), 30)
        return book.written

    assert asyncio.run(crawl()) == [[1]]


def test_what_still_waits_is_written_when_the_run_ends() -> None:
    async def crawl() -> list[list[int]]:
        book = Book(in_hand=2)
        added = asyncio.ensure_future(book.add(1))
        await asyncio.sleep(0)
        await book.commits.finish()
        await added
        return book.written

    assert asyncio.run(crawl()) == [[1]]


def test_garbage_is_searched_for_as_before_after_a_crawl() -> None:
    before = gc.get_threshold()

    with collect_rarely():
        during = gc.get_threshold()

    assert during[0] > before[0]
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


SCATTERED = """
from pathlib import Path
from newscrawler.crawl.process.memory import release_free_memory

def resident() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

blocks = [bytes(2000) for _ in range(40_000)]
last = bytes(2000)  # the end of the heap stays in use
full = resident()
del blocks
before = resident()
release_free_memory()
print(full, before, resident())
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc gives free memory back when it is asked to")
def test_free_memory_between_what_is_in_use_goes_back_to_the_system() -> None:
    done = subprocess.run([sys.executable, "-c", SCATTERED], capture_output=True, text=True, check=True)

    full, before, after = map(int, done.stdout.split())
    assert before > full - 10_000
    assert after < full - 60_000
