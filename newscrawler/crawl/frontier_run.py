"""A run on the frontier, and the run of any spider, whose requests are rows of the frontier."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import partial
from inspect import isawaitable
from typing import Any, Protocol

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.misc import arg_to_iter
from scrapy.utils.request import request_from_dict
from twisted.python.failure import Failure

from newscrawler import __version__
from newscrawler.crawl.failures import HostPause
from newscrawler.crawl.garbage import release_free_memory
from newscrawler.crawl.items import ROW
from newscrawler.crawl.threads import DatabaseThread
from newscrawler.errors import NewscrawlerError
from newscrawler.store import ClaimedUrl, FoundUrl, Frontier, PageOutcome, RunRecord, Store, open_store
from newscrawler.store.vocabularies.outcomes import EndReason, FrontierKind, Reason, RunEnd, UrlOutcome, UrlState

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
_HINT = "request"
#: A failed request is retried by a later run, after this.
_REST = timedelta(minutes=10)
_SMALLEST, _LARGEST = -32_000, 32_000


class Leases(Protocol):
    """The scheduler's side of a run."""

    @property
    def in_hand(self) -> int:
        """Return the number of leased URLs without a committed outcome."""
        ...

    def completed(self, url_id: int) -> None:
        """Release a URL whose outcome is committed."""
        ...

    def wake(self) -> None:
        """Check the run and the frontier again."""
        ...

    async def pause_host(self, pause: HostPause) -> None:
        """Send no requests to a host for a while."""
        ...


class FrontierRun:
    """One run on the frontier of one portal or spider.

    Attributes:
        most_in_hand: URLs that are leased at once; at most as many are fetched again after a power failure.
        error: why it ended early; None: no error.
    """

    most_in_hand = 16

    def __init__(self, name: str, store: Store) -> None:
        self._name = name
        self._store = store
        self._database = DatabaseThread(name, waits=self.waits, in_process=store.in_process)
        self._record: RunRecord | None = None
        self._frontier_of_run: Frontier | None = None
        self._leases: Leases | None = None
        self._beating: asyncio.Task[None] | None = None
        self.error: NewscrawlerError | None = None
        self._ended_because: RunEnd | None = None

    @property
    def run_id(self) -> int | None:
        """The number of the run, once it has begun."""
        return self._record.id if self._record else None

    @property
    def _frontier(self) -> Frontier:
        assert self._frontier_of_run is not None, "the run has not begun"
        return self._frontier_of_run

    async def begin(self, leases: Leases) -> None:
        """Begin the run, or take up a broken one.

        Raises:
            PortalBusyError: another process runs it.
            StoreError: the database cannot be used.
        """
        begin = partial(self._store.runs.begin, self._name, now=datetime.now(UTC), version=__version__)
        record, self._frontier_of_run = await self._database.run(begin)
        self._record, self._leases = record, leases
        self._beating = asyncio.ensure_future(self._beat(record.id))

    async def _beat(self, run_id: int) -> None:
        """Send heartbeats and release free memory until the run ends."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            release_free_memory()
            try:
                await self.beat(run_id)
            except NewscrawlerError as error:
                self.fail(error)
                return

    async def beat(self, run_id: int) -> None:
        """Send a heartbeat, so that other processes see that the run is alive.

        Raises:
            StoreError: the database cannot be used.
        """
        beat = partial(self._store.runs.heartbeat, run_id, now=datetime.now(UTC), counts=self.figures())
        await self._database.run(beat)

    def figures(self) -> dict[str, Any]:
        """Return the figures for the run's record."""
        return {}

    def fail(self, error: NewscrawlerError) -> None:
        """End the run with an error; what was committed stays."""
        if self.error is None:
            self.error = error
            logger.error("%s: %s", self._name, error)
        self.stop(RunEnd(EndReason.ERROR, str(error)))

    def stop(self, because: RunEnd) -> None:
        """Lease no more URLs; the first reason counts."""
        self._ended_because = self._ended_because or because
        if self._leases is not None:
            self._leases.wake()

    def waits(self, seconds: float, why: str) -> None:
        """Report a wait, with its reason."""

    # ------------------------------------------------------------------ for the scheduler

    async def claim(self, most: int) -> list[ClaimedUrl]:
        """Lease up to `most` URLs, most promising first."""
        return await self._database.run(partial(self._frontier.claim, most, now=datetime.now(UTC)), brief=True)

    async def next_try_at(self) -> datetime | None:
        """Return when the earliest of the waiting URLs may be tried again."""
        return await self._database.run(self._frontier.next_try_at)

    async def postpone(self, host: str, until: datetime, reason: Reason) -> None:
        """Postpone all URLs of a host that wait."""
        await self._database.run(partial(self._frontier.postpone, host, until=until, reason=reason))

    def end_reason(self, *, at_best: int = 0) -> RunEnd | None:  # noqa: ARG002  for limits
        """Return why the run is to end if `at_best` of the leased URLs are new articles; None: go on."""
        return self._ended_because

    async def admit(self, claimed: ClaimedUrl) -> bool:  # noqa: ARG002
        """Return whether to request a leased URL; one that is not requested is completed here."""
        return True

    async def requeue(self) -> bool:
        """Requeue pages whose reason for refusal no longer holds; False: there are none."""
        return False

    @property
    def has_ended(self) -> bool:
        """Whether there is something for `commit_ended`."""
        return False

    async def commit_ended(self) -> None:
        """Commit what has ended since the last call."""

    def request(self, claimed: ClaimedUrl) -> Request:
        """Return the request for a URL."""
        raise NotImplementedError

    def row(self, request: Request) -> FoundUrl | None:  # noqa: ARG002
        """Return a request as a row of the frontier; None: it cannot be one."""
        return None

    def add(self, row: FoundUrl) -> bool:
        """Add a row to the frontier; False: it is known."""
        return self._frontier.seed([row], now=datetime.now(UTC)) > 0


class SpiderRun(FrontierRun):
    """The run of any spider; a request is done when the pipelines have processed all items of its callback."""

    def __init__(self, url: str, spider: Spider, crawler: Crawler) -> None:
        super().__init__(spider.name, open_store(url))
        self._spider = spider
        self._crawler = crawler
        #: Outcomes of rows whose callback has ended; their items may still be in the pipelines.
        self._ended: dict[int, PageOutcome] = {}

    async def end(self, reason: str) -> None:
        """End the run; what is under way waits for the next one."""
        if self._beating is not None:
            self._beating.cancel()
        if self._record is not None and self.error is None:
            await self.commit_ended()
            because = RunEnd.parse(reason)
            end = partial(self._store.runs.end, self._record.id, now=datetime.now(UTC), because=because, counts={})
            await self._database.run(end)
        self._database.close()
        self._store.close()

    def row(self, request: Request) -> FoundUrl | None:
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

    def request(self, claimed: ClaimedUrl) -> Request:
        """Return the request that a row was made of."""
        values = next((json.loads(text) for source, text in claimed.hints if source == _HINT), {"url": claimed.url})
        request = request_from_dict(values, spider=self._spider)
        callback = request.callback or self._spider._parse  # noqa: SLF001  as Scrapy does
        return request.replace(
            callback=partial(self._tracked, callback, claimed),
            errback=partial(self._missed, request.errback, claimed),
            meta={**request.meta, ROW: claimed.id},
            dont_filter=True,
        )

    async def _tracked(self, callback: Any, claimed: ClaimedUrl, response: Response, **values: Any) -> AsyncIterator[Any]:
        """Yield what a callback yields, and note that it has ended."""
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
            self._end(claimed, UrlState.FAILED, response.status)
            raise
        self._end(claimed, UrlState.DONE, response.status)

    async def _missed(self, errback: Any, claimed: ClaimedUrl, failure: Failure) -> Any:
        """End a request without an answer; if its host is paused, it waits like the host's other requests."""
        pause = getattr(failure.value, "pause", None)
        if pause is not None and self._leases is not None:
            await self._leases.pause_host(pause)
        self._end(claimed, UrlState.WAITING if pause is not None and not pause.final else UrlState.FAILED, None, pause=pause)
        return errback(failure) if errback is not None else failure

    def _end(self, claimed: ClaimedUrl, state: UrlState, status: int | None, *, pause: HostPause | None = None) -> None:
        now = datetime.now(UTC)
        rests = {UrlState.DONE: None, UrlState.FAILED: _REST, UrlState.WAITING: timedelta(seconds=pause.seconds if pause else 0)}
        rest = rests[state]
        self._ended[claimed.id] = PageOutcome(
            url_id=claimed.id, state=state, outcome=UrlOutcome.LISTING if state is UrlState.DONE else UrlOutcome.NOTHING,
            http_status=status, fetched_at=now, tries=claimed.tries + (state is UrlState.FAILED) if rest else 0,
            next_try_at=now + rest if rest is not None else None,
        )  # fmt: skip

    @property
    def has_ended(self) -> bool:
        """Whether a callback has ended whose row is not completed."""
        return bool(self._ended)

    async def commit_ended(self) -> None:
        """Commit the rows that Scrapy no longer works on: their items are stored, and their links are rows."""
        if not self._ended or self._leases is None:
            return
        engine = self._crawler.engine
        slot = engine.scraper.slot if engine is not None else None
        active = {request.meta.get(ROW) for request in slot.active} if slot is not None else set()
        done = [row for row in self._ended if row not in active]
        if done:
            outcomes = [self._ended.pop(row) for row in done]
            await self._database.run(partial(self._frontier.commit, outcomes), brief=True)
            for row in done:
                self._leases.completed(row)
