"""The one spider: asks for URLs that the scheduler leases, yields what came of them to the pipelines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.lists import SITEMAP_MEGABYTES, SITEMAP_SECONDS
from newscrawler.crawl.request_meta import CLAIMED, PAUSE, ROW
from newscrawler.crawl.responses import read_failure, read_response
from newscrawler.crawl.run import CrawlRun
from newscrawler.crawl.threads import in_reading_thread
from newscrawler.errors import NewscrawlerError
from newscrawler.extract import read_record
from newscrawler.store import ClaimedUrl
from newscrawler.store.vocabularies.outcomes import FrontierKind


class PortalSpider(Spider):
    """Crawls one portal: `scrapy crawl portal -a portal=NAME`, or `-a url=URL`."""

    name = "portal"

    def __init__(self, run: CrawlRun, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.run = run
        self._portal = run.portal

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, *args: Any, run: CrawlRun | None = None, portal: str | None = None, url: str | None = None,
        **kwargs: Any,
    ) -> Self:  # fmt: skip
        """Make it for a run, or for the portal that the arguments name; its settings become the crawler's.

        Raises:
            ConfigError: there is no such portal, or no contact.
            StoreError: the database cannot be opened.
        """
        run = run or CrawlRun.from_arguments(portal=portal, url=url)
        for name, value in run.settings().items():
            crawler.settings.set(name, value, priority="spider")
        run.connect(crawler)
        return super().from_crawler(crawler, *args, run=run, **kwargs)

    async def start(self) -> AsyncIterator[Request]:
        """Begin the run; the scheduler leases its URLs."""
        scheduler: Any = self.crawler.engine.scheduler if self.crawler.engine is not None else None
        try:
            await scheduler.begin(self.run)
        except NewscrawlerError as error:
            self.run.fail(error)
        nothing: tuple[Request, ...] = ()
        for request in nothing:
            yield request

    def request(self, claimed: ClaimedUrl) -> Request:
        """Ask for a URL; a listing that was seen before only if it has changed."""
        headers = {}
        renders = self._portal.render != "never"  # a page that scripts fill is the same whatever they show
        if claimed.etag and not renders:
            headers["If-None-Match"] = claimed.etag
        if claimed.last_modified and not renders:
            headers["If-Modified-Since"] = claimed.last_modified
        meta = {CLAIMED: claimed, ROW: claimed.id, **self.run.request_meta(claimed)}
        request = Request(claimed.url, callback=self.read, errback=self.miss, headers=headers, meta=meta, dont_filter=True)
        return self._with_sitemap_limits(request) if claimed.kind == FrontierKind.SITEMAP else request

    def _with_sitemap_limits(self, request: Request) -> Request:
        """Let the answer be as large as a sitemap may be, and take its time."""
        request.meta["download_maxsize"] = int(self._megabytes(FrontierKind.SITEMAP) * 1024 * 1024)
        request.meta["download_timeout"] = max(SITEMAP_SECONDS, self._portal.timeout_seconds)
        return request

    def _megabytes(self, kind: FrontierKind) -> float:
        """Of the largest answer that is taken."""
        return max(SITEMAP_MEGABYTES, self._portal.page_megabytes) if kind == FrontierKind.SITEMAP else self._portal.page_megabytes

    def parse(self, response: Response) -> Iterator[dict[str, Any] | Request]:
        """Show what a page is read as, and where it leads: for `scrapy parse`."""
        claimed = ClaimedUrl(id=0, url=response.url, kind=FrontierKind.SECTION)
        item = read_response(claimed, response, self.run.link_policy, self.run.rights)
        yield read_record(response.body, response.url, reading=self.run.reading)
        for found in item.found:
            yield Request(found.url)

    async def read(self, response: Response) -> AsyncIterator[FetchedUrl]:
        """Yield what the server answered."""
        yield await in_reading_thread(read_response, response.meta[CLAIMED], response, self.run.link_policy, self.run.rights)

    def miss(self, failure: Failure) -> Iterator[FetchedUrl]:
        """Yield why there was no answer; where the database is to blame, the run ends."""
        error, request = failure.value or OSError("no answer"), failure.request  # type: ignore[attr-defined]
        if isinstance(error, NewscrawlerError):
            self.run.fail(error)
            return
        claimed: ClaimedUrl = request.meta[CLAIMED]
        yield read_failure(
            claimed, error, pause=request.meta.get(PAUSE), began="download_latency" in request.meta,
            page_megabytes=self._megabytes(claimed.kind),
        )  # fmt: skip
