"""Lets a run's URLs go, as fast as their outcomes come in and not beyond its limits."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic

from newscrawler.config.portal import Portal
from newscrawler.crawl.counting import Counting
from newscrawler.crawl.database_thread import DatabaseThread
from newscrawler.crawl.limits import Limit, Progress, reached
from newscrawler.crawl.refusals import HostPause
from newscrawler.errors import PageReason
from newscrawler.politeness.backoff import LEFT_ALONE
from newscrawler.politeness.names import host_of
from newscrawler.store import ClaimedUrl, Frontier
from newscrawler.store.outcomes import EndReason, Reason, RunEnd

#: Longer than this the run does not wait: the rest is for the next one. A server may ask for an hour.
LONGEST_WAIT_SECONDS = 3660.0
#: For so long the whole portal waits for one of its hosts; longer, and the others are asked meanwhile.
_SHORT_PAUSE_SECONDS = 30.0
#: Limits are looked at while the run waits.
_LONGEST_SLEEP_SECONDS = 5.0
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
        limits: Sequence[Limit],
        waits: Callable[[float, str], None],
    ) -> None:
        self._frontier = frontier
        self._database = database
        self._counting = counting
        self._waits = waits
        self._limits = limits
        self._most_in_hand = MOST_IN_HAND if portal.delay_seconds == 0 else MOST_IN_HAND_WITH_DELAY
        self._in_hand: set[int] = set()
        self._taken: deque[ClaimedUrl] = deque()
        self._changed = asyncio.Event()
        #: By the clock `monotonic`, which nobody sets.
        self._paused_until = 0.0
        self._postponed: dict[str, datetime] = {}
        self._why = "to try again what failed"
        self._left_alone: RunEnd | None = None
        #: How many pages had been fetched when those of another kind were last looked through.
        self._looked_through: int | None = None
        self._looked_for_vanished = False
        self._began = monotonic()
        #: Why no more URLs are let go; None: they are.
        self.ended_because: RunEnd | None = None

    def stop(self, because: RunEnd) -> None:
        """Let no more URLs go; the first reason counts."""
        self.ended_because = self.ended_because or because
        self._changed.set()

    def is_over(self) -> bool:
        """Whether the run's time is over; limits of what it may fetch do not count for what is in hand."""
        nothing = replace(self._progress(), requests=0, bytes=0, new_articles=0, in_hand=0)
        failed = self.ended_because is not None and self.ended_because.word is EndReason.ERROR
        return failed or reached(self._limits, nothing) is not None

    @property
    def in_hand(self) -> int:
        """URLs that were let go and have no outcome in the database yet."""
        return len(self._in_hand)

    def settled(self, url_id: int) -> None:
        """Note that a URL's outcome is known."""
        self._in_hand.discard(url_id)
        self._changed.set()

    async def host_paused(self, pause: HostPause) -> None:
        """Let nothing go for a while, or nothing of this host for longer.

        Raises:
            StoreError: the frontier cannot be written.
        """
        until = datetime.now(UTC) + timedelta(seconds=pause.seconds)
        self._why = pause.why
        if pause.closed:
            self._left_alone = RunEnd(EndReason.WINDOW, pause.because)
        elif pause.left_alone or pause.seconds > LONGEST_WAIT_SECONDS:
            self._left_alone = RunEnd(EndReason.HOST, f"{pause.host} until {until:%Y-%m-%d %H:%M} UTC ({pause.because})")
        if pause.final:  # nothing else is asked of it in this run
            until, reason = datetime.now(UTC) + LEFT_ALONE, Reason(PageReason.LEFT_ALONE, pause.because)
            await self._database.run(partial(self._frontier.postpone, pause.host, until=until, reason=reason))
            self._taken = deque(claimed for claimed in self._taken if host_of(claimed.url) != pause.host)
        elif pause.seconds <= _SHORT_PAUSE_SECONDS:
            self._paused_until = max(monotonic() + pause.seconds, self._paused_until)
        elif self._postponed.get(pause.host, until - timedelta(days=1)) < until - timedelta(seconds=_SHORT_PAUSE_SECONDS):
            self._postponed[pause.host] = until
            reason = Reason(PageReason.LEFT_ALONE if pause.left_alone else PageReason.PAUSED, pause.because)
            await self._database.run(partial(self._frontier.postpone, pause.host, until=until, reason=reason))

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
            elif self._taken and (left := self._paused_until - monotonic()) > 0:
                await self._wait(left, self._why)
            elif self._taken:
                claimed = self._taken.popleft()
                if self._counting.is_lost(claimed):
                    await give_up(claimed)
                    continue
                self._in_hand.add(claimed.id)
                self._counting.count_request()
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
            self._taken.extend(await self._database.run(take, brief=True))
        if self._taken:
            return True
        if self._in_hand:
            await self._wait_for_change()
            return True
        return await self._requeue_refused() or await self._requeue_vanished() or await self._wait_for_retry()

    async def _requeue_vanished(self) -> bool:
        """Let articles wait, once in a run, that no sitemap names any more; False: there are none."""
        if self._looked_for_vanished:
            return False
        self._looked_for_vanished = True
        return await self._database.run(self._frontier.requeue_vanished) > 0

    async def _requeue_refused(self) -> bool:
        """Let pages wait that were refused for what led to them, before their addresses were known as articles'; False: none."""
        fetched, knowledge = self._counting.counts.pages, self._counting.knowledge
        if fetched == self._looked_through or not knowledge.expects_articles():
            return False
        self._looked_through = fetched
        return await self._database.run(partial(self._frontier.requeue_refused, knowledge.expects_article)) > 0

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
            if self._left_alone is not None:
                self.stop(self._left_alone)
            return False
        await self._wait(max(0.05, seconds), "to try again what failed", due=due)
        return True

    async def _wait(self, seconds: float, why: str, *, due: datetime | None = None) -> None:
        """Wait, but not beyond a limit of the run, nor beyond a moment: a clock may be set right meanwhile."""
        self._waits(seconds, why)
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0 and self.ended_because is None:
            await asyncio.sleep(min(left, _LONGEST_SLEEP_SECONDS))
            if due is not None and datetime.now(UTC) >= due:
                return
            if reached(self._limits, self._progress()):
                return
