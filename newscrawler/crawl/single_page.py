"""Fetch one page for commands without a crawl, by the same engine, with the same robots.txt and host slots."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urljoin, urlsplit

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.reactor import install_reactor

from newscrawler.config import Configuration, Portal, require_contact
from newscrawler.config.build import portal_from_url
from newscrawler.crawl.failures import (
    ContactMissingError,
    ForbiddenByRobotsError,
    HostPausedError,
    RobotsUnreachableError,
    failure_of,
)
from newscrawler.crawl.process import quiet_twisted
from newscrawler.crawl.resolver import CheckingResolver
from newscrawler.crawl.settings import DOWNLOADER_MIDDLEWARES, portal_settings, project_settings
from newscrawler.crawl.shared_hosts import SharedHosts
from newscrawler.errors import ConfigError, NewscrawlerError, PageError, PageReason
from newscrawler.page.sniff import binary_kind
from newscrawler.politeness.names import host_of, is_this_machine
from newscrawler.store.state_folder import hosts_database

LARGEST_PAGE_BYTES = 50 * 1024 * 1024
#: Timeout of one request, with its answer.
LONGEST_SECONDS = 60.0
#: A longer pause of the host is reported as an error.
LONGEST_WAIT_SECONDS = 60.0
MOST_HOPS = 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_KINDS = frozenset({"text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPage:
    """What a server answered."""

    url: str
    body: bytes
    content_type: str | None


def fetch_page(url: str, configuration: Configuration) -> FetchedPage:
    """Fetch one page.

    Raises:
        ConfigError: the URL is invalid, or the page is not on this machine and no contact is set.
        PageError: the page cannot be fetched; the reason says why.
        StoreError: the database of hosts fails.
    """
    quiet_twisted()
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet import reactor

    CheckingResolver(reactor).install_on_reactor()
    visit = _Visit(url, configuration)
    crawler = Crawler(PageSpider, visit.settings())
    try:
        asyncio.get_event_loop().run_until_complete(crawler.crawl_async(visit=visit))  # the reactor is its loop
    finally:
        SharedHosts.close_all()
    if visit.error is not None:
        raise visit.error
    assert visit.page is not None
    return visit.page


class PageSpider(Spider):
    """Spider that fetches the page of a visit."""

    name = "page"

    def __init__(self, visit: _Visit, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._visit = visit

    async def start(self) -> AsyncIterator[Request]:
        """Make the visit, which awaits its requests instead of yielding them."""
        try:
            await self._visit.make(self.crawler)
        except NewscrawlerError as error:
            self._visit.error = error
        nothing: tuple[Request, ...] = ()
        for request in nothing:
            yield request


class _Visit:
    """A visit to one page, redirects included."""

    def __init__(self, url: str, configuration: Configuration) -> None:
        self._url = url
        self._configuration = configuration
        self.page: FetchedPage | None = None
        self.error: NewscrawlerError | None = None

    def settings(self) -> Any:
        """Return the settings of the portal with this host, or those of a bare URL; without its window, which is for crawls."""
        settings = project_settings()
        portal = self._portal()
        wanted = portal_settings(portal, self._configuration) | {
            "HOSTS_DATABASE": hosts_database(self._configuration.database_url),
            "HOST_WINDOW": None,
            "PRIVATE_HOSTS": [self._url, *portal.start_urls],
            "DOWNLOAD_MAXSIZE": LARGEST_PAGE_BYTES,
            "DOWNLOAD_TIMEOUT": LONGEST_SECONDS,
            "DOWNLOADER_MIDDLEWARES": DOWNLOADER_MIDDLEWARES | {"newscrawler.crawl.rights.RightsMiddleware": None},
            "ITEM_PIPELINES": {},
        }
        for name, value in wanted.items():
            settings.set(name, value, priority="cmdline")
        return settings

    def _portal(self) -> Portal:
        self._checked(self._url)
        host = host_of(self._url)
        known = next((each for each in self._configuration.portals if host in map(host_of, each.start_urls)), None)
        if known is not None:
            return known
        delay = {"delay": 0} if is_this_machine(host) else {}
        return portal_from_url(self._url, **{**self._configuration.defaults, **delay})

    async def make(self, crawler: Crawler) -> None:
        """Fetch the page, redirects one by one.

        Raises:
            ConfigError: a redirect leads to another host and no contact is set.
            PageError: the page cannot be fetched.
        """
        url = self._url
        for _ in range(MOST_HOPS + 1):
            response = await self._fetch(crawler, self._checked(url))
            location = response.headers.get("Location")
            if response.status not in _REDIRECTS or not location:
                self.page = _successful(response)
                return
            url = urljoin(url, location.decode("latin-1")).partition("#")[0]
        raise PageError(PageReason.REDIRECT_LOOP, url)

    def _checked(self, url: str) -> str:
        portal = portal_from_url(url)
        require_contact(self._configuration, [portal])
        return portal.start_urls[0]

    async def _fetch(self, crawler: Crawler, url: str) -> Response:
        """Make one request; wait once for a short pause of the host that another crawl has caused."""
        assert crawler.engine is not None
        for waited in (False, True):
            request = Request(url, callback=NO_CALLBACK)
            try:
                return await crawler.engine.download_async(request)
            except NewscrawlerError:
                raise
            except (HostPausedError, RobotsUnreachableError) as error:
                if waited or error.pause.fresh or error.pause.seconds > LONGEST_WAIT_SECONDS:
                    raise _as_error(error, request) from error
                await asyncio.sleep(error.pause.seconds)
            except Exception as error:
                raise _as_error(error, request) from error
        raise AssertionError("unreachable")


def _as_error(error: Exception, request: Request) -> NewscrawlerError:
    """Return the error of the command for an error of the request."""
    url = request.url
    if isinstance(error, ContactMissingError):
        return ConfigError(str(error))
    if isinstance(error, ForbiddenByRobotsError):
        return PageError(PageReason.ROBOTS, url)
    began = "download_latency" in request.meta
    failure = failure_of(error, began=began, page_megabytes=LARGEST_PAGE_BYTES / 1024 / 1024)
    if isinstance(error, HostPausedError):
        until = datetime.now(UTC) + timedelta(seconds=error.pause.seconds)
        because = error.pause.because or "unknown"
        detail = f"no request to {error.pause.host} before {until:%Y-%m-%d %H:%M} UTC, after errors: {because}"
        return PageError(failure.reason.word, detail)
    if failure.reason.word is PageReason.ROBOTS_UNREACHABLE:
        return PageError(failure.reason.word, f"{error}, so whether {url} may be fetched is not known")
    return PageError(failure.reason.word, failure.reason.detail or str(urlsplit(url).netloc))


def _successful(response: Response) -> FetchedPage:
    if not 200 <= response.status < 300:
        raise PageError(PageReason.HTTP_STATUS, f"{response.status} for {response.url}")
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    kind = content_type.partition(";")[0].strip().lower()
    if kind in _KINDS:
        kind = binary_kind(response.body) or ""
    if kind:
        raise PageError(PageReason.NOT_HTML, f"{kind} at {response.url}")
    return FetchedPage(url=response.url, body=response.body, content_type=content_type or None)
