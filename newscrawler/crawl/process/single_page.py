"""Fetch one page for commands without a crawl, by the same engine, with the same robots.txt and host slots."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.settings import Settings
from scrapy.utils.reactor import install_reactor

from newscrawler.config import Configuration, build_portal, require_contact
from newscrawler.crawl.components.resolver import CheckingResolver
from newscrawler.crawl.components.settings import DOWNLOADER_MIDDLEWARES, make_portal_settings, project_settings
from newscrawler.crawl.hosts.failures import (
    ContactMissingError,
    ForbiddenByRobotsError,
    HostPausedError,
    RobotsUnreachableError,
    find_failure,
)
from newscrawler.crawl.hosts.shared_hosts import SharedHosts
from newscrawler.crawl.process.crawl_process import quiet_twisted
from newscrawler.crawl.reading.responses import find_redirect_target, get_header, get_media_type, parse_page, read_reference
from newscrawler.discovery import find_refresh
from newscrawler.errors import ConfigError, NewscrawlerError, PageError, PageReason
from newscrawler.extraction.batch import InputPage
from newscrawler.limits import REDIRECTS
from newscrawler.limits import SINGLE_PAGE_BYTES as LARGEST_PAGE_BYTES
from newscrawler.limits import SINGLE_PAGE_SECONDS as LONGEST_SECONDS
from newscrawler.page import find_other_format
from newscrawler.politeness import get_host, is_public, is_this_machine, parse_ip_address
from newscrawler.store import hosts_database

#: A longer pause of the host is reported as an error.
LONGEST_WAIT_SECONDS = 60.0
_KINDS = frozenset({"text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", ""})


def fetch_page(url: str, configuration: Configuration) -> InputPage:
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
    crawler = Crawler(PageSpider, _make_settings(url, configuration))
    crawl = crawler.crawl_async(url=url, configuration=configuration)
    try:
        asyncio.get_event_loop().run_until_complete(crawl)  # the reactor is its loop
    finally:
        SharedHosts.close_all()
    spider = cast("PageSpider", crawler.spider)
    if spider.error is not None:
        raise spider.error
    assert spider.page is not None
    return spider.page


def _find_private(host: str) -> list[str]:
    """Return the network of a private address that somebody typed, as nobody else can have meant it; of a name none."""
    address = parse_ip_address(host)
    return [] if address is None or is_public(address) else [str(address)]


def _make_settings(url: str, configuration: Configuration) -> Settings:
    """Return the settings of the portal with this host, or those of a bare URL; without its window, which is for crawls."""
    _check_url(url, configuration)
    host = get_host(url)
    portal = next((each for each in configuration.portals if host in map(get_host, each.start_urls)), None)
    if portal is None:
        delay = {"delay": 0} if is_this_machine(host) else {}
        portal = build_portal(url, **{**configuration.defaults, **delay})
    settings = project_settings()
    wanted = make_portal_settings(portal, configuration) | {
        "HOSTS_DATABASE": hosts_database(configuration.database_url),
        "HOST_WINDOW": None,
        "PRIVATE_HOSTS": [url, *portal.start_urls],
        "PRIVATE_NETWORKS": [*portal.networks, *_find_private(host)],
        "DOWNLOAD_MAXSIZE": LARGEST_PAGE_BYTES,
        "DOWNLOAD_TIMEOUT": LONGEST_SECONDS,
        "DOWNLOADER_MIDDLEWARES": DOWNLOADER_MIDDLEWARES | {"newscrawler.crawl.RightsMiddleware": None},
        "ITEM_PIPELINES": {},
    }
    for name, value in wanted.items():
        settings.set(name, value, priority="cmdline")
    return settings


def _check_url(url: str, configuration: Configuration) -> str:
    """Return a URL as it is requested.

    Raises:
        ConfigError: it is invalid, or not on this machine and no contact is set.
    """
    portal = build_portal(url)
    require_contact(configuration, [portal])
    return portal.start_urls[0]


class PageSpider(Spider):
    """Spider that fetches one page, and awaits its requests instead of yielding them."""

    name = "page"

    def __init__(self, url: str, configuration: Configuration, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._url = url
        self._configuration = configuration
        self.page: InputPage | None = None
        self.error: NewscrawlerError | None = None

    async def start(self) -> AsyncIterator[Request]:
        """Fetch the page; there is nothing for the scheduler."""
        try:
            self.page = await self._fetch()
        except NewscrawlerError as error:
            self.error = error
        async for request in super().start():
            yield request

    async def _fetch(self) -> InputPage:
        """Fetch the page, redirects one by one."""
        url = self._url
        for _ in range(REDIRECTS + 1):
            response = await self._send(_check_url(url, self._configuration))
            target = find_redirect_target(response) or _find_refresh(response)
            if target is None:
                return _make_page(self._url, response)
            url = target.partition("#")[0]
        raise PageError(PageReason.REDIRECT_LOOP, url)

    async def _send(self, url: str) -> Response:
        """Make one request; wait once for a short pause of the host that another crawl has caused."""
        assert self.crawler.engine is not None
        for waited in (False, True):
            request = Request(url, callback=NO_CALLBACK)
            try:
                return await self.crawler.engine.download_async(request)
            except NewscrawlerError:
                raise
            except (HostPausedError, RobotsUnreachableError) as error:
                if waited or error.pause.fresh or error.pause.seconds > LONGEST_WAIT_SECONDS:
                    raise _convert_error(error, request) from error
                await asyncio.sleep(error.pause.seconds)
            except Exception as error:
                raise _convert_error(error, request) from error
        raise AssertionError("unreachable")


def _find_refresh(response: Response) -> str | None:
    """Return where a page without a text leads; None: it is the page."""
    if not 200 <= response.status < 300 or get_media_type(response) not in _KINDS:
        return None
    return find_refresh(parse_page(response), read_reference(response, "Refresh"))


def _convert_error(error: Exception, request: Request) -> NewscrawlerError:
    """Return the error of the command for an error of the request."""
    url = request.url
    if isinstance(error, ContactMissingError):
        return ConfigError(str(error))
    if isinstance(error, ForbiddenByRobotsError):
        return PageError(PageReason.ROBOTS, url)
    began = "download_latency" in request.meta
    failure = find_failure(error, began=began, page_megabytes=LARGEST_PAGE_BYTES / 1024 / 1024)
    if isinstance(error, HostPausedError):
        until = datetime.now(UTC) + timedelta(seconds=error.pause.seconds)
        because = error.pause.because or "unknown"
        detail = f"no request to {error.pause.host} before {until:%Y-%m-%d %H:%M} UTC, after errors: {because}"
        return PageError(failure.reason.word, detail)
    if failure.reason.word is PageReason.ROBOTS_UNREACHABLE:
        return PageError(failure.reason.word, f"{error}, so whether {url} may be fetched is not known")
    return PageError(failure.reason.word, failure.reason.detail or str(urlsplit(url).netloc))


def _make_page(address: str, response: Response) -> InputPage:
    if not 200 <= response.status < 300:
        raise PageError(PageReason.HTTP_STATUS, f"{response.status} for {response.url}")
    kind = get_media_type(response)
    if kind in _KINDS:
        kind = find_other_format(response.body) or ""
    if kind:
        raise PageError(PageReason.NOT_HTML, f"{kind} at {response.url}")
    content_type = get_header(response, "Content-Type")
    return InputPage(id=address, html=response.body, url=response.url, content_type=content_type, fetched_at=datetime.now(UTC))
