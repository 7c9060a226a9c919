"""Who asks a host, who holds its slot, and what became of the request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

from newscrawler.errors import PageReason
from newscrawler.politeness.backoff import FailureScope
from newscrawler.store import FetchRecord
from newscrawler.store.vocabularies import FetchKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Who asks: one portal's run."""

    portal: str
    delay_seconds: float
    timeout_seconds: float
    run_id: Callable[[], int | None]
    #: Called with how long is waited, and why.
    waits: Callable[[float, str], None]
    #: Whether the run's time is over, so that waiting is useless.
    is_over: Callable[[], bool]
    #: Whether the portal may be asked at this moment; its window closes while a request waits for its turn.
    may_ask: Callable[[datetime], bool] = lambda _now: True


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotLease:
    """The slot of a host that a request holds; it has to be released."""

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
    """What became of a request."""

    url: str
    kind: FetchKind
    status: int | None
    size: int
    address: str | None = None
    reason: PageReason | None = None
    detail: str = ""
    #: What the failure says about the host; None: there was none.
    scope: FailureScope | None = None
    retry_after_seconds: float | None = None
    #: From sending to the first of the answer.
    response_seconds: float = 0.0


def record_of(lease: SlotLease, exchange: Exchange) -> FetchRecord:
    """The line of the log for a request."""
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
    )
