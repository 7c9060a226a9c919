"""The SQL frontier as Scrapy's SCHEDULER and dupefilter: requests survive kill -9, and each URL is requested once.

A URL is leased when it becomes a request; the lease ends when its outcome is committed. A `FrontierRun` makes requests of rows and
commits outcomes; `PortalSpider` brings its own, any other spider gets one on the database FRONTIER_DATABASE. Requests that cannot
be stored (with a body, a callback that is no method, or meta that is no JSON) wait in memory.
"""

from __future__ import annotations

import asyncio
from collections import deque
from datetime import UTC, datetime
from time import monotonic
from typing import Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.utils.defer import deferred_from_coro
from twisted.internet.defer import Deferred

from newscrawler.crawl.run.frontier_run import LONGEST_WAIT_SECONDS, FrontierRun
from newscrawler.crawl.run.items import ROW
from newscrawler.crawl.run.spider_run import SpiderRun
from newscrawler.errors import NewscrawlerError
from newscrawler.store import LeasedUrl

#: Limits are checked at least this often during a wait.
_LONGEST_SLEEP_SECONDS = 5.0
#: URLs are claimed from the frontier in batches of this many times the leases in hand.
_BATCH = 4


class SqlScheduler(BaseScheduler):
    """Scheduler of requests in a table, by priority."""

    def __init__(self, url: str | None, crawler: Crawler) -> None:
        self._url = url
        self._crawler = crawler
        self._run: FrontierRun | None = None
        #: For the engine: leased URLs, and requests that cannot be stored.
        self._ready: deque[LeasedUrl | Request] = deque()
        self._feeding: asyncio.Task[None] | None = None
        #: The frontier is empty, or the run ends.
        self._is_exhausted = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take FRONTIER_DATABASE from the settings."""
        return cls(crawler.settings.get("FRONTIER_DATABASE"), crawler)

    def open(self, spider: Spider) -> Deferred[None] | None:
        """Begin a run, or continue one that was broken off; a spider with a run of its own begins it itself.

        Raises:
            PortalBusyError: another process runs the spider on this frontier.
            StoreError: the database cannot be used.
        """
        if not self._url or hasattr(spider, "run"):
            return None
        return deferred_from_coro(self.begin(SpiderRun(self._url, spider, self._crawler)))

    async def begin(self, run: FrontierRun) -> None:
        """Begin a run, and lease its URLs from now on.

        Raises:
            PortalBusyError: another process runs it.
            StoreError: the database cannot be used.
        """
        await run.begin()
        self._run = run
        self._is_exhausted = False
        self._feeding = asyncio.ensure_future(self._feed(run))

    def close(self, reason: str) -> Deferred[None] | None:
        """End the run of a spider without one of its own; leased URLs are left to the next run."""
        if self._feeding is not None:
            self._feeding.cancel()
        return deferred_from_coro(self._run.end(reason)) if isinstance(self._run, SpiderRun) else None

    def has_pending_requests(self) -> bool:
        """Return whether there is something to request, now or later."""
        return bool(self._ready) or not self._is_exhausted

    def enqueue_request(self, request: Request) -> bool:
        """Store a request; False: its URL is known."""
        run = self._run
        row = run.row(request) if isinstance(run, SpiderRun) and ROW not in request.meta else None
        if row is None or not isinstance(run, SpiderRun):
            self._ready.append(request)
            return True
        is_fresh = run.add(row) or request.dont_filter
        if is_fresh:
            self._is_exhausted = False
            run.changed.set()
        return is_fresh

    def next_request(self) -> Request | None:
        """Return the next request; None: there is none for now."""
        if isinstance(self._run, SpiderRun) and self._run.has_ended:  # rows that the engine has finished can be committed
            self._run.changed.set()
        if not self._ready:
            return None
        ready = self._ready.popleft()
        if isinstance(ready, Request):
            return ready
        assert self._run is not None
        return self._run.request(ready)

    # ------------------------------------------------------------------ from the frontier to the engine

    async def _feed(self, run: FrontierRun) -> None:
        """Lease URLs as fast as outcomes are committed, within the run's limits."""
        try:
            while (because := run.end_reason()) is None:
                run.changed.clear()  # later changes count in the next iteration
                if isinstance(run, SpiderRun):
                    await run.commit_ended()
                # the leased URLs may reach a limit, so that their outcomes have to be known first
                may_be_enough = bool(run.in_hand) and run.end_reason(at_best=len(run.in_hand)) is not None
                if len(run.in_hand) >= run.most_in_hand or may_be_enough:
                    await run.changed.wait()
                elif not await self._lease(run):
                    self._exhaust()
                    await run.changed.wait()
                elif run.taken and (left := run.paused_until - monotonic()) > 0:
                    await self._wait(run, left, run.pause_reason)
                elif run.taken:
                    await self._enqueue(run, run.taken.popleft())
            run.stop(because)
        except NewscrawlerError as error:
            run.fail(error)
        self._exhaust()

    async def _lease(self, run: FrontierRun) -> bool:
        """Claim the next batch of URLs when the last is used up; False: the frontier is exhausted for now."""
        if not run.taken:
            run.taken.extend(await run.claim(_BATCH * run.most_in_hand))
        if run.taken:
            return True
        if run.in_hand:
            await run.changed.wait()
            return True
        return await run.requeue() or await self._wait_for_retry(run)

    async def _enqueue(self, run: FrontierRun, claimed: LeasedUrl) -> None:
        if not await run.admit(claimed):
            return
        run.in_hand.add(claimed.id)
        self._ready.append(claimed)
        self._is_exhausted = False
        self._wake_engine()

    def _exhaust(self) -> None:
        """Let the engine close the spider when no request is under way."""
        self._is_exhausted = True
        self._wake_engine()

    def _wake_engine(self) -> None:
        """Have the engine ask for requests now instead of within five seconds."""
        engine = self._crawler.engine
        if engine is not None and engine.running and engine._slot is not None:  # noqa: SLF001  no public way
            engine._slot.nextcall.schedule()  # noqa: SLF001

    async def _wait_for_retry(self, run: FrontierRun) -> bool:
        """Wait until the next retry; False: there is none in this run."""
        due = await run.next_try_at()
        if due is None:
            return False
        seconds = (due - datetime.now(UTC)).total_seconds()
        if seconds > LONGEST_WAIT_SECONDS:
            if run.host_end is not None:
                run.stop(run.host_end)
            return False
        await self._wait(run, max(0.05, seconds), "to try again what failed", due=due)
        return True

    async def _wait(self, run: FrontierRun, seconds: float, why: str, *, due: datetime | None = None) -> None:
        """Wait, but not beyond a limit of the run or the due time, as a clock may be corrected meanwhile."""
        run.waits(seconds, why)
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0 and run.end_reason() is None:
            await asyncio.sleep(min(left, _LONGEST_SLEEP_SECONDS))
            if due is not None and datetime.now(UTC) >= due:
                return
