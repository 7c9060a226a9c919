"""Fetch over HTTP from permitted addresses, with limits of size, and without bodies that are not read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from OpenSSL import SSL, crypto
from scrapy import Request, signals
from scrapy.core.downloader.contextfactory import _ScrapyClientContextFactory
from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
    _LenientHTTPClientParser,
)
from scrapy.crawler import Crawler
from scrapy.exceptions import CannotResolveHostError, ResponseDataLossError, StopDownload
from scrapy.http import Headers, Response
from twisted.internet._sslverify import IOpenSSLTrustRoot
from twisted.internet.ssl import optionsForClientTLS
from twisted.python.failure import Failure
from twisted.web.http import _ChunkedTransferDecoder
from zope.interface import implementer  # type: ignore[import-untyped]

from newscrawler.crawl.components.decompression import get_encodings, is_complete
from newscrawler.crawl.components.resolver import apply_rules, resolve_for
from newscrawler.crawl.hosts.shared_hosts import make_address_rules
from newscrawler.crawl.reading.responses import find_media_type
from newscrawler.crawl.run.items import KIND
from newscrawler.limits import HEADER_BYTES
from newscrawler.politeness import MOST_ROBOTS_BYTES, AddressRules
from newscrawler.store.vocabularies import FetchKind, FrontierKind

#: Media types of pages.
_PAGES = ("text/html", "application/xhtml+xml")
#: Media types of APIs.
_JSON = frozenset({
    "application/json", "application/ld+json", "application/vnd.api+json", "application/hal+json", "text/json",
    "application/graphql-response+json",
})  # fmt: skip
#: Media types of a page's scripts and styles, and of undeclared data.
_PROGRAMS = frozenset({
    "text/javascript", "application/javascript", "application/x-javascript", "text/ecmascript", "text/css", "text/plain",
    "application/octet-stream", "application/graphql-response+json", "text/xml", "application/xml",
})  # fmt: skip
#: Media types of feeds and sitemaps, which some portals have in place of pages.
_XML = re.compile(r"(?:text|application)/(?:x-)?(?:xml|rss|atom|rdf)\b")
#: Those of lists, generic ones and those of indexes of web archives included.
_LISTS = re.compile(
    r"(?:text|application)/(?:x-)?(?:html|xhtml|xml|plain|(?:nd)?json|cdx|rss|atom|rdf|opml|feed|tdmrep|gzip|gunzip)"
    r"|(?:application|binary)/octet-stream"
)


_ANY_ADDRESS = AddressRules.of((), ("0.0.0.0/0", "::/0"))
_TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_LENGTHS = re.compile(rb"\s*\d+\s*(?:,\s*\d+\s*)*\Z")
_CARRIAGE_RETURN = ord("\r")


class HeadersTooLargeError(Exception):
    """The headers of an answer do not end."""


class _TolerantChunks(_ChunkedTransferDecoder):
    """Read chunks whose lines have blanks around their size, extensions of any form, or no carriage return."""

    def _dataReceived_CHUNK_LENGTH(self) -> bool:  # noqa: N802  Twisted's names
        if (end := self._buffer.find(b"\n")) >= 0:
            self._buffer[: end + 1] = self._buffer[:end].partition(b";")[0].strip() + b"\r\n"
            self._start = 0
        return super()._dataReceived_CHUNK_LENGTH()

    def _dataReceived_CRLF(self) -> bool:  # noqa: N802
        self._add_carriage_return()
        return super()._dataReceived_CRLF()

    def _dataReceived_TRAILER(self) -> bool:  # noqa: N802
        self._add_carriage_return()
        return super()._dataReceived_TRAILER()

    def _add_carriage_return(self) -> None:
        end = self._buffer.find(b"\n")
        if end == 0 or (end > 0 and self._buffer[end - 1] != _CARRIAGE_RETURN):
            self._buffer[end : end + 1] = b"\r\n"
            self._start = 0


class _TolerantParser(_LenientHTTPClientParser):
    """Read a head as browsers do; of 57 odd framings that they show, Scrapy's parser reads 43 and aiohttp's 42."""

    MAX_LENGTH = HEADER_BYTES
    _transferDecoders = {b"chunked": _TolerantChunks}  # noqa: N815, RUF012  Twisted's name

    def lineReceived(self, line: bytes) -> None:  # noqa: N802  Twisted's name
        if self.state == "STATUS":
            line = b" ".join(line.split(None, 2))
        if self.state != "STATUS" or line:  # empty lines before the first
            super().lineReceived(line)

    def headerReceived(self, name: bytes, value: bytes) -> None:  # noqa: N802  Twisted's name
        name = name.rstrip(b" \t").lower()
        if name == b"transfer-encoding":
            value = b", ".join(set(filter(None, map(bytes.strip, value.lower().split(b",")))) - {b"identity"})
        is_void = (name == b"transfer-encoding" and not value) or (name == b"content-length" and not _LENGTHS.match(value))
        if _TOKEN.match(name) and not is_void:
            super().headerReceived(name, value)  # type: ignore[no-untyped-call]


class _BoundedProtocol(_LenientHTTP11ClientProtocol):
    """Abort an answer whose headers exceed the limit."""

    _header_bytes = 0

    def request(self, request: Any) -> Any:
        self._header_bytes = 0
        response = super().request(request)
        if self._parser is not None:
            self._parser.__class__ = _TolerantParser
        return response

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  Twisted's name
        parser = self._parser
        if parser is not None and parser.state in {"STATUS", "HEADER"}:
            self._header_bytes += len(data)
            super().dataReceived(data)  # type: ignore[no-untyped-call]
            if self._parser is parser and parser.state in {"STATUS", "HEADER"} and self._header_bytes > HEADER_BYTES:
                error = HeadersTooLargeError(f"more than {HEADER_BYTES // 1024} KiB of headers")
                self._giveUp(Failure(error))  # type: ignore[no-untyped-call]
        else:
            super().dataReceived(data)  # type: ignore[no-untyped-call]


class _BoundedFactory(_LenientHTTP11ClientFactory):
    def buildProtocol(self, addr: Any) -> _BoundedProtocol:  # noqa: ARG002, N802  Twisted's name
        return _BoundedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]


@implementer(IOpenSSLTrustRoot)
class _TrustingContextFactory(_ScrapyClientContextFactory):
    """Verify certificates by those of the system and those of a file, be they of authorities or of the portal itself."""

    path: str

    def creatorForNetloc(self, hostname: bytes, port: int) -> Any:  # noqa: ARG002, N802  Twisted's name
        options = self._get_cert_options_kwargs()
        root: Any = self
        return optionsForClientTLS(hostname.decode("ascii"), trustRoot=root, extraCertificateOptions=options)

    def _addCACertsToContext(self, context: SSL.Context) -> None:  # noqa: N802  Twisted's name
        context.set_default_verify_paths()
        context.load_verify_locations(self.path)
        if (known := context.get_cert_store()) is not None:
            known.set_flags(crypto.X509StoreFlags.PARTIAL_CHAIN)


class GuardedHandler(HTTP11DownloadHandler):
    """Scrapy's HTTP handler, limited to permitted addresses, to 64 KiB of headers and to the part of robots.txt that counts."""

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._fail_on_dataloss = False  # `download_request` decides
        self._pool.retryAutomatically = False  # a second request would have no slot
        self._pool._factory = _BoundedFactory  # noqa: SLF001  no public way
        self._rules = make_address_rules(crawler.settings)
        if path := crawler.settings["TRUSTED_CERTIFICATES"]:
            trusting: Any = _TrustingContextFactory.from_crawler(crawler)
            trusting.path = path
            self._contextFactory = trusting
        crawler.signals.connect(decide_by_headers, signal=signals.headers_received)
        self._signals = crawler.signals
        #: Requests for robots.txt that are under way.
        self._robots = 0

    async def download_request(self, request: Request) -> Response:
        """Fetch, if the host has a permitted address.

        Raises:
            AddressRefusedError: it has none.
            ResponseDataLossError: the body breaks off by its framing, and does not show that it is whole.
            DownloadFailedError: or another of Scrapy's: no response came.
        """
        await resolve_for(request, self._rules)
        rules = _ANY_ADDRESS if request.meta.get("proxy") else self._rules  # the user's own proxy may be at a private address
        with self._limit_robots(request), apply_rules(rules):
            try:
                response = await super().download_request(request)
            except CannotResolveHostError:
                await resolve_for(request, self._rules)  # says why, if the name leads elsewhere by now
                raise
        if "dataloss" in response.flags and not is_complete(response.body, get_encodings(response.headers)):
            raise ResponseDataLossError
        return response

    @contextmanager
    def _limit_robots(self, request: Request) -> Iterator[None]:
        """Limit the size of a robots.txt while it arrives; the signal is connected only then, as each page sends it too."""
        if request.meta.get(KIND) is not FetchKind.ROBOTS:
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


def decide_by_headers(headers: Headers, body_length: int, request: Request, **_: Any) -> None:
    """Stop the download of a body whose media type is not read.

    Raises:
        StopDownload: they do.
    """
    if request.meta.get(KIND) in {FetchKind.ROBOTS, FetchKind.LICENCE}:
        return
    kind = find_media_type(headers)
    lease = request.meta.get("lease")
    is_list = lease is None or lease.kind in {FrontierKind.START, FrontierKind.FEED, FrontierKind.SITEMAP}
    is_more = lease is not None and lease.kind == FrontierKind.SECTION and (kind in _JSON or kind in _PROGRAMS)
    if request.meta.get(KIND) in {FetchKind.ALTERNATE, FetchKind.RENDERING}:
        is_more = kind in _JSON or (request.meta[KIND] is FetchKind.RENDERING and kind in _PROGRAMS)
    is_read = _LISTS.match(kind) is not None if is_list else kind.startswith(_PAGES) or _XML.match(kind) is not None
    if "/" in kind and not is_more and not is_read and body_length != 0:
        raise StopDownload(fail=False)


def stop_robots(data: bytes, request: Request, **_: Any) -> None:
    """Stop the download of a robots.txt after the 500 KiB that count.

    Raises:
        StopDownload: there is more.
    """
    if request.meta.get(KIND) is FetchKind.ROBOTS:
        request.meta["robots_bytes"] = request.meta.get("robots_bytes", 0) + len(data)
        if request.meta["robots_bytes"] > MOST_ROBOTS_BYTES:
            raise StopDownload(fail=False)
