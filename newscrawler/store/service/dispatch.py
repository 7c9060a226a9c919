"""Crawls that are dispatched to workers: jobs of Procrastinate's queue, and the workers that carry them out.

A job names its portal and scheduled crawl, and takes in the exit code. Its number of attempts is the fencing token: it grows
whenever `sweep` puts the job back, as its worker and its run have given no sign of life, on the database's clock.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Engine,
    Row,
    TableClause,
    column,
    delete,
    exc,
    make_url,
    select,
    text,
)
from sqlalchemy.dialects import postgresql

from newscrawler.store.database import StorePart, clock, fill_record
from newscrawler.store.frontier.leases import close_killed
from newscrawler.store.hosts import Process, this_process
from newscrawler.store.service import engine_queue
from newscrawler.store.service.service import CrawlJob, SweepResult, WorkerRecord
from newscrawler.store.tables import PORTAL, RUN, WORKER, UtcDateTime
from newscrawler.store.vocabularies import FINISHED, CrawlJobState

#: A worker whose heartbeat and whose run's heartbeat (every 15 s) are older than this loses its job.
LEASE = timedelta(seconds=40)
#: Workers that were silent for so long are forgotten.
_KEPT = timedelta(days=30)
#: Any number: PostgreSQL's advisory lock of the sweep.
_SWEEP_LOCK = 708_015_535
_JOBS = (
    "SELECT j.id, j.args->>'portal' AS portal, j.args->>'label' AS label, j.lock, j.attempts AS token, w.name AS worker, "
    "w.id AS worker_id, CASE j.status WHEN 'todo' THEN 'waiting' WHEN 'doing' THEN 'running' ELSE 'ended' END AS state, "
    "CASE WHEN j.status NOT IN ('todo', 'doing') THEN coalesce((j.args->>'exit_code')::int, 130) END AS exit_code, "
    "w.host, w.machine, w.pid, w.process_started, j.worker_id AS owner, e.last_heartbeat, "
    "(j.args->>'after_run')::bigint AS after_run "
    "FROM procrastinate_jobs j LEFT JOIN worker w ON w.id = j.worker_id "
    "LEFT JOIN procrastinate_workers e ON e.id = j.worker_id WHERE j.queue_name = :queue AND j.args ? 'portal' AND "
)
_OPEN = "j.status IN ('todo', 'doing')"
#: The fence of a worker that writes of a job: it is under way, and nobody has put it back.
_HELD = text("SELECT lock FROM procrastinate_jobs WHERE id = :id AND attempts = :token AND status = 'doing' FOR UPDATE")
#: Keeps which runs of the portal there were before.
_NOTE_TAKEN = text(
    "UPDATE procrastinate_jobs SET args = args || jsonb_build_object('after_run', (SELECT coalesce(max(run.id), 0) "
    "FROM run JOIN portal ON portal.id = run.portal_id WHERE portal.name = args->>'portal')) WHERE id = :id"
)
_NOTE_END = text("UPDATE procrastinate_jobs SET args = args || jsonb_build_object('exit_code', CAST(:code AS int)) WHERE id = :id")
_MINE = text("SELECT id, attempts FROM procrastinate_jobs WHERE worker_id = :worker AND status = 'doing'")
#: A job under way whose worker's row somebody has deleted (Procrastinate's issue 1518).
_CLAIM = text(
    "UPDATE procrastinate_jobs SET worker_id = :worker "
    "WHERE id = :id AND attempts = :token AND status = 'doing' AND worker_id IS NULL RETURNING id"
)
#: Another job that waits with the lock would make Procrastinate fail to put this one back (its issue 1543).
_DELETE_SIBLINGS = text("DELETE FROM procrastinate_jobs WHERE queueing_lock = :lock AND status = 'todo'")
_DELETE_ENDED = text("DELETE FROM procrastinate_jobs WHERE lock = :lock AND status NOT IN ('todo', 'doing')")
_ENGINE_WORKER = TableClause("procrastinate_workers", column("id", BigInteger), column("last_heartbeat", UtcDateTime))


def require_shared_database(url: str) -> None:
    """Check, without opening it, that a database is one that several machines can share.

    Raises:
        ConfigError: it is a file of SQLite, or Procrastinate is not installed.
    """
    try:
        parsed = make_url(url)
    except (exc.ArgumentError, ValueError):
        return  # opening it reports what is wrong
    engine_queue.require_postgresql(parsed)
    engine_queue.queries()


class Dispatch(StorePart):
    """Workers and their jobs; only on PostgreSQL."""

    def __init__(self, engine: Engine, *, check_place: Callable[[Connection], None]) -> None:
        """Take what it needs; `check_place` raises where a planner that writes is no longer the planner."""
        super().__init__(engine)
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
        with self._reading() as connection:
            engine_queue.require_queue(connection)

    # ------------------------------------------------------------------ workers

    def register(self, name: str, *, places: int, version: str) -> WorkerRecord:
        """Register a worker."""
        with self._writing() as connection:
            engine_queue.call(connection, "prune_stalled_workers", seconds_since_heartbeat=_KEPT.total_seconds())
            connection.execute(delete(WORKER).where(WORKER.c.id.not_in(select(_ENGINE_WORKER.c.id))))
            number = int(engine_queue.call(connection, "register_worker")[0].worker_id)
            _give_sign(connection, number, name, version, places)
            return _read_workers(connection, WORKER.c.id == number)[0]

    def beat(self, worker: WorkerRecord, *, places: int, held: Mapping[int, int]) -> set[int]:
        """Store the heartbeat of a worker; return those of its jobs that others have put back or ended.

        The worker is as it was registered; its rows may have been deleted since, or an older state of the database restored.
        `places`: crawls for which it has memory; `held`: tokens by jobs.
        """
        with self._writing() as connection:
            _give_sign(connection, worker.id, worker.name, worker.version, places)
            mine = {job.id: job.attempts for job in connection.execute(_MINE, {"worker": worker.id})}
            return {
                job
                for job, token in held.items()
                if mine.get(job) != token
                and connection.execute(_CLAIM, {"worker": worker.id, "id": job, "token": token}).first() is None
            }

    def leave(self, worker: WorkerRecord) -> None:
        """Forget a worker that ends."""
        with self._writing() as connection:
            connection.execute(delete(WORKER).where(WORKER.c.id == worker.id))
            engine_queue.call(connection, "unregister_worker", worker_id=worker.id)

    def workers(self) -> list[WorkerRecord]:
        """Return the workers that are alive, oldest first."""
        with self._reading() as connection:
            if not engine_queue.has_tables(connection):
                return []
            return _read_workers(connection, _ENGINE_WORKER.c.last_heartbeat >= clock(connection) - LEASE)

    def places(self) -> int:
        """Return the number of crawls for which the live workers have memory."""
        return sum(worker.places for worker in self.workers())

    # ------------------------------------------------------------------ jobs, as the planner sees them

    def defer(self, portal: str, *, label: str, priority: int) -> CrawlJob:
        """Dispatch a crawl, or return the portal's open job if there is one.

        Raises:
            LeaseLostError: another process has become the planner.
        """
        with self._writing() as connection:
            self._check_place(connection)
            found = _read_jobs(connection, f"j.lock = :lock AND {_OPEN}", lock=engine_queue.lock_name(portal))
            if not found:
                connection.execute(_DELETE_ENDED, {"lock": engine_queue.lock_name(portal)})
                number = engine_queue.defer(connection, portal=portal, label=label, priority=priority)
                found = _read_jobs(connection, "j.id = :id", id=number)
        return found[0]

    def jobs(self, numbers: Iterable[int]) -> dict[int, CrawlJob]:
        """Return jobs by their numbers."""
        return {job.id: job for job in self._select("j.id = ANY(:ids)", ids=list(numbers))}

    def open_jobs(self) -> list[CrawlJob]:
        """Return the jobs that wait or are under way, oldest first."""
        with self._reading() as connection:
            return _read_jobs(connection, _OPEN) if engine_queue.has_tables(connection) else []

    def latest(self, portal: str, label: str) -> CrawlJob | None:
        """Return the newest job of a scheduled crawl; None: it was not dispatched."""
        found = self._select("j.args->>'portal' = :portal AND j.args->>'label' = :label", portal=portal, label=label)
        return found[-1] if found else None

    def ask_stop(self, job_id: int) -> None:
        """Ask the worker of a job to end it; a job that waits ends at once.

        Raises:
            LeaseLostError: another process has become the planner.
        """
        with self._writing() as connection:
            self._check_place(connection)
            engine_queue.call(connection, "cancel_job", job_id=job_id, abort=True, delete_job=False)

    def withdraw(self, portal: str) -> bool:
        """End the job of a portal that no worker has taken yet; return whether there was one.

        Raises:
            LeaseLostError: another process has become the planner.
        """
        with self._writing() as connection:
            self._check_place(connection)
            found = _read_jobs(connection, "j.lock = :lock AND j.status = 'todo'", lock=engine_queue.lock_name(portal))
            cancelled = [engine_queue.call(connection, "cancel_job", job_id=job.id, abort=False, delete_job=False) for job in found]
        return any(row.id is not None for (row,) in cancelled)

    # ------------------------------------------------------------------ jobs, as workers see them

    def take(self, worker: WorkerRecord) -> CrawlJob | None:
        """Take the most urgent job that waits; None: none does."""
        with self._writing() as connection:
            while (row := engine_queue.fetch(connection, worker.id)) is not None:
                if {"portal", "label"} <= row.args.keys():
                    connection.execute(_NOTE_TAKEN, {"id": row.id})
                    return _read_jobs(connection, "j.id = :id", id=row.id)[0]
                engine_queue.call(connection, "finish_job", job_id=row.id, status="failed", delete_job=True)  # not one of ours
        return None

    def list_stops(self) -> list[int]:
        """Return the jobs under way that are asked to end."""
        with self._reading() as connection:
            return [row.id for row in engine_queue.call(connection, "list_jobs_to_abort", queue_name=engine_queue.QUEUE)]

    def end(self, job_id: int, token: int, *, status: str, exit_code: int) -> bool:
        """Store the end of a crawl; False: the worker has lost the job, and nothing was written."""
        with self._writing() as connection:
            is_held = connection.execute(_HELD, {"id": job_id, "token": token}).first() is not None
            if is_held:
                _end(connection, job_id, status=status, exit_code=exit_code)
        return is_held

    def give_back(self, job_id: int, token: int) -> bool:
        """Requeue a job because its worker ends; False: the worker has lost the job."""
        with self._writing() as connection:
            row = connection.execute(_HELD, {"id": job_id, "token": token}).first()
            if row is not None:
                _put_back(connection, job_id, row.lock)
        return row is not None

    # ------------------------------------------------------------------ what is put right

    def sweep(self, worker: WorkerRecord | None = None, held: Collection[int] = ()) -> SweepResult:
        """Requeue the jobs of dead workers; concurrent sweeps are safe.

        Jobs that are the worker's own by Procrastinate's table, and that it has not (`held`), are those of a dead one as well.
        """
        number = worker.id if worker is not None else None
        with self._reading() as connection:
            if not _list_orphans(connection, number, held):  # as nearly always, and each worker asks every 5 s
                return SweepResult()
        with self._writing() as connection:
            if not connection.execute(text(f"SELECT pg_try_advisory_xact_lock({_SWEEP_LOCK})")).scalar():
                return SweepResult()
            return _sweep_orphans(connection, _list_orphans(connection, number, held))

    def _select(self, condition: str, **values: Any) -> list[CrawlJob]:
        with self._reading() as connection:
            return _read_jobs(connection, condition, **values)


def _read_rows(connection: Connection, condition: str, **values: Any) -> list[Row[Any]]:
    return list(connection.execute(text(f"{_JOBS}{condition} ORDER BY j.id"), {"queue": engine_queue.QUEUE, **values}))


def _read_jobs(connection: Connection, condition: str, **values: Any) -> list[CrawlJob]:
    return [fill_record(CrawlJob, row, state=CrawlJobState(row.state)) for row in _read_rows(connection, condition, **values)]


def _read_workers(connection: Connection, condition: ColumnElement[bool]) -> list[WorkerRecord]:
    heartbeat_at = _ENGINE_WORKER.c.last_heartbeat.label("heartbeat_at")
    query = select(WORKER, heartbeat_at).join(_ENGINE_WORKER, _ENGINE_WORKER.c.id == WORKER.c.id).where(condition)
    return [fill_record(WorkerRecord, row) for row in connection.execute(query.order_by(WORKER.c.id))]


def _give_sign(connection: Connection, number: int, name: str, version: str, places: int) -> None:
    engine_queue.beat(connection, number)
    values = {
        "id": number, "name": name[:255], **asdict(this_process()), "version": version, "places": places,
        "started_at": clock(connection),
    }  # fmt: skip
    entered = postgresql.insert(WORKER).values(values)
    connection.execute(entered.on_conflict_do_update(index_elements=[WORKER.c.id], set_={"places": places}))


def _end(connection: Connection, job_id: int, *, status: str, exit_code: int) -> None:
    connection.execute(_NOTE_END, {"id": job_id, "code": exit_code})
    engine_queue.call(connection, "finish_job", job_id=job_id, status=status, delete_job=False)


def _put_back(connection: Connection, job_id: int, lock: str) -> None:
    """Let a job wait again, unless it was to end; the token of whoever had it is worth nothing from now on."""
    connection.execute(_DELETE_SIBLINGS, {"lock": lock})
    values = {"retry_at": None, "new_priority": None, "new_queue_name": None, "new_lock": None}
    engine_queue.call(connection, "retry_job", job_id=job_id, **values)


def _list_orphans(connection: Connection, number: int | None, held: Collection[int]) -> list[Row[Any]]:
    now = clock(connection)
    return [row for row in _read_rows(connection, "j.status = 'doing'") if _is_orphan(row, now, number, held)]


def _is_orphan(row: Row[Any], now: datetime, number: int | None, held: Collection[int]) -> bool:
    """Return whether a job's worker is dead: it gives no sign of life, or its process is gone, or another one has its number."""
    if row.last_heartbeat is None or now - row.last_heartbeat > LEASE:
        return True
    if row.owner == number:
        return row.id not in held
    return row.machine is not None and _is_gone(row)


def _sweep_orphans(connection: Connection, orphans: Iterable[Row[Any]]) -> SweepResult:
    """Put back the jobs of dead workers, unless their crawl goes on without one."""
    put_back, ended = [], []
    for row in orphans:
        if connection.execute(_HELD, {"id": row.id, "token": row.token}).first() is None:
            continue
        open_runs, now = _list_open_runs(connection, row.portal), clock(connection)
        if any(_is_run_alive(run, now) for run in open_runs):
            continue
        if _has_finished(connection, row):
            _end(connection, row.id, status="succeeded", exit_code=0)
            ended.append(row.portal)
            continue
        for run in open_runs:  # so that the next need not wait until their own time is over; the fence keeps them out
            close_killed(connection, run)
        _put_back(connection, row.id, row.lock)
        put_back.append(row.portal)
    return SweepResult(put_back=tuple(put_back), ended=tuple(ended))


def _is_gone(row: Row[Any]) -> bool:
    process = fill_record(Process, row)
    return process.is_here() and not process.exists()


def _list_open_runs(connection: Connection, portal: str) -> list[Row[Any]]:
    mine = RUN.c.portal_id == select(PORTAL.c.id).where(PORTAL.c.name == portal).scalar_subquery()
    return list(connection.execute(select(RUN).where(mine & RUN.c.ended_at.is_(None)).with_for_update()))


def _is_run_alive(row: Row[Any], now: datetime) -> bool:
    """Return whether a run gives signs of life: it continues if only its worker was stopped."""
    return bool(now - row.heartbeat_at <= LEASE) and not _is_gone(row)


def _has_finished(connection: Connection, row: Row[Any]) -> bool:
    """Return whether a run that began after the job was taken has finished."""
    finished = (PORTAL.c.name == row.portal) & (RUN.c.id > (row.after_run or 0)) & (RUN.c.end_reason == FINISHED.word)
    return connection.execute(select(RUN.c.id).join(PORTAL).where(finished).limit(1)).first() is not None
