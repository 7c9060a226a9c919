"""What is kept of hosts, as frozen records without SQL."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRecord:
    """The state of one gate; that of a host nobody has asked yet has but a name."""

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
    """What an origin said of robots the last time."""

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
    #: The delay that was in force before it.
    gap_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What asking for a host's gate brought."""

    #: 0: the gate is ours until `leave`; else ask again after that.
    wait_seconds: float
    #: The host's own gate, as it stands; times are the database's.
    host: HostRecord
    #: What is left of a pause, during which nothing is asked.
    paused_seconds: float = 0.0
    #: It is held by a request of somebody else.
    held: bool = False
