"""The frontier in SQL as Scrapy's SCHEDULER: what waits survives kill -9, and a URL is asked for once however often it is found.

A spider with a `run` (`PortalSpider`) leases its URLs itself and hands them over one by one. For any other spider, name a database
in FRONTIER_DATABASE; its requests are rows there, by priority, leased while they are under way, and done when the pipelines
have taken all that their callback yielded.
Requests that cannot be written (a body, a callback that is no method, meta that is no JSON) wait in memory.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import partial
from inspect import isawaitable
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.misc import arg_to_iter
from scrapy.utils.request import request_from_dict
from twisted.python.failure import Failure

from newscrawler import __version__
from newscrawler.crawl.request_meta import CLAIMED
from newscrawler.errors import NewscrawlerError
from newscrawler.store import ClaimedUrl, FoundUrl, Frontier, PageOutcome, RunRecord, Store, open_store
from newscrawler.store.outcomes import FrontierKind, RunEnd, UrlOutcome, UrlState

logger = logging.getLogger(__name__)

#: The row of a request, in its meta: redirects and retries of it keep it.
ROW = "frontier_row"
_HINT = "request"
_BATCH = 16
_HEARTBEAT_SECONDS = 15.0
#: What failed is asked for again by a later run, and not before.
_REST = timedelta(minutes=10)
_SMALLEST, _LARGEST = -32_000, 32_000


class SqlScheduler(BaseScheduler):
    """Requests in a table, by priority."""

    def __init__(self, url: str | None, crawler: Crawler) -> None:
        self._url = url
        self._crawler = crawler
        self._memory: deque[Request] = deque()
        self._leased: deque[ClaimedUrl] = deque()
        #: Rows whose callback has ended, while what it yielded may still be on its way through the pipelines.
        self._ended: dict[int, PageOutcome] = {}
        self._store: Store | None = None
        self._frontier: Frontier | None = None
        self._run: RunRecord | None = None
        self._spider: Spider | None = None
        self._beating: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take FRONTIER_DATABASE from the settings."""
        return cls(crawler.settings.get("FRONTIER_DATABASE"), crawler)

    def open(self, spider: Spider) -> None:
        """Begin a run, or take up where a broken one stopped.

        Raises:
            PortalBusyError: another process runs the spider on this frontier.
            StoreError: the database cannot be used.
        """
        self._spider = spider
        if self._url is None or hasattr(spider, "run"):
            return
        self._store = open_store(self._url)
        self._run, self._frontier = self._store.runs.begin(spider.name, now=datetime.now(UTC), version=__version__)
        self._beating = asyncio.ensure_future(self._beat(self._store, self._run.id))

    def close(self, reason: str) -> None:
        """End the run; what is under way waits for the next one."""
        if self._beating is not None:
            self._beating.cancel()
        if self._store is not None and self._run is not None:
            self._commit_ended()
            self._store.runs.end(self._run.id, now=datetime.now(UTC), because=RunEnd.parse(reason), counts={})
            self._store.close()

    def has_pending_requests(self) -> bool:
        """Whether there is something to ask for now."""
        return bool(self._memory) or self._fill()

    def enqueue_request(self, request: Request) -> bool:
        """Keep a request; False: it was found before."""
        row = None if self._frontier is None or CLAIMED in request.meta or ROW in request.meta else self._row(request)
        if row is None or self._frontier is None:
            self._memory.append(request)
            return True
        return self._frontier.seed([row], now=datetime.now(UTC)) > 0 or request.dont_filter

    def next_request(self) -> Request | None:
        """Return the request that is to be sent next, leased until its callback has ended; None: there is none for now."""
        if self._memory:
            return self._memory.popleft()
        return self._request(self._leased.popleft()) if self._fill() else None

    # ------------------------------------------------------------------ rows

    def _fill(self) -> bool:
        self._commit_ended()
        if not self._leased and self._frontier is not None:
            self._leased.extend(self._frontier.claim(_BATCH, now=datetime.now(UTC)))
        return bool(self._leased)

    def _row(self, request: Request) -> FoundUrl | None:
        """The request as a row; None: it cannot be written. One that is not to be filtered is asked for anew in each round."""
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

    def _request(self, claimed: ClaimedUrl) -> Request:
        values = next((json.loads(text) for source, text in claimed.hints if source == _HINT), {"url": claimed.url})
        request = request_from_dict(values, spider=self._spider)
        callback = request.callback or self._spider._parse  # type: ignore[union-attr]  # noqa: SLF001  as Scrapy does
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

    def _missed(self, errback: Any, claimed: ClaimedUrl, failure: Failure) -> Any:
        self._end(claimed, UrlState.FAILED, None)
        return errback(failure) if errback is not None else failure

    def _end(self, claimed: ClaimedUrl, state: UrlState, status: int | None) -> None:
        now, failed = datetime.now(UTC), state is UrlState.FAILED
        self._ended[claimed.id] = PageOutcome(
            url_id=claimed.id, state=state, outcome=UrlOutcome.NOTHING if failed else UrlOutcome.LISTING, http_status=status,
            fetched_at=now, tries=claimed.tries + 1 if failed else 0, next_try_at=now + _REST if failed else None,
        )  # fmt: skip

    def _commit_ended(self) -> None:
        """Settle the rows whose items are stored and whose links are in the table: those that Scrapy no longer works on."""
        if not self._ended or self._frontier is None:
            return
        engine = self._crawler.engine
        slot = engine.scraper.slot if engine is not None else None
        active = {request.meta.get(ROW) for request in slot.active} if slot is not None else set()
        done = [row for row in self._ended if row not in active]
        self._frontier.commit([self._ended.pop(row) for row in done])

    async def _beat(self, store: Store, run_id: int) -> None:
        """Give signs of life, so that no other process takes the run for dead."""
        while True:
            await asyncio.sleep(_HEARTBEAT_SECONDS)
            try:
                store.runs.heartbeat(run_id, now=datetime.now(UTC), counts={})
            except NewscrawlerError as error:
                logger.warning("the run could not be kept alive: %s", error)
