"""Asks each origin for its robots.txt before anything else of it, remembers it in the database, and holds all requests to it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, Self
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from newscrawler.crawl.database_thread import DatabaseThread
from newscrawler.crawl.download import KIND
from newscrawler.crawl.failures import failure_of
from newscrawler.crawl.gate import Gate
from newscrawler.crawl.refusals import (
    AddressRefusedError,
    ForbiddenByRobotsError,
    HostPause,
    HostPausedError,
    LeftAloneError,
    RobotsUnreachableError,
    StoppingError,
)
from newscrawler.errors import NewscrawlerError
from newscrawler.politeness.backoff import MOST_TROUBLES_OF_A_STRANGER, read_retry_after
from newscrawler.politeness.names import host_of, origin_of
from newscrawler.politeness.robots_entry import MOST_REDIRECTS, RobotsEntry, robots_answered, robots_failed
from newscrawler.store import Hosts, RobotsRecord

__all__ = ["ForbiddenByRobotsError", "RobotsBook", "RobotsMiddleware", "RobotsUnreachableError"]

logger = logging.getLogger(__name__)

#: Origins whose rules are in memory.
_MOST_REMEMBERED = 500
#: Of a longer one the first 500 KiB are read; one that announces more than this is none.
_MOST_SENT_BYTES = 64 * 1024 * 1024
#: One that leads where we do not go will do so a little later too.
_LED_ASTRAY_SECONDS = 6 * 3600.0
Fetch = Callable[[str], Awaitable[Response]]


class RobotsBook:
    """What origins say of robots; one for all crawls of the process."""

    def __init__(self, hosts: Hosts, database: DatabaseThread) -> None:
        self._hosts = hosts
        self._database = database
        self._entries: dict[str, RobotsEntry] = {}
        self._asking: dict[str, asyncio.Task[RobotsEntry]] = {}

    async def entry(self, origin: str, fetch: Fetch) -> RobotsEntry:
        """What an origin says: as it was kept for at most a day, or asked for anew.

        Args:
            origin: scheme, host and port.
            fetch: makes a request; redirects are followed here.

        Raises:
            HostPausedError: the host cannot be asked now.
            AddressRefusedError: the host is at an address that is not to be asked.
            StoppingError: the process ends.
            StoreError: the database cannot be used.
        """
        known = self._entries.get(origin)
        if known is not None and known.holds(datetime.now(UTC)):
            return known
        task = self._asking.get(origin)
        if task is None or task.done():
            task = self._asking[origin] = asyncio.ensure_future(self._find(origin, fetch))
        return await asyncio.shield(task)

    async def _find(self, origin: str, fetch: Fetch) -> RobotsEntry:
        kept = self._entries.get(origin)
        if kept is None and (record := await self._database.run(partial(self._hosts.robots, origin))) is not None:
            kept = _entry(record)
        if kept is None or not kept.holds(datetime.now(UTC)):
            kept = await self._ask(origin, kept, fetch)
            await self._database.run(partial(self._hosts.keep_robots, _record(kept)))
        if len(self._entries) >= _MOST_REMEMBERED:  # they are in the database
            self._entries.clear()
            self._asking.clear()
        self._entries[origin] = kept
        return kept

    async def _ask(self, origin: str, before: RobotsEntry | None, fetch: Fetch) -> RobotsEntry:
        url = f"{origin}/robots.txt"
        try:
            for _ in range(MOST_REDIRECTS + 1):
                response = await fetch(url)
                location = response.headers.get("Location")
                if not (300 <= response.status < 400 and location):
                    break
                url = urljoin(url, location.decode("latin-1"))
                if urlsplit(url).scheme not in {"http", "https"}:
                    break
        except (HostPausedError, StoppingError, NewscrawlerError):
            raise
        except (AddressRefusedError, LeftAloneError) as error:
            if origin_of(url) == origin:
                raise
            return robots_failed(
                origin, because=f"leads to {error}", now=datetime.now(UTC), before=before, asked_to_wait_seconds=_LED_ASTRAY_SECONDS
            )
        except Exception as error:  # noqa: BLE001  whatever it is, there is no answer
            failure = failure_of(error)
            because = f"{failure.reason}: {failure.detail}" if failure.detail else str(failure.reason)
            return robots_failed(origin, because=because, now=datetime.now(UTC), before=before)
        now = datetime.now(UTC)
        asked = response.headers.get("Retry-After")
        wait = read_retry_after(asked.decode("latin-1"), now) if asked else None
        return robots_answered(
            origin, status=response.status, body=response.body, now=now, before=before, asked_to_wait_seconds=wait or 0.0
        )


class RobotsMiddleware:
    """Holds every request against the rules of its origin."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        #: Origins whose sitemaps and delays this crawl knows already.
        self._met: dict[str, datetime] = {}
        self._began_at = datetime.now(UTC)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way of making a component."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Let a request pass, or refuse it.

        Raises:
            ForbiddenByRobotsError: the rules forbid the URL.
            RobotsUnreachableError: the origin does not tell its rules.
            LeftAloneError: the host is on the list of those to leave alone.
            HostPausedError: the host is paused, or does not want to be visited at this hour.
        """
        if request.meta.get(KIND) == "robots":
            return
        spider: Any = self._crawler.spider
        host, origin = host_of(request.url), origin_of(request.url)
        spider.gate.refuse_left_alone(host)
        entry: RobotsEntry = await spider.robots.entry(origin, self._fetch)
        if self._met.get(origin) != entry.asked_at:
            self._met[origin] = entry.asked_at
            await self._meet(entry, host)
        if entry.verdict == "forbid":
            raise _unreachable(entry, host, spider.gate, asked_here=entry.asked_at >= self._began_at)
        if not entry.allows(request.url):
            raise ForbiddenByRobotsError(request.url)
        if (seconds := entry.rules.opens_in(datetime.now(UTC))) > 0:
            raise HostPausedError(HostPause(host=host, seconds=seconds, because=entry.hours or "", closed=True))

    async def _meet(self, entry: RobotsEntry, host: str) -> None:
        """Keep the delay that the origin asks for, and look into its sitemaps."""
        spider: Any = self._crawler.spider
        if entry.rules.delay_seconds:
            spider.gate.ask_delay(host, entry.rules.delay_seconds)
        if entry.capped:
            spider.ledger.note(entry.capped)
        await spider.ledger.offer(spider.following.sitemaps(entry.rules.sitemaps))

    async def _fetch(self, url: str) -> Response:
        assert self._crawler.engine is not None
        headers = {"Accept": "text/plain,*/*;q=0.5", "Accept-Encoding": "identity"}  # what is cut off could not be unpacked
        request = Request(
            url, callback=NO_CALLBACK, headers=headers, meta={KIND: "robots", "download_maxsize": _MOST_SENT_BYTES}, priority=1000
        )
        return await self._crawler.engine.download_async(request)


def _unreachable(entry: RobotsEntry, host: str, gate: Gate, *, asked_here: bool) -> RobotsUnreachableError:
    stranger = gate.state(host).response_seconds is None
    seconds = max(0.0, (entry.expires_at - datetime.now(UTC)).total_seconds())
    place = f"{entry.origin}/robots.txt"
    # the gate counts the troubles, and leaves the host alone when there are too many
    pause = HostPause(
        host=host,
        seconds=max(seconds, gate.left_seconds(host)),
        because=f"{place} {entry.because}",
        troubles=entry.troubles,
        stranger=stranger,
        final=stranger and asked_here and entry.troubles >= MOST_TROUBLES_OF_A_STRANGER,
        left_alone=gate.state(host).left_alone,
    )
    return RobotsUnreachableError(place, entry.because or "does not answer", pause)


def _entry(record: RobotsRecord) -> RobotsEntry:
    return RobotsEntry.stored(
        origin=record.origin, verdict=record.verdict, status=record.status, because=record.because, body=record.body,
        asked_at=record.asked_at, expires_at=record.expires_at, troubles=record.troubles,
    )  # fmt: skip


def _record(entry: RobotsEntry) -> RobotsRecord:
    return RobotsRecord(
        origin=entry.origin[:300], host=host_of(entry.origin), verdict=entry.verdict, status=entry.status, because=entry.because,
        body=entry.body, asked_at=entry.asked_at, expires_at=entry.expires_at, troubles=entry.troubles,
        asks_seconds=entry.rules.asks_seconds,
    )  # fmt: skip
