"""The database beside the reactor: all statements of a run in one thread, and patience while the database is away."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TypeVar

from newscrawler.errors import StoreAwayError

logger = logging.getLogger(__name__)
_T = TypeVar("_T")

#: A database that is away (restarted, network down, locked) for longer ends the run.
LONGEST_OUTAGE_SECONDS = 600.0
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.25, 5.0


class DatabaseThread:
    """Runs calls one after another, each until it succeeds or fails for good."""

    def __init__(self, name: str, *, waits: Callable[[float, str], None]) -> None:
        self._name = name
        self._waits = waits
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"database-{name}")

    async def run(self, call: Callable[[], _T]) -> _T:
        """Make a call in the thread; one that fails because the database is away is made again.

        The call is a whole transaction. Where the connection was lost during its commit, it may have been written already:
        calls have to bear being made twice.

        Raises:
            StoreError: it failed, or the database was away for too long.
        """
        pause, away_since = _FIRST_PAUSE_SECONDS, None
        while True:
            try:
                result = await asyncio.get_running_loop().run_in_executor(self._thread, call)
            except StoreAwayError as error:
                away_since = away_since or monotonic()
                if monotonic() - away_since > LONGEST_OUTAGE_SECONDS:
                    raise
                logger.warning("%s: %s; trying again", self._name, error)
                self._waits(pause, "for the database to come back")
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            else:
                return result

    def close(self) -> None:
        """Let the thread end after the call that it is at."""
        self._thread.shutdown(wait=False)
