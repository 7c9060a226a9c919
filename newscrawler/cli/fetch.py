"""One page, fetched politely: robots.txt obeyed, ourselves named, size and time bounded, redirects judged one by one."""

from __future__ import annotations

import http.client
import socket
import ssl
import zlib
from dataclasses import dataclass
from time import monotonic
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from protego import Protego

from newscrawler.config import Configuration, is_loopback, require_contact, user_agent
from newscrawler.config.build import portal_from_url
from newscrawler.errors import PageError, PageReason

LARGEST_PAGE_BYTES = 50 * 1024 * 1024
#: RFC 9309 §2.5 asks for at least 500 KiB.
LARGEST_ROBOTS_BYTES = 1024 * 1024
LONGEST_SECONDS = 60.0
SILENCE_SECONDS = 20.0
MOST_REDIRECTS = 10
_HEADERS = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1", "Accept-Encoding": "gzip"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPage:
    """What a server answered."""

    url: str
    body: bytes
    content_type: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    status: int
    location: str | None
    page: FetchedPage


class _Stay(HTTPRedirectHandler):
    """Leaves redirects to us: each target has its own robots.txt, and may need a contact."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        """Do not follow."""
        return


def fetch(url: str, configuration: Configuration) -> FetchedPage:
    """Fetch one page.

    Raises:
        ConfigError: the URL is none, or the page is elsewhere and there is no contact.
        PageError: the page cannot be had; the reason says why.
    """
    deadline = monotonic() + LONGEST_SECONDS
    for _ in range(MOST_REDIRECTS + 1):
        (url,) = portal_from_url(url).start_urls
        require_contact(configuration, [portal_from_url(url)])
        if not _allowed(url, configuration, deadline):
            raise PageError(PageReason.ROBOTS, url)
        answer = _get(url, user_agent(configuration.contact), deadline)
        if answer.location is None or answer.status not in {301, 302, 303, 307, 308}:
            return _successful(answer)
        url = urljoin(url, answer.location).partition("#")[0]
    raise PageError(PageReason.REDIRECT_LOOP, url)


def _successful(answer: _Answer) -> FetchedPage:
    if not 200 <= answer.status < 300:
        raise PageError(PageReason.HTTP_STATUS, f"{answer.status} for {answer.page.url}")
    kind = (answer.page.content_type or "text/html").partition(";")[0].strip().lower()
    if kind not in {"text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", ""}:
        raise PageError(PageReason.NOT_HTML, f"{kind} at {answer.page.url}")
    return answer.page


def _allowed(url: str, configuration: Configuration, deadline: float) -> bool:
    """Ask robots.txt: one that is not there allows all, one that cannot be read forbids all (RFC 9309 §2.3.1)."""
    agent = user_agent(configuration.contact)
    address = urljoin(url, "/robots.txt")
    answer = _get(address, agent, deadline, robots=True)
    for _ in range(5):  # across hosts too; the rules count for the host that was asked
        if answer.location is None or not 300 <= answer.status < 400:
            break
        (address,) = portal_from_url(urljoin(address, answer.location)).start_urls
        require_contact(configuration, [portal_from_url(address)])
        answer = _get(address, agent, deadline, robots=True)
    if answer.status >= 500:
        raise PageError(PageReason.ROBOTS, f"{address} answers {answer.status}, so whether {url} may be fetched is not known")
    if not 200 <= answer.status < 300:
        return True
    return bool(Protego.parse(answer.page.body.decode("utf-8", "replace")).can_fetch(url, agent))


def _get(url: str, agent: str, deadline: float, *, robots: bool = False) -> _Answer:
    request = Request(_ascii(url), headers={"User-Agent": agent} | _HEADERS)  # noqa: S310  portal_from_url let only http and https through
    try:
        with _opener(url).open(request, timeout=_left(deadline, url)) as response:
            return _answer(response, url, deadline, robots=robots)
    except HTTPError as error:
        with error:
            return _answer(error, url, deadline, robots=robots)
    except (OSError, http.client.HTTPException, zlib.error) as error:
        raise _page_error(error, url) from error


def _opener(url: str) -> OpenerDirector:
    return build_opener(_Stay, *([ProxyHandler({})] if is_loopback(urlsplit(url).hostname) else []))


def _ascii(url: str) -> str:
    """Write a URL as HTTP carries it; what is escaped already stays."""
    from w3lib.url import safe_url_string

    return safe_url_string(url)


def _answer(response: Any, url: str, deadline: float, *, robots: bool) -> _Answer:
    headers = response.headers
    most = LARGEST_ROBOTS_BYTES if robots else LARGEST_PAGE_BYTES
    body = _body(response, headers.get("Content-Encoding", ""), most, url, deadline)
    if len(body) > most and not robots:
        raise PageError(PageReason.TOO_LARGE, f"{url} is larger than {most // 1024 // 1024} MB")
    page = FetchedPage(url=url, body=body[:most], content_type=headers.get("Content-Type"))
    return _Answer(status=response.status, location=headers.get("Location"), page=page)


def _body(response: Any, encoding: str, most: int, url: str, deadline: float) -> bytes:
    """Read piece by piece, so that neither a huge page, a slow one nor a bomb of gzip is read to its end."""
    unpack = zlib.decompressobj(wbits=47) if encoding.strip().lower() in {"gzip", "x-gzip", "deflate"} else None
    body = bytearray()
    while len(body) <= most and (piece := response.read1(65536)):
        body += unpack.decompress(piece, most + 1 - len(body)) if unpack else piece
        _left(deadline, url)
    if len(body) <= most and getattr(response, "length", None):
        raise PageError(PageReason.CONNECTION, f"{url} broke off before its end")
    return bytes(body)


def _left(deadline: float, url: str) -> float:
    left = deadline - monotonic()
    if left <= 0:
        raise PageError(PageReason.TIMEOUT, f"{url} did not arrive within {LONGEST_SECONDS:.0f} s")
    return min(left, SILENCE_SECONDS)


def _page_error(error: Exception, url: str) -> PageError:
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, ssl.SSLError):
        return PageError(PageReason.TLS, f"{url}: {cause.reason or cause}")
    if isinstance(cause, socket.gaierror):
        return PageError(PageReason.DNS, str(urlsplit(url).hostname))
    if isinstance(cause, TimeoutError):
        return PageError(PageReason.TIMEOUT, f"{url} was silent for {SILENCE_SECONDS:.0f} s")
    if isinstance(cause, ConnectionRefusedError):
        return PageError(PageReason.REFUSED, str(urlsplit(url).netloc))
    return PageError(PageReason.CONNECTION, f"{url}: {cause}".removesuffix(": "))
