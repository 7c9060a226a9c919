"""The threads next to the reactor: one of each run for its database, and one of the process in which pages are read.

Threads that take turns cost more than they do: each wakes on another core, whose caches hold nothing of its own. With SQLite a
page's outcome is written in less time than its text was found in, so that is done in the reactor's thread, a third of a page's
CPU time less. It goes to the thread if another process holds the file just then; all that may take long goes there anyway.

Pages are read by one thread, since Python runs one at a time anyway; so a tree of lxml is never used by two. What a run learns of
its portal while it reads (`LinkPolicy`, `PortalPages`) is touched by this thread alone; `PortalProfile`, which the reactor writes
to the database, has a lock.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import ParamSpec, TypeVar

from newscrawler.errors import StoreAwayError
from newscrawler.store.database import without_waiting

logger = logging.getLogger(__name__)
_T = TypeVar("_T")

#: A database that is away (restarted, network down, locked) for longer ends the run.
LONGEST_OUTAGE_SECONDS = 600.0
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.25, 5.0


class DatabaseThread:
    """Runs calls one after another, each until it succeeds or fails for good."""

    def __init__(self, name: str, *, waits: Callable[[float, str], None], in_process: bool = False) -> None:
        """Make it.

        Args:
            name: of whom it works for.
            waits: is called with how long is waited, and why.
            in_process: the database is a file that this process writes itself, not a server that answers in its own time.
        """
        self._name = name
        self._waits = waits
        self._in_process = in_process
        self._under_way = 0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"database-{name}")

    async def run(self, call: Callable[[], _T], *, brief: bool = False) -> _T:
        """Make a call; one that fails because the database is away is made again.

        The call is a whole transaction. Where the connection was lost during its commit, it may have been written already:
        calls have to bear being made twice.

        Args:
            call: is made in the thread.
            brief: it is done within milliseconds, so it may be made on the spot if nothing is under way.

        Raises:
            StoreError: it failed, or the database was away for too long.
        """
        if brief and self._in_process and not self._under_way:
            try:
                with without_waiting():
                    return call()
            except StoreAwayError:  # another process writes: the thread waits for it
                pass
        self._under_way += 1
        try:
            return await self._run_in_thread(call)
        finally:
            self._under_way -= 1

    async def _run_in_thread(self, call: Callable[[], _T]) -> _T:
        pause, away_since = _FIRST_PAUSE_SECONDS, None
        while True:
            try:
                return await asyncio.get_running_loop().run_in_executor(self._thread, call)
            except StoreAwayError as error:
                away_since = away_since or monotonic()
                if monotonic() - away_since > LONGEST_OUTAGE_SECONDS:
                    raise
                logger.warning("%s: %s; trying again", self._name, error)
                self._waits(pause, "for the database to come back")
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)

    def close(self) -> None:
        """End the thread after the call under way."""
        self._thread.shutdown(wait=False)


_P = ParamSpec("_P")
_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reading")


async def in_reading_thread(call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Make a call when the thread has made those before it; return what it returns."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, lambda: call(*args, **kwargs))
