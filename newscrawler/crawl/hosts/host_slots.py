"""Host slots: one request at a time for a host.

All crawls of the process share a slot through a lock; processes and machines share it through leases in the database. A lease is
for one request if the host has a delay, for several if it has none.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from time import monotonic

from newscrawler.crawl.hosts.failures import DenylistedError, HostPause, HostPausedError, StoppingError
from newscrawler.crawl.process.threads import DatabaseThread
from newscrawler.errors import NewscrawlerError, PageReason
from newscrawler.politeness import MOST_FAILURES_AT_FIRST, FailureScope, Pace, add_jitter, compute_pause, is_on_denylist, list_slots
from newscrawler.store.hosts import LOOK_AGAIN_SECONDS, FetchRecord, HostRecord, Hosts, holder_name
from newscrawler.store.vocabularies import FetchKind

logger = logging.getLogger(__name__)

#: Added to the timeout of a request for the longest lease: name server, connection, answer.
HOLD_MARGIN_SECONDS = 30.0
_MOST_KNOWN = 5_000
#: Without a delay, requests share one lease for so long, then others that wait get theirs; it ends after so long without a request.
_HELD_SECONDS, _IDLE_SECONDS = 1.0, 0.25
#: Shorter waits for others are not reported.
_REPORTED_SECONDS, _LONGEST_SLEEP_SECONDS = 5.0, 2.0
#: A closed slot is checked again after this, as a clock may have been corrected meanwhile.
_LONGEST_WAIT_SECONDS = 30.0


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
    #: Delays of hosts that are not the portal's, such as web archives.
    delays: Mapping[str, float] = field(default_factory=dict)


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
    #: Who is at fault; None: it did not fail.
    scope: FailureScope | None = None
    retry_after_seconds: float | None = None
    #: From sending to the first byte of the answer.
    response_seconds: float = 0.0
    #: The page that caused the request; None: it is a page, or a file of the host.
    page_url: str | None = None


@dataclass(slots=True, kw_only=True)
class _HeldSlot:
    """A lease that consecutive requests without a delay share."""

    lease: SlotLease
    hold_seconds: float
    #: By `monotonic`, like `used_at`.
    until: float
    used_at: float
    #: Requests that are not written to the log yet.
    log: list[FetchRecord]


class HostSlots:
    """Admit requests to hosts, one at a time and with the host's delay between them."""

    def __init__(self, hosts: Hosts, database: DatabaseThread, *, denylist: tuple[str, ...] = (), random_source: Random) -> None:
        self._hosts = hosts
        self._database = database
        self._denylist = denylist
        self._random_source = random_source
        self._known: dict[str, HostRecord] = {}
        self._asked_seconds: dict[str, float] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._backoff = HostBackoff()
        self._held: dict[str, _HeldSlot] = {}
        self._watching: set[asyncio.Task[None]] = set()
        self._numbers = count()
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """End all waiting, as the process ends."""
        self._stopping.set()

    def ask_delay(self, host: str, seconds: float) -> None:
        """Keep to a delay that the host asks for (robots.txt), for all portals."""
        self._asked_seconds[host] = max(seconds, self._asked_seconds.get(host, 0.0))

    def refuse_denied(self, host: str) -> None:
        """Raise DenylistedError for a host on the denylist."""
        if is_on_denylist(host, self._denylist):
            raise DenylistedError(f"{host} is on the denylist")

    async def enter(self, client: Client, host: str, addresses: tuple[str, ...]) -> SlotLease:
        """Wait until a request may be sent.

        Raises:
            DenylistedError: the host is on the list.
            HostPausedError: the host is paused.
            StoppingError: the process ends, or the portal's window has closed.
            StoreError: the database cannot be used.
        """
        self.refuse_denied(host)
        lock = self._lock(host)
        await lock.acquire()
        try:
            return await self._enter(client, host, addresses)
        except BaseException:
            lock.release()
            raise

    async def _enter(self, client: Client, host: str, addresses: tuple[str, ...]) -> SlotLease:
        _refuse_late(client)
        delay = max(client.delays.get(host, client.delay_seconds), self._asked_seconds.get(host, 0.0))
        names, hold = list_slots(host, addresses), client.timeout_seconds + HOLD_MARGIN_SECONDS
        held = self._held.get(host)
        if held is not None:
            if delay == 0 and held.lease.names == names and held.hold_seconds >= hold and await self._extend(held):
                return replace(held.lease, client=client, at=datetime.now(UTC), began=monotonic())
            if self._held.get(host) is held:
                await self._release(held)
            elif delay == 0:  # another client waits for the slot
                await self._sleep(2 * LOOK_AGAIN_SECONDS, client)
        lease = await self._take(client, host, names, delay)
        if delay == 0:
            self._hold(lease, hold)
        return lease

    async def leave(self, lease: SlotLease, exchange: Exchange) -> HostPause | None:
        """Release a slot for the next request after the delay; return the pause that follows from a failure.

        Raises:
            StoreError: the database cannot be used.
        """
        try:
            return await self._leave(lease, exchange)
        finally:
            self._lock(lease.host).release()

    async def _leave(self, lease: SlotLease, exchange: Exchange) -> HostPause | None:
        host, pause = self._backoff.apply(self.get_state(lease.host), lease, exchange)
        self._known[lease.host] = host
        record = make_record(lease, exchange)
        held = self._held.get(lease.host)
        if held is not None:
            held.log.append(record)
            held.used_at = monotonic()
            if pause is not None:
                await self._release(held, of_address=pause.of_address)
        else:
            gap = add_jitter(get_pace(host).gap_seconds(lease.delay_seconds), self._random_source)
            of_address = pause is not None and pause.of_address
            await self._database.run_briefly(
                self._hosts.leave, lease.names, lease.holder, host, gap_seconds=gap, log=[record], of_address=of_address
            )
        return pause

    def get_state(self, host: str) -> HostRecord:
        """Return the state of a host, as far as this process knows it."""
        return self._known.get(host) or HostRecord(name=host)

    def get_left_seconds(self, host: str) -> float:
        """Return the seconds left of the host's pause."""
        until = self.get_state(host).paused_until
        return max(0.0, (until - datetime.now(UTC)).total_seconds()) if until is not None else 0.0

    async def close(self) -> None:
        """Release unused slots; other crawls of the process may continue."""
        for host, held in list(self._held.items()):
            if not self._lock(host).locked():
                async with self._lock(host):
                    await self._release(held)

    def _lock(self, host: str) -> asyncio.Lock:
        """Return the lock of a host, which all crawls of the process share."""
        lock = self._locks.get(host)
        if lock is None:
            if len(self._locks) >= _MOST_KNOWN:
                self._locks = {name: lock for name, lock in self._locks.items() if lock.locked() or name in self._held}
            lock = self._locks[host] = asyncio.Lock()
        return lock

    def _hold(self, lease: SlotLease, hold_seconds: float) -> None:
        now = monotonic()
        held = _HeldSlot(lease=lease, hold_seconds=hold_seconds, until=now + _HELD_SECONDS, used_at=now, log=[])
        self._held[lease.host] = held
        watching = asyncio.ensure_future(self._watch(held))
        self._watching.add(watching)
        watching.add_done_callback(self._watching.discard)

    async def _extend(self, held: _HeldSlot) -> bool:
        """Return whether another request may share this lease."""
        now = monotonic()
        if now < held.until:
            return True
        lease, log = held.lease, held.log
        held.log = []
        stays = await self._database.run_briefly(
            self._hosts.keep, lease.names, lease.holder, self.get_state(lease.host), hold_seconds=held.hold_seconds, log=log
        )
        if stays:
            held.until = monotonic() + _HELD_SECONDS
        else:
            self._held.pop(lease.host, None)
        return stays

    async def _release(self, held: _HeldSlot, *, of_address: bool = False) -> None:
        lease = held.lease
        if self._held.pop(lease.host, None) is not None:
            host = self.get_state(lease.host)
            await self._database.run_briefly(
                self._hosts.leave, lease.names, lease.holder, host, gap_seconds=0.0, log=held.log, of_address=of_address
            )

    async def _watch(self, held: _HeldSlot) -> None:
        """Release the slot when requests stop."""
        host = held.lease.host
        while self._held.get(host) is held:
            await asyncio.sleep(_IDLE_SECONDS)
            async with self._lock(host):
                if self._held.get(host) is held and monotonic() - held.used_at >= _IDLE_SECONDS:
                    try:
                        await self._release(held)
                    except NewscrawlerError as error:  # the crawl's own statements fail too, and end it
                        logger.warning("the log of requests was not written: %s", error)

    async def _take(self, client: Client, host: str, names: tuple[str, ...], delay: float) -> SlotLease:
        holder = holder_name(next(self._numbers))
        hold = client.timeout_seconds + HOLD_MARGIN_SECONDS
        while True:
            _refuse_late(client)
            gap = get_pace(self.get_state(host)).gap_seconds(delay)
            asked_at = monotonic()
            turn = await self._database.run_briefly(self._hosts.take, names, holder, gap_seconds=gap, hold_seconds=hold)
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            # the database server's clock may differ from ours
            until = datetime.now(UTC) + timedelta(seconds=turn.paused_seconds) if turn.paused_seconds > 0 else None
            self._known[host] = replace(turn.host, paused_until=until)
            if turn.paused_seconds > 0:
                raise HostPausedError(make_pause(turn.host, turn.paused_seconds))
            if turn.wait_seconds == 0 and monotonic() - asked_at >= hold:
                continue  # the process was stopped meanwhile, and the slot may be another's by now
            if turn.wait_seconds == 0:
                return SlotLease(
                    client=client, host=host, names=names, holder=holder, gap_seconds=gap, delay_seconds=delay,
                    at=datetime.now(UTC), began=monotonic(),
                )  # fmt: skip
            wait = min(turn.wait_seconds, _LONGEST_WAIT_SECONDS)
            if wait > max(_REPORTED_SECONDS, 1.5 * gap):
                client.waits(wait, "for the delay of another crawl at the same host")
            await self._sleep(wait, client)

    async def _sleep(self, seconds: float, client: Client) -> None:
        """Wait.

        Raises:
            StoppingError: the process ends, or the time of the client's run is over.
        """
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0 and not self._stopping.is_set() and not client.is_over():
            try:
                await asyncio.wait_for(self._stopping.wait(), min(left, _LONGEST_SLEEP_SECONDS))
            except TimeoutError:
                continue
        if left > 0:
            raise StoppingError("the crawl ends")


def _refuse_late(client: Client) -> None:
    if not client.may_ask(datetime.now(UTC)):
        raise StoppingError("the window has closed")


#: Characters of an address in the log; a page may request longer ones.
_MOST_URL = 2_000


def make_record(lease: SlotLease, exchange: Exchange) -> FetchRecord:
    """Return the record of a request for the log."""
    return FetchRecord(
        at=lease.at, host=lease.host, address=exchange.address, portal=lease.client.portal, run_id=lease.client.run_id(),
        kind=exchange.kind, status=exchange.status, reason=str(exchange.reason)[:60] if exchange.reason is not None else None,
        bytes=exchange.size, milliseconds=round(1000 * (monotonic() - lease.began)), gap_seconds=lease.gap_seconds,
        url=exchange.url[:_MOST_URL] if exchange.page_url is not None else None, page_url=exchange.page_url,
    )  # fmt: skip


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

    def apply(self, host: HostRecord, lease: SlotLease, exchange: Exchange) -> tuple[HostRecord, HostPause | None]:
        """Return the state of a host after a request, and the pause that follows."""
        pace = get_pace(host)
        if exchange.scope is None:
            self._errors.pop(lease.host, None)
            pace = pace.note_answer(exchange.response_seconds, delay_seconds=lease.delay_seconds)
            host = replace(host, slowdown=pace.slowdown, response_seconds=pace.response_seconds, failures=0)
            return _apply_retry_after(_end_pause(host), lease, exchange)
        self._errors[lease.host] += 1
        host = replace(host, slowdown=pace.note_failure().slowdown)
        breaks = self._errors[lease.host] > MOST_ERRORS_IN_A_ROW
        if exchange.scope is FailureScope.PAGE and not breaks:
            return _apply_retry_after(_end_pause(host), lease, exchange)
        fresh = breaks or exchange.scope is FailureScope.HOST or exchange.url not in self._failed
        if len(self._failed) >= _MOST_FAILED:
            self._failed.clear()
        self._failed.add(exchange.url)
        # a page that fails again is not a new failure of its host; another page is
        return _pause(host, lease, exchange, host.failures + 1 if fresh else max(1, host.failures), fresh=fresh)


def _apply_retry_after(host: HostRecord, lease: SlotLease, exchange: Exchange) -> tuple[HostRecord, HostPause | None]:
    """Pause a host that has not failed, if it sends Retry-After (RFC 9110, section 10.2.3)."""
    if not exchange.retry_after_seconds:
        return host, None
    paused, pause = _pause(host, lease, exchange, 0, fresh=True)
    return replace(paused, failures=host.failures), replace(pause, never_answered=False, of_address=False)


def _pause(host: HostRecord, lease: SlotLease, exchange: Exchange, failures: int, *, fresh: bool) -> tuple[HostRecord, HostPause]:
    """Pause a host after so many failures in a row."""
    never_answered = host.response_seconds is None
    seconds, suspended = compute_pause(
        failures, delay_seconds=lease.delay_seconds, retry_after_seconds=exchange.retry_after_seconds, never_answered=never_answered
    )
    because = exchange.detail or str(exchange.reason or "")
    pause = HostPause(
        host=lease.host, seconds=seconds, because=because[:200], requested=exchange.retry_after_seconds is not None,
        of_address=exchange.reason is PageReason.REFUSED, suspended=suspended, failures=failures,
        never_answered=never_answered, fresh=fresh,
    )  # fmt: skip
    until = datetime.now(UTC) + timedelta(seconds=seconds)
    return replace(host, failures=failures, paused_until=until, pause_reason=pause.because, is_suspended=suspended), pause


def get_pace(host: HostRecord) -> Pace:
    """Return how a host has been answering."""
    return Pace(slowdown=host.slowdown, response_seconds=host.response_seconds)


def make_pause(host: HostRecord, seconds: float) -> HostPause:
    """Return the rest of a pause that is known."""
    return HostPause(
        host=host.name, seconds=seconds, because=host.pause_reason or "", suspended=host.is_suspended, failures=host.failures,
        fresh=False, never_answered=host.response_seconds is None and host.failures >= MOST_FAILURES_AT_FIRST,
    )  # fmt: skip


def _end_pause(host: HostRecord) -> HostRecord:
    return replace(host, paused_until=None, pause_reason=None, is_suspended=False)
