"""Send one request at a time to a host: a downloader middleware, the last one before the downloader."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Self
from zoneinfo import ZoneInfo

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from newscrawler.crawl.components.resolver import resolve_for
from newscrawler.crawl.components.signals import slot_waits
from newscrawler.crawl.hosts.failures import NotFoundError, StoppingError, find_failure, refuse_nameless
from newscrawler.crawl.hosts.host_slots import Client, Exchange, HostSlots, SlotLease
from newscrawler.crawl.hosts.shared_hosts import SharedHosts, make_address_rules
from newscrawler.crawl.reading.responses import get_header, is_transient
from newscrawler.crawl.run.items import KIND, LEASE, PAUSE
from newscrawler.politeness import (
    SUSPENSION,
    AddressRules,
    FailureScope,
    Window,
    find_status_rule,
    get_host,
    read_price,
    read_retry_after,
)
from newscrawler.store.vocabularies import FetchKind, FrontierKind

logger = logging.getLogger(__name__)

#: Kinds of requests that a page causes.
_CAUSED_BY_PAGES = frozenset({FetchKind.PART, FetchKind.ALTERNATE, FetchKind.RENDERING})


class HostSlotMiddleware:
    """One request at a time for a host, across all processes on one database, with delay, back-off, Retry-After and window."""

    def __init__(self, slots: HostSlots, rules: AddressRules, crawler: Crawler) -> None:
        self._slots = slots
        self._rules = rules
        self._crawler = crawler
        self._contact = crawler.settings["CONTACT"]
        self._client: Client | None = None
        self._leases: dict[Request, SlotLease] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take HOSTS_DATABASE, HOST_DELAY, HOST_WINDOW, HOST_DENYLIST, PRIVATE_HOSTS and PRIVATE_NETWORKS from the settings."""
        made = cls(SharedHosts.get_shared(crawler).slots, make_address_rules(crawler.settings), crawler)
        crawler.signals.connect(made.spider_closed, signal=signals.spider_closed)
        return made

    async def process_request(self, request: Request) -> None:
        """Wait until a request may be sent.

        Raises:
            IgnoreRequest: one of `failures`: no request to the host now, or at all.
            StoreError: the database cannot be used.
        """
        host = get_host(request.url)
        self._slots.refuse_denied(host)
        refuse_nameless(host, self._contact)
        try:
            addresses = await resolve_for(request, self._rules)
        except NotFoundError as error:  # counts as a failure of the host, as any other
            lease = await self._slots.enter(self.client, host, ())
            request.meta[PAUSE] = await self._slots.leave(lease, _make_failed_exchange(lease, request, error))
            raise
        self._leases[request] = await self._slots.enter(self.client, host, addresses)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Release the slot; the pause that follows from the answer is in the request's meta."""
        if (lease := self._leases.pop(request, None)) is not None:
            request.meta[PAUSE] = await self._slots.leave(lease, _make_exchange(request, response))
        return response

    async def process_exception(self, request: Request, exception: Exception) -> None:
        """Release the slot of a request that failed, and log why one was refused, which Scrapy does not."""
        is_refused = isinstance(exception, IgnoreRequest) and not isinstance(exception, StoppingError)
        if is_refused and KIND not in request.meta and not hasattr(self._crawler.spider, "run"):
            level = logging.INFO if request.meta.get("depth") else logging.WARNING  # a start URL has no depth
            logger.log(level, "%s is not fetched: %s", request.url, find_failure(exception).reason)
        if (lease := self._leases.pop(request, None)) is not None:
            request.meta[PAUSE] = await self._slots.leave(lease, _make_failed_exchange(lease, request, exception))

    async def spider_closed(self) -> None:
        """Release the slots of requests that were cancelled."""
        for request, lease in list(self._leases.items()):
            kind = request.meta.get(KIND, FetchKind.PAGE)
            nothing = Exchange(
                url=request.url, kind=kind, status=None, size=0, scope=FailureScope.PAGE, page_url=_find_page_url(request)
            )
            await self._slots.leave(lease, nothing)
        self._leases.clear()

    @property
    def client(self) -> Client:
        """Return the client that requests are sent for; a run limits how long they wait."""
        if self._client is None:
            settings, run = self._crawler.settings, getattr(self._crawler.spider, "run", None)
            zone = ZoneInfo(settings["HOST_TIME_ZONE"])
            window = Window.parse(settings["HOST_WINDOW"]) if settings["HOST_WINDOW"] else None
            self._client = Client(
                portal=run.portal.queue if run is not None else getattr(self._crawler.spider, "name", ""),
                delay_seconds=settings.getfloat("HOST_DELAY"),
                timeout_seconds=settings.getfloat("DOWNLOAD_TIMEOUT"),
                run_id=lambda: run.run_id if run is not None else None,
                waits=self._report_wait,
                is_over=lambda: self._is_closing() or (run is not None and run.is_over()),
                delays=settings.getdict("HOST_DELAYS"),
                may_ask=lambda now: window is None or window.closes_at(now, zone) is not None,
            )
        return self._client

    def _is_closing(self) -> bool:
        """Return whether the spider closes, so that requests that wait for their slot are left to the next run."""
        slot = self._crawler.engine._slot if self._crawler.engine is not None else None  # noqa: SLF001  no public way
        return slot is not None and slot.closing is not None

    def _report_wait(self, seconds: float, why: str) -> None:
        self._crawler.signals.send_catch_log(slot_waits, seconds=seconds, why=why)


def _make_exchange(request: Request, response: Response) -> Exchange:
    rule = find_status_rule(response.status)
    wait_seconds = read_retry_after(get_header(response, "Retry-After"), datetime.now(UTC))
    detail = f"answers {response.status}"
    price = get_header(response, "crawler-price")
    if rule.sells_pages and price:  # for all its pages: the host is suspended
        wait_seconds, detail = SUSPENSION.total_seconds(), f"{detail}, {read_price(price)}"
    return Exchange(
        url=request.url,
        kind=request.meta.get(KIND, FetchKind.PAGE),
        status=response.status,
        size=len(response.body),
        address=str(response.ip_address) if response.ip_address else None,
        scope=rule.get_scope(is_front=_is_front(request)) if is_transient(response) else None,
        detail=detail,
        retry_after_seconds=wait_seconds if response.status >= 300 else None,
        response_seconds=request.meta.get("download_latency", 0.0),
        page_url=_find_page_url(request),
    )


def _make_failed_exchange(lease: SlotLease, request: Request, error: Exception) -> Exchange:
    failure = find_failure(error, began="download_latency" in request.meta)
    scope = FailureScope.HOST if failure.scope is FailureScope.UNSURE and _is_front(request) else failure.scope
    return Exchange(
        url=request.url,
        kind=request.meta.get(KIND, FetchKind.PAGE),
        status=None,
        size=0,
        reason=failure.reason.word,
        detail=str(failure.reason.word),
        scope=scope,
        response_seconds=request.meta.get("download_latency", monotonic() - lease.began),
        page_url=_find_page_url(request),
    )


def _find_page_url(request: Request) -> str | None:
    """Return the page that caused a request; None: no page did."""
    leased: Any = request.meta.get(LEASE)
    return leased.url if leased is not None and request.meta.get(KIND) in _CAUSED_BY_PAGES else None


def _is_front(request: Request) -> bool:
    """Return whether a request is for a start URL or robots.txt, whose failure is one of the host."""
    leased: Any = request.meta.get("lease")
    return request.meta.get(KIND) is FetchKind.ROBOTS or (leased is not None and leased.kind == FrontierKind.START)
