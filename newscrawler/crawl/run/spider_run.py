"""The run of any spider on the frontier: its requests are rows, and its items are what its callbacks yield."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import partial
from inspect import isawaitable
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.misc import arg_to_iter
from scrapy.utils.request import request_from_dict
from twisted.python.failure import Failure

from newscrawler.crawl.hosts.failures import HostPause, StoppingError
from newscrawler.crawl.run.frontier_run import FrontierRun
from newscrawler.crawl.run.items import ROW
from newscrawler.store import FoundUrl, LeasedUrl, PageOutcome, open_store
from newscrawler.store.vocabularies.outcomes import FrontierKind, RunEnd, UrlOutcome, UrlState

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
        """End the run; what is under way waits for the next one."""
        if self._beating is not None:
            self._beating.cancel()
        if self._record is not None and self.error is None:
            await self.commit_ended()
            because = RunEnd.parse(reason)
            await self._database.run(self._store.runs.end, self._record.id, now=datetime.now(UTC), because=because, counts={})
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

    def add(self, row: FoundUrl) -> bool:
        """Add a row to the frontier; False: it is known."""
        return self._frontier.seed([row], now=datetime.now(UTC)) > 0

    def request(self, claimed: LeasedUrl) -> Request:
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

    async def _tracked(self, callback: Any, claimed: LeasedUrl, response: Response, **values: Any) -> AsyncIterator[Any]:
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

    async def _missed(self, errback: Any, claimed: LeasedUrl, failure: Failure) -> Any:
        """End a request without an answer; if its host is paused, it waits like the host's other requests."""
        pause = getattr(failure.value, "pause", None)
        if pause is not None:
            await self.pause_host(pause)
        waits = isinstance(failure.value, StoppingError) or (pause is not None and not pause.final)
        self._end(claimed, UrlState.WAITING if waits else UrlState.FAILED, None, pause=pause)
        return errback(failure) if errback is not None else failure

    def _end(self, claimed: LeasedUrl, state: UrlState, status: int | None, *, pause: HostPause | None = None) -> None:
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
            await self._database.brief(self._frontier.commit, outcomes)
            for row in done:
                self.completed(row)
