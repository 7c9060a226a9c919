"""What every request passes on its way out: addresses that may be reached, the host's gate, and bounds of size and time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from scrapy import Request, signals
from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from scrapy.crawler import Crawler
from scrapy.exceptions import CannotResolveHostError, StopDownload
from scrapy.http import Headers, Response
from twisted.python.failure import Failure

from newscrawler.crawl.failures import failure_of, status_trouble
from newscrawler.crawl.gate import Gate
from newscrawler.crawl.passing import Answered, Passed, Visitor
from newscrawler.crawl.refusals import HostPause, NotFoundError
from newscrawler.crawl.resolver import NAMES, connecting_under
from newscrawler.politeness.addresses import AddressRules
from newscrawler.politeness.backoff import Trouble, read_retry_after
from newscrawler.politeness.names import host_of
from newscrawler.politeness.robots import MOST_BYTES

#: All headers of an answer together; real ones have a few KiB.
MOST_HEADER_BYTES = 64 * 1024
#: What pages are served as.
_PAGES = ("text/html", "application/xhtml+xml")
#: What feeds, sitemaps and other lists are served as; a type that says nothing is looked at.
_LISTS = (
    "text/html",
    "text/xml",
    "text/plain",
    "text/json",
    "text/x-xml",
    "text/rss",
    "application/xhtml",
    "application/xml",
    "application/x-xml",
    "application/rss",
    "application/atom",
    "application/rdf",
    "application/json",
    "application/feed",
    "application/tdmrep",
    "application/gzip",
    "application/x-gzip",
    "application/x-gunzip",
    "application/octet-stream",
    "binary/octet-stream",
)

#: What a request is, in its meta: page, robots, tdm or part.
KIND = "kind"
#: The pause that followed from a request's failure, in its meta.
PAUSE = "host_pause"


class HeadersTooLargeError(Exception):
    """The headers of an answer do not end."""


class _BoundedProtocol(_LenientHTTP11ClientProtocol):
    """Gives up on an answer whose headers do not end."""

    _header_bytes = 0

    def request(self, request: Any) -> Any:
        self._header_bytes = 0
        return super().request(request)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  Twisted's name
        parser = self._parser
        if parser is not None and parser.state in {"STATUS", "HEADER"}:
            self._header_bytes += len(data)
            super().dataReceived(data)  # type: ignore[no-untyped-call]
            if self._parser is parser and parser.state in {"STATUS", "HEADER"} and self._header_bytes > MOST_HEADER_BYTES:
                error = HeadersTooLargeError(f"more than {MOST_HEADER_BYTES // 1024} KiB of headers")
                self._giveUp(Failure(error))  # type: ignore[no-untyped-call]
        else:
            super().dataReceived(data)  # type: ignore[no-untyped-call]


class _BoundedFactory(_LenientHTTP11ClientFactory):
    def buildProtocol(self, addr: Any) -> _BoundedProtocol:  # noqa: ARG002, N802  Twisted's name
        return _BoundedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]


class PoliteHandler(HTTP11DownloadHandler):
    """Scrapy's way to fetch over HTTP, behind the gate."""

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool.retryAutomatically = False  # a second request would pass no gate
        self._pool._factory = _BoundedFactory  # noqa: SLF001  no public way
        spider: Any = crawler.spider
        self._gate: Gate = spider.gate
        self._visitor: Visitor = spider.visitor
        self._rules: AddressRules = spider.address_rules
        crawler.signals.connect(decide_by_headers, signal=signals.headers_received)
        self._signals = crawler.signals
        #: Requests for robots.txt that are under way.
        self._robots = 0

    async def download_request(self, request: Request) -> Response:
        """Fetch when the host's turn has come.

        Raises:
            IgnoreRequest: one of `refusals`, or Scrapy's: the request was not sent.
            DownloadFailedError: or another of Scrapy's: there was no answer; `request.meta` holds the pause that follows.
        """
        host = host_of(request.url)
        self._gate.refuse_left_alone(host)
        try:
            addresses = await NAMES.addresses(host, self._rules)
        except NotFoundError as error:  # trouble with the host, as any other
            passed = await self._gate.enter(self._visitor, host, ())
            request.meta[PAUSE] = await self._failed(passed, request, error)
            raise
        passed = await self._gate.enter(self._visitor, host, addresses)
        try:
            with self._reading_robots(request):
                response = await self._connect(request, host)
        except Exception as error:
            request.meta[PAUSE] = await self._failed(passed, request, error)
            raise
        except BaseException:  # the process ends
            asyncio.ensure_future(self._gate.leave(passed, _nothing(request)))  # noqa: RUF006  nobody is left to wait for it
            raise
        request.meta[PAUSE] = await self._answered(passed, request, response)
        return response

    @contextmanager
    def _reading_robots(self, request: Request) -> Iterator[None]:
        """Look at the pieces of a robots.txt as they come; those of pages, some three of each, need nobody to be called."""
        if request.meta.get(KIND) != "robots":
            yield
            return
        if self._robots == 0:
            self._signals.connect(stop_robots, signal=signals.bytes_received)
        self._robots += 1
        try:
            yield
        finally:
            self._robots -= 1
            if self._robots == 0:
                self._signals.disconnect(stop_robots, signal=signals.bytes_received)

    async def _connect(self, request: Request, host: str) -> Response:
        with connecting_under(self._rules):
            try:
                return await super().download_request(request)
            except CannotResolveHostError:
                await NAMES.addresses(host, self._rules)  # says why, if the name leads elsewhere by now
                raise

    async def _answered(self, passed: Passed, request: Request, response: Response) -> HostPause | None:
        kind = request.meta.get(KIND, "page")
        value = response.headers.get("Retry-After")
        asked = read_retry_after(value.decode("latin-1"), datetime.now(UTC)) if value else None
        trouble = status_trouble(response.status, surely_host=_is_front(request))
        return await self._gate.leave(
            passed,
            Answered(
                url=request.url,
                kind=kind,
                status=response.status,
                size=len(response.body),
                address=str(response.ip_address) if response.ip_address else None,
                trouble=trouble,
                told=f"answers {response.status}",
                retry_after_seconds=asked if response.status >= 300 else None,
                response_seconds=request.meta.get("download_latency", 0.0),
            ),
        )

    async def _failed(self, passed: Passed, request: Request, error: Exception) -> HostPause | None:
        failure = failure_of(error, began="download_latency" in request.meta)
        trouble = Trouble.HOST if failure.trouble is Trouble.UNSURE and _is_front(request) else failure.trouble
        return await self._gate.leave(
            passed,
            Answered(
                url=request.url,
                kind=request.meta.get(KIND, "page"),
                status=None,
                size=0,
                reason=failure.reason,
                told=str(failure.reason),
                trouble=trouble,
                response_seconds=request.meta.get("download_latency", monotonic() - passed.began),
            ),
        )


def _nothing(request: Request) -> Answered:
    return Answered(url=request.url, kind=request.meta.get(KIND, "page"), status=None, size=0, trouble=Trouble.PAGE)


def _is_front(request: Request) -> bool:
    """A host that fails at its front page or at robots.txt is in trouble itself."""
    claimed = request.meta.get("claimed")
    return request.meta.get(KIND) == "robots" or (claimed is not None and claimed.kind == "start")


def decide_by_headers(headers: Headers, body_length: int, request: Request, **_: Any) -> None:
    """Leave the body of an answer where its headers say that we do not read it.

    Raises:
        StopDownload: they do.
    """
    if request.meta.get(KIND) == "robots":
        return
    kind = (headers.get("Content-Type") or b"").decode("latin-1").partition(";")[0].strip().lower()
    claimed = request.meta.get("claimed")
    is_list = claimed is None or claimed.kind in {"feed", "sitemap"}
    if "/" in kind and not kind.startswith(_LISTS if is_list else _PAGES) and body_length != 0:
        raise StopDownload(fail=False)


def stop_robots(data: bytes, request: Request, **_: Any) -> None:
    """Read no more of a robots.txt than counts.

    Raises:
        StopDownload: there is more.
    """
    if request.meta.get(KIND) == "robots":
        request.meta["robots_bytes"] = request.meta.get("robots_bytes", 0) + len(data)
        if request.meta["robots_bytes"] > MOST_BYTES:
            raise StopDownload(fail=False)
