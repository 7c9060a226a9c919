"""One page, fetched politely: in its turn, robots.txt obeyed, ourselves named, redirects judged one by one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from urllib.parse import urljoin

from newscrawler.cli import transport
from newscrawler.cli.transport import Answer, Bounds
from newscrawler.cli.turns import Turns, turns_of
from newscrawler.config import Configuration, require_contact, user_agent
from newscrawler.config.build import portal_from_url
from newscrawler.errors import PageError, PageReason
from newscrawler.page.sniff import binary_kind
from newscrawler.politeness.addresses import AddressRules
from newscrawler.politeness.backoff import read_retry_after
from newscrawler.politeness.names import origin_of
from newscrawler.politeness.robots import MOST_BYTES
from newscrawler.politeness.robots_entry import MOST_REDIRECTS, RobotsEntry, robots_answered, robots_failed

LARGEST_PAGE_BYTES = 50 * 1024 * 1024
MOST_HOPS = 10
_KINDS = {"text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", ""}
_ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPage:
    """What a server answered."""

    url: str
    body: bytes
    content_type: str | None


def fetch(url: str, configuration: Configuration) -> FetchedPage:
    """Fetch one page.

    Raises:
        ConfigError: the URL is none, or the page is elsewhere and there is no contact.
        PageError: the page cannot be had; the reason says why.
        StoreError: there is a database, and it fails.
    """
    with turns_of(configuration) as turns:
        return _Fetch(configuration, turns, url).page(url)


class _Fetch:
    """The requests for one page."""

    def __init__(self, configuration: Configuration, turns: Turns, url: str) -> None:
        self._configuration = configuration
        self._turns = turns
        portal = turns.portal_at(url)
        given = [url, *(portal.start_urls if portal is not None else ())]
        self._rules = AddressRules.of_urls(given, networks=portal.networks if portal is not None else ())

    def page(self, url: str) -> FetchedPage:
        for _ in range(MOST_HOPS + 1):
            url = self._checked(url)
            self._ask_robots(url)
            answer = self._get(url, kind="page")
            if answer.location is None or answer.status not in {301, 302, 303, 307, 308}:
                return _successful(answer)
            url = urljoin(url, answer.location).partition("#")[0]
        raise PageError(PageReason.REDIRECT_LOOP, url)

    def _checked(self, url: str) -> str:
        (url,) = portal_from_url(url).start_urls
        require_contact(self._configuration, [portal_from_url(url)])
        return url

    def _ask_robots(self, url: str) -> None:
        origin = origin_of(url)
        entry = self._turns.robots(origin)
        if entry is None or not entry.holds(datetime.now(UTC)):
            entry = self._robots(origin, entry)
            self._turns.keep_robots(entry)
        if entry.verdict == "forbid":
            told = f"{origin}/robots.txt {entry.because}, so whether {url} may be fetched is not known"
            raise PageError(PageReason.ROBOTS_UNREACHABLE, told)
        if not entry.allows(url):
            raise PageError(PageReason.ROBOTS, url)

    def _robots(self, origin: str, before: RobotsEntry | None) -> RobotsEntry:
        address = f"{origin}/robots.txt"
        now = datetime.now(UTC)
        try:
            answer = self._get(address, kind="robots")
            for _ in range(MOST_REDIRECTS):  # across hosts too; the rules count for the host that was asked
                if answer.location is None:
                    break
                address = self._checked(urljoin(address, answer.location))
                answer = self._get(address, kind="robots")
        except PageError as error:
            if error.reason in {PageReason.LEFT_ALONE, PageReason.PAUSED, PageReason.REFUSED, PageReason.DNS, PageReason.ADDRESS}:
                raise  # the page cannot be had either, and this says why
            return robots_failed(origin, because=str(error), now=now, before=before)
        wait = read_retry_after(answer.headers.get("retry-after"), now) or 0.0
        return robots_answered(origin, status=answer.status, body=answer.body, now=now, before=before, asked_to_wait_seconds=wait)

    def _get(self, url: str, *, kind: str) -> Answer:
        robots = kind == "robots"
        headers = {
            "User-Agent": user_agent(self._configuration.contact),
            "Accept": "text/plain,*/*;q=0.5" if robots else _ACCEPT,
            "Accept-Encoding": "identity" if robots else "gzip",
            "Connection": "close",
        }

        def send() -> Answer:
            bounds = Bounds(
                rules=self._rules,
                most_bytes=MOST_BYTES + 1 if robots else LARGEST_PAGE_BYTES,
                cut=robots,
                deadline=monotonic() + transport.LONGEST_SECONDS,
                decide=None if robots else lambda status, named: _decide(url, status, named),
            )
            return transport.get(_ascii(url), headers, bounds)

        return self._turns.request(url, send, kind=kind)


def _decide(url: str, status: int, headers: dict[str, str]) -> None:
    """Take no body of a type that is not read."""
    kind = headers.get("content-type", "text/html").partition(";")[0].strip().lower()
    if 200 <= status < 300 and kind not in _KINDS:
        raise PageError(PageReason.NOT_HTML, f"{kind} at {url}")


def _successful(answer: Answer) -> FetchedPage:
    if not 200 <= answer.status < 300:
        raise PageError(PageReason.HTTP_STATUS, f"{answer.status} for {answer.url}")
    if binary := binary_kind(answer.body):
        raise PageError(PageReason.NOT_HTML, f"{binary} at {answer.url}")
    return FetchedPage(url=answer.url, body=answer.body, content_type=answer.headers.get("content-type"))


def _ascii(url: str) -> str:
    """Write a URL as HTTP carries it; what is escaped already stays."""
    from w3lib.url import safe_url_string

    return safe_url_string(url)
