"""Host slots and robots.txt, which all crawlers of a process share, and their database."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from random import Random
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import BaseSettings

from newscrawler.crawl.hosts.failures import (
    AddressRefusedError,
    ContactMissingError,
    DenylistedError,
    HostPausedError,
    StoppingError,
    find_failure,
)
from newscrawler.crawl.hosts.host_slots import HostSlots
from newscrawler.crawl.hosts.robots_entry import (
    MOST_REDIRECTS,
    RobotsEntry,
    read_max_age,
    read_robots_response,
    record_robots_failure,
)
from newscrawler.crawl.process.threads import DatabaseThread
from newscrawler.crawl.reading.responses import find_redirect_target, get_header
from newscrawler.errors import NewscrawlerError
from newscrawler.politeness import AddressRules, get_origin, read_retry_after
from newscrawler.store import Store, open_store, state_database
from newscrawler.store.hosts import Hosts

logger = logging.getLogger(__name__)

#: Origins whose robots.txt is in memory.
_MOST_REMEMBERED = 500
#: Pause after a redirect to a refused host, which will not change soon.
_LED_ASTRAY_SECONDS = 6 * 3600.0
Fetch = Callable[[str], Awaitable[Response]]


class RobotsMemory:
    """The robots.txt of origins; one for all crawls of the process."""

    def __init__(self, hosts: Hosts, database: DatabaseThread) -> None:
        self._hosts = hosts
        self._database = database
        self._entries: dict[str, RobotsEntry] = {}
        self._asking: dict[str, asyncio.Task[RobotsEntry]] = {}

    async def get_entry(self, origin: str, fetch: Fetch) -> RobotsEntry:
        """Return the robots.txt of an origin, stored for at most a day or fetched again.

        Args:
            origin: scheme, host and port.
            fetch: makes a request; redirects are followed here.

        Raises:
            HostPausedError: the host is paused.
            AddressRefusedError: the host has no permitted address.
            StoppingError: the process ends.
            StoreError: the database cannot be used.
        """
        known = self._entries.get(origin)
        if known is not None and known.is_valid(datetime.now(UTC)):
            return known
        task = self._asking.get(origin)
        if task is None or task.done():
            task = self._asking[origin] = asyncio.ensure_future(self._find(origin, fetch))
        return await asyncio.shield(task)

    async def _find(self, origin: str, fetch: Fetch) -> RobotsEntry:
        kept = self._entries.get(origin)
        if kept is None and (record := await self._database.run(self._hosts.robots, origin)) is not None:
            kept = RobotsEntry.from_record(record)
        if kept is None or not kept.is_valid(datetime.now(UTC)):
            kept = await self._ask(origin, kept, fetch)
            await self._database.run(self._hosts.keep_robots, kept)
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
                if (target := find_redirect_target(response)) is None or urlsplit(target).scheme not in {"http", "https"}:
                    break
                url = target
        except (HostPausedError, StoppingError, ContactMissingError, NewscrawlerError):
            raise
        except (AddressRefusedError, DenylistedError) as error:
            if get_origin(url) == origin:
                raise
            return record_robots_failure(
                origin, because=f"leads to {error}", now=datetime.now(UTC), before=before, asked_to_wait_seconds=_LED_ASTRAY_SECONDS
            )
        except Exception as error:  # noqa: BLE001  any error means that no response came
            return record_robots_failure(origin, because=str(find_failure(error).reason), now=datetime.now(UTC), before=before)
        now = datetime.now(UTC)
        return read_robots_response(
            origin, status=response.status, body=response.body, now=now, before=before,
            asked_to_wait_seconds=read_retry_after(get_header(response, "Retry-After"), now) or 0.0,
            max_age_seconds=read_max_age(get_header(response, "Cache-Control")),
        )  # fmt: skip


class SharedHosts:
    """Slots and robots.txt on one database, as long as a crawler of the process uses it."""

    #: By the address of the database.
    _open: dict[str, SharedHosts] = {}  # noqa: RUF012  shared on purpose: limits count for the process, not for a crawler

    def __init__(self, url: str, *, denylist: tuple[str, ...]) -> None:
        self._url = url
        self.crawlers: set[Crawler] = set()
        self.store: Store = open_store(url)
        self.database = DatabaseThread("hosts", waits=self._report_wait, in_process=self.store.in_process)
        self.slots = HostSlots(self.store.hosts, self.database, denylist=denylist, random_source=Random())  # noqa: S311  jitter
        self.robots = RobotsMemory(self.store.hosts, self.database)

    @classmethod
    def get_shared(cls, crawler: Crawler) -> SharedHosts:
        """Return the object that crawlers with the same HOSTS_DATABASE share.

        Raises:
            StoreError: the database cannot be opened.
        """
        url = crawler.settings["HOSTS_DATABASE"] or state_database()
        shared = cls._open.get(url)
        if shared is None:
            shared = cls._open[url] = cls(url, denylist=tuple(crawler.settings.getlist("HOST_DENYLIST")))
        if crawler not in shared.crawlers:
            shared.crawlers.add(crawler)
            crawler.signals.connect(lambda: shared.close(crawler), signal=signals.spider_closed, weak=False)
        return shared

    @classmethod
    def stop_waiting(cls) -> None:
        """End the waits of all requests, as the process ends."""
        for shared in cls._open.values():
            shared.slots.stop()

    @classmethod
    def close_all(cls) -> None:
        """Close the databases that interrupted crawlers have left open."""
        for shared in list(cls._open.values()):
            shared.dispose()

    def _report_wait(self, seconds: float, why: str) -> None:
        logger.warning("hosts: waiting %.1f s %s", seconds, why)

    async def close(self, crawler: Crawler) -> None:
        """Write the log of requests, prune old records, and close the database after the last crawler."""
        self.crawlers.discard(crawler)
        try:
            await self.slots.close()
            await self.database.run(self.store.hosts.prune, now=datetime.now(UTC))
        except NewscrawlerError as error:  # the crawl's own statements fail too, and end it
            logger.warning("the log of requests was not written: %s", error)
        if not self.crawlers:
            self.dispose()

    def dispose(self) -> None:
        """Close the database."""
        self._open.pop(self._url, None)
        self.database.close()
        self.store.close()


def make_address_rules(settings: BaseSettings) -> AddressRules:
    """Return the permitted addresses by PRIVATE_HOSTS (URLs or hosts) and PRIVATE_NETWORKS."""
    return AddressRules.of(settings.getlist("PRIVATE_HOSTS"), settings.getlist("PRIVATE_NETWORKS"))
