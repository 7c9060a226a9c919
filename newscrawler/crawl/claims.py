"""Lets a run's URLs go, as fast as their outcomes come in and not beyond its limits."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from time import monotonic

from newscrawler.config.portal import Portal
from newscrawler.crawl.counting import Counting
from newscrawler.crawl.database_thread import DatabaseThread
from newscrawler.crawl.limits import Limit, Progress, limits_of, reached
from newscrawler.store import ClaimedUrl, Frontier

#: Longer than this the run does not wait: the rest is for the next one.
LONGEST_WAIT_SECONDS = 120.0
#: URLs in hand at once: as many pages are fetched again after a power failure at most.
MOST_IN_HAND, MOST_IN_HAND_WITH_DELAY = 4, 1
#: So many times as many are taken from the frontier in one go.
_BATCH = 4


class Claims:
    """URLs between frontier and spider."""

    def __init__(
        self,
        portal: Portal,
        frontier: Frontier,
        database: DatabaseThread,
        counting: Counting,
        *,
        waits: Callable[[float, str], None],
    ) -> None:
        self._frontier = frontier
        self._database = database
        self._counting = counting
        self._waits = waits
        self._limits: Sequence[Limit] = limits_of(portal)
        self._most_in_hand = MOST_IN_HAND if portal.delay_seconds == 0 else MOST_IN_HAND_WITH_DELAY
        self._in_hand: set[int] = set()
        self._taken: deque[ClaimedUrl] = deque()
        self._changed = asyncio.Event()
        self._paused_until: datetime | None = None
        self._began = monotonic()
        #: Why no more URLs are let go; None: they are.
        self.ended_because: str | None = None

    def stop(self, because: str) -> None:
        """Let no more URLs go; the first reason counts."""
        self.ended_because = self.ended_because or because
        self._changed.set()

    def settled(self, url_id: int) -> None:
        """Note that a URL's outcome is known."""
        self._in_hand.discard(url_id)
        self._changed.set()

    def pause_until(self, moment: datetime) -> None:
        """Let nothing go before that."""
        self._paused_until = moment

    async def urls(self, give_up: Callable[[ClaimedUrl], Awaitable[None]]) -> AsyncIterator[ClaimedUrl]:
        """Yield URLs; ends when nothing is left, a limit is reached or the run is stopped.

        Args:
            give_up: is told of a URL that is in vain by now, and keeps that.

        Raises:
            StoreError: the frontier cannot be read.
        """
        while self.ended_because is None:
            if because := reached(self._limits, self._progress()):
                self.stop(because)
            elif len(self._in_hand) >= self._most_in_hand or self._may_be_enough():
                await self._wait_for_change()
            elif not await self._fill():
                return
            elif self._paused():
                await self._wait_for_pause()
            elif self._taken:
                claimed = self._taken.popleft()
                if self._counting.is_lost(claimed):
                    await give_up(claimed)
                    continue
                self._in_hand.add(claimed.id)
                self._counting.let_go()
                yield claimed

    def _progress(self) -> Progress:
        counts = self._counting.counts
        return Progress(
            now=datetime.now(UTC),
            seconds=monotonic() - self._began,
            requests=counts.requests,
            bytes=counts.bytes,
            new_articles=counts.new_articles,
            in_hand=len(self._in_hand),
        )

    def _may_be_enough(self) -> bool:
        """What is in hand may reach a limit: wait and see."""
        return bool(self._in_hand) and reached(self._limits, self._progress().at_best()) is not None

    async def _fill(self) -> bool:
        """Take URLs from the frontier if none are left of the last time; False: there are none, nor will there be."""
        if not self._taken:
            take = partial(self._frontier.claim, _BATCH * self._most_in_hand, now=datetime.now(UTC))
            self._taken.extend(await self._database.run(take))
        if self._taken:
            return True
        if self._in_hand:
            await self._wait_for_change()
            return True
        return await self._wait_for_retry()

    async def _wait_for_change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _wait_for_retry(self) -> bool:
        """Wait until something may be tried again; False: nothing, or not in this run."""
        due = await self._database.run(self._frontier.next_try_at)
        if due is None or self.ended_because:
            return False
        seconds = (due - datetime.now(UTC)).total_seconds()
        if seconds > LONGEST_WAIT_SECONDS:
            return False
        self._waits(max(0.0, seconds), "to try again what failed")
        await asyncio.sleep(max(0.05, seconds))
        return True

    def _paused(self) -> bool:
        return self._paused_until is not None and self._paused_until > datetime.now(UTC)

    async def _wait_for_pause(self) -> None:
        assert self._paused_until is not None
        seconds = max(0.0, (self._paused_until - datetime.now(UTC)).total_seconds())
        self._waits(seconds, "as the server asked")
        await asyncio.sleep(seconds)
