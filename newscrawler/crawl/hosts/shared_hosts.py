"""Host slots and files of origins, which all crawlers of a process share, and their database."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from random import Random

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from newscrawler.crawl.hosts.host_slots import HostSlots
from newscrawler.crawl.hosts.origin_files import OriginFiles
from newscrawler.crawl.process.threads import DatabaseThread
from newscrawler.errors import NewscrawlerError
from newscrawler.politeness import AddressRules
from newscrawler.store import Store, open_store, state_database

logger = logging.getLogger(__name__)


class SharedHosts:
    """Slots and files of origins on one database, as long as a crawler of the process uses it."""

    #: By the address of the database.
    _open: dict[str, SharedHosts] = {}  # noqa: RUF012  shared on purpose: limits count for the process, not for a crawler

    def __init__(self, url: str, *, denylist: tuple[str, ...]) -> None:
        self._url = url
        self.crawlers: set[Crawler] = set()
        self.store: Store = open_store(url)
        self.database = DatabaseThread("hosts", waits=self._report_wait, in_process=self.store.in_process)
        self.slots = HostSlots(self.store.hosts, self.database, denylist=denylist, random_source=Random())  # noqa: S311  jitter
        self.files = OriginFiles(self.store.hosts, self.database)

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
