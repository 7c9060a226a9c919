"""Resolve host names to permitted addresses, before a request and again when connecting, or leave that to a proxy.

The name server may answer differently each time, so the lookup for the connection decides: Twisted's resolver is here too
(TWISTED_DNS_RESOLVER), and never returns an address that the request may not reach.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpproxy import HttpProxyMiddleware
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IHostResolution
from zope.interface import implementer  # type: ignore[import-untyped]

from newscrawler.crawl.hosts.failures import AddressRefusedError, NotFoundError
from newscrawler.politeness import AddressRules, get_host, is_local_name, parse_ip_address

#: An answer of the name server is cached for so long.
CACHED_SECONDS = 60.0
LONGEST_SECONDS = 20.0
_MOST_CACHED = 5_000
#: The reason for a name that does not exist; other failures may be temporary.
NO_SUCH_NAME = "there is no such name"
_NO_SUCH_NAME = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})
#: Rules of the request that is being connected; by default, public addresses only.
_rules: ContextVar[AddressRules | None] = ContextVar("address rules", default=None)


@contextmanager
def apply_rules(rules: AddressRules) -> Iterator[None]:
    """Apply these rules to connections made within the block."""
    token = _rules.set(rules)
    try:
        yield
    finally:
        _rules.reset(token)


class NameResolver:
    """Name resolution with a cache, limited to permitted addresses."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, tuple[str, ...]]] = {}

    async def resolve(self, host: str, rules: AddressRules) -> tuple[str, ...]:
        """Return the permitted addresses of a host, in the order in which to try them.

        Raises:
            NotFoundError: the name does not resolve.
            AddressRefusedError: none of its addresses is permitted.
        """
        found = await self._resolve_all(host)
        allowed = tuple(text for text in found if (address := parse_ip_address(text)) is not None and rules.allows(host, address))
        if not allowed:
            raise AddressRefusedError(_explain_refusal(host, found))
        return allowed

    async def _resolve_all(self, host: str) -> tuple[str, ...]:
        literal = parse_ip_address(host)
        if literal is not None:
            return (str(literal),)
        if is_local_name(host):  # without a name server (RFC 6761, section 6.3)
            return ("127.0.0.1", "::1")
        known = self._known.get(host)
        if known is not None and monotonic() - known[0] < CACHED_SECONDS:
            return known[1]
        loop = asyncio.get_running_loop()
        try:
            found = await asyncio.wait_for(loop.run_in_executor(None, _look_up, host), LONGEST_SECONDS)
        except (OSError, UnicodeError, TimeoutError) as error:
            raise NotFoundError(f"{host}: {_describe_cause(error)}") from error
        if len(self._known) >= _MOST_CACHED:
            self._known.clear()
        self._known[host] = (monotonic(), found)
        return found


def _look_up(host: str) -> tuple[str, ...]:
    answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(place[0]).partition("%")[0] for *_, place in answers))


def _explain_refusal(host: str, found: tuple[str, ...]) -> str:
    if parse_ip_address(host) is not None:
        return f"{host} is not a public address; `networks` of the portal allows it, or PRIVATE_NETWORKS"
    return f"{host} is at {', '.join(found[:3])}, no public address; `networks` of the portal or PRIVATE_NETWORKS allows it"


def _describe_cause(error: BaseException) -> str:
    if isinstance(error, socket.gaierror) and error.errno in _NO_SUCH_NAME:
        return NO_SUCH_NAME
    if isinstance(error, TimeoutError):
        return f"the name server did not answer within {LONGEST_SECONDS:.0f} s"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class ProxyMiddleware(HttpProxyMiddleware):
    """Scrapy's middleware for proxies: that of PROXY, or those of http_proxy, https_proxy and no_proxy."""

    def __init__(self, proxy: str | None, auth_encoding: str | None = "latin-1") -> None:
        super().__init__(auth_encoding)
        if proxy is not None:
            self.proxies = dict.fromkeys(("http", "https"), self._get_proxy(proxy, "http"))

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take PROXY from the settings."""
        return cls(crawler.settings["PROXY"], crawler.settings["HTTPPROXY_AUTH_ENCODING"])


async def resolve_for(request: Request, rules: AddressRules) -> tuple[str, ...]:
    """Return the permitted addresses of a request's host; empty: a proxy resolves its name.

    Raises:
        NotFoundError: the name does not resolve.
        AddressRefusedError: none of its addresses is permitted.
    """
    host = get_host(request.url)
    if request.meta.get("proxy") and parse_ip_address(host) is None and not is_local_name(host):
        return ()
    return await NAMES.resolve(host, rules)


#: The cache of this process, shared by all its crawls.
NAMES = NameResolver()


@implementer(IHostResolution)
class _Resolution:
    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """Do nothing: the lookup completes, and its result is not used."""


@implementer(IHostnameResolver)
class CheckingResolver:
    """Twisted's resolver, limited to permitted addresses."""

    def __init__(self, reactor: Any) -> None:
        self._reactor = reactor

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: Any) -> Self:  # noqa: ARG003  Scrapy's signature
        """Make the component, as Scrapy does."""
        return cls(reactor)

    def install_on_reactor(self) -> None:
        """Replace the reactor's resolver."""
        self._reactor.installNameResolver(self)

    def resolveHostName(  # noqa: N802  Twisted's name
        self, resolutionReceiver: Any, hostName: str, portNumber: int = 0, addressTypes: Any = None, transportSemantics: Any = "TCP"  # noqa: N803, ARG002
    ) -> _Resolution:  # fmt: skip
        """Return the permitted addresses; none if there is none."""
        resolution = _Resolution(hostName)
        resolutionReceiver.resolutionBegan(resolution)
        rules = _rules.get() or AddressRules()

        async def resolve() -> None:
            try:
                for text in await NAMES.resolve(hostName, rules):
                    kind = IPv6Address if ":" in text else IPv4Address
                    resolutionReceiver.addressResolved(kind("TCP", text, portNumber))
            except (NotFoundError, AddressRefusedError):
                pass  # the connection finds no address
            finally:
                resolutionReceiver.resolutionComplete()

        task = asyncio.ensure_future(resolve())
        _resolving.add(task)
        task.add_done_callback(_resolving.discard)
        return resolution


_resolving: set[asyncio.Task[None]] = set()
