"""From a host's name to the addresses that may be connected to; looked up before a request, and again when connecting.

The name server may answer differently each time, so what counts is the look that Twisted takes to open the connection: it comes
here too (TWISTED_DNS_RESOLVER), and an address that the request's portal may not reach is never returned.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any, Self

from scrapy.crawler import Crawler
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IHostResolution
from zope.interface import implementer  # type: ignore[import-untyped]

from newscrawler.crawl.failures import AddressRefusedError, NotFoundError
from newscrawler.politeness.addresses import AddressRules, address_of, is_local_name

#: An answer of the name server is cached for so long.
CACHED_SECONDS = 60.0
LONGEST_SECONDS = 20.0
_MOST_CACHED = 5_000
#: What is reported of a name that name servers say does not exist; other failures may pass.
NO_SUCH_NAME = "there is no such name"
_NO_SUCH_NAME = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})
#: The rules of the request that is being connected; without any, public addresses alone.
_rules: ContextVar[AddressRules | None] = ContextVar("address rules", default=None)


@contextmanager
def connecting_under(rules: AddressRules) -> Iterator[None]:
    """Apply these rules to connections made within the block."""
    token = _rules.set(rules)
    try:
        yield
    finally:
        _rules.reset(token)


class Names:
    """Looks up names, remembers them for a while, and returns addresses that a portal may reach."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, tuple[str, ...]]] = {}

    async def addresses(self, host: str, rules: AddressRules) -> tuple[str, ...]:
        """The addresses of a host, in the order in which to try them.

        Raises:
            NotFoundError: the name leads nowhere.
            AddressRefusedError: it leads to addresses that this portal may not reach, and to no other.
        """
        found = await self._all(host)
        allowed = tuple(text for text in found if (address := address_of(text)) is not None and rules.allows(host, address))
        if not allowed:
            raise AddressRefusedError(_refusal(host, found))
        return allowed

    async def _all(self, host: str) -> tuple[str, ...]:
        literal = address_of(host)
        if literal is not None:
            return (str(literal),)
        if is_local_name(host):  # no name server is asked (RFC 6761, section 6.3)
            return ("127.0.0.1", "::1")
        known = self._known.get(host)
        if known is not None and monotonic() - known[0] < CACHED_SECONDS:
            return known[1]
        loop = asyncio.get_running_loop()
        try:
            found = await asyncio.wait_for(loop.run_in_executor(None, _look_up, host), LONGEST_SECONDS)
        except (OSError, UnicodeError, TimeoutError) as error:
            raise NotFoundError(f"{host}: {_cause(error)}") from error
        if len(self._known) >= _MOST_CACHED:
            self._known.clear()
        self._known[host] = (monotonic(), found)
        return found


def _look_up(host: str) -> tuple[str, ...]:
    answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(place[0]).partition("%")[0] for *_, place in answers))


def _refusal(host: str, found: tuple[str, ...]) -> str:
    if address_of(host) is not None:
        return f"{host} is no public address, and neither start_urls nor PRIVATE_HOSTS names it"
    return f"{host} is at {', '.join(found[:3])}, no public address; `networks` of the portal or PRIVATE_NETWORKS allows it"


def _cause(error: BaseException) -> str:
    if isinstance(error, socket.gaierror) and error.errno in _NO_SUCH_NAME:
        return NO_SUCH_NAME
    if isinstance(error, TimeoutError):
        return f"the name server did not answer within {LONGEST_SECONDS:.0f} s"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


#: The names that this process knows; shared by all its crawls.
NAMES = Names()


@implementer(IHostResolution)
class _Resolution:
    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """Do nothing: it runs to its end, and its result is not used."""


@implementer(IHostnameResolver)
class CheckingResolver:
    """Twisted's way to addresses."""

    def __init__(self, reactor: Any) -> None:
        self._reactor = reactor

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: Any) -> Self:  # noqa: ARG003  Scrapy's signature
        """Scrapy's way of making a component."""
        return cls(reactor)

    def install_on_reactor(self) -> None:
        """Take the place of the reactor's own."""
        self._reactor.installNameResolver(self)

    def resolveHostName(  # noqa: N802  Twisted's name
        self, resolutionReceiver: Any, hostName: str, portNumber: int = 0, addressTypes: Any = None, transportSemantics: Any = "TCP"  # noqa: N803, ARG002
    ) -> _Resolution:  # fmt: skip
        """Return the addresses that the request may be connected to; none where none is allowed."""
        resolution = _Resolution(hostName)
        resolutionReceiver.resolutionBegan(resolution)
        rules = _rules.get() or AddressRules()

        async def resolve() -> None:
            try:
                for text in await NAMES.addresses(hostName, rules):
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
