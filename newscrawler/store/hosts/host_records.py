"""Records of hosts without SQL."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from newscrawler.store.vocabularies import OriginFileKind

#: Of a file that was not requested yet.
NEVER = datetime.min.replace(tzinfo=UTC)


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
class OriginFile:
    """A file of an origin, as it was last fetched: robots.txt, tdmrep.json, a licence or policy."""

    url: str
    #: For whose pages it was requested.
    origin: str
    kind: OriginFileKind
    status: int | None = None
    #: Why there is no body, or that of an earlier answer.
    because: str | None = None
    body: bytes | None = field(default=None, repr=False)
    asked_at: datetime = NEVER
    expires_at: datetime = NEVER
    #: When this body was seen first.
    said_since: datetime = NEVER
    #: In a row.
    failures: int = 0


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
