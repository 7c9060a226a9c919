"""Crawls that are dispatched to workers, and the leases on them.

`crawl_job` is the authority: who leases a job, by its fencing token, and since when nothing was heard of it, on the database's
clock. A message of Procrastinate's queue only says that a job waits. `sweep` brings the queue in line with the table, whatever
became of messages and workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Row, exc, func, insert, make_url, select, text, tuple_, update

from newscrawler.store.database import clock, fill_record, translated
from newscrawler.store.frontier.leases import SAME_CLOCK, release_leases
from newscrawler.store.hosts.processes import Process, this_process
from newscrawler.store.service import engine_queue
from newscrawler.store.service.portals import known_portal
from newscrawler.store.service.service_records import Beat, CrawlJob, SweepResult, WorkerRecord
from newscrawler.store.tables import CRAWL_JOB, PORTAL, RUN, WORKER
from newscrawler.store.vocabularies import FINISHED, KILLED, CrawlJobState, end_values

#: A worker whose heartbeat and whose run's heartbeat (every 15 s) are older than this loses its job.
LEASE = timedelta(seconds=40)
#: How long ended jobs are kept.
KEPT = timedelta(days=30)
#: Any number: PostgreSQL's advisory lock of the sweep.
_SWEEP_LOCK = 708_015_535
_JOBS = select(CRAWL_JOB, PORTAL.c.name.label("portal"), WORKER.c.name.label("worker")).select_from(
    CRAWL_JOB.join(PORTAL).outerjoin(WORKER, WORKER.c.id == CRAWL_JOB.c.worker_id)
)
_OPEN = CRAWL_JOB.c.ended_at.is_(None)
_RUNNING = _JOBS.add_columns(WORKER.c.host, WORKER.c.machine, WORKER.c.pid, WORKER.c.process_started).where(
    CRAWL_JOB.c.state == CrawlJobState.RUNNING
)
_WITHDRAWN = "it was withdrawn before it began"
#: Messages that are "doing" without a job under way that they began, and those that wait without a job that waits.
_ORPHANS = text(
    "SELECT m.id FROM procrastinate_jobs m LEFT JOIN crawl_job j ON j.engine_job = m.id "
    "WHERE m.queue_name = :queue AND (j.id IS NULL OR j.state <> "
    "CASE m.status WHEN 'todo' THEN 'waiting' WHEN 'doing' THEN 'running' ELSE '' END)"
)
_UNSENT = text(
    "SELECT j.id FROM crawl_job j LEFT JOIN procrastinate_jobs m ON m.id = j.engine_job AND m.status = 'todo' "
    "WHERE j.state = 'waiting' AND m.id IS NULL ORDER BY j.id"
)
#: What a sweep puts right, except for running jobs whose process is gone, which only their own machine can see.
_UNTIDY = text(
    f"SELECT EXISTS ({_ORPHANS.text}) OR EXISTS ({_UNSENT.text}) "  # noqa: S608  constants of this page
    "OR EXISTS (SELECT FROM worker WHERE ended_at IS NULL AND heartbeat_at < :silent) "
    "OR EXISTS (SELECT FROM procrastinate_workers WHERE last_heartbeat < :silent) "
    "OR EXISTS (SELECT FROM crawl_job WHERE ended_at < :old) OR EXISTS (SELECT FROM worker WHERE ended_at < :old)"
)


def require_shared_database(url: str) -> None:
    """Check, without opening it, that a database is one that several machines can share.

    Raises:
        ConfigError: it is a file of SQLite.
    """
    try:
        parsed = make_url(url)
    except (exc.ArgumentError, ValueError):
        return  # opening it reports what is wrong
    engine_queue.require_postgresql(parsed)


class Dispatch:
    """Workers and their jobs; only on PostgreSQL."""

    def __init__(self, engine: Engine, *, check_place: Callable[[Connection], None]) -> None:
        """Take what it needs.

        Args:
            engine: of the database.
            check_place: raises where a planner that writes is no longer the planner.
        """
        self._engine = engine
        self._check_place = check_place

    def prepare(self) -> bool:
        """Create the queue's tables; return whether they were missing.

        Raises:
            ConfigError: Procrastinate is not installed, or the database is a file of SQLite.
        """
        with self._writing() as connection:
            return engine_queue.create_queue(connection)

    def require(self) -> None:
        """Check that jobs can be dispatched here.

        Raises:
            ConfigError: Procrastinate is not installed, or the database is a file of SQLite.
            StoreError: the queue's tables are missing.
        """
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            engine_queue.require_queue(connection)

    # ------------------------------------------------------------------ workers

    def register(self, name: str, *, places: int, version: str) -> WorkerRecord:
        """Register a worker."""
        with self._writing() as connection:
            return _make_worker(_enter(connection, name, version, places, engine_queue.register_worker(connection)))

    def beat(self, worker: WorkerRecord, *, places: int, held: Mapping[int, int]) -> Beat:
        """Store the heartbeat of a worker and its jobs; return which of the jobs must end.

        Args:
            worker: as it was entered.
            places: crawls for which it has memory.
            held: tokens by jobs.
        """
        with self._writing() as connection:
            now = clock(connection)
            engine_worker = worker.engine_worker
            if not engine_queue.beat(connection, engine_worker):  # it was silent, and a sweep has pruned it
                engine_worker = engine_queue.register_worker(connection)
            values = {"heartbeat_at": now, "places": places, "ended_at": None, "engine_worker": engine_worker}
            row = connection.execute(update(WORKER).where(WORKER.c.id == worker.id).values(values).returning(WORKER)).first()
            if row is None:  # an older state of the database was restored, or the worker was stopped for a month
                row = _enter(connection, worker.name, worker.version, places, engine_worker)
            mine = tuple_(CRAWL_JOB.c.id, CRAWL_JOB.c.token).in_(sorted(held.items()))
            beating = (CRAWL_JOB.c.state == CrawlJobState.RUNNING) & mine
            renewed = update(CRAWL_JOB).where(beating).values(heartbeat_at=now).returning(CRAWL_JOB.c.id, CRAWL_JOB.c.stop)
            asked = {row.id: row.stop for row in connection.execute(renewed)}
        return Beat(worker=_make_worker(row), stops={job: asked.get(job, "lost") for job in held if asked.get(job, "lost")})

    def leave(self, worker: WorkerRecord) -> None:
        """Store the end of a worker."""
        with self._writing() as connection:
            connection.execute(update(WORKER).where(WORKER.c.id == worker.id).values(ended_at=clock(connection)))
            engine_queue.unregister_worker(connection, worker.engine_worker)

    def workers(self) -> list[WorkerRecord]:
        """Return the workers that are alive, oldest first."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            if connection.dialect.name != "postgresql":
                return []
            return [_make_worker(row) for row in connection.execute(_select_alive(clock(connection)).order_by(WORKER.c.id))]

    def places(self) -> int:
        """Return the number of crawls for which the live workers have memory."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            alive = _select_alive(clock(connection)).subquery()
            return int(connection.execute(select(func.coalesce(func.sum(alive.c.places), 0))).scalar_one())

    # ------------------------------------------------------------------ jobs, as the planner sees them

    def defer(self, portal: str, *, label: str, priority: int) -> CrawlJob:
        """Dispatch a crawl, or return the portal's open job if there is one.

        Raises:
            LeaseLostError: another process has become the planner.
        """
        with self._writing() as connection:
            self._check_place(connection)
            now = clock(connection)
            portal_id, _ = known_portal(connection, portal, now)
            open_job = connection.execute(_JOBS.where((CRAWL_JOB.c.portal_id == portal_id) & _OPEN)).first()
            if open_job is not None:
                return _make_job(open_job)
            values = {
                "portal_id": portal_id,
                "label": label,
                "priority": priority,
                "state": CrawlJobState.WAITING,
                "token": 0,
                "created_at": now,
                "stop": "",
                "detail": "",
            }
            job_id = connection.execute(insert(CRAWL_JOB).values(values).returning(CRAWL_JOB.c.id)).scalar_one()
            _send(connection, job_id, portal, priority)
            return _make_job(connection.execute(_JOBS.where(CRAWL_JOB.c.id == job_id)).one())

    def jobs(self, numbers: Iterable[int]) -> dict[int, CrawlJob]:
        """Return jobs by their numbers."""
        return {job.id: job for job in self._select(CRAWL_JOB.c.id.in_(list(numbers)))}

    def open_jobs(self) -> list[CrawlJob]:
        """Return the jobs that wait or are under way, oldest first."""
        return self._select(_OPEN)

    def latest(self, portal: str, label: str) -> CrawlJob | None:
        """Return the newest job of a scheduled crawl; None: it was not dispatched."""
        found = self._select((PORTAL.c.name == portal) & (CRAWL_JOB.c.label == label))
        return found[-1] if found else None

    def ask_stop(self, job_id: int, how: str) -> None:
        """Ask whoever leases a job to end it (end), or to kill it (kill); a job that waits ends at once.

        Raises:
            LeaseLostError: another process has become the planner.
        """
        with self._writing() as connection:
            self._check_place(connection)
            now = clock(connection)
            mine = (CRAWL_JOB.c.id == job_id) & _OPEN
            row = connection.execute(select(CRAWL_JOB).where(mine).with_for_update()).first()
            if row is None:
                return
            connection.execute(update(CRAWL_JOB).where(mine).values(stop=how))
            if row.state == CrawlJobState.WAITING:
                _end(connection, row, now, exit_code=130, detail=_WITHDRAWN)

    def withdraw(self, portal: str) -> bool:
        """End the job of a portal that no worker has taken yet; return whether there was one.

        Raises:
            LeaseLostError: another process has become the planner.
        """
        with self._writing() as connection:
            self._check_place(connection)
            waiting = (PORTAL.c.name == portal) & (CRAWL_JOB.c.state == CrawlJobState.WAITING)
            row = connection.execute(_JOBS.where(waiting).with_for_update(of=CRAWL_JOB)).first()
            if row is not None:
                _end(connection, row, clock(connection), exit_code=130, detail=_WITHDRAWN)
        return row is not None

    # ------------------------------------------------------------------ jobs, as workers see them

    def take(self, worker: WorkerRecord) -> CrawlJob | None:
        """Take the most urgent job that waits; None: none does."""
        with self._writing() as connection:
            while (message := engine_queue.fetch(connection, worker.engine_worker)) is not None:
                now = clock(connection)
                waiting = (CRAWL_JOB.c.engine_job == message.id) & (CRAWL_JOB.c.state == CrawlJobState.WAITING)
                values = {
                    "state": CrawlJobState.RUNNING,
                    "token": CRAWL_JOB.c.token + 1,
                    "worker_id": worker.id,
                    "started_at": now,
                    "heartbeat_at": now,
                }
                taken = connection.execute(update(CRAWL_JOB).where(waiting).values(values).returning(CRAWL_JOB.c.id)).scalar()
                if taken is not None:
                    return _make_job(connection.execute(_JOBS.where(CRAWL_JOB.c.id == taken)).one())
                engine_queue.delete_messages(connection, [message.id])
        return None

    def end(self, job: CrawlJob, *, exit_code: int, detail: str = "") -> bool:
        """Store the end of a crawl; False: the worker has lost the job, and nothing was written."""
        with self._writing() as connection:
            row = connection.execute(_select_held(job)).first()
            if row is not None:
                _end(connection, row, clock(connection), exit_code=exit_code, detail=detail)
        return row is not None

    def give_back(self, job: CrawlJob) -> bool:
        """Requeue a job because its worker ends; False: the worker has lost the job."""
        with self._writing() as connection:
            row = connection.execute(_select_held(job)).first()
            if row is not None:
                _put_back(connection, row, job.portal, clock(connection))
        return row is not None

    # ------------------------------------------------------------------ what is put right

    def sweep(self) -> SweepResult:
        """Requeue the jobs of dead workers, and repair the queue; concurrent sweeps are safe."""
        if not self._has_something_to_sweep():
            return SweepResult()
        with self._writing() as connection:
            if not connection.execute(text(f"SELECT pg_try_advisory_xact_lock({_SWEEP_LOCK})")).scalar():
                return SweepResult()
            now = clock(connection)
            put_back, ended = _sweep_dead(connection, now)
            orphans = connection.execute(_ORPHANS, {"queue": engine_queue.QUEUE}).scalars().all()
            engine_queue.delete_messages(connection, orphans)
            unsent = connection.execute(_UNSENT).scalars().all()
            again = [_make_job(row) for row in connection.execute(_JOBS.where(CRAWL_JOB.c.id.in_(unsent)))] if unsent else []
            for row in connection.execute(_JOBS.where(CRAWL_JOB.c.id.in_(unsent))).all() if unsent else []:
                _send(connection, row.id, row.portal, row.priority)
            engine_queue.prune_workers(connection, LEASE.total_seconds())
            dead = WORKER.c.ended_at.is_(None) & (WORKER.c.heartbeat_at < now - LEASE)
            connection.execute(update(WORKER).where(dead).values(ended_at=WORKER.c.heartbeat_at))
            connection.execute(CRAWL_JOB.delete().where(CRAWL_JOB.c.ended_at < now - KEPT))
            connection.execute(WORKER.delete().where(WORKER.c.ended_at < now - KEPT))
        sent_again = tuple(job.portal for job in again if job.portal not in put_back)
        return SweepResult(put_back=tuple(put_back), ended=tuple(ended), sent_again=sent_again, deleted=len(orphans))

    def _has_something_to_sweep(self) -> bool:
        """Return whether anything is not as it should be; one statement that writes nothing, as each worker asks every 5 s."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            now = clock(connection)
            if connection.execute(_UNTIDY, {"queue": engine_queue.QUEUE, "silent": now - LEASE, "old": now - KEPT}).scalar():
                return True
            rows = connection.execute(_RUNNING).all()
            return any(_is_silent(row, now) for row in rows)

    def _select(self, condition: Any) -> list[CrawlJob]:
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [_make_job(row) for row in connection.execute(_JOBS.where(condition).order_by(CRAWL_JOB.c.id))]

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with translated(self._engine), self._engine.begin() as connection:
            yield connection


def _select_alive(now: datetime) -> Any:
    return select(WORKER).where(WORKER.c.ended_at.is_(None) & (WORKER.c.heartbeat_at >= now - LEASE))


def _enter(connection: Connection, name: str, version: str, places: int, engine_worker: int) -> Row[Any]:
    process, now = this_process(), clock(connection)
    values = {
        "name": name[:255],
        "host": process.host,
        "machine": process.machine,
        "pid": process.pid,
        "process_started": process.began,
        "version": version,
        "places": places,
        "engine_worker": engine_worker,
        "started_at": now,
        "heartbeat_at": now,
    }
    return connection.execute(insert(WORKER).values(values).returning(WORKER)).one()


def _select_held(job: CrawlJob) -> Any:
    mine = (CRAWL_JOB.c.id == job.id) & (CRAWL_JOB.c.token == job.token) & (CRAWL_JOB.c.state == CrawlJobState.RUNNING)
    return select(CRAWL_JOB).where(mine).with_for_update()


def _send(connection: Connection, job_id: int, portal: str, priority: int) -> None:
    """Write a job's message; where another one is in its way, the next sweep deletes that and sends this one."""
    number = engine_queue.defer(connection, job_id=job_id, portal=portal, priority=priority)
    connection.execute(update(CRAWL_JOB).where(CRAWL_JOB.c.id == job_id).values(engine_job=number))


def _end(connection: Connection, row: Row[Any], now: datetime, *, exit_code: int, detail: str) -> None:
    values = {"state": CrawlJobState.ENDED, "ended_at": now, "exit_code": exit_code, "detail": detail[:300]}
    connection.execute(update(CRAWL_JOB).where(CRAWL_JOB.c.id == row.id).values(values))
    engine_queue.delete_messages(connection, [row.engine_job] if row.engine_job is not None else [])


def _put_back(connection: Connection, row: Row[Any], portal: str, now: datetime) -> None:
    """Let a job wait with a new message, unless it was to end; the token of whoever leased it is worth nothing from now on."""
    if row.stop:
        _end(connection, row, now, exit_code=130, detail=_WITHDRAWN)
        return
    engine_queue.delete_messages(connection, [row.engine_job] if row.engine_job is not None else [])
    values = {"state": CrawlJobState.WAITING, "token": CRAWL_JOB.c.token + 1, "worker_id": None, "heartbeat_at": None}
    connection.execute(update(CRAWL_JOB).where(CRAWL_JOB.c.id == row.id).values(values))
    _send(connection, row.id, portal, row.priority)


def _sweep_dead(connection: Connection, now: datetime) -> tuple[list[str], list[str]]:
    """Put back jobs whose worker is silent, unless their crawl goes on without it; return portals put back, and ended."""
    rows = connection.execute(_RUNNING.with_for_update(of=CRAWL_JOB, skip_locked=True)).all()
    put_back, ended = [], []
    for row in rows:
        if not _is_silent(row, now) or _has_live_run(connection, row.portal_id, now):
            continue
        if _has_finished(connection, row):
            _end(connection, row, now, exit_code=0, detail="its crawl came to its end after its worker was lost")
            ended.append(row.portal)
            continue
        _close_runs(connection, row.portal_id)
        _put_back(connection, row, row.portal, now)
        put_back.append(row.portal)
    return put_back, ended


def _is_silent(row: Row[Any], now: datetime) -> bool:
    """Return whether a job's worker is dead: its process is gone, where that is visible, or its heartbeat is too old."""
    if row.machine is not None:
        process = Process(host=row.host, machine=row.machine, pid=row.pid, began=row.process_started)
        if process.is_here() and not process.exists():
            return True
    return row.heartbeat_at is None or bool(now - row.heartbeat_at > LEASE)


def _open_runs(connection: Connection, portal_id: int) -> Sequence[Row[Any]]:
    return connection.execute(select(RUN).where((RUN.c.portal_id == portal_id) & RUN.c.ended_at.is_(None)).with_for_update()).all()


def _has_live_run(connection: Connection, portal_id: int, now: datetime) -> bool:
    """Return whether a run of the portal has a recent heartbeat: it continues if only its worker was stopped."""
    for row in _open_runs(connection, portal_id):
        process = Process(host=row.host, machine=row.machine, pid=row.pid, began=row.process_started)
        if process.is_here():
            if process.exists() and now - row.heartbeat_at <= LEASE:
                return True
        elif now - row.heartbeat_at <= LEASE:
            return True
    return False


def _has_finished(connection: Connection, row: Row[Any]) -> bool:
    """Return whether a run that began after the job was taken has finished."""
    begun = RUN.c.started_at >= row.started_at - SAME_CLOCK  # runs begin on their machine's clock, where it is not further off
    query = select(RUN.c.id).where((RUN.c.portal_id == row.portal_id) & begun & (RUN.c.end_reason == FINISHED.word))
    return connection.execute(query.limit(1)).first() is not None


def _close_runs(connection: Connection, portal_id: int) -> None:
    """Close the runs of a dead worker, so that the next need not wait until their own time is over; the fence keeps them out."""
    for row in _open_runs(connection, portal_id):
        release_leases(connection, [row.id])
        connection.execute(update(RUN).where(RUN.c.id == row.id).values(ended_at=row.heartbeat_at, **end_values(KILLED)))


def _make_worker(row: Row[Any]) -> WorkerRecord:
    return fill_record(WorkerRecord, row)


def _make_job(row: Row[Any]) -> CrawlJob:
    return fill_record(CrawlJob, row, state=CrawlJobState(row.state))
