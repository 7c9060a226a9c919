"""One request over HTTP, for commands that need no crawl: to an address that was looked at, bounded in size and time.

Nothing of the user's goes along: no proxy or credentials from the environment, no .netrc, no cookies.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Timer
from time import monotonic
from urllib.parse import urlsplit

from newscrawler.errors import PageError, PageReason
from newscrawler.politeness.addresses import AddressRules, address_of, is_local_name

LONGEST_SECONDS = 60.0
SILENCE_SECONDS = 20.0
_ENCODINGS = {"gzip", "x-gzip", "deflate"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server answered."""

    url: str
    status: int
    headers: dict[str, str]
    body: bytes = field(repr=False)
    address: str
    #: From sending to the headers.
    seconds: float

    @property
    def location(self) -> str | None:
        """Where a redirect leads."""
        return self.headers.get("location") if 300 <= self.status < 400 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a request may not go beyond."""

    rules: AddressRules
    #: Of the body, as it comes and unpacked; what is more is an error, or left where `cut`.
    most_bytes: int
    cut: bool = False
    #: On the clock of time.monotonic().
    deadline: float
    #: Raises where the headers alone say that the body is not needed.
    decide: Callable[[int, dict[str, str]], None] | None = None


def get(url: str, headers: dict[str, str], bounds: Bounds) -> Answer:
    """Make one request.

    Raises:
        PageError: there is no answer, or it is not to be taken.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    began = monotonic()
    connection = _connect(url, host, parts.port, bounds)
    # a server that sends a byte now and then keeps no timeout of a socket from being met
    watch = Timer(max(0.0, bounds.deadline - monotonic()), _cut_off, [connection])
    watch.daemon = True
    watch.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("GET", target, headers=headers)
        with connection.getresponse() as response:  # also where it is not read to its end: it holds the socket
            seconds = monotonic() - began
            named = {name.lower(): value for name, value in response.getheaders()}
            if bounds.decide is not None:
                bounds.decide(response.status, named)
            body = _body(response, named.get("content-encoding", ""), url, bounds)
            address = str(connection.sock.getpeername()[0]) if connection.sock else ""
        return Answer(url=url, status=response.status, headers=named, body=body, address=address, seconds=seconds)
    except (OSError, http.client.HTTPException, zlib.error) as error:
        raise _page_error(error, url, bounds.deadline) from error
    finally:
        watch.cancel()
        connection.close()


def _connect(url: str, host: str, port: int | None, bounds: Bounds) -> http.client.HTTPConnection:
    """Connect to the first address of a host that may be reached and answers."""
    secure = urlsplit(url).scheme == "https"
    number = port or (443 if secure else 80)
    last: OSError = OSError("no address")
    for address in _addresses(host, bounds.rules):
        try:
            plain = socket.create_connection((address, number), timeout=_left(bounds.deadline, url))
        except OSError as error:
            last = error
            continue
        try:
            sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host) if secure else plain
        except OSError as error:
            plain.close()
            raise _page_error(error, url, bounds.deadline) from error
        connection = http.client.HTTPConnection(host, number)
        connection.default_port = 443 if secure else 80
        connection.sock = sock
        return connection
    raise _page_error(last, url, bounds.deadline) from last


def _addresses(host: str, rules: AddressRules) -> list[str]:
    """The addresses of a host that may be connected to.

    Raises:
        PageError: there are none.
    """
    literal = address_of(host)
    try:
        if literal is not None:
            found = [str(literal)]
        elif is_local_name(host):
            found = ["127.0.0.1", "::1"]
        else:
            answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            found = list(dict.fromkeys(str(place[0]).partition("%")[0] for *_, place in answers))
    except (OSError, UnicodeError) as error:
        raise PageError(PageReason.DNS, host) from error
    allowed = [text for text in found if (address := address_of(text)) is not None and rules.allows(host, address)]
    if not allowed:
        named = "" if literal is not None else f" leads to {', '.join(found[:3])}, which"
        way = "put it into networks of a portal in newscrawler.toml if it is yours"
        raise PageError(PageReason.ADDRESS, f"{host}{named} is not on the open internet; {way}")
    return allowed


def _body(response: http.client.HTTPResponse, encoding: str, url: str, bounds: Bounds) -> bytes:
    """Read piece by piece, so that neither a huge page, a slow one nor a bomb of gzip is read to its end."""
    most = bounds.most_bytes
    unpack = zlib.decompressobj(wbits=47) if encoding.strip().lower() in _ENCODINGS else None
    body = bytearray()
    while len(body) <= most and (piece := response.read1(65536)):
        body += unpack.decompress(piece, most + 1 - len(body)) if unpack else piece
        _left(bounds.deadline, url)
    if len(body) > most:
        if not bounds.cut:
            raise PageError(PageReason.TOO_LARGE, f"{url} is larger than {most / 1024 / 1024:g} MB")
        return bytes(body[:most])
    if getattr(response, "length", None):
        raise PageError(PageReason.CONNECTION, f"{url} broke off before its end")
    return bytes(body)


def _left(deadline: float, url: str) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise PageError(PageReason.TOO_SLOW, f"{url} did not arrive within {LONGEST_SECONDS:g} s")
    return min(left, SILENCE_SECONDS)


def _cut_off(connection: http.client.HTTPConnection) -> None:
    if connection.sock is not None:
        try:
            connection.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def _page_error(error: Exception, url: str, deadline: float) -> PageError:
    if monotonic() >= deadline:
        return PageError(PageReason.TOO_SLOW, f"{url} did not arrive within {LONGEST_SECONDS:g} s")
    if isinstance(error, ssl.SSLCertVerificationError):
        return PageError(PageReason.TLS, f"the certificate of {urlsplit(url).netloc} is not valid: {error.verify_message}")
    if isinstance(error, ssl.SSLError):
        return PageError(PageReason.TLS, f"{url}: {error.reason or error}")
    if isinstance(error, TimeoutError):
        return PageError(PageReason.TIMEOUT, f"{url} was silent for {SILENCE_SECONDS:g} s")
    if isinstance(error, ConnectionRefusedError):
        return PageError(PageReason.REFUSED, str(urlsplit(url).netloc))
    if isinstance(error, zlib.error):
        return PageError(PageReason.GARBLED, f"{url}: {error}")
    return PageError(PageReason.CONNECTION, f"{url}: {error}".removesuffix(": "))
