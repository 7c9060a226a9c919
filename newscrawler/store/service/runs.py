"""Records of crawl runs and their logs; ensures that one process at a time crawls a portal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Row, case, delete, func, insert, select, type_coerce, update

from newscrawler.discovery import Account
from newscrawler.errors import PortalBusyError
from newscrawler.store.database import StorePart, fill_record, translated
from newscrawler.store.frontier.frontier import Frontier
from newscrawler.store.frontier.leases import close_killed, fence, is_alive, keep_counts, release_leases, shared_time
from newscrawler.store.frontier.patterns import Patterns
from newscrawler.store.frontier.revisits import requeue_due_urls
from newscrawler.store.hosts import this_process
from newscrawler.store.service.portals import known_portal, newest_ids
from newscrawler.store.statements import match_given
from newscrawler.store.tables import FETCH, FRONTIER, PORTAL, RUN, RUN_LOG
from newscrawler.store.vocabularies import FINISHED, PAST, EndReason, LogLevel, RunEnd, UrlState, end_values

#: Kinds of the fetch log that are pages.
_PAGES = ("page", "part", "alternate", "rendering")
#: An interrupted run is resumed within this time; later, a new round begins.
RESUME_WITHIN = timedelta(hours=12)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One crawl of one portal."""

    id: int
    portal: str
    round: int
    started_at: datetime
    #: None while it runs.
    ended_at: datetime | None
    ended_because: RunEnd | None
    host: str
    pid: int
    version: str
    counts: Mapping[str, Any]
    #: It resumes an interrupted run.
    resumed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMark:
    """The state of a portal's runs; if it is unchanged, no run has begun or ended since."""

    newest_id: int
    #: When a run last ended; None: never.
    ended_at: datetime | None
    #: When the last complete run began.
    whole_began_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetUse:
    """Amounts used since a time."""

    pages: int = 0
    bytes: int = 0
    seconds: float = 0.0
    articles: int = 0


class Runs(StorePart):
    """The records of all runs."""

    def begin(self, portal: str, *, now: datetime, version: str, past_of: str | None = None) -> tuple[RunRecord, Frontier]:
        """Begin a run of a portal, or resume an interrupted one.

        `portal`: the name of its queue; `past_of`: the portal whose articles are stored, if the queue is that of its past, whose
        lists are read once.

        Raises:
            PortalBusyError: another process is crawling the portal.
        """
        with self._writing() as connection:
            now = shared_time(connection, now)
            portal_id, round_number = known_portal(connection, portal, now)
            articles_of = known_portal(connection, past_of, now)[0] if past_of is not None else None
            last = self._close_dead_runs(connection, portal_id, portal, now)
            fresh_round = _begins_a_round(last, now)
            if fresh_round:
                round_number += 1
                connection.execute(update(PORTAL).where(PORTAL.c.id == portal_id).values(round=round_number))
                requeue_due_urls(connection, portal_id, round_number, now, once=past_of is not None)
            values: dict[str, Any] = {
                "portal_id": portal_id, "round": round_number, "started_at": now, "heartbeat_at": now, **asdict(this_process()),
                "version": version, "counts": {},
            }  # fmt: skip
            run_id = connection.execute(RUN.insert().values(values).returning(RUN.c.id)).scalar_one()
            record = make_run_record(connection.execute(select_runs().where(RUN.c.id == run_id)).one())
            record = replace(record, resumed=not fresh_round)
        return record, Frontier(
            self._engine, portal_id=portal_id, run_id=run_id, round_number=round_number, articles_portal_id=articles_of
        )

    def _close_dead_runs(self, connection: Connection, portal_id: int, portal: str, now: datetime) -> Row[Any] | None:
        """Close the runs of dead processes and take over their leases; return the last ended run."""
        open_runs = connection.execute(
            select(RUN).where((RUN.c.portal_id == portal_id) & RUN.c.ended_at.is_(None)).with_for_update()
        ).all()
        for row in open_runs:
            if is_alive(row, now):
                raise PortalBusyError(
                    f"portal {portal!r} is being crawled by process {row.pid} on {row.host} since "
                    f"{row.started_at:%Y-%m-%d %H:%M} UTC; wait until it has ended, or end it with: kill {row.pid}"
                )
            close_killed(connection, row)
        return connection.execute(select(RUN).where(RUN.c.portal_id == portal_id).order_by(RUN.c.id.desc()).limit(1)).first()

    def heartbeat(self, run_id: int, *, now: datetime, counts: Mapping[str, Any]) -> None:
        """Store the heartbeat and figures of a run.

        Raises:
            LeaseLostError: another process has taken it over.
        """
        with self._writing() as connection:
            fence(connection, run_id)
            keep_counts(connection, run_id, counts, now=now)

    def end(self, run_id: int, *, now: datetime, because: RunEnd, counts: Mapping[str, Any]) -> None:
        """Close a run; a run that was taken over is already closed and stays unchanged."""
        with self._writing() as connection:
            release_leases(connection, [run_id])
            now = shared_time(connection, now)
            connection.execute(
                update(RUN)
                .where((RUN.c.id == run_id) & RUN.c.ended_at.is_(None))
                .values(ended_at=now, heartbeat_at=now, counts=dict(counts), **end_values(because))
            )

    def note_cost(self, run_id: int, *, cpu_seconds: float, memory_mib: int) -> None:
        """Add the resources used to the figures of an ended run."""
        with self._writing() as connection:
            counts = connection.execute(select(RUN.c.counts).where(RUN.c.id == run_id).with_for_update()).scalar()
            if counts is not None:
                cost = {"cpu_seconds": round(cpu_seconds, 2), "memory_mib": memory_mib}
                connection.execute(update(RUN).where(RUN.c.id == run_id).values(counts={**counts, **cost}))

    def latest(
        self, portal: str | None = None, limit: int = 20, *, since: datetime | None = None, until: datetime | None = None
    ) -> list[RunRecord]:
        """Return the latest runs, newest first; those that began in a span of time, `until` excluded."""
        query = select_runs().where(*match_given((PORTAL.c.name, portal))).order_by(RUN.c.id.desc()).limit(limit)
        if since is not None and until is not None:
            query = query.where((RUN.c.started_at >= since) & (RUN.c.started_at < until))
        return [make_run_record(row) for row in self._read(query)]

    def marks(self) -> dict[str, RunMark]:
        """Return the state of each portal's runs, in one query."""
        whole = func.max(case((RUN.c.end_reason == FINISHED.word, RUN.c.started_at)))
        query = (
            select(
                PORTAL.c.name,
                func.max(RUN.c.id).label("newest_id"),
                func.max(RUN.c.ended_at).label("ended_at"),
                type_coerce(whole, RUN.c.started_at.type).label("whole_began_at"),
            )
            .select_from(RUN.join(PORTAL))
            .where(~PORTAL.c.name.endswith(PAST))
            .group_by(PORTAL.c.name)
        )
        return {row.name: fill_record(RunMark, row) for row in self._read(query)}

    def of_portals(self, portals: Sequence[str], *, limit: int) -> dict[str, list[RunRecord]]:
        """Return the newest runs of each of several portals, newest first, in one query."""
        found: dict[str, list[RunRecord]] = {}
        with self._reading() as connection:
            newest = newest_ids(connection, RUN, RUN.c.portal_id == PORTAL.c.id, [RUN.c.id.desc()], portals, limit).subquery()
            for row in connection.execute(select_runs().join(newest, newest.c.id == RUN.c.id).order_by(RUN.c.id.desc())):
                found.setdefault(row.portal, []).append(make_run_record(row))
        return found

    def whole_began_at(self, portals: Sequence[str]) -> dict[str, datetime | None]:
        """Return when the newest complete run of each of several portals began, in one query; None: there is none."""
        whole = select(RUN.c.started_at).where((RUN.c.portal_id == PORTAL.c.id) & (RUN.c.end_reason == FINISHED.word))
        newest = whole.order_by(RUN.c.id.desc()).limit(1).correlate(PORTAL).scalar_subquery()
        query = select(PORTAL.c.name, newest.label("began_at")).where(PORTAL.c.name.in_(portals))
        return {row.name: row.began_at for row in self._read(query)}

    def get(self, run_id: int) -> RunRecord | None:
        """Return the run with this id, if there is one."""
        row = self._read_first(select_runs().where(RUN.c.id == run_id))
        return make_run_record(row) if row else None

    def account(self, run: RunRecord) -> Account | None:
        """Return the account of named articles as a run left it; of the newest run, if it was killed or goes on, as it is now."""
        coverage = run.counts.get("coverage")
        if coverage and coverage.get("account"):
            return Account.from_dict(coverage["account"])
        is_newest = [each.id for each in self.latest(run.portal, limit=1)] == [run.id]
        return Patterns(self._engine).account_of(run.portal) if is_newest else None

    def live(self, *, now: datetime) -> list[RunRecord]:
        """Return the runs in progress, oldest first, without those of dead processes."""
        query = select_runs().where(RUN.c.ended_at.is_(None)).order_by(RUN.c.id)
        with self._reading() as connection:
            return [make_run_record(row) for row in connection.execute(query) if is_alive(row, shared_time(connection, now))]


def _begins_a_round(last: Row[Any] | None, now: datetime) -> bool:
    """Return whether a new round begins: the last was not interrupted or ended by a limit shortly before."""
    if last is None or last.end_reason == FINISHED.word:
        return True
    ended: datetime = last.ended_at or last.heartbeat_at
    return now - ended > RESUME_WITHIN


def select_runs() -> Any:
    """Select runs with the names of their portals."""
    return select(RUN, PORTAL.c.name.label("portal")).select_from(RUN.join(PORTAL))


def make_run_record(row: Row[Any]) -> RunRecord:
    """Return the run of a row of `select_runs`."""
    return fill_record(
        RunRecord,
        row,
        ended_because=RunEnd(EndReason(row.end_reason), row.end_detail or "") if row.end_reason is not None else None,
    )


def sum_budget_use(engine: Engine, portal: str, since: datetime, *, but_run: int | None = None) -> BudgetUse:
    """Add up what runs that began since then have used; pages and bytes by the log of requests, which a killed run leaves too.

    `but_run`: a run to leave out, because it counts itself.
    """
    requests = (
        select(func.count(), func.coalesce(func.sum(FETCH.c.bytes), 0))
        .join(PORTAL, PORTAL.c.id == FETCH.c.portal_id)
        .where((PORTAL.c.name == portal) & (FETCH.c.sent_at >= since) & FETCH.c.kind.in_(_PAGES))
    )
    runs = (
        select(RUN.c.started_at, RUN.c.ended_at, RUN.c.heartbeat_at, RUN.c.counts)
        .join(PORTAL, PORTAL.c.id == RUN.c.portal_id)
        .where((PORTAL.c.name == portal) & (RUN.c.started_at >= since))
    )
    if but_run is not None:
        requests = requests.where(FETCH.c.run_id.is_distinct_from(but_run))
        runs = runs.where(RUN.c.id != but_run)
    with translated(engine), engine.connect().execution_options(reading=True) as connection:
        pages, size = connection.execute(requests).one()
        rows = connection.execute(runs).all()
    return BudgetUse(
        pages=pages,
        bytes=int(size),
        seconds=sum(((row.ended_at or row.heartbeat_at) - row.started_at).total_seconds() for row in rows),
        articles=sum(row.counts.get("new_articles", 0) for row in rows),
    )


KEPT_DAYS = 90
_STATUS = re.compile(r"HTTP (\d{3})")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One line."""

    at: datetime
    level: LogLevel
    message: str
    #: 0: not stored yet.
    id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunUrl:
    """A URL whose last fetch was by a given run."""

    url: str
    outcome: str | None
    reason: str | None
    detail: str | None
    http_status: int | None
    fetched_at: datetime
    article_id: int | None


class RunLog(StorePart):
    """The logs of all runs."""

    def add(self, run_id: int, lines: Iterable[LogLine], *, now: datetime) -> None:
        """Append lines and delete old ones."""
        rows = [{"run_id": run_id, "logged_at": line.at, "level": str(line.level), "message": line.message} for line in lines]
        with self._writing() as connection:
            connection.execute(delete(RUN_LOG).where(RUN_LOG.c.logged_at < now - timedelta(days=KEPT_DAYS)))
            if rows:
                connection.execute(insert(RUN_LOG), rows)

    def lines(self, run_id: int, *, after_id: int = 0, limit: int = 200) -> list[LogLine]:
        """Return the newest lines of a run, oldest first; `after_id`: only those after this one."""
        query = select(RUN_LOG).where((RUN_LOG.c.run_id == run_id) & (RUN_LOG.c.id > after_id))
        rows = self._read(query.order_by(RUN_LOG.c.id.desc()).limit(limit))
        return [LogLine(id=row.id, at=row.logged_at, level=LogLevel(row.level), message=row.message) for row in reversed(rows)]

    def waiting(self, portal: str) -> int:
        """Count the URLs of a portal that are still to be fetched."""
        states = (str(UrlState.WAITING), str(UrlState.FETCHING))
        query = select(func.count()).select_from(FRONTIER.join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id))
        query = query.where((PORTAL.c.name == portal) & FRONTIER.c.state.in_(states))
        return int(self._read_value(query))

    def fetched(self, run: RunRecord, *, reason: str = "", limit: int = 100) -> list[RunUrl]:
        """Return URLs that a run fetched, newest first; `reason`: only those counted under this word in its figures."""
        until = run.ended_at or datetime.now(UTC) + timedelta(days=1)
        query = (
            select(*(FRONTIER.c[name] for name in RunUrl.__slots__))
            .join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id)
            .where((PORTAL.c.name == run.portal) & FRONTIER.c.fetched_at.between(run.started_at, until))
            .order_by(FRONTIER.c.fetched_at.desc())
            .limit(limit)
        )
        if status := _STATUS.fullmatch(reason):
            query = query.where(FRONTIER.c.http_status == int(status[1]))
        elif reason:
            query = query.where(FRONTIER.c.reason == reason.partition(": ")[0])
        return [fill_record(RunUrl, row) for row in self._read(query)]
