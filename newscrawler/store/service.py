"""What the service keeps of its work: which process it is, whose turn was when, what was delivered to whom, what was exported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Row, String, Table, cast, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from newscrawler.errors import LeaseLostError, StoreError
from newscrawler.store.database import clock, translated
from newscrawler.store.portals import known_portal
from newscrawler.store.processes import Process, this_process
from newscrawler.store.service_records import AlertRecord, ExportRecord, ServiceRecord, TurnRecord
from newscrawler.store.tables import ALERT, DIGEST, DRIFT_CHECK, EXPORT, PORTAL, SCHEDULED_CRAWL, SCHEDULED_PORTAL, SERVICE
from newscrawler.store.vocabularies import TurnState

#: A service that cannot be seen from here and gave no sign of life for this long is dead.
DEAD_AFTER = timedelta(seconds=90)
_SCHEDULED = select(PORTAL.c.name, SCHEDULED_PORTAL.c.since).join_from(SCHEDULED_PORTAL, PORTAL)
_TURNS = select(SCHEDULED_CRAWL, PORTAL.c.name).join_from(SCHEDULED_CRAWL, PORTAL)
_ALERTS = select(ALERT, PORTAL.c.name).join_from(ALERT, PORTAL)


class ServiceBook:
    """All records of the service."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        #: When this process became the planner of a cluster: its fencing token; None: it is none.
        self._elected_at: datetime | None = None

    # ------------------------------------------------------------------ which process it is

    def elect(self, *, silence: timedelta) -> bool:
        """Become the planner of a cluster; from then on each writing transaction makes sure that this process still is.

        Args:
            silence: a planner that gave no sign of life for so long has lost its place, although its process may exist. Times are
                on the database's clock.

        Returns:
            False where another process is the planner, or `newscrawler run` the service.
        """
        with translated(self._engine), self._engine.begin() as connection:
            now = clock(connection)
            _put(connection, SERVICE, {"id": 1, **_of_process(now), "ended_at": now}, nothing=True)
            row = connection.execute(select(SERVICE).where(SERVICE.c.id == 1).with_for_update()).one()
            if _is_alive(row, now) and now - row.heartbeat_at < silence:
                return False
            connection.execute(update(SERVICE).where(SERVICE.c.id == 1).values(_of_process(now)))
        self._elected_at = now
        return True

    def enter(self, *, now: datetime) -> None:
        """Become the service of this database.

        Raises:
            StoreError: another process is.
        """
        process = this_process()
        values = _of_process(now)
        with self._writing() as connection:
            _put(connection, SERVICE, {"id": 1, **values, "ended_at": now}, nothing=True)
            row = connection.execute(select(SERVICE).where(SERVICE.c.id == 1).with_for_update()).one()
            if _is_alive(row, now) and (row.machine, row.pid, row.process_started) != (process.machine, process.pid, process.began):
                msg = (
                    f"process {row.pid} on {row.host} sees to this database already, since {row.started_at:%Y-%m-%d %H:%M} UTC; "
                    f"end it first with: kill {row.pid}"
                )
                raise StoreError(msg)
            connection.execute(update(SERVICE).where(SERVICE.c.id == 1).values(values))

    def beat(self, *, now: datetime, problem: str = "") -> None:
        """Say that the service is alive, and what is wrong with it."""
        with self._writing() as connection:
            values = {"heartbeat_at": self._time(connection, now), "problem": problem}
            connection.execute(update(SERVICE).where(SERVICE.c.id == 1).values(values))

    def keep_place(self) -> None:
        """Say that the planner is alive.

        Raises:
            LeaseLostError: another process has become the planner.
        """
        with self._writing() as connection:
            connection.execute(update(SERVICE).where(SERVICE.c.id == 1).values(heartbeat_at=clock(connection)))

    def leave(self, *, now: datetime) -> None:
        """End the service."""
        with self._writing() as connection:
            now = self._time(connection, now)
            connection.execute(update(SERVICE).where(SERVICE.c.id == 1).values(heartbeat_at=now, ended_at=now))
        self._elected_at = None

    def service(self, *, now: datetime) -> ServiceRecord | None:
        """The service that runs, or the last one; None: there never was one."""
        with self._reading() as connection:
            row = connection.execute(select(SERVICE).where(SERVICE.c.id == 1)).first()
        if row is None:
            return None
        return ServiceRecord(
            host=row.host,
            pid=row.pid,
            started_at=row.started_at,
            beat_at=row.heartbeat_at,
            ended_at=row.ended_at,
            problem=row.problem,
            alive=_is_alive(row, now),
        )

    # ------------------------------------------------------------------ whose turn was when

    def watch(self, portals: Iterable[str], *, now: datetime) -> dict[str, datetime]:
        """See to these portals from now on, and to no others; answer since when."""
        with self._writing() as connection:
            since = {row.name: row.since for row in connection.execute(_SCHEDULED)}
            wanted = list(portals)
            gone = [portal for portal in since if portal not in wanted]
            if gone:
                ids = select(PORTAL.c.id).where(PORTAL.c.name.in_(gone))
                connection.execute(delete(SCHEDULED_PORTAL).where(SCHEDULED_PORTAL.c.portal_id.in_(ids)))
            for portal in wanted:
                if portal not in since:
                    portal_id, _ = known_portal(connection, portal, now)
                    connection.execute(insert(SCHEDULED_PORTAL).values(portal_id=portal_id, since=now))
        return {portal: since.get(portal, now) for portal in wanted}

    def watched(self) -> dict[str, datetime]:
        """Since when the service sees to each portal."""
        with self._reading() as connection:
            return {row.name: row.since for row in connection.execute(_SCHEDULED)}

    def put_turn(self, turn: TurnRecord) -> None:
        """Write what became of a turn."""
        values = {
            "label": turn.label,
            "planned_at": turn.planned_at,
            "state": str(turn.state),
            "attempts": turn.attempts,
            "started_at": turn.began_at,
            "ended_at": turn.ended_at,
            "detail": turn.because[:300],
        }
        with self._writing() as connection:
            values["portal_id"], _ = known_portal(connection, turn.portal, turn.planned_at)
            _put(connection, SCHEDULED_CRAWL, values, key=["portal_id", "label"])

    def turns(self, portal: str, limit: int = 5) -> list[TurnRecord]:
        """The latest turns of a portal, newest first."""
        newest_first = (SCHEDULED_CRAWL.c.planned_at.desc(), SCHEDULED_CRAWL.c.id.desc())
        query = _TURNS.where(PORTAL.c.name == portal).order_by(*newest_first).limit(limit)
        with self._reading() as connection:
            return [_turn(row) for row in connection.execute(query)]

    def turns_of_portals(self, limit: int = 5) -> dict[str, list[TurnRecord]]:
        """Return the latest turns of every portal, newest first, in one query."""
        newest_first = [SCHEDULED_CRAWL.c.planned_at.desc(), SCHEDULED_CRAWL.c.id.desc()]
        rank = func.row_number().over(partition_by=SCHEDULED_CRAWL.c.portal_id, order_by=newest_first)
        ranked = _TURNS.add_columns(rank.label("rank")).subquery()
        found: dict[str, list[TurnRecord]] = {}
        with self._reading() as connection:
            for row in connection.execute(select(ranked).where(ranked.c.rank <= limit).order_by(ranked.c.rank)):
                found.setdefault(row.name, []).append(_turn(row))
        return found

    def open_turns(self) -> list[TurnRecord]:
        """Turns that are under way, or were when a service died."""
        with self._reading() as connection:
            return [_turn(row) for row in connection.execute(_TURNS.where(SCHEDULED_CRAWL.c.state == str(TurnState.RUNNING)))]

    def drift(self, portal: str, limit: int = 200) -> dict[int, list[str]]:
        """What no longer fitted the portal's wrapper, sentences, by round; rounds in which all was well are left out."""
        query = (
            select(DRIFT_CHECK.c.round, DRIFT_CHECK.c.violations)
            .join(PORTAL, PORTAL.c.id == DRIFT_CHECK.c.portal_id)
            .where(PORTAL.c.name == portal)
            .order_by(DRIFT_CHECK.c.round.desc())
            .limit(limit)
        )
        with self._reading() as connection:
            return {row.round: list(row.violations) for row in connection.execute(query) if row.violations}

    def drift_of_portals(self, portals: Sequence[str]) -> dict[str, dict[int, list[str]]]:
        """Return for each of several portals what `drift` returns, in one query."""
        query = (
            select(PORTAL.c.name, DRIFT_CHECK.c.round, DRIFT_CHECK.c.violations)
            .join(PORTAL, PORTAL.c.id == DRIFT_CHECK.c.portal_id)
            .where(PORTAL.c.name.in_(portals) & (cast(DRIFT_CHECK.c.violations, String) != "[]"))
        )
        found: dict[str, dict[int, list[str]]] = {}
        with self._reading() as connection:
            for row in connection.execute(query):
                found.setdefault(row.name, {})[row.round] = list(row.violations)
        return found

    # ------------------------------------------------------------------ notifications

    def open_alerts(self, portal: str | None = None) -> list[AlertRecord]:
        """Problems that last, oldest first."""
        query = _ALERTS.where(ALERT.c.ended_at.is_(None)).order_by(ALERT.c.id)
        if portal is not None:
            query = query.where(PORTAL.c.name == portal)
        with self._reading() as connection:
            return [_alert(row) for row in connection.execute(query)]

    def alerts_since(self, moment: datetime) -> list[AlertRecord]:
        """Problems that began or ended since then, or last, oldest first."""
        query = _ALERTS.where(ALERT.c.ended_at.is_(None) | (ALERT.c.ended_at >= moment)).order_by(ALERT.c.id)
        with self._reading() as connection:
            return [_alert(row) for row in connection.execute(query)]

    def alerts(self, *, before_id: int | None = None, portal: str | None = None, limit: int = 100) -> list[AlertRecord]:
        """Return alerts, newest first; `before_id`: only those before this one."""
        query = _ALERTS.order_by(ALERT.c.id.desc()).limit(limit)
        if before_id is not None:
            query = query.where(ALERT.c.id < before_id)
        if portal is not None:
            query = query.where(PORTAL.c.name == portal)
        with self._reading() as connection:
            return [_alert(row) for row in connection.execute(query)]

    def acknowledge(self, alert_id: int, who: str, *, now: datetime) -> AlertRecord | None:
        """Note who knows of an alert; the first one counts. None: there is no such alert."""
        with self._writing() as connection:
            fresh = (ALERT.c.id == alert_id) & ALERT.c.acknowledged_at.is_(None)
            connection.execute(update(ALERT).where(fresh).values(acknowledged_at=now, acknowledged_by=who[:100]))
            row = connection.execute(_ALERTS.where(ALERT.c.id == alert_id)).first()
        return _alert(row) if row else None

    def record_alerts(self, begun: Iterable[tuple[str, str, str]], over: Iterable[int], *, now: datetime) -> None:
        """Write that problems (portal, problem, sentence) have begun, and others ended."""
        with self._writing() as connection:
            for portal, problem, sentence in begun:
                portal_id, _ = known_portal(connection, portal, now)
                values = {"portal_id": portal_id, "kind": problem, "message": sentence, "started_at": now}
                connection.execute(insert(ALERT).values(**values, start_sent=[], end_sent=[]))
            ended = list(over)
            if ended:
                connection.execute(update(ALERT).where(ALERT.c.id.in_(ended)).values(ended_at=now))

    def undelivered(self, ways: Iterable[str], *, since: datetime) -> list[AlertRecord]:
        """Alerts, not older than `since`, whose beginning or end has not been delivered by one of these channels, oldest first."""
        wanted = frozenset(ways)
        if not wanted:
            return []
        recent = (ALERT.c.ended_at.is_(None) & (ALERT.c.started_at >= since)) | (ALERT.c.ended_at >= since)
        with self._reading() as connection:
            found = [_alert(row) for row in connection.execute(_ALERTS.where(recent).order_by(ALERT.c.id))]
        return [alert for alert in found if wanted - alert.delivered or (alert.over_at and wanted - alert.delivered_over)]

    def mark_delivered(self, alert_id: int, way: str, *, over: bool) -> None:
        """Write that the beginning or the end of a problem was delivered by a channel."""
        column = ALERT.c.end_sent if over else ALERT.c.start_sent
        with self._writing() as connection:
            before = connection.execute(select(column).where(ALERT.c.id == alert_id).with_for_update()).scalar_one()
            connection.execute(update(ALERT).where(ALERT.c.id == alert_id).values({column.name: sorted({*before, way})}))

    def digest_delivered(self, day: str) -> frozenset[str] | None:
        """By which ways the digest of a day was sent; None: it was not made yet."""
        with self._reading() as connection:
            row = connection.execute(select(DIGEST.c.channels).where(DIGEST.c.day == day)).first()
        return frozenset(row.channels) if row else None

    def put_digest(self, day: str, channels: Iterable[str], *, now: datetime) -> None:
        """Write by which ways the digest of a day was sent."""
        with self._writing() as connection:
            _put(connection, DIGEST, {"day": day, "sent_at": now, "channels": sorted(channels)}, key=["day"])

    # ------------------------------------------------------------------ what was exported

    def last_export(self, name: str) -> ExportRecord | None:
        """The latest file of an export."""
        query = select(EXPORT).where(EXPORT.c.name == name).order_by(EXPORT.c.id.desc()).limit(1)
        with self._reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        return ExportRecord(
            name=row.name, path=row.path, written_at=row.written_at, articles=row.articles, last_article_id=row.last_article_id
        )

    def put_export(self, export: ExportRecord) -> None:
        """Write that a file was written."""
        values = {name: getattr(export, name) for name in export.__slots__}
        with self._writing() as connection:
            connection.execute(insert(EXPORT).values(values))

    def _time(self, connection: Connection, now: datetime) -> datetime:
        """Return the time that a planner is judged by; that of this machine where there is but one service."""
        return clock(connection) if self._elected_at is not None else now

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with translated(self._engine), self._engine.begin() as connection:
            if self._elected_at is not None:
                _fence(connection, self._elected_at)
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            yield connection


def _put(
    connection: Connection, table: Table, values: dict[str, Any], *, key: list[str] | None = None, nothing: bool = False
) -> None:
    """Insert a row, or change the one that has this key."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table).values(values)
    if nothing:
        connection.execute(statement.on_conflict_do_nothing())
    else:
        changes = {name: value for name, value in values.items() if name not in (key or ())}
        connection.execute(statement.on_conflict_do_update(index_elements=key, set_=changes))


def _of_process(now: datetime) -> dict[str, Any]:
    process = this_process()
    return {
        "host": process.host,
        "machine": process.machine,
        "pid": process.pid,
        "process_started": process.began,
        "started_at": now,
        "heartbeat_at": now,
        "ended_at": None,
        "problem": "",
    }


def _fence(connection: Connection, elected_at: datetime) -> None:
    """Let a transaction of the planner pass; nobody else can be elected before it has ended.

    Raises:
        LeaseLostError: somebody else was.
    """
    process = this_process()
    row = connection.execute(select(SERVICE).where(SERVICE.c.id == 1).with_for_update(read=True)).one()
    if (row.machine, row.pid, row.started_at) != (process.machine, process.pid, elected_at):
        msg = f"process {row.pid} on {row.host} has become the planner, as this one gave no sign of life for a while"
        raise LeaseLostError(msg)


def _is_alive(row: Row[Any], now: datetime) -> bool:
    if row.ended_at is not None:
        return False
    process = Process(host=row.host, machine=row.machine, pid=row.pid, began=row.process_started)
    if process.is_here():
        return process.exists()
    return bool(now - row.heartbeat_at < DEAD_AFTER)


def _turn(row: Row[Any]) -> TurnRecord:
    return TurnRecord(
        portal=row.name,
        label=row.label,
        planned_at=row.planned_at,
        state=TurnState(row.state),
        attempts=row.attempts,
        began_at=row.started_at,
        ended_at=row.ended_at,
        because=row.detail,
    )


def _alert(row: Row[Any]) -> AlertRecord:
    return AlertRecord(
        id=row.id,
        portal=row.name,
        problem=row.kind,
        sentence=row.message,
        began_at=row.started_at,
        over_at=row.ended_at,
        delivered=frozenset(row.start_sent),
        delivered_over=frozenset(row.end_sent),
        acknowledged_at=row.acknowledged_at,
        acknowledged_by=row.acknowledged_by or "",
    )
