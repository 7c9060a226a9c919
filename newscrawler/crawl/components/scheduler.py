"""The SQL frontier as Scrapy's SCHEDULER and dupefilter: requests survive kill -9, and each URL is requested once.

A URL is leased when it becomes a request; the lease ends when its outcome is committed. A `FrontierRun` makes requests of rows and
commits outcomes; `PortalSpider` brings its own, any other spider gets one on the database FRONTIER_DATABASE. Requests that cannot
be stored (with a body, a callback that is not a method, or meta that is not JSON) wait in memory.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import partial
from inspect import isawaitable
from time import monotonic
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import arg_to_iter
from scrapy.utils.request import request_from_dict
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from newscrawler.crawl.hosts.failures import HostPause, StoppingError
from newscrawler.crawl.run.frontier_run import LONGEST_WAIT_SECONDS, FrontierRun
from newscrawler.crawl.run.items import ROW
from newscrawler.errors import NewscrawlerError
from newscrawler.store import open_store
from newscrawler.store.frontier import FoundUrl, LeasedUrl, PageOutcome
from newscrawler.store.vocabularies import EndReason, FrontierKind, RunEnd, UrlOutcome, UrlState

#: Limits are checked at least this often during a wait.
_LONGEST_SLEEP_SECONDS = 5.0
#: URLs are leased in batches of this many times the leases in hand.
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
        self._has_requested = False
        #: The frontier is empty, or the run ends.
        self._is_exhausted = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take FRONTIER_DATABASE from the settings."""
        return cls(crawler.settings.get("FRONTIER_DATABASE"), crawler)

    def open(self, spider: Spider) -> Deferred[None] | None:
        """Begin a run, or continue one that was broken off; a spider with its own run begins it itself.

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
        """End the run of a spider that has not its own; leased URLs are left to the next run."""
        if self._feeding is not None:
            self._feeding.cancel()
        return deferred_from_coro(self._run.end(reason)) if isinstance(self._run, SpiderRun) else None

    def has_pending_requests(self) -> bool:
        """Return whether there is something to request, now or later."""
        return bool(self._ready) or not self._is_exhausted

    def enqueue_request(self, request: Request) -> bool:
        """Store a request; False: its URL is known."""
        run = self._run
        row = run.make_row(request) if isinstance(run, SpiderRun) and ROW not in request.meta else None
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
        return self._run.make_request(ready)

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
            run.taken.extend(await run.lease_urls(_BATCH * run.most_in_hand))
        if run.taken:
            return True
        if run.in_hand:
            await run.changed.wait()
            return True
        return await run.requeue() or await self._wait_for_retry(run)

    async def _enqueue(self, run: FrontierRun, lease: LeasedUrl) -> None:
        if not await run.admit(lease):
            return
        run.in_hand.add(lease.id)
        self._has_requested = True
        self._ready.append(lease)
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
        found = await run.find_next_try()
        if found is None:
            return False
        due, why = found
        seconds = (due - datetime.now(UTC)).total_seconds()
        if seconds > LONGEST_WAIT_SECONDS:
            if run.host_end is not None:
                run.stop(run.host_end)
            elif not self._has_requested:  # the pause of an earlier run
                run.stop(RunEnd(EndReason.HOST, f"nothing is requested before {due:%Y-%m-%d %H:%M} UTC ({why})"))
            return False
        await self._wait(run, max(0.05, seconds), f"to try again what failed ({why})", due=due)
        return True

    async def _wait(self, run: FrontierRun, seconds: float, why: str, *, due: datetime | None = None) -> None:
        """Wait, but not beyond a limit of the run or the due time, as a clock may be corrected meanwhile."""
        run.report_wait(seconds, why)
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0 and run.end_reason() is None:
            await asyncio.sleep(min(left, _LONGEST_SLEEP_SECONDS))
            if due is not None and datetime.now(UTC) >= due:
                return


_HINT = "request"
#: A failed request is retried by a later run, after this.
_REST = timedelta(minutes=10)
_SMALLEST, _LARGEST = -32_000, 32_000


class SpiderRun(FrontierRun):
    """The run of any spider; a request is done when the pipelines have processed all items of its callback."""

    def __init__(self, url: str, spider: Spider, crawler: Crawler) -> None:
        super().__init__(spider.name, open_store(url))
        self._spider = spider
        self._crawler = crawler
        #: Outcomes of rows whose callback has ended; their items may still be in the pipelines.
        self._ended: dict[int, PageOutcome] = {}

    async def end(self, reason: str) -> None:
        """End the run; requests under way are left to the next one."""
        if self._beating is not None:
            self._beating.cancel()
        if self._record is not None and self.error is None:
            await self.commit_ended()
            because = RunEnd.parse(reason)
            await self._database.run(self._store.runs.end, self._record.id, now=datetime.now(UTC), because=because, counts={})
        self._database.close()
        self._store.close()

    def make_row(self, request: Request) -> FoundUrl | None:
        """Return a request as a row; one with `dont_filter` is requested again in each round."""
        if request.method != "GET" or request.body:
            return None
        try:
            values = request.to_dict(spider=self._spider)
            fields = values["headers"].items()
            values["headers"] = {name.decode("latin-1"): [each.decode("latin-1") for each in some] for name, some in fields}
            text = json.dumps({name: value for name, value in values.items() if name != "body" and value})
        except (ValueError, TypeError):
            return None
        priority = max(_SMALLEST, min(-request.priority, _LARGEST))  # Scrapy's larger ones come first, a frontier's smaller ones
        return FoundUrl(
            url=request.url, kind=FrontierKind.START if request.dont_filter else FrontierKind.OTHER, priority=priority,
            depth=int(request.meta.get("depth", 0)), hints=((_HINT, text),),
        )  # fmt: skip

    def add(self, row: FoundUrl) -> bool:
        """Add a row to the frontier; False: it is known."""
        return self._frontier.seed([row], now=datetime.now(UTC)) > 0

    def make_request(self, lease: LeasedUrl) -> Request:
        """Return the request that a row was made of."""
        values = next((json.loads(text) for source, text in lease.hints if source == _HINT), {"url": lease.url})
        request = request_from_dict(values, spider=self._spider)
        callback = request.callback or self._spider._parse  # noqa: SLF001  as Scrapy does
        return request.replace(
            callback=partial(self._track, callback, lease),
            errback=partial(self._handle_failure, request.errback, lease),
            meta={**request.meta, ROW: lease.id},
            dont_filter=True,
        )

    async def _track(self, callback: Any, lease: LeasedUrl, response: Response, **values: Any) -> AsyncIterator[Any]:
        """Yield the results of a callback, and note its end."""
        try:
            result = callback(response, **values)
            result = await result if isawaitable(result) else result
            if hasattr(result, "__aiter__"):
                async for each in result:
                    yield each
            else:
                for each in arg_to_iter(result):
                    yield each
        except Exception:
            self._end(lease, UrlState.FAILED, response.status)
            raise
        self._end(lease, UrlState.DONE, response.status)

    async def _handle_failure(self, errback: Any, lease: LeasedUrl, failure: Failure) -> Any:
        """End a request without an answer; if its host is paused, it waits like the host's other requests."""
        pause = getattr(failure.value, "pause", None)
        if pause is not None:
            await self.pause_host(pause)
        waits = isinstance(failure.value, StoppingError) or (pause is not None and not pause.final)
        self._end(lease, UrlState.WAITING if waits else UrlState.FAILED, None, pause=pause)
        return errback(failure) if errback is not None else failure

    def _end(self, lease: LeasedUrl, state: UrlState, status: int | None, *, pause: HostPause | None = None) -> None:
        now = datetime.now(UTC)
        rests = {UrlState.DONE: None, UrlState.FAILED: _REST, UrlState.WAITING: timedelta(seconds=pause.seconds if pause else 0)}
        rest = rests[state]
        self._ended[lease.id] = PageOutcome(
            url_id=lease.id, state=state, outcome=UrlOutcome.LISTING if state is UrlState.DONE else UrlOutcome.NOTHING,
            http_status=status, fetched_at=now, tries=lease.tries + (state is UrlState.FAILED) if rest else 0,
            next_try_at=now + rest if rest is not None else None,
        )  # fmt: skip

    @property
    def has_ended(self) -> bool:
        """Return whether a callback has ended whose row is not completed."""
        return bool(self._ended)

    async def commit_ended(self) -> None:
        """Commit the rows that Scrapy no longer works on: their items are stored, and their links are rows."""
        if not self._ended:
            return
        engine = self._crawler.engine
        slot = engine.scraper.slot if engine is not None else None
        active = {request.meta.get(ROW) for request in slot.active} if slot is not None else set()
        done = [row for row in self._ended if row not in active]
        if done:
            outcomes = [self._ended.pop(row) for row in done]
            await self._database.run_briefly(self._frontier.commit, outcomes)
            for row in done:
                self.release(row)
