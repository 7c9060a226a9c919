"""The host slots shared by all users of the database, the files of origins, and the log of requests.

A process takes the slot of a host, sends a request and releases the slot. So there is one request at a time, and the delay
counts from its response, even if a process is held up between taking the slot and sending.
Without a delay, a process may keep the slot for several requests until another process wants it.
Times are the database server's where there is one, so the clocks of machines need not agree.

A PID is not enough to know a process: it is reused after a reboot, by later programs, and in each container. So a process is
identified by its machine (host name, boot and, on Linux, PID namespace), its PID and its start time.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, func, insert, or_, select, update

from newscrawler.errors import PageReason
from newscrawler.store.database import StorePart, clock, delete_in_batches, fill_record, make_insert
from newscrawler.store.statements import match_given
from newscrawler.store.tables import FETCH, FRONTIER, HOST, ORIGIN_FILE, PORTAL, RUN
from newscrawler.store.vocabularies import PAST, OriginFileKind, UrlState


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """One process, recognisable by others that use the same database; its fields are columns of tables."""

    host: str
    #: The scope of `pid`; processes with the same value can check whether it runs. None: unknown.
    machine: str | None
    pid: int
    #: Start in clock ticks since boot; None if the system does not report it.
    process_started: int | None

    def is_here(self) -> bool:
        """Return whether the process runs, or ran, on this machine."""
        return self.machine == this_machine()

    def exists(self) -> bool:
        """Return whether the process runs; valid only if `is_here`."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        state, began = _read_start(self.pid)
        if state == "Z":  # killed and not yet reaped
            return False
        return self.process_started is None or began is None or began == self.process_started


def this_process() -> Process:
    """Return the current process."""
    return Process(host=this_host(), machine=this_machine(), pid=os.getpid(), process_started=_read_start(os.getpid())[1])


def this_host() -> str:
    """Return the host name of this machine."""
    return socket.gethostname()[:255]


@cache
def this_machine() -> str:
    """Return an identifier of this machine, its boot and the PID namespace."""
    parts = [this_host()]
    with suppress(OSError):  # not Linux
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip())
    with suppress(OSError):
        parts.append(Path("/proc/self/ns/pid").readlink().name)
    return " ".join(parts)[:400]


def _read_start(pid: int) -> tuple[str, int | None]:
    """Return state and start of a process from /proc; the name in parentheses may contain any character.

    psutil counts from the epoch, so that its start moves whenever the machine's clock is set.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return fields[0], int(fields[19])
    except (OSError, IndexError, ValueError):
        return "", None


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


#: A slot that is taken is checked again after this.
LOOK_AGAIN_SECONDS = 0.25
#: A pause of one host applies to others at its address no longer than this: many hosts may share the address.
LONGEST_SHARED_PAUSE_SECONDS = 600.0
#: Longest delay of a slot; guards against a clock that was set back.
_LONGEST_GAP_SECONDS = 2 * 86_400.0
#: Tolerated difference between clocks.
_CLOCKS_AGREE = timedelta(seconds=1)
#: How long the log is kept.
KEPT_DAYS = 30
MOST_KEPT = 500_000
#: The request for a single page belongs to no portal; its database may have neither portals nor runs.
_ADD_TO_LOG = insert(FETCH).values(
    portal_id=select(PORTAL.c.id).where(PORTAL.c.name == bindparam("of_portal")).scalar_subquery(),
    run_id=select(RUN.c.id).where(RUN.c.id == bindparam("of_run")).scalar_subquery(),
)


def holder_name(number: int = 0) -> str:
    """Return the name of this process (and a number in it) as the holder of a slot."""
    process = this_process()
    return f"{process.host[:80]} {_hash_body(process.machine)} {process.pid} {process.process_started or 0} {number}"


class Hosts(StorePart):
    """Host slots, files of origins and the log of requests."""

    # ------------------------------------------------------------------ host slots

    def take(self, names: Sequence[str], holder: str, *, gap_seconds: float, hold_seconds: float) -> SlotAnswer:
        """Take the slots of a host, which is the first name, and of its addresses, all or none, for a holder (`holder_name`).

        `gap_seconds`: delay since the last response; a longer one left by the previous holder applies too. The slots expire after
        `hold_seconds`, even if the holder dies.
        """
        with self._writing() as connection:
            rows = _lock_rows(connection, names)
            now = clock(connection)
            if _set_right(connection, rows.values(), now):
                rows = _lock_rows(connection, names)
            host = _record(rows[names[0]])
            paused, where = max((_count_left(row.paused_until, now), row.name) for row in rows.values())
            if paused > 0:
                return SlotAnswer(wait_seconds=paused, paused_seconds=paused, host=_copy_pause(host, rows[where]))
            waits = [_count_closed_seconds(connection, row, holder, now, gap_seconds) for row in rows.values()]
            wait = max((seconds for seconds, _ in waits), default=0.0)
            if wait > 0:
                return SlotAnswer(wait_seconds=wait, host=host, held=any(held for _, held in waits))
            values = {"lease_holder": holder, "lease_expires_at": now + timedelta(seconds=hold_seconds), "has_waiter": False}
            connection.execute(update(HOST).where(HOST.c.name.in_(names)).values(values))
            return SlotAnswer(wait_seconds=0.0, host=host)

    def keep(self, names: Sequence[str], holder: str, host: HostRecord, *, hold_seconds: float, log: Sequence[FetchRecord]) -> bool:
        """Keep the slots for more requests without delay; False: they were released because another process waits.

        `host`: its new state; `log`: the requests since the last call.
        """
        with self._writing() as connection:
            rows = _lock_rows(connection, names).values()
            now = clock(connection)
            stays = all(
                row.lease_holder == holder and not row.has_waiter and not _count_left(row.paused_until, now) for row in rows
            )
            held = {"lease_expires_at": now + timedelta(seconds=hold_seconds)} if stays else _free(now, 0.0)
            connection.execute(update(HOST).where(HOST.c.name.in_(names) & (HOST.c.lease_holder == holder)).values(held))
            _save(connection, host, now)
            _add_to_log(connection, log)
        return stays

    def leave(
        self, names: Sequence[str], holder: str, host: HostRecord, *, gap_seconds: float, log: Sequence[FetchRecord],
        of_address: bool = False,
    ) -> None:  # fmt: skip
        """Release the slots, and store the requests sent and the host's new state: `paused_until` is on this machine's clock.

        `gap_seconds`: delay before the next request; `of_address`: the host's addresses did not answer, so a pause applies to other
        hosts there too, for a while.
        """
        with self._writing() as connection:
            now = clock(connection)
            mine = HOST.c.name.in_(names) & (HOST.c.lease_holder == holder)
            connection.execute(update(HOST).where(mine).values(_free(now, gap_seconds)))
            _save(connection, host, now, names[1:] if of_address else ())
            _add_to_log(connection, log)

    def of(self, name: str) -> HostRecord:
        """Return the state of a host's slot."""
        row = self._read_first(select(HOST).where(HOST.c.name == name))
        return _record(row) if row is not None else HostRecord(name=name)

    def forgive(self, names: Sequence[str]) -> None:
        """Clear pauses and failures at the user's request."""
        values = {"paused_until": None, "pause_reason": None, "is_suspended": False, "failures": 0, "delay_factor": 1.0}
        with self._writing() as connection:
            connection.execute(update(HOST).where(HOST.c.name.in_(names)).values(values))
            forbids = (ORIGIN_FILE.c.kind == OriginFileKind.ROBOTS) & (ORIGIN_FILE.c.failures > 0)
            connection.execute(delete(ORIGIN_FILE).where(forbids & _is_of_host(names)))

    # ------------------------------------------------------------------ files of origins

    def file(self, url: str) -> OriginFile | None:
        """Return a file of an origin as it was last fetched; None: it never was."""
        row = self._read_first(select(ORIGIN_FILE).where(ORIGIN_FILE.c.url == url))
        return _make_origin_file(row) if row is not None else None

    def files(self, *, origin: str | None = None, host: str | None = None, kind: OriginFileKind | None = None) -> list[OriginFile]:
        """Return the last files of an origin, a host or all, of a kind or all."""
        query = select(ORIGIN_FILE).order_by(ORIGIN_FILE.c.origin, ORIGIN_FILE.c.url)
        query = query.where(*match_given((ORIGIN_FILE.c.origin, origin), (ORIGIN_FILE.c.kind, kind)))
        query = query.where(_is_of_host([host])) if host is not None else query
        return [_make_origin_file(row) for row in self._read(query)]

    def save_file(self, file: OriginFile) -> None:
        """Replace a file of an origin; if its robots.txt has changed, requeue forbidden pages."""
        values = {
            "url": file.url, "origin": file.origin[:300], "kind": file.kind, "http_status": file.status, "reason": file.because,
            "body": file.body, "fetched_at": file.asked_at, "expires_at": file.expires_at, "unchanged_since": file.said_since,
            "failures": file.failures,
        }  # fmt: skip
        with self._writing() as connection:
            if file.kind == OriginFileKind.ROBOTS and not file.failures:
                known = select(ORIGIN_FILE.c.failures, ORIGIN_FILE.c.body).where(ORIGIN_FILE.c.url == file.url)
                before = connection.execute(known).first()
                if before is not None and (before.failures or before.body != file.body):
                    _requeue_forbidden(connection, file.origin)
            statement = make_insert(connection.dialect.name, ORIGIN_FILE).values(values)
            connection.execute(statement.on_conflict_do_update(index_elements=["url"], set_=values))

    # ------------------------------------------------------------------ log

    def fetches(
        self, *, host: str | None = None, portal: str | None = None, run_id: int | None = None, most: int = 10_000
    ) -> list[FetchRecord]:
        """Return the latest requests in the order in which they were sent; of a portal, those for its past included."""
        query = select(FETCH, PORTAL.c.name.label("portal")).join_from(FETCH, PORTAL, isouter=True)
        query = query.where(*match_given((FETCH.c.host, host), (FETCH.c.run_id, run_id)))
        query = query.order_by(FETCH.c.sent_at.desc(), FETCH.c.id.desc()).limit(most)
        if portal is not None:
            query = query.where(PORTAL.c.name.in_((portal, portal + PAST)))
        found = [_fetch_record(row) for row in self._read(query)]
        return found[::-1]

    def prune(self, *, now: datetime, days: int = KEPT_DAYS, most: int = MOST_KEPT) -> None:
        """Delete old lines of the log, those beyond `most` in a file, and slots unused for as long."""
        before = now - timedelta(days=days)
        delete_in_batches(self._engine, FETCH, FETCH.c.sent_at < before)
        if self._engine.dialect.name == "sqlite":
            delete_in_batches(self._engine, FETCH, FETCH.c.id <= select(func.max(FETCH.c.id)).scalar_subquery() - most)
        with self._writing() as connection:
            idle = (HOST.c.last_response_at < before) & (HOST.c.paused_until.is_(None) | (HOST.c.paused_until < now))
            connection.execute(delete(HOST).where(idle))
            is_old = (ORIGIN_FILE.c.kind == OriginFileKind.ROBOTS) & (ORIGIN_FILE.c.expires_at < before)
            connection.execute(delete(ORIGIN_FILE).where(is_old))


def _is_of_host(names: Iterable[str]) -> ColumnElement[bool]:
    """Return the condition for files of origins at these hosts, at any port."""
    hosts = (f"[{name}]" if ":" in name else name for name in names)
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    at_ports = (ORIGIN_FILE.c.origin.startswith(f"{origin}:", autoescape=True) for origin in origins)
    return or_(ORIGIN_FILE.c.origin.in_(origins), *at_ports)


def _requeue_forbidden(connection: Connection, origin: str) -> None:
    forbidden = (FRONTIER.c.state == UrlState.SKIPPED) & (FRONTIER.c.reason == PageReason.ROBOTS)
    statement = update(FRONTIER).where(forbidden & FRONTIER.c.url.startswith(f"{origin}/", autoescape=True))
    connection.execute(statement.values(state=UrlState.WAITING, retry_at=None, attempts=0))


def _free(now: datetime, gap_seconds: float) -> dict[str, Any]:
    return {
        "lease_holder": None, "lease_expires_at": None, "last_response_at": now,
        "next_request_at": now + timedelta(seconds=gap_seconds),
    }  # fmt: skip


def _copy_pause(host: HostRecord, row: Row[Any]) -> HostRecord:
    """Return the state of a host with its own pause or that of its address."""
    if row.name == host.name:
        return host
    because = f"{row.pause_reason} (at {row.name})"
    return replace(host, paused_until=row.paused_until, pause_reason=because, is_suspended=False)


def _set_right(connection: Connection, rows: Iterable[Row[Any]], now: datetime) -> bool:
    """Shift a slot's times if the clock was set back since its last response; return whether they were shifted."""
    moved = False
    for row in rows:
        ahead = row.last_response_at - now if row.last_response_at is not None else timedelta(0)
        if ahead <= _CLOCKS_AGREE:
            continue
        times = {name: getattr(row, name) for name in ("last_response_at", "next_request_at", "lease_expires_at", "paused_until")}
        earlier = {name: moment - ahead for name, moment in times.items() if moment is not None}
        connection.execute(update(HOST).where(HOST.c.name == row.name).values(earlier))
        moved = True
    return moved


def _count_closed_seconds(
    connection: Connection, row: Row[Any], holder: str, now: datetime, gap_seconds: float
) -> tuple[float, bool]:
    """Return how long to wait for a slot, and whether another process has it."""
    if row.lease_holder is not None and row.lease_holder != holder and _count_left(row.lease_expires_at, now) > 0:
        if _may_live(row.lease_holder):
            if not row.has_waiter:
                connection.execute(update(HOST).where(HOST.c.name == row.name).values(has_waiter=True))
            return min(LOOK_AGAIN_SECONDS, _count_left(row.lease_expires_at, now)), True
        # it died during a request, at an unknown time: the delay counts from now
        connection.execute(update(HOST).where(HOST.c.name == row.name).values(_free(now, gap_seconds)))
        return gap_seconds, False
    own = row.last_response_at + timedelta(seconds=gap_seconds) if row.last_response_at else None
    left = max(_count_left(row.next_request_at, now), min(_count_left(own, now), gap_seconds))
    return (left if left < _LONGEST_GAP_SECONDS else 0.0), False


def _count_left(moment: datetime | None, now: datetime) -> float:
    return max(0.0, (moment - now).total_seconds()) if moment is not None else 0.0


def _may_live(holder: str) -> bool:
    """Return whether the holder of a slot may still be running; processes of other machines count as running."""
    host, _, rest = holder.partition(" ")
    try:
        machine, pid, began, _ = rest.split(" ")
        process = Process(host=host, machine=machine, pid=int(pid), process_started=int(began) or None)
    except ValueError:
        return False
    return machine != _hash_body(this_machine()) or process.exists()


def _hash_body(machine: str | None) -> str:
    return blake2b((machine or "").encode(), digest_size=8).hexdigest()


def _lock_rows(connection: Connection, names: Sequence[str]) -> dict[str, Row[Any]]:
    """Return the rows of these names, created if missing, locked always in the same order."""
    missing = [
        {"name": name, "delay_factor": 1.0, "failures": 0, "is_suspended": False, "has_waiter": False} for name in sorted(names)
    ]
    query = select(HOST).where(HOST.c.name.in_(names)).order_by(HOST.c.name).with_for_update()
    rows = {row.name: row for row in connection.execute(query)}
    if len(rows) < len(set(names)):
        connection.execute(make_insert(connection.dialect.name, HOST).on_conflict_do_nothing(), missing)
        rows = {row.name: row for row in connection.execute(query)}
    return rows


def _save(connection: Connection, host: HostRecord, now: datetime, addresses: Sequence[str] = ()) -> None:
    """Store the state of a host; a pause applies to its addresses too, and an existing longer pause stays."""
    values = {"response_seconds": host.response_seconds, "delay_factor": host.slowdown, "failures": host.failures}
    connection.execute(update(HOST).where(HOST.c.name == host.name).values(values))
    until = now + (host.paused_until - datetime.now(UTC)) if host.paused_until is not None else None
    longer = HOST.c.paused_until.is_(None) | (HOST.c.paused_until < (until or now))
    pause = {"paused_until": until, "pause_reason": host.pause_reason, "is_suspended": host.is_suspended}
    connection.execute(update(HOST).where((HOST.c.name == host.name) & longer).values(pause))
    if until is not None and addresses:
        shared = min(until, now + timedelta(seconds=LONGEST_SHARED_PAUSE_SECONDS))
        pause = {"paused_until": shared, "pause_reason": f"{host.name} {host.pause_reason}"[:200], "is_suspended": False}
        shorter = HOST.c.paused_until.is_(None) | (HOST.c.paused_until < shared)
        connection.execute(update(HOST).where(HOST.c.name.in_(addresses) & shorter).values(pause))


def _add_to_log(connection: Connection, log: Sequence[FetchRecord]) -> None:
    if log:
        connection.execute(_ADD_TO_LOG, [_fetch_values(record) for record in log])


def _record(row: Row[Any]) -> HostRecord:
    return fill_record(HostRecord, row, {"slowdown": "delay_factor"})


def _make_origin_file(row: Row[Any]) -> OriginFile:
    columns = {"status": "http_status", "because": "reason", "asked_at": "fetched_at", "said_since": "unchanged_since"}
    return fill_record(OriginFile, row, columns, kind=OriginFileKind(row.kind))


def _fetch_record(row: Row[Any]) -> FetchRecord:
    return fill_record(
        FetchRecord, row, {"at": "sent_at", "status": "http_status", "milliseconds": "duration_ms", "gap_seconds": "delay_seconds"}
    )


def _fetch_values(record: FetchRecord) -> dict[str, Any]:
    return {
        "sent_at": record.at, "host": record.host, "address": record.address, "of_portal": record.portal,
        "of_run": record.run_id, "kind": record.kind, "http_status": record.status, "reason": record.reason,
        "bytes": record.bytes, "duration_ms": record.milliseconds, "delay_seconds": record.gap_seconds, "url": record.url,
        "page_url": record.page_url,
    }  # fmt: skip
