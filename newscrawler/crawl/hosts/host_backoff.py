"""Requests to hosts: who sends them, the lease of a host slot, the exchange, and the back-off that follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from time import monotonic

from newscrawler.crawl.hosts.failures import HostPause
from newscrawler.errors import PageReason
from newscrawler.politeness.backoff import MOST_FAILURES_AT_FIRST, FailureScope, pause_after
from newscrawler.politeness.gap import Pace
from newscrawler.store import FetchRecord, HostRecord
from newscrawler.store.vocabularies import FetchKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """The run on whose behalf requests are sent."""

    portal: str
    delay_seconds: float
    timeout_seconds: float
    run_id: Callable[[], int | None]
    #: Called with the seconds of a wait and its reason.
    waits: Callable[[float, str], None]
    #: Returns whether the run's time is over, so that it need not wait.
    is_over: Callable[[], bool]
    #: Returns whether the portal's window is open; it may close while a request waits.
    may_ask: Callable[[datetime], bool] = lambda _now: True


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotLease:
    """The lease of a host slot; it has to be released."""

    client: Client
    host: str
    names: tuple[str, ...]
    holder: str
    gap_seconds: float
    delay_seconds: float
    at: datetime
    began: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The result of a request."""

    url: str
    kind: FetchKind
    status: int | None
    size: int
    address: str | None = None
    reason: PageReason | None = None
    detail: str = ""
    #: Whose failure it is; None: no failure.
    scope: FailureScope | None = None
    retry_after_seconds: float | None = None
    #: From sending to the first byte of the answer.
    response_seconds: float = 0.0
    #: The page that caused the request; None: it is a page, or a file of the host.
    page_url: str | None = None


#: Characters of an address in the log; a page may ask for longer ones.
_MOST_URL = 2_000


def record_of(lease: SlotLease, exchange: Exchange) -> FetchRecord:
    """Return the record of a request for the log."""
    return FetchRecord(
        at=lease.at,
        host=lease.host,
        address=exchange.address,
        portal=lease.client.portal,
        run_id=lease.client.run_id(),
        kind=exchange.kind,
        status=exchange.status,
        reason=str(exchange.reason)[:60] if exchange.reason is not None else None,
        bytes=exchange.size,
        milliseconds=round(1000 * (monotonic() - lease.began)),
        gap_seconds=lease.gap_seconds,
        url=exchange.url[:_MOST_URL] if exchange.page_url is not None else None,
        page_url=exchange.page_url,
    )


#: Server errors in a row that count as a failure of the host, even if each is of another URL.
MOST_ERRORS_IN_A_ROW = 30
#: Failed URLs that are remembered; with more, the set is cleared.
_MOST_FAILED = 5_000


class HostBackoff:
    """Back-off of hosts; remembers which URLs have failed."""

    def __init__(self) -> None:
        self._failed: set[str] = set()
        #: Server errors since the last other answer, by host.
        self._errors: Counter[str] = Counter()

    def after(self, host: HostRecord, lease: SlotLease, exchange: Exchange) -> tuple[HostRecord, HostPause | None]:
        """Return the state of a host after a request, and the pause that follows."""
        pace = pace_of(host)
        if exchange.scope is None:
            self._errors.pop(lease.host, None)
            pace = pace.answered(exchange.response_seconds, delay_seconds=lease.delay_seconds)
            host = replace(host, slowdown=pace.slowdown, response_seconds=pace.response_seconds, failures=0)
            return _asked_to_wait(_unpaused(host), lease, exchange)
        self._errors[lease.host] += 1
        host = replace(host, slowdown=pace.failed().slowdown)
        breaks = self._errors[lease.host] > MOST_ERRORS_IN_A_ROW
        if exchange.scope is FailureScope.PAGE and not breaks:
            return _asked_to_wait(_unpaused(host), lease, exchange)
        fresh = breaks or exchange.scope is FailureScope.HOST or exchange.url not in self._failed
        if len(self._failed) >= _MOST_FAILED:
            self._failed.clear()
        self._failed.add(exchange.url)
        # a page that fails again is no new failure of its host; another page is
        return _paused(host, lease, exchange, host.failures + 1 if fresh else max(1, host.failures), fresh=fresh)


def _asked_to_wait(host: HostRecord, lease: SlotLease, exchange: Exchange) -> tuple[HostRecord, HostPause | None]:
    """Pause a host that has not failed, if it sends Retry-After (RFC 9110, section 10.2.3)."""
    if not exchange.retry_after_seconds:
        return host, None
    paused, pause = _paused(host, lease, exchange, 0, fresh=True)
    return replace(paused, failures=host.failures), replace(pause, never_answered=False, of_address=False)


def _paused(host: HostRecord, lease: SlotLease, exchange: Exchange, failures: int, *, fresh: bool) -> tuple[HostRecord, HostPause]:
    """Pause a host after so many failures in a row."""
    never_answered = host.response_seconds is None
    seconds, suspended = pause_after(
        failures, delay_seconds=lease.delay_seconds, retry_after_seconds=exchange.retry_after_seconds, never_answered=never_answered
    )
    because = exchange.detail or str(exchange.reason or "")
    pause = HostPause(
        host=lease.host, seconds=seconds, because=because[:200], asked=exchange.retry_after_seconds is not None,
        of_address=exchange.reason is PageReason.REFUSED, suspended=suspended, failures=failures,
        never_answered=never_answered, fresh=fresh,
    )  # fmt: skip
    until = datetime.now(UTC) + timedelta(seconds=seconds)
    return replace(host, failures=failures, paused_until=until, pause_reason=pause.because, is_suspended=suspended), pause


def pace_of(host: HostRecord) -> Pace:
    """Return how a host has been answering."""
    return Pace(slowdown=host.slowdown, response_seconds=host.response_seconds)


def pause_of(host: HostRecord, seconds: float) -> HostPause:
    """Return the rest of a pause that is known."""
    return HostPause(
        host=host.name, seconds=seconds, because=host.pause_reason or "", suspended=host.is_suspended, failures=host.failures,
        fresh=False, never_answered=host.response_seconds is None and host.failures >= MOST_FAILURES_AT_FIRST,
    )  # fmt: skip


def _unpaused(host: HostRecord) -> HostRecord:
    return replace(host, paused_until=None, pause_reason=None, is_suspended=False)
