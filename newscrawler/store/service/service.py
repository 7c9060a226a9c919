"""Records of the service: its process, its workers, scheduled portals and alerts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Row, String, cast, insert, select, update

from newscrawler.errors import LeaseLostError, StoreError
from newscrawler.store.database import StorePart, clock, fill_record, make_insert
from newscrawler.store.hosts import Process, this_process
from newscrawler.store.service.portals import known_portal
from newscrawler.store.statements import match_given
from newscrawler.store.tables import ALERT, DRIFT_CHECK, PORTAL, SERVICE
from newscrawler.store.vocabularies import CrawlJobState


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRecord:
    """A problem from its beginning to its end, with the channels that delivered either."""

    id: int
    portal: str
    problem: str
    sentence: str
    began_at: datetime
    #: None: it lasts.
    over_at: datetime | None = None
    delivered: frozenset[str] = frozenset()
    delivered_over: frozenset[str] = frozenset()
    #: When a person acknowledged it; None: not yet.
    acknowledged_at: datetime | None = None
    acknowledged_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRecord:
    """The process of the service, running or last."""

    host: str
    pid: int
    started_at: datetime
    beat_at: datetime
    ended_at: datetime | None
    problem: str
    #: Whether it still runs, as far as visible from here.
    alive: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerRecord:
    """A process of `newscrawler worker`."""

    #: As in Procrastinate's table.
    id: int
    name: str
    host: str
    pid: int
    version: str
    #: Crawls for which it has memory, those under way included.
    places: int
    started_at: datetime
    heartbeat_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlJob:
    """A crawl that is dispatched to workers: a job of Procrastinate's."""

    id: int
    portal: str
    label: str
    state: CrawlJobState
    #: Fencing token: it grows whenever the job is put back, and what a worker writes of a job counts while the token is its own.
    token: int
    #: Name and number of the worker that has it; None: it waits.
    worker: str | None
    worker_id: int | None
    #: None: it is open.
    exit_code: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResult:
    """Portals whose jobs a sweep has put right."""

    #: Their worker and run are silent; they wait again.
    put_back: tuple[str, ...] = ()
    #: Their run came to its end without their worker.
    ended: tuple[str, ...] = ()


#: A service on another machine without a heartbeat for this long is dead.
DEAD_AFTER = timedelta(seconds=90)
#: Portals named in one statement; SQLite and PostgreSQL limit its values.
_TOGETHER = 1_000
_SCHEDULED = select(PORTAL.c.name, PORTAL.c.scheduled_since).where(PORTAL.c.scheduled_since.is_not(None))
_ALERTS = select(ALERT, PORTAL.c.name).join_from(ALERT, PORTAL)


class ServiceBook(StorePart):
    """All records of the service."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        #: When this process became the planner of a cluster: its fencing token; None: it is not the planner.
        self._elected_at: datetime | None = None

    # ------------------------------------------------------------------ which process it is

    def elect(self, *, silence: timedelta) -> bool:
        """Become the planner of a cluster; each later writing transaction checks that this process still is.

        Args:
            silence: a planner without a heartbeat for this long is replaced, although its process may exist. Times are on
                the database's clock.

        Returns:
            False: another process is the planner, or `newscrawler run` is the service.
        """
        if self._is_taken(silence):  # as it nearly always is: without a write, and without waiting for one
            return False
        with super()._writing() as connection:  # it has no place yet that could be checked
            now = clock(connection)
            row = _lock_place(connection, now)
            if not self._is_mine(row) and _is_alive(row, now) and now - row.heartbeat_at < silence:
                return False
            connection.execute(update(SERVICE).where(SERVICE.c.id == 1).values(_describe_process(now)))
        self._elected_at = now
        return True

    def _is_taken(self, silence: timedelta) -> bool:
        """Return whether another process is the planner."""
        with self._reading() as connection:
            row = connection.execute(select(SERVICE).where(SERVICE.c.id == 1)).first()
            if row is None or row.ended_at is not None or self._is_mine(row):
                return False
            now = clock(connection)
            return _is_alive(row, now) and bool(now - row.heartbeat_at < silence)

    def _is_mine(self, row: Row[Any]) -> bool:
        """Return whether this process was elected, and no other since; it may not have come to plan."""
        return self._elected_at is not None and _is_held(row, self._elected_at)

    def check_place(self, connection: Connection) -> None:
        """Let a transaction pass, unless this process was elected and another has become the planner since.

        Raises:
            LeaseLostError: another has.
        """
        if self._elected_at is not None:
            _check_place(connection, self._elected_at)

    def enter(self, *, now: datetime) -> None:
        """Become the service of this database.

        Raises:
            StoreError: another process is.
        """
        with self._writing() as connection:
            row = _lock_place(connection, now)
            if _is_alive(row, now) and fill_record(Process, row) != this_process():
                raise StoreError(
                    f"process {row.pid} on {row.host} sees to this database already, since {row.started_at:%Y-%m-%d %H:%M} UTC; "
                    f"end it first with: kill {row.pid}"
                )
            connection.execute(update(SERVICE).where(SERVICE.c.id == 1).values(_describe_process(now)))

    def beat(self, *, now: datetime, problem: str = "") -> None:
        """Store the service's heartbeat and its problem."""
        with self._writing() as connection:
            values = {"heartbeat_at": self._read_time(connection, now), "problem": problem}
            connection.execute(update(SERVICE).where(SERVICE.c.id == 1).values(values))

    def keep_place(self) -> None:
        """Store the planner's heartbeat.

        Raises:
            LeaseLostError: another process has become the planner.
        """
        with self._writing() as connection:
            connection.execute(update(SERVICE).where(SERVICE.c.id == 1).values(heartbeat_at=clock(connection)))

    def leave(self, *, now: datetime) -> None:
        """Store the end of the service."""
        with self._writing() as connection:
            now = self._read_time(connection, now)
            connection.execute(update(SERVICE).where(SERVICE.c.id == 1).values(heartbeat_at=now, ended_at=now))
        self._elected_at = None

    def service(self, *, now: datetime) -> ServiceRecord | None:
        """Return the running service, or the last one; None: there never was one."""
        row = self._read_first(select(SERVICE).where(SERVICE.c.id == 1))
        if row is None:
            return None
        return fill_record(ServiceRecord, row, {"beat_at": "heartbeat_at"}, alive=_is_alive(row, now))

    # ------------------------------------------------------------------ portals

    def watch(self, portals: Iterable[str], *, now: datetime) -> dict[str, datetime]:
        """Schedule exactly these portals from now on; return since when each is scheduled."""
        with self._writing() as connection:
            since = {row.name: row.scheduled_since for row in connection.execute(_SCHEDULED)}
            wanted = list(portals)
            gone, new = sorted(since.keys() - set(wanted)), sorted(set(wanted) - since.keys())
            for first in range(0, len(new), _TOGETHER):
                rows = [{"name": name, "created_at": now, "round": 0} for name in new[first : first + _TOGETHER]]
                connection.execute(make_insert(connection.dialect.name, PORTAL).on_conflict_do_nothing(), rows)
            for names, moment in ((gone, None), (new, now)):
                for first in range(0, len(names), _TOGETHER):
                    mine = PORTAL.c.name.in_(names[first : first + _TOGETHER])
                    connection.execute(update(PORTAL).where(mine).values(scheduled_since=moment))
        return {portal: since.get(portal, now) for portal in wanted}

    def watched(self) -> dict[str, datetime]:
        """Return since when the service schedules each portal."""
        return {row.name: row.scheduled_since for row in self._read(_SCHEDULED)}

    def drift_of_portals(self, portals: Sequence[str]) -> dict[str, dict[int, list[str]]]:
        """Return the drift violations of portals as sentences by round, without rounds that had none, in one query."""
        query = (
            select(PORTAL.c.name, DRIFT_CHECK.c.round, DRIFT_CHECK.c.violations)
            .join(PORTAL, PORTAL.c.id == DRIFT_CHECK.c.portal_id)
            .where(PORTAL.c.name.in_(portals) & (cast(DRIFT_CHECK.c.violations, String) != "[]"))
        )
        found: dict[str, dict[int, list[str]]] = {}
        for row in self._read(query):
            found.setdefault(row.name, {})[row.round] = list(row.violations)
        return found

    # ------------------------------------------------------------------ notifications

    def open_alerts(self, portal: str | None = None, *, since: datetime | None = None) -> list[AlertRecord]:
        """Return the open alerts, and those that ended since a time, oldest first."""
        is_open = ALERT.c.ended_at.is_(None)
        query = _ALERTS.where(is_open if since is None else is_open | (ALERT.c.ended_at >= since))
        query = query.where(*match_given((PORTAL.c.name, portal))).order_by(ALERT.c.id)
        return [_make_alert(row) for row in self._read(query)]

    def alerts(self, *, before_id: int | None = None, portal: str | None = None, limit: int = 100) -> list[AlertRecord]:
        """Return alerts, newest first; `before_id`: only those before this one."""
        query = _ALERTS.where(*match_given((PORTAL.c.name, portal))).order_by(ALERT.c.id.desc()).limit(limit)
        if before_id is not None:
            query = query.where(ALERT.c.id < before_id)
        return [_make_alert(row) for row in self._read(query)]

    def acknowledge(self, alert_id: int, who: str, *, now: datetime) -> AlertRecord | None:
        """Store who acknowledged an alert; only the first counts. None: there is no such alert."""
        with self._writing() as connection:
            fresh = (ALERT.c.id == alert_id) & ALERT.c.acknowledged_at.is_(None)
            connection.execute(update(ALERT).where(fresh).values(acknowledged_at=now, acknowledged_by=who[:100]))
            row = connection.execute(_ALERTS.where(ALERT.c.id == alert_id)).first()
        return _make_alert(row) if row else None

    def record_alerts(self, begun: Iterable[tuple[str, str, str]], over: Iterable[int], *, now: datetime) -> None:
        """Store that alerts (portal, problem, sentence) have begun, and others ended."""
        with self._writing() as connection:
            for portal, problem, sentence in begun:
                portal_id, _ = known_portal(connection, portal, now)
                values = {"portal_id": portal_id, "kind": problem, "message": sentence, "started_at": now}
                connection.execute(insert(ALERT).values(**values, start_sent=[], end_sent=[]))
            ended = list(over)
            if ended:
                connection.execute(update(ALERT).where(ALERT.c.id.in_(ended)).values(ended_at=now))

    def mark_delivered(self, alert_id: int, way: str, *, over: bool) -> None:
        """Store that a channel delivered the beginning or the end of a problem."""
        column = ALERT.c.end_sent if over else ALERT.c.start_sent
        with self._writing() as connection:
            before = connection.execute(select(column).where(ALERT.c.id == alert_id).with_for_update()).scalar_one()
            connection.execute(update(ALERT).where(ALERT.c.id == alert_id).values({column.name: sorted({*before, way})}))

    def _read_time(self, connection: Connection, now: datetime) -> datetime:
        """Return the time for judging a planner; this machine's if there is only one service."""
        return clock(connection) if self._elected_at is not None else now

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with super()._writing() as connection:
            self.check_place(connection)
            yield connection


def _lock_place(connection: Connection, now: datetime) -> Row[Any]:
    """Return the row of the service, which stays locked until the transaction ends; a new one has ended."""
    values = {"id": 1, **_describe_process(now), "ended_at": now}
    connection.execute(make_insert(connection.dialect.name, SERVICE).values(values).on_conflict_do_nothing())
    return connection.execute(select(SERVICE).where(SERVICE.c.id == 1).with_for_update()).one()


def _describe_process(now: datetime) -> dict[str, Any]:
    return asdict(this_process()) | {"started_at": now, "heartbeat_at": now, "ended_at": None, "problem": ""}


def _check_place(connection: Connection, elected_at: datetime) -> None:
    """Check that this process is still the planner, and prevent another election until the transaction ends.

    Raises:
        LeaseLostError: another process was elected.
    """
    row = connection.execute(select(SERVICE).where(SERVICE.c.id == 1).with_for_update(read=True)).one()
    if not _is_held(row, elected_at):
        msg = f"process {row.pid} on {row.host} has become the planner, as this one gave no sign of life for a while"
        raise LeaseLostError(msg)


def _is_held(row: Row[Any], elected_at: datetime) -> bool:
    process = this_process()
    return bool((row.machine, row.pid, row.started_at) == (process.machine, process.pid, elected_at))


def _is_alive(row: Row[Any], now: datetime) -> bool:
    if row.ended_at is not None:
        return False
    process = fill_record(Process, row)
    if process.is_here():
        return process.exists()
    return bool(now - row.heartbeat_at < DEAD_AFTER)


def _make_alert(row: Row[Any]) -> AlertRecord:
    return fill_record(
        AlertRecord, row,
        {"portal": "name", "problem": "kind", "sentence": "message", "began_at": "started_at", "over_at": "ended_at"},
        delivered=frozenset(row.start_sent), delivered_over=frozenset(row.end_sent), acknowledged_by=row.acknowledged_by or "",
    )  # fmt: skip
