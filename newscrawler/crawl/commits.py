"""Outcomes that come in while a transaction is under way are committed together in the next one."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable

from newscrawler.errors import NewscrawlerError, StoreError
from newscrawler.store import Committed, PageOutcome

logger = logging.getLogger(__name__)


class GroupCommit:
    """Hands outcomes to `write`, many at a time, and tells each caller what became of its own."""

    def __init__(
        self, write: Callable[[list[PageOutcome]], Awaitable[list[Committed]]], on_error: Callable[[NewscrawlerError], None]
    ) -> None:
        self._write = write
        self._on_error = on_error
        self._pending: deque[tuple[PageOutcome, asyncio.Future[Committed]]] = deque()
        self._writing: asyncio.Task[None] | None = None

    async def add(self, outcome: PageOutcome) -> Committed:
        """Wait until an outcome is in the database.

        Raises:
            NewscrawlerError: it is not, and will not be.
        """
        future: asyncio.Future[Committed] = asyncio.get_running_loop().create_future()
        self._pending.append((outcome, future))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.ensure_future(self._drain())
        return await future

    async def finished(self) -> None:
        """Wait until nothing is under way."""
        if self._writing is not None:
            await self._writing

    async def _drain(self) -> None:
        while self._pending:
            batch = list(self._pending)
            self._pending.clear()
            try:
                done = await self._write([outcome for outcome, _ in batch])
            except Exception as error:  # whatever it is: nobody may wait for ever
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
