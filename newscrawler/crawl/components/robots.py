"""Check all requests against the robots.txt of their origins: a downloader middleware, and a parser for ROBOTSTXT_PARSER."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.robotstxt import RobotParser
from scrapy.utils.python import to_unicode

from newscrawler.crawl.components.resolver import NO_SUCH_NAME
from newscrawler.crawl.components.signals import robots_known
from newscrawler.crawl.hosts.failures import ForbiddenByRobotsError, HostPause, HostPausedError, RobotsUnreachableError
from newscrawler.crawl.hosts.host_slots import HostSlots
from newscrawler.crawl.hosts.origin_files import OriginFiles
from newscrawler.crawl.hosts.shared_hosts import SharedHosts
from newscrawler.crawl.run.items import ALLOWED, KIND, ROBOTS_RULES
from newscrawler.politeness import MOST_FAILURES_AT_FIRST, RobotsRules, extract_product_token, get_host, get_origin, parse_robots
from newscrawler.store.hosts import OriginFile
from newscrawler.store.vocabularies import FetchKind


class RobotsParser(RobotParser):
    """Parser for ROBOTSTXT_PARSER: RFC 9309 by Protego, with the extensions of newscrawler."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._rules: dict[str, RobotsRules] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> Self:  # noqa: ARG003  Scrapy's signature
        """Make the parser of a body."""
        return cls(robotstxt_body)

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Return whether a user agent may fetch a URL; its product token is its first word."""
        return self._get_rules(user_agent).allows(to_unicode(url))

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Return the seconds between two requests by Crawl-delay or Request-rate; None: neither is given."""
        return self._get_rules(user_agent).asks_seconds

    def _get_rules(self, user_agent: str | bytes) -> RobotsRules:
        token = extract_product_token(to_unicode(user_agent))
        if token not in self._rules:
            self._rules[token] = parse_robots(self._body, token=token)
        return self._rules[token]


class RobotsMiddleware:
    """Downloader middleware that checks every request against its origin's robots.txt."""

    def __init__(self, files: OriginFiles, slots: HostSlots, crawler: Crawler) -> None:
        self._files = files
        self._slots = slots
        self._crawler = crawler
        #: When the robots.txt that this crawl has applied was fetched, by origin.
        self._met: dict[str, datetime] = {}
        self._began_at = datetime.now(UTC)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share slots and robots.txt with the process's other crawlers by HOSTS_DATABASE."""
        shared = SharedHosts.get_shared(crawler)
        return cls(shared.files, shared.slots, crawler)

    async def process_request(self, request: Request) -> None:
        """Refuse a request that its origin's robots.txt forbids.

        Raises:
            ForbiddenByRobotsError: the rules forbid the URL.
            RobotsUnreachableError: the origin's robots.txt is unreachable.
            DenylistedError: the host is on the denylist.
            HostPausedError: the host is paused, or it is outside its Visit-time.
        """
        if request.meta.get(KIND) is FetchKind.ROBOTS:
            return
        host, origin = get_host(request.url), get_origin(request.url)
        self._slots.refuse_denied(host)
        entry = await self._files.get_robots(origin, self._crawler)
        if self._met.get(origin) != entry.file.asked_at:
            self._met[origin] = entry.file.asked_at
            if entry.rules.delay_seconds:
                self._slots.ask_delay(host, entry.rules.delay_seconds)
            self._crawler.signals.send_catch_log(robots_known, entry=entry)
        if entry.file.failures:
            raise _make_unreachable_error(entry.file, host, self._slots, asked_here=entry.file.asked_at >= self._began_at)
        if not (entry.allows(request.url) or request.meta.get(ALLOWED)):
            raise ForbiddenByRobotsError(request.url)
        request.meta[ROBOTS_RULES] = entry.rules
        if (seconds := entry.rules.opens_in(datetime.now(UTC))) > 0:
            raise HostPausedError(HostPause(host=host, seconds=seconds, because=entry.hours or "", closed=True))


def _make_unreachable_error(file: OriginFile, host: str, slots: HostSlots, *, asked_here: bool) -> RobotsUnreachableError:
    never_answered = slots.get_state(host).response_seconds is None
    seconds = max(0.0, (file.expires_at - datetime.now(UTC)).total_seconds())
    # the host slot counts failures, and suspends the host after too many
    pause = HostPause(
        host=host,
        seconds=max(seconds, slots.get_left_seconds(host)),
        because=f"{file.url} {file.because}",
        failures=file.failures,
        fresh=asked_here,
        never_answered=never_answered,
        final=never_answered and asked_here and (file.failures >= MOST_FAILURES_AT_FIRST or NO_SUCH_NAME in (file.because or "")),
        suspended=slots.get_state(host).is_suspended,
    )
    return RobotsUnreachableError(file.url, file.because or "does not answer", pause)
