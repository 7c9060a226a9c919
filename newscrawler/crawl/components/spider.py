"""The spider of a portal: from the start page through its sections (subportals) to its articles.

The scheduler leases the most promising URL of the frontier, `make_request` makes the request, and `read` is the callback: it
classifies the links of the page, which go into the frontier, and the page itself. The item pipelines (`pipelines.py`) read and
store its article.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from twisted.python.failure import Failure

from newscrawler.backfill import COPY
from newscrawler.crawl.components.addon import is_given, read_command_line
from newscrawler.crawl.components.signals import run_ended
from newscrawler.crawl.hosts.failures import StoppingError, StuckError
from newscrawler.crawl.process.threads import run_in_reading_thread
from newscrawler.crawl.reading.article_reader import ArticleReader
from newscrawler.crawl.reading.listings import admit_links, list_links
from newscrawler.crawl.reading.responses import read_copy, read_failure, read_response, read_whole, retry_first
from newscrawler.crawl.run.crawl_run import CrawlRun
from newscrawler.crawl.run.items import LEASE, PAUSE, ROW, WHOLE, FetchedUrl, Retry
from newscrawler.crawl.run.report import RunSummary
from newscrawler.errors import NewscrawlerError, PageReason, counted
from newscrawler.extraction import read_record
from newscrawler.limits import SITEMAP_MEGABYTES, SITEMAP_SECONDS
from newscrawler.page import Document
from newscrawler.store.frontier import LeasedUrl
from newscrawler.store.vocabularies import EndReason, FrontierKind, RunEnd

logger = logging.getLogger(__name__)


class PortalSpider(Spider):
    """Crawls one portal: `scrapy crawl portal -a portal=NAME`, or `-a url=URL`."""

    name = "portal"

    def __init__(self, run: CrawlRun, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.run = run
        self._portal = run.portal
        self.reader: ArticleReader
        #: Start URLs that were never fetched, and whose host refuses connections.
        self._refused: set[str] = set()

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, *args: Any, run: CrawlRun | None = None, portal: str | None = None, url: str | None = None,
        **kwargs: Any,
    ) -> Self:  # fmt: skip
        """Make it for a run, or for the portal of the arguments, with the portal's settings.

        Raises:
            ConfigError: the portal or a contact is missing, or a setting of the command line is not possible.
            StoreError: the database cannot be opened.
        """
        if run is None:
            with _log_in_one_line():
                keys = read_command_line(crawler.settings)
                run = CrawlRun.from_arguments(portal=portal, url=url, contact=crawler.settings.get("CONTACT"), keys=keys)
            crawler.signals.connect(log_summary, signal=run_ended)
        for name, value in run.make_settings().items():
            given = crawler.settings.getdict(name) if isinstance(value, dict) and is_given(crawler.settings, name) else {}
            crawler.settings.set(name, {**value, **given} if given else value, priority="cmdline" if given else "spider")
        run.connect(crawler)
        spider = super().from_crawler(crawler, *args, run=run, **kwargs)
        spider.reader = ArticleReader(run, crawler)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Begin the run; the scheduler leases its URLs."""
        scheduler: Any = self.crawler.engine.scheduler if self.crawler.engine is not None else None
        try:
            await scheduler.begin(self.run)
        except NewscrawlerError as error:
            self.run.fail(error)
        async for request in super().start():
            yield request

    def make_request(self, lease: LeasedUrl) -> Request:
        """Return the request for a URL; conditional for a listing that was fetched before.

        A new article of several pages is requested from the page with all of them, where the portal has such pages.
        """
        headers = {}
        is_new = lease.kind == FrontierKind.ARTICLE and not (lease.is_stored or lease.tries or lease.hops or lease.empty_visits)
        whole = self.run.link_policy.profile.twins.get_whole(lease.url) if is_new else None
        # a page that scripts fill is the same whatever they show
        is_conditional = self._portal.render == "never" and not any(each.search(lease.url) for each in self._portal.unconditional)
        if lease.etag and is_conditional:
            headers["If-None-Match"] = lease.etag
        if lease.last_modified and is_conditional:
            headers["If-Modified-Since"] = lease.last_modified
        meta = {LEASE: lease, ROW: lease.id, WHOLE: whole is not None, **self.run.make_request_meta(lease)}
        if lease.kind == FrontierKind.SITEMAP:
            meta["download_maxsize"] = int(self._get_megabytes(FrontierKind.SITEMAP) * 1024 * 1024)
            meta["download_timeout"] = max(SITEMAP_SECONDS, self._portal.timeout_seconds)
        return Request(whole or lease.url, callback=self.read, errback=self.miss, headers=headers, meta=meta, dont_filter=True)

    def _get_megabytes(self, kind: FrontierKind) -> float:
        """Return the limit of an answer's size in MiB."""
        return max(SITEMAP_MEGABYTES, self._portal.page_megabytes) if kind == FrontierKind.SITEMAP else self._portal.page_megabytes

    def parse(self, response: Response) -> Iterator[dict[str, Any] | Request]:
        """Yield the record of a page and its links, for `scrapy parse`."""
        response.meta[LEASE] = LeasedUrl(id=0, url=response.url, kind=FrontierKind.SECTION)
        item = self.classify(response)
        yield read_record(response.body, response.url, reading=self.run.reading)
        for found in item.found:
            yield Request(found.url)

    async def read(self, response: Response) -> AsyncIterator[FetchedUrl]:
        """Classify the links of a page, then the page, and yield its record to the item pipelines."""
        try:
            item = await run_in_reading_thread(self.classify, response)
        except (StoppingError, StuckError) as error:
            item = replace(read_failure(response.meta[LEASE], error), answer=response)
        for kind, number in Counter(found.kind for found in item.found).items():
            self.crawler.stats.inc_value(f"links/{kind}", number)
        yield item

    def classify(self, response: Response) -> FetchedUrl:
        """Return the record of a response: its outcome, where it leads, and whether it may be an article.

        An error, a redirect, a challenge or a feed is known by the response; only a page has links and a kind.
        """
        is_copy = response.meta[LEASE].why == COPY
        read = read_copy if is_copy else read_whole if response.meta.get(WHOLE) else read_response
        item = read(response.meta[LEASE], response, self.run.link_policy, self.run.rights)
        if item.draft is None:
            return item
        item = item if is_copy else self.classify_links(item, item.draft.page)
        item = self.reader.classify(item)  # article, listing, error page, wall, …: by its blocks, declarations and origin
        logger.debug("%s: %s", item.lease.url, item.reason or "may be an article")
        return item

    def classify_links(self, item: FetchedUrl, page: Document) -> FetchedUrl:
        """Return the record with the URLs for the frontier: each link of the page is classified, and admitted by its kind.

        Articles and sections (subportals) of the portal are admitted, the likelier the earlier; others rarely. Feeds, sitemaps and
        archives that the page names are added.
        """
        policy, here = self.run.link_policy, page.url or ""
        links = list_links(page, item.lease, policy, item.raw[0].body if item.raw else b"")
        if policy.leads_on(item.lease.url) and item.decision.follows_links:
            links = tuple(link._replace(verdict=policy.classify(link, here)) for link in links)
        if logger.isEnabledFor(logging.DEBUG):
            for link, verdict in ((link, link.verdict) for link in links if link.verdict is not None):
                logger.debug("%s -> %s: %s (%.2f %s)", here, link.url, verdict.label, verdict.score, verdict.why)
        return admit_links(item, page, links, policy)

    def miss(self, failure: Failure) -> Iterator[FetchedUrl]:
        """Yield the record of a failure; an error of the database ends the run."""
        error, request = failure.value or OSError("no answer"), failure.request  # type: ignore[attr-defined]
        if isinstance(error, NewscrawlerError):
            self.run.fail(error)
            return
        lease: LeasedUrl = request.meta[LEASE]
        if request.meta.get(WHOLE) and not isinstance(error, StoppingError):
            yield retry_first(FetchedUrl(lease=lease, fetched_at=datetime.now(UTC)), self.run.link_policy)
            return
        item = read_failure(
            lease, error, pause=request.meta.get(PAUSE), began="download_latency" in request.meta,
            page_megabytes=self._get_megabytes(lease.kind),
        )  # fmt: skip
        if item.reason is not None and item.reason.word is PageReason.REFUSED and _is_first_visit(lease):
            item = replace(item, retry=Retry(transient=False))
            self._refused.add(lease.url)
            if len(self._refused) >= len(self._portal.start_urls) and not self.run.counts.pages:
                self.run.stop(RunEnd(EndReason.FINISHED))
        yield replace(item, answer=HtmlResponse(lease.url, request=request))


def _is_first_visit(lease: LeasedUrl) -> bool:
    """Return whether a start URL was never fetched, so that it is more likely mistyped than down for a moment."""
    return lease.kind == FrontierKind.START and lease.outcome is None


def log_summary(summary: RunSummary) -> None:
    """Log how a run ended; the command `newscrawler crawl` prints a table in place of this."""
    if not summary.run_id:  # `scrapy parse` begins none
        return
    left = f"; {counted(summary.waiting, 'URL')} left, run the same command to continue" if summary.waiting else ""
    found = f"{counted(summary.counts.new_articles, 'new article')} on {counted(summary.counts.pages, 'page')}"
    logger.info("%s: %s; ended: %s%s", summary.portal, found, summary.ended_because, left)
    for reasons in (summary.counts.failed, summary.counts.refused, summary.counts.skipped):
        for reason, number in reasons.most_common():
            logger.info("%s: %d × %s", summary.portal, number, reason)


class _InOneLine(logging.Filter):
    """Leave the traceback out of our errors with which Scrapy's process logs that a spider could not be made."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, NewscrawlerError):
            record.msg, record.args, record.exc_info = str(error), None, None
        return True


@contextmanager
def _log_in_one_line() -> Iterator[None]:
    """Have asyncio, which logs an error raised here, log only its message."""
    try:
        yield
    except NewscrawlerError:
        logging.getLogger("asyncio").addFilter(_InOneLine())
        raise
