"""The one spider: takes URLs from the ledger, hands what came of them to the pipelines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response
from twisted.python.failure import Failure

from newscrawler.config.portal import Portal
from newscrawler.crawl.answers import answered, missed
from newscrawler.crawl.download import PAUSE
from newscrawler.crawl.following import Following
from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.ledger import Ledger
from newscrawler.crawl.lists import SITEMAP_MEGABYTES, SITEMAP_SECONDS
from newscrawler.crawl.manners import Manners, visitor_of
from newscrawler.crawl.reservations import rights_of
from newscrawler.errors import NewscrawlerError
from newscrawler.extract import Reading
from newscrawler.politeness.addresses import AddressRules
from newscrawler.store import ClaimedUrl


class PortalSpider(Spider):
    """Crawls one portal."""

    name = "portal"

    def __init__(
        self, *, portal: Portal, ledger: Ledger, following: Following, manners: Manners, reading: Reading,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.portal = portal
        self.ledger = ledger
        self.following = following
        self.rights = rights_of(portal)
        self.reading = reading
        self.gate, self.robots = manners.gate, manners.robots
        self.visitor = visitor_of(portal, ledger)
        self.address_rules = AddressRules.of_urls(portal.start_urls, portal.hosts, portal.networks)

    async def start(self) -> AsyncIterator[Request]:
        """Yield a request whenever the ledger lets one go."""
        async for claimed in self.ledger.claims():
            yield self.request(claimed)

    def request(self, claimed: ClaimedUrl) -> Request:
        """Ask for a URL; a listing that was seen before only if it has changed."""
        headers = {}
        if claimed.etag:
            headers["If-None-Match"] = claimed.etag
        if claimed.last_modified:
            headers["If-Modified-Since"] = claimed.last_modified
        request = Request(
            claimed.url, callback=self.read, errback=self.miss, headers=headers, meta={"claimed": claimed}, dont_filter=True
        )
        return self._with_room(request) if claimed.kind == "sitemap" else request

    def _with_room(self, request: Request) -> Request:
        """Let the answer be as large as a sitemap may be, and take its time."""
        request.meta["download_maxsize"] = int(self._megabytes("sitemap") * 1024 * 1024)
        request.meta["download_timeout"] = max(SITEMAP_SECONDS, self.portal.timeout_seconds)
        return request.replace(callback=self.read_beside)

    def _megabytes(self, kind: str) -> float:
        """Of the largest answer that is taken."""
        return max(SITEMAP_MEGABYTES, self.portal.page_megabytes) if kind == "sitemap" else self.portal.page_megabytes

    def read(self, response: Response) -> Iterator[FetchedUrl]:
        """Hand over what the server answered."""
        yield answered(response.meta["claimed"], response, self.following, self.rights)

    async def read_beside(self, response: Response) -> AsyncIterator[FetchedUrl]:
        """Hand over what a server answered that may take seconds to read: the reactor goes on meanwhile."""
        yield await asyncio.to_thread(answered, response.meta["claimed"], response, self.following, self.rights)

    def miss(self, failure: Failure) -> Iterator[FetchedUrl]:
        """Hand over why there was no answer; where the database is to blame, the run ends."""
        error, request = failure.value or OSError("no answer"), failure.request  # type: ignore[attr-defined]
        if isinstance(error, NewscrawlerError):
            self.ledger.fail(error)
            return
        claimed: ClaimedUrl = request.meta["claimed"]
        yield missed(
            claimed, error, pause=request.meta.get(PAUSE), began="download_latency" in request.meta,
            page_megabytes=self._megabytes(claimed.kind),
        )  # fmt: skip
