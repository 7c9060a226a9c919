"""Commit outcomes in groups: a transaction costs as much as half of what is written of a page.

An outcome waits up to 0.2 s for others while more URLs are leased. Outcomes that arrive during a transaction go into the
next one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable

from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.errors import NewscrawlerError, StoreError
from newscrawler.store import Committed

logger = logging.getLogger(__name__)

#: Outcomes that are enough for a transaction; below the four URLs that a run leases, so that work goes on meanwhile.
ENOUGH = 3
_LONGEST_WAIT_SECONDS = 0.2


class GroupCommit:
    """Pass outcomes to `write` in groups, and return to each caller the result of its own."""

    def __init__(
        self,
        write: Callable[[list[FetchedUrl]], Awaitable[list[Committed]]],
        on_error: Callable[[NewscrawlerError], None],
        in_hand: Callable[[], int] = lambda: 0,
    ) -> None:
        """Make it.

        Args:
            write: commits outcomes.
            on_error: called with the reason if a commit fails.
            in_hand: returns the number of leased URLs without a committed outcome, those waiting here included.
        """
        self._write = write
        self._on_error = on_error
        self._in_hand = in_hand
        self._late: asyncio.TimerHandle | None = None
        self._pending: deque[tuple[FetchedUrl, asyncio.Future[Committed]]] = deque()
        self._writing: asyncio.Task[None] | None = None

    async def add(self, item: FetchedUrl) -> Committed:
        """Wait until an outcome is in the database.

        Raises:
            NewscrawlerError: the commit failed for good.
        """
        future: asyncio.Future[Committed] = asyncio.get_running_loop().create_future()
        self._pending.append((item, future))
        if len(self._pending) >= min(ENOUGH, self._in_hand()):
            self._begin()
        elif self._late is None:
            self._late = asyncio.get_running_loop().call_later(_LONGEST_WAIT_SECONDS, self._begin)
        return await future

    def _begin(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
        if self._writing is None or self._writing.done():
            self._writing = asyncio.ensure_future(self._drain())

    async def finished(self) -> None:
        """Wait until nothing is under way."""
        if self._pending:
            self._begin()
        if self._writing is not None:
            await self._writing

    async def _drain(self) -> None:
        while self._pending:
            batch = list(self._pending)
            self._pending.clear()
            try:
                done = await self._write([item for item, _ in batch])
            except Exception as error:  # any error, as callers wait for their result
                ours = error if isinstance(error, NewscrawlerError) else StoreError(f"{type(error).__name__}: {error}")
                logger.debug("a commit failed", exc_info=error)
                self._on_error(ours)
                for _, future in batch:
                    if not future.done():
                        future.set_exception(ours)
                continue
            for (_, future), committed in zip(batch, done, strict=True):
                if not future.done():
                    future.set_result(committed)
