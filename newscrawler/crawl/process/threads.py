"""Threads besides the reactor's: one for the database of each run, and one of the process for reading pages.

Switching threads is expensive, as each wakes on another core with cold caches. SQLite writes an outcome within milliseconds, so
that is done in the reactor's thread, which saves a third of a page's CPU time, unless another process has locked the file. Calls
that may take long go to the thread.

One thread reads all pages, since Python runs one thread at a time; so no tree of lxml is shared. `LinkPolicy` and `PortalPages` are
used by this thread only; `PortalProfile`, which the reactor writes to the database, has a lock.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic
from typing import ParamSpec, TypeVar

from newscrawler.errors import StoreAwayError
from newscrawler.store import without_waiting

logger = logging.getLogger(__name__)
_P = ParamSpec("_P")
_T = TypeVar("_T")

#: A database that is away for longer (restarted, unreachable, locked) ends the run.
LONGEST_OUTAGE_SECONDS = 600.0
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.25, 5.0


class DatabaseThread:
    """Make calls one after another, each until it succeeds or fails for good."""

    def __init__(self, name: str, *, waits: Callable[[float, str], None], in_process: bool = False) -> None:
        """Make it; `waits` is called with the seconds of a wait and its reason; `in_process`: no server writes the database."""
        self._name = name
        self._waits = waits
        self._in_process = in_process
        self._under_way = 0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"database-{name}")

    async def run(self, call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Make a call in the thread; repeat it while the database is away.

        The call is a whole transaction, and must be idempotent: if the connection was lost during its commit, it may have been
        written already.

        Raises:
            StoreError: the call failed, or the database was away for too long.
        """
        self._under_way += 1
        try:
            return await self._run_in_thread(partial(call, *args, **kwargs))
        finally:
            self._under_way -= 1

    async def run_briefly(self, call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Make a call that takes milliseconds: in the reactor's thread, if that may write and no other call is under way.

        Raises:
            StoreError: as with `run`.
        """
        if self._in_process and not self._under_way:
            try:
                with without_waiting():
                    return call(*args, **kwargs)
            except StoreAwayError:  # another process writes, so the thread waits
                pass
        return await self.run(call, *args, **kwargs)

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


_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reading")


async def run_in_reading_thread(call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Make a call in the reading thread, after those before it; return its result."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, partial(call, *args, **kwargs))
