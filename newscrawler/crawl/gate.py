"""The one gate of each host, as this process passes it: in the database where there is a delay, in memory where there is none.

All crawls of the process share one; with other processes, and with machines elsewhere, it meets in the tables of hosts.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from random import Random
from time import monotonic

from newscrawler.crawl.database_thread import DatabaseThread
from newscrawler.crawl.refusals import HostPause, HostPausedError, LeftAloneError, StoppingError
from newscrawler.errors import NewscrawlerError, PageReason
from newscrawler.politeness.backoff import MOST_TROUBLES_OF_A_STRANGER, Trouble, pause_after
from newscrawler.politeness.gap import Pace, jittered
from newscrawler.politeness.names import gate_names, is_left_alone
from newscrawler.store import FetchRecord, HostRecord, Hosts, holder_name

logger = logging.getLogger(__name__)

#: A gate is held for no longer than a request can take: name server, connection, answer.
HOLD_MARGIN_SECONDS = 30.0
#: What is known of a host is looked up again after this, where its gate is not taken in the database.
_KNOWN_SECONDS = 20.0
_MOST_KNOWN = 5_000
#: The log of requests without delay is written in batches.
_MOST_UNWRITTEN = 400
_LONGEST_UNWRITTEN_SECONDS = 5.0
#: Waits for others that are shorter are not worth telling.
_TOLD_SECONDS = 5.0
_LONGEST_SLEEP_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Who asks: one portal's run."""

    portal: str
    delay_seconds: float
    timeout_seconds: float
    run_id: Callable[[], int | None]
    #: Told how long is waited, and why.
    waits: Callable[[float, str], None]
    #: Whether the run's time is over, so that waiting is in vain.
    is_over: Callable[[], bool]
    #: Whether the portal may be asked at this moment; its window closes while a request waits for its turn.
    may_ask: Callable[[datetime], bool] = lambda _now: True


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A gate that was passed; it has to be left."""

    visitor: Visitor
    host: str
    names: tuple[str, ...]
    #: None: nothing is held in the database.
    holder: str | None
    gap_seconds: float
    delay_seconds: float
    at: datetime
    began: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What became of a request."""

    url: str
    kind: str
    status: int | None
    size: int
    address: str | None = None
    reason: PageReason | None = None
    told: str = ""
    #: None: none.
    trouble: Trouble | None = None
    retry_after_seconds: float | None = None
    #: From sending to the first of the answer.
    response_seconds: float = 0.0


class Gate:
    """Lets requests to a host through, one at a time and with its delay between them."""

    def __init__(self, hosts: Hosts, database: DatabaseThread, *, leave_alone: tuple[str, ...] = (), chance: Random) -> None:
        self._hosts = hosts
        self._database = database
        self._leave_alone = leave_alone
        self._chance = chance
        self._known: dict[str, tuple[float, HostRecord]] = {}
        self._asked_seconds: dict[str, float] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        #: URLs that failed before.
        self._failed: set[str] = set()
        #: When the latest request without delay was answered; its host may have asked for a delay by that answer.
        self._left_at: dict[str, float] = {}
        self._numbers = count()
        self._log: list[FetchRecord] = []
        self._unsaved: dict[str, HostRecord] = {}
        self._wrote_at = monotonic()
        self._writing: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Let nobody wait any longer, for the process is to end."""
        self._stopping.set()

    def ask_delay(self, host: str, seconds: float) -> None:
        """Keep a delay that the host asks for, whoever visits it."""
        self._asked_seconds[host] = max(seconds, self._asked_seconds.get(host, 0.0))

    def refuse_left_alone(self, host: str) -> None:
        """Refuse a host that is on the list.

        Raises:
            LeftAloneError: it is.
        """
        if is_left_alone(host, self._leave_alone):
            raise LeftAloneError(f"{host} is on the list of hosts to leave alone")

    async def enter(self, visitor: Visitor, host: str, addresses: tuple[str, ...]) -> Passed:
        """Wait for the turn of a request.

        Raises:
            LeftAloneError: the host is on the list.
            HostPausedError: nothing is asked of the host for a while.
            StoppingError: the process ends, or the portal's window has closed.
            StoreError: the database cannot be used.
        """
        self.refuse_left_alone(host)
        lock = self._lock(host)
        await lock.acquire()
        try:
            return await self._enter(visitor, host, addresses)
        except BaseException:
            lock.release()
            raise

    async def _enter(self, visitor: Visitor, host: str, addresses: tuple[str, ...]) -> Passed:
        _refuse_late(visitor)
        delay = max(visitor.delay_seconds, self._asked_seconds.get(host, 0.0))
        if delay > 0 and (left_at := self._left_at.pop(host, None)) is not None:
            await self._sleep(left_at + delay - monotonic(), visitor)
        if delay > 0 or not await self._is_open(host):
            return await self._take(visitor, host, gate_names(host, addresses), delay)
        return self._passed(visitor, host, (host,), None, 0.0, 0.0)

    async def leave(self, passed: Passed, answered: Answered) -> HostPause | None:
        """Let the next one through, after a delay; answers the pause that follows from trouble.

        Raises:
            StoreError: the database cannot be used.
        """
        try:
            return await self._leave(passed, answered)
        finally:
            self._lock(passed.host).release()

    async def _leave(self, passed: Passed, answered: Answered) -> HostPause | None:
        looked_up_at, before = self._known.get(passed.host, (monotonic(), HostRecord(name=passed.host)))
        host, pause = self._judged(before, passed, answered)
        self._known[passed.host] = (looked_up_at, host)
        record = self._record(passed, answered)
        if passed.holder is not None:
            gap = jittered(_pace(host).gap_seconds(passed.delay_seconds), self._chance)
            leave = partial(self._hosts.leave, passed.names, passed.holder, host, gap_seconds=gap, log=[record])
            await self._database.run(leave)
        else:
            self._left_at[passed.host] = monotonic()
            self._log.append(record)
            self._unsaved[host.name] = host
            late = monotonic() - self._wrote_at > _LONGEST_UNWRITTEN_SECONDS
            if (pause is not None or late or len(self._log) >= _MOST_UNWRITTEN) and (self._writing is None or self._writing.done()):
                self._writing = asyncio.ensure_future(self._write())
        return pause

    def state(self, host: str) -> HostRecord:
        """What this process knows of a host."""
        return self._known[host][1] if host in self._known else HostRecord(name=host)

    def left_seconds(self, host: str) -> float:
        """What is left of a pause of this host."""
        return _left(self.state(host).paused_until, datetime.now(UTC))

    async def close(self) -> None:
        """Write what is not written yet."""
        if self._writing is not None:
            await self._writing
        await self._write()

    # ------------------------------------------------------------------ passing

    def _lock(self, host: str) -> asyncio.Lock:
        """One request at a time for a host, whichever crawl of this process it is of; Scrapy's own slots let two begin at once."""
        lock = self._locks.get(host)
        if lock is None:
            if len(self._locks) >= _MOST_KNOWN:
                self._locks = {name: lock for name, lock in self._locks.items() if lock.locked()}
            lock = self._locks[host] = asyncio.Lock()
        return lock

    async def _is_open(self, host: str) -> bool:
        """Whether a request without delay may pass at once; False: somebody else keeps a delay at this host.

        Raises:
            HostPausedError: the host is paused.
        """
        at, known = self._known.get(host, (-_KNOWN_SECONDS, None))
        if known is None or monotonic() - at > _KNOWN_SECONDS:
            if host in self._unsaved:
                await self._write()
            known = await self._database.run(partial(self._hosts.of, host))
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[host] = (monotonic(), known)
        now = datetime.now(UTC)
        if (seconds := _left(known.paused_until, now)) > 0:
            raise HostPausedError(_pause_of(known, seconds))
        return _left(known.next_free_at, now) == 0 and known.held_by is None

    async def _take(self, visitor: Visitor, host: str, names: tuple[str, ...], delay: float) -> Passed:
        holder = holder_name(next(self._numbers))
        hold = visitor.timeout_seconds + HOLD_MARGIN_SECONDS
        while True:
            _refuse_late(visitor)
            gap = _pace(self._known.get(host, (0.0, HostRecord(name=host)))[1]).gap_seconds(delay)
            turn = await self._database.run(partial(self._hosts.take, names, holder, gap_seconds=gap, hold_seconds=hold))
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[host] = (monotonic(), turn.host)
            if turn.paused_seconds > 0:
                raise HostPausedError(_pause_of(turn.host, turn.paused_seconds))
            if turn.wait_seconds == 0:
                return self._passed(visitor, host, names, holder, gap, delay)
            if turn.wait_seconds > max(_TOLD_SECONDS, 1.5 * gap):
                visitor.waits(turn.wait_seconds, "for the delay of another crawl at the same host")
            await self._sleep(turn.wait_seconds, visitor)

    async def _sleep(self, seconds: float, visitor: Visitor) -> None:
        """Wait.

        Raises:
            StoppingError: the process ends, or the time of the visitor's run is over.
        """
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0 and not self._stopping.is_set() and not visitor.is_over():
            try:
                await asyncio.wait_for(self._stopping.wait(), min(left, _LONGEST_SLEEP_SECONDS))
            except TimeoutError:
                continue
        if left > 0:
            raise StoppingError("the crawl ends")

    def _passed(self, visitor: Visitor, host: str, names: tuple[str, ...], holder: str | None, gap: float, delay: float) -> Passed:
        return Passed(
            visitor=visitor, host=host, names=names, holder=holder, gap_seconds=gap, delay_seconds=delay, at=datetime.now(UTC),
            began=monotonic(),
        )  # fmt: skip

    # ------------------------------------------------------------------ learning from answers

    def _judged(self, host: HostRecord, passed: Passed, answered: Answered) -> tuple[HostRecord, HostPause | None]:
        """What is known of the host from now on, and whether it is paused."""
        pace = _pace(host)
        if answered.trouble is None:
            pace = pace.answered(answered.response_seconds, delay_seconds=passed.delay_seconds)
            host = replace(host, slowdown=pace.slowdown, response_seconds=pace.response_seconds, troubles=0)
            return _unpaused(host), None
        slowdown = pace.failed().slowdown
        if answered.trouble is Trouble.PAGE:
            return _unpaused(replace(host, slowdown=slowdown)), None
        fresh = answered.trouble is Trouble.HOST or answered.url not in self._failed
        if len(self._failed) >= _MOST_KNOWN:
            self._failed.clear()
        self._failed.add(answered.url)
        # a page that fails again says nothing new of its host; many pages that fail one after another do
        troubles = host.troubles + 1 if fresh else max(1, host.troubles)
        stranger = host.response_seconds is None
        pause = pause_after(
            troubles, delay_seconds=passed.delay_seconds, retry_after_seconds=answered.retry_after_seconds, stranger=stranger
        )
        because = (answered.told or str(answered.reason or ""))[:200]
        until = datetime.now(UTC) + timedelta(seconds=pause.seconds)
        host = replace(
            host, slowdown=slowdown, troubles=troubles, paused_until=until, paused_because=because, left_alone=pause.left_alone
        )
        told = HostPause(
            host=passed.host, seconds=pause.seconds, because=because, asked=answered.retry_after_seconds is not None,
            left_alone=pause.left_alone, troubles=troubles, stranger=stranger, fresh=fresh,
        )  # fmt: skip
        return host, told

    # ------------------------------------------------------------------ writing

    def _record(self, passed: Passed, answered: Answered) -> FetchRecord:
        return FetchRecord(
            at=passed.at,
            host=passed.host,
            address=answered.address,
            portal=passed.visitor.portal,
            run_id=passed.visitor.run_id(),
            kind=answered.kind,
            status=answered.status,
            reason=str(answered.reason)[:60] if answered.reason is not None else None,
            bytes=answered.size,
            milliseconds=round(1000 * (monotonic() - passed.began)),
            gap_seconds=passed.gap_seconds,
        )

    async def _write(self) -> None:
        log, self._log = self._log, []
        unsaved, self._unsaved = self._unsaved, {}
        self._wrote_at = monotonic()
        if not log:
            return
        try:
            await self._database.run(partial(self._hosts.note, list(unsaved.values()), log))
        except NewscrawlerError as error:  # the crawl's own statements fail too, and end it
            logger.warning("the log of requests was not written: %s", error)


def _pace(host: HostRecord) -> Pace:
    return Pace(slowdown=host.slowdown, response_seconds=host.response_seconds)


def _refuse_late(visitor: Visitor) -> None:
    if not visitor.may_ask(datetime.now(UTC)):
        raise StoppingError("the window has closed")


def _unpaused(host: HostRecord) -> HostRecord:
    return replace(host, paused_until=None, paused_because=None, left_alone=False)


def _left(moment: datetime | None, now: datetime) -> float:
    return max(0.0, (moment - now).total_seconds()) if moment is not None else 0.0


def _pause_of(host: HostRecord, seconds: float) -> HostPause:
    return HostPause(
        host=host.name,
        seconds=seconds,
        because=host.paused_because or "",
        left_alone=host.left_alone,
        troubles=host.troubles,
        stranger=host.response_seconds is None and host.troubles >= MOST_TROUBLES_OF_A_STRANGER,
    )
