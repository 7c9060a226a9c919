"""What all crawlers of a process share towards hosts: their slots, robots.txt, and the database that keeps both."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from random import Random

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from newscrawler.crawl.host_slots import HostSlots
from newscrawler.crawl.robots_memory import RobotsMemory
from newscrawler.crawl.threads import DatabaseThread
from newscrawler.errors import NewscrawlerError
from newscrawler.politeness.addresses import AddressRules
from newscrawler.store import Store, open_store
from newscrawler.store.state_folder import state_database

logger = logging.getLogger(__name__)


class Politeness:
    """Slots and robots.txt by one database, for as long as a crawler of the process uses it."""

    #: By the address of the database.
    _open: dict[str, Politeness] = {}  # noqa: RUF012  shared on purpose: limits count for the process, not for a crawler

    def __init__(self, url: str, *, denylist: tuple[str, ...]) -> None:
        self._url = url
        self.crawlers: set[Crawler] = set()
        self.store: Store = open_store(url)
        self.database = DatabaseThread("hosts", waits=self._waits, in_process=self.store.in_process)
        self.slots = HostSlots(self.store.hosts, self.database, denylist=denylist, random_source=Random())  # noqa: S311  jitter
        self.robots = RobotsMemory(self.store.hosts, self.database)

    @classmethod
    def of_crawler(cls, crawler: Crawler) -> Politeness:
        """Return what the crawlers of this process share by the database that the settings name (HOSTS_DATABASE).

        Raises:
            StoreError: the database cannot be opened.
        """
        url = crawler.settings["HOSTS_DATABASE"] or state_database()
        shared = cls._open.get(url)
        if shared is None:
            shared = cls._open[url] = cls(url, denylist=tuple(crawler.settings.getlist("HOST_DENYLIST")))
        if crawler not in shared.crawlers:
            shared.crawlers.add(crawler)
            crawler.signals.connect(shared.closing(crawler), signal=signals.spider_closed, weak=False)
        return shared

    @classmethod
    def stop_waiting(cls) -> None:
        """Let no request of the process wait for its turn any longer, for the process is to end."""
        for shared in cls._open.values():
            shared.slots.stop()

    @classmethod
    def close_all(cls) -> None:
        """Close what crawlers that were broken off have left open."""
        for shared in list(cls._open.values()):
            shared.dispose()

    def _waits(self, seconds: float, why: str) -> None:
        logger.warning("hosts: waiting %.1f s %s", seconds, why)

    def closing(self, crawler: Crawler) -> Callable[[], Awaitable[None]]:
        """Return what is to be done when a crawler closes its spider."""

        async def closed() -> None:
            await self._close(crawler)

        return closed

    async def _close(self, crawler: Crawler) -> None:
        """Write what is not written yet, throw away what is too old, and close the database after the last crawler."""
        self.crawlers.discard(crawler)
        try:
            await self.slots.close()
            await self.database.run(partial(self.store.hosts.prune, now=datetime.now(UTC)))
        except NewscrawlerError as error:  # the crawl's own statements fail too, and end it
            logger.warning("the log of requests was not written: %s", error)
        if not self.crawlers:
            self.dispose()

    def dispose(self) -> None:
        """Close the database."""
        self._open.pop(self._url, None)
        self.database.close()
        self.store.close()


def address_rules(settings: BaseSettings) -> AddressRules:
    """Where requests may go, by the settings PRIVATE_HOSTS (URLs or hosts) and PRIVATE_NETWORKS."""
    named = settings.getlist("PRIVATE_HOSTS")
    urls = [each for each in named if "://" in each]
    return AddressRules.of_urls(urls, [each for each in named if "://" not in each], settings.getlist("PRIVATE_NETWORKS"))
