"""Builds pages of a portal with the browser: their requests go through the crawl, under all of its rules."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from scrapy import signals
from scrapy.crawler import Crawler

from newscrawler.crawl.browser import (
    BrowserError,
    BrowserOptions,
    BrowserProcess,
    BrowserUnavailableError,
    PageTooCostlyError,
    Rendered,
    RenderJob,
    Subanswer,
    Subrequest,
    find_executable,
)
from newscrawler.crawl.hosts.failures import HostPausedError, RobotsUnreachableError
from newscrawler.crawl.reading.responses import find_reservations, get_header, is_transient, make_raw_page
from newscrawler.crawl.reading.subrequests import send_request
from newscrawler.crawl.run.crawl_run import CrawlRun
from newscrawler.crawl.run.items import LEASE, FetchedUrl
from newscrawler.discovery import extract_reading_query
from newscrawler.discovery.urls import canonicalize_or_none
from newscrawler.errors import NewscrawlerError
from newscrawler.languages import words
from newscrawler.limits import BROWSER_CACHE_BYTES
from newscrawler.store.archive import RawPage
from newscrawler.store.vocabularies import FetchKind

logger = logging.getLogger(__name__)

#: Requests to the portal for one page, the page itself included; each further step of a listing has as many as a page besides.
MOST_REQUESTS = 3
_MOST_STEPS = 10
_PROGRAMS = frozenset({"script", "stylesheet"})
_ACCEPTS = {"script": "*/*", "stylesheet": "text/css", "xhr": "application/json, */*", "fetch": "application/json, */*"}


class RenderingFailedError(Exception):
    """The page could not be built.

    Attributes:
        for_now: it may be built later.
        cause: why a request of it failed, if one did.
    """

    def __init__(self, why: str, *, for_now: bool = False, cause: BaseException | None = None) -> None:
        super().__init__(why)
        self.for_now = for_now
        self.cause = cause


@dataclass(slots=True)
class PageVisit:
    """A page as the browser builds it, and its requests."""

    item: FetchedUrl
    #: Requests that it may still send.
    left: int
    html: str = ""
    #: Answers by address, and by query where there was one.
    data: dict[tuple[str, str | None], Subanswer | None] = field(default_factory=dict)
    #: Requests under way, in the same way.
    under_way: dict[tuple[str, str | None], asyncio.Task[Subanswer | None]] = field(default_factory=dict)
    sources: list[RawPage] = field(default_factory=list)
    #: Addresses of sources that only answer a POST.
    posted: set[str] = field(default_factory=set)
    requests: int = 0
    bytes: int = 0
    #: A request was refused because the page has sent enough.
    is_exhausted: bool = False
    #: Programs that no page of the run had requested before.
    learned: int = 0
    failed: BaseException | None = None
    seen: set[str] = field(default_factory=set)
    steps: int = 0


class Rendering:
    """The browser of a run, and the requests that its pages may send."""

    def __init__(self, run: CrawlRun, crawler: Crawler) -> None:
        self._run = run
        self._portal = run.portal
        self._scope = run.link_policy.scope
        self._crawler = crawler
        self._browser: BrowserProcess | None = None
        self._is_unavailable = False
        self._programs: dict[str, Subanswer] = {}
        self._cached_bytes = 0
        crawler.signals.connect(self.close, signal=signals.spider_closed)

    @property
    def is_on(self) -> bool:
        """Return whether pages of this portal may be built."""
        return self._portal.render != "never" and not self._is_unavailable

    async def close(self) -> None:
        """End the browser."""
        if self._browser is not None:
            await self._browser.close()

    async def build(self, item: FetchedUrl, *, is_listing: bool) -> PageVisit | None:
        """Build a page; None: no browser can be used.

        Raises:
            RenderingFailedError: it could not be built.
        """
        browser = self._start_browser()
        if browser is None or item.answer is None:
            return None
        visit = PageVisit(item, left=max(0, MOST_REQUESTS - 1 - item.parts))
        try:
            visit.html = (await self._render(browser, visit, is_listing=is_listing)).html
        except BrowserUnavailableError as error:
            self._note_unavailable(error)
            return None
        except BrowserError as error:
            raise RenderingFailedError(str(error)) from error
        if visit.failed is not None:
            raise RenderingFailedError("an answer is missing", for_now=True, cause=visit.failed)
        if visit.is_exhausted and visit.learned:  # the next try finds these programs in memory, and gets further
            raise RenderingFailedError("its scripts are not all there yet", for_now=True)
        return visit

    async def _render(self, browser: BrowserProcess, visit: PageVisit, *, is_listing: bool) -> Rendered:
        job = self._make_job(visit.item, is_listing=is_listing)

        async def answer(subrequest: Subrequest) -> Subanswer | None:
            return await self._answer(subrequest, visit)

        async def proceed(links: list[str]) -> bool:
            return await self._proceed(links, visit)

        try:
            return await browser.render(job, answer, proceed)
        except PageTooCostlyError:
            raise
        except BrowserError as error:
            logger.info("%s: %s; it is built once more", job.url, error)
            visit.seen.clear()
            return await browser.render(job, answer, proceed)

    def _make_job(self, item: FetchedUrl, *, is_listing: bool) -> RenderJob:
        assert item.answer is not None
        return RenderJob(
            url=item.answer.url,
            body=item.answer.body,
            content_type=get_header(item.answer, "Content-Type") or "text/html",
            consent=self._portal.consent,
            more=tuple(sorted(words("load_more"))) if is_listing else (),
            most_characters=int(self._portal.page_megabytes * 2**20),
        )

    def _start_browser(self) -> BrowserProcess | None:
        if self._browser is None and self.is_on:
            settings = self._run.configuration.browser
            try:
                executable = find_executable(settings.executable)
            except BrowserUnavailableError as error:
                self._note_unavailable(error)
                return None
            options = BrowserOptions(
                executable=executable, user_agent=self._crawler.settings["USER_AGENT"], sandbox=settings.sandbox,
                memory_megabytes=settings.memory_megabytes, deadline_seconds=settings.deadline_seconds,
            )  # fmt: skip
            self._browser = BrowserProcess(options)
        return self._browser

    def _note_unavailable(self, error: BrowserUnavailableError) -> None:
        self._is_unavailable = True
        self._run.note(f"pages are not built with a browser: {error}")

    async def _answer(self, subrequest: Subrequest, visit: PageVisit) -> Subanswer | None:
        """Return the answer to a request of a page; None: it is refused, or there is none."""
        query = None if subrequest.body is None else extract_reading_query(subrequest.body)
        if subrequest.body is not None and (query is None or subrequest.kind in _PROGRAMS):
            return None
        key = (subrequest.url, query)
        known = self._programs.get(subrequest.url) if subrequest.kind in _PROGRAMS else visit.data.get(key)
        if known is not None or key in visit.data:
            return known
        canonical = canonicalize_or_none(subrequest.url)
        if canonical is None or not self._scope.may_fill(canonical, visit.item.lease.url):
            return None
        if key not in visit.under_way:
            if visit.left <= 0:
                visit.is_exhausted = True
                return None
            visit.left -= 1
            visit.under_way[key] = asyncio.ensure_future(self._fetch_once(subrequest, query, visit))
        # A browser that dies does not cancel it: the slot of its host would wait for its end for ever
        return await asyncio.shield(visit.under_way[key])

    async def _fetch_once(self, subrequest: Subrequest, query: str | None, visit: PageVisit) -> Subanswer | None:
        """Send a request, and keep its answer for the page or, if it is a program, for the run."""
        answer = await self._fetch(subrequest, query, visit)
        if subrequest.kind not in _PROGRAMS or answer is None:
            visit.data[subrequest.url, query] = answer
        elif self._cached_bytes + len(answer.body) <= BROWSER_CACHE_BYTES:
            self._programs[subrequest.url] = answer
            self._cached_bytes += len(answer.body)
            visit.learned += 1
        return answer

    async def _fetch(self, subrequest: Subrequest, query: str | None, visit: PageVisit) -> Subanswer | None:
        headers, meta = {"Accept": _ACCEPTS.get(subrequest.kind, "*/*")}, {LEASE: visit.item.lease}
        try:
            response = await send_request(
                self._crawler, subrequest.url, FetchKind.RENDERING, headers=headers, meta=meta, query=query
            )
        except NewscrawlerError as error:
            self._run.fail(error)
            visit.failed = error
            return None
        except Exception as error:  # noqa: BLE001  of one request; slots and robots.txt know it by now
            visit.failed = error if isinstance(error, (HostPausedError, RobotsUnreachableError)) else visit.failed
            return None
        visit.requests += 1
        visit.bytes += len(response.body)
        if is_transient(response):
            visit.failed = OSError(f"{subrequest.url} answers {response.status}")
        rights = self._run.rights
        refusal = rights.decide(find_reservations(response, None, rights), visit.item.fetched_at).refusal
        if not 200 <= response.status < 300 or refusal is not None:
            return None
        if subrequest.kind not in _PROGRAMS:
            visit.sources.append(make_raw_page(response, visit.item.fetched_at))
            visit.posted |= {response.url} if query is not None else set()
        return Subanswer(status=response.status, content_type=get_header(response, "Content-Type") or "", body=response.body)

    async def _proceed(self, links: Sequence[str], visit: PageVisit) -> bool:
        """Return whether a listing is to show more: as long as each step brings a link that the frontier does not know."""
        urls = {canonical for link in links if (canonical := canonicalize_or_none(link)) and self._scope.allows(canonical)}
        fresh, visit.seen = urls - visit.seen, urls | visit.seen
        if visit.steps >= _MOST_STEPS or not fresh or not await self._run.find_unknown_urls(fresh):
            return False
        visit.steps += 1
        visit.left = MOST_REQUESTS - 1
        return True
