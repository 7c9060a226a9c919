"""robots.txt by RFC 9309: per origin; 4xx allows all, 5xx and silence forbid all until it answers."""

from __future__ import annotations

import asyncio
import re
from typing import Self
from urllib.parse import urljoin, urlsplit

from protego import Protego
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from newscrawler.page import decode

PRODUCT_TOKEN = "newscrawler"  # noqa: S105  RFC 9309, section 2.2.1: what a group of rules names
#: RFC 9309, section 2.5: at least this much is read.
MOST_BYTES = 500 * 1024
#: RFC 9309, section 2.3.1.2: at least five redirects are followed.
MOST_REDIRECTS = 5
#: A Crawl-delay beyond this would stop a crawl for good.
LONGEST_CRAWL_DELAY_SECONDS = 120.0
_MARKUP = re.compile(r"\s*(?:<!doctype\s|<html|<head|<body|<\?xml)", re.IGNORECASE)


class ForbiddenByRobotsError(IgnoreRequest):
    """The rules of the host say that this URL is not for us."""


class RobotsUnreachableError(IgnoreRequest):
    """The host does not tell its rules, so nothing may be fetched for now."""


def read_rules(body: bytes) -> Protego:
    """Parse a robots.txt; a page of HTML served in its place is an empty one."""
    text = decode(body[:MOST_BYTES], "text/plain; charset=utf-8").removeprefix("\ufeff")
    return Protego.parse("" if _MARKUP.match(text) else text)


def crawl_delay_seconds(rules: Protego) -> float:
    """How long the host asks to wait between two requests; 0 where it asks nothing."""
    delay = rules.crawl_delay(PRODUCT_TOKEN) or 0.0
    rate = rules.request_rate(PRODUCT_TOKEN)
    if rate is not None and rate.requests:
        delay = max(delay, rate.seconds / rate.requests)
    return min(float(delay), LONGEST_CRAWL_DELAY_SECONDS)


class RobotsMiddleware:
    """Asks each origin for its rules before the first request to it, and holds every request against them."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._rules: dict[str, asyncio.Task[Protego]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way of making a component."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Let a request pass, or refuse it.

        Raises:
            ForbiddenByRobotsError: the rules forbid the URL.
            RobotsUnreachableError: there is no answer to robots.txt.
        """
        if request.meta.get("robots_exempt"):
            return
        parts = urlsplit(request.url)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self._rules:
            self._rules[origin] = asyncio.ensure_future(self._ask(origin))
        try:
            rules = await asyncio.shield(self._rules[origin])
        except Exception:
            self._rules.pop(origin, None)  # asked again with the next try
            raise
        if not rules.can_fetch(request.url, PRODUCT_TOKEN):
            raise ForbiddenByRobotsError(request.url)
        self._slow_down(request, crawl_delay_seconds(rules))

    def _slow_down(self, request: Request, seconds: float) -> None:
        engine = self._crawler.engine
        if not seconds or engine is None:
            return
        _, slot = engine.downloader._get_slot(request)  # noqa: SLF001  Scrapy has no public way to a slot
        slot.delay = max(slot.delay, seconds)

    async def _ask(self, origin: str) -> Protego:
        url = f"{origin}/robots.txt"
        for _ in range(MOST_REDIRECTS + 1):
            response = await self._fetch(url)
            location = response.headers.get("Location")
            if not (300 <= response.status < 400 and location):
                break
            url = urljoin(url, location.decode("latin-1"))
        if response.status == 429 or response.status >= 500:
            msg = f"{url} answers {response.status}"
            raise RobotsUnreachableError(msg)
        rules = read_rules(response.body if response.status < 300 else b"")
        await self._crawler.spider.ledger.offer(self._crawler.spider.following.sitemaps(rules.sitemaps))  # type: ignore[union-attr]
        return rules

    async def _fetch(self, url: str) -> Response:
        assert self._crawler.engine is not None
        request = Request(url, callback=NO_CALLBACK, meta={"robots_exempt": True}, priority=1000)
        return await self._crawler.engine.download_async(request)
