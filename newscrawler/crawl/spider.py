"""The one spider: takes URLs from the ledger, hands what came of them to the pipelines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response
from twisted.python.failure import Failure

from newscrawler.config.portal import Portal
from newscrawler.crawl.answers import answered, missed
from newscrawler.crawl.following import Following
from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.keeping import Keeper
from newscrawler.crawl.ledger import Ledger
from newscrawler.crawl.reservations import rights_of
from newscrawler.store import ClaimedUrl


class PortalSpider(Spider):
    """Crawls one portal."""

    name = "portal"

    def __init__(self, *, portal: Portal, ledger: Ledger, following: Following, keeper: Keeper | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.portal = portal
        self.ledger = ledger
        self.following = following
        self.rights = rights_of(portal)
        self.keeper = keeper

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
        return Request(
            claimed.url, callback=self.read, errback=self.miss, headers=headers, meta={"claimed": claimed}, dont_filter=True
        )

    def read(self, response: Response) -> Iterator[FetchedUrl]:
        """Hand over what the server answered."""
        yield answered(response.meta["claimed"], response, self.following, self.rights)

    def miss(self, failure: Failure) -> Iterator[FetchedUrl]:
        """Hand over why there was no answer."""
        yield missed(failure.request.meta["claimed"], failure.value or OSError("no answer"))  # type: ignore[attr-defined]
