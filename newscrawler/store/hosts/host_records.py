"""Records of hosts without SQL."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRecord:
    """The state of one host slot; that of a new host has only a name."""

    name: str
    next_request_at: datetime | None = None
    lease_holder: str | None = None
    lease_expires_at: datetime | None = None
    has_waiter: bool = False
    last_response_at: datetime | None = None
    response_seconds: float | None = None
    slowdown: float = 1.0
    failures: int = 0
    paused_until: datetime | None = None
    pause_reason: str | None = None
    is_suspended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsRecord:
    """The last robots.txt result of an origin."""

    origin: str
    host: str
    #: rules, allow or forbid.
    verdict: str
    status: int | None
    because: str | None
    body: bytes | None = field(repr=False)
    asked_at: datetime
    expires_at: datetime
    failures: int = 0
    asks_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRecord:
    """One request that was sent."""

    at: datetime
    host: str
    address: str | None = None
    portal: str | None = None
    run_id: int | None = None
    #: page, robots, tdm or part.
    kind: str = "page"
    status: int | None = None
    reason: str | None = None
    bytes: int = 0
    milliseconds: int = 0
    #: The delay that applied before it.
    gap_seconds: float = 0.0
    #: Of a request that a page caused: its address, and that of the page.
    url: str | None = None
    page_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotAnswer:
    """The result of asking for a host slot."""

    #: 0: the slot is ours until `leave`; otherwise ask again after this time.
    wait_seconds: float
    #: The host's own slot; times are the database's.
    host: HostRecord
    #: The rest of a pause, in which no requests are sent.
    paused_seconds: float = 0.0
    #: Another process has the slot for a request.
    held: bool = False
