"""Procrastinate's queue in our database: schema, messages, its table of workers.

Its functions are called on our own connections, so that a message and the row that it is about change in one transaction. Its
`Worker` is not used: it stops taking jobs at the first error of the database and waits for all that run to end, and the number of
its places is fixed when it starts.

A message is never put back by `retry_job`: that fails where another message with the same queueing lock waits (#1543), and leaves
the message "doing". It is deleted, and a new one takes its place, so a worker that still has the old number can do nothing with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, exc, text
from sqlalchemy.engine import URL

from newscrawler.errors import ConfigError, StoreError, install_command
from newscrawler.store.database import database_name

#: The queue and the task, as `procrastinate shell` shows them.
QUEUE, TASK = "crawl", "newscrawler.crawl"
#: Any number: PostgreSQL's advisory lock while the schema is made.
_SCHEMA_LOCK = 708_015_534
_DEFER = text(
    "SELECT unnest(procrastinate_defer_jobs_v1(ARRAY[ROW(:queue, :task, :priority, :lock, :lock, "
    "jsonb_build_object('job', CAST(:job AS bigint), 'portal', CAST(:portal AS text)), NULL)]"
    "::procrastinate_job_to_defer_v1[])) AS id"
)


#: Procrastinate's queries that are used here, and how its functions are called.
_CALLED = ("register_worker", "update_heartbeat", "unregister_worker", "prune_stalled_workers", "fetch_job")
_FUNCTION = re.compile(r"\b(procrastinate_\w+_v\d+)\(")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueMessage:
    """One message of the queue."""

    id: int
    #: `crawl_job.id`; None: it is not one of ours.
    job_id: int | None


def queries() -> Mapping[str, str]:
    """Return Procrastinate's own queries by name.

    Raises:
        ConfigError: it is not installed.
    """
    try:
        from procrastinate import sql
    except ModuleNotFoundError as error:
        msg = f"workers need Procrastinate: {install_command('cluster')} ({error})"
        raise ConfigError(msg) from error
    return sql.queries


def require_postgresql(url: URL) -> None:
    """Check that the database is one that several machines can share.

    Raises:
        ConfigError: it is not.
    """
    if url.get_backend_name() == "sqlite":
        msg = (
            f"workers need a database on PostgreSQL, and {url.database} is a file of SQLite; set database in [crawler] of "
            "newscrawler.toml to postgresql://USER:PASSWORD@HOST/NAME (`newscrawler db copy` moves what is stored), or use "
            "`newscrawler run` on one machine"
        )
        raise ConfigError(msg)


def require_queue(connection: Connection) -> None:
    """Check that the queue's tables are there.

    Raises:
        ConfigError: Procrastinate is not installed, or the database is a file of SQLite.
        StoreError: the tables are missing, or those of another version of Procrastinate.
    """
    require_postgresql(connection.engine.url)
    queries()
    if not _has_tables(connection):
        msg = (
            f"{database_name(connection.engine)} has no tables for workers yet; make them once with `newscrawler worker --prepare`"
        )
        raise StoreError(msg)
    _check_version(connection)


def create_queue(connection: Connection) -> bool:
    """Create the queue's tables; return whether they were missing.

    Raises:
        ConfigError: Procrastinate is not installed, or the database is a file of SQLite.
        StoreError: the tables are those of another version of Procrastinate.
    """
    require_postgresql(connection.engine.url)
    queries()
    from procrastinate.schema import SchemaManager

    connection.execute(text(f"SELECT pg_advisory_xact_lock({_SCHEMA_LOCK})"))
    if _has_tables(connection):
        _check_version(connection)
        return False
    driver: Any = connection.connection.driver_connection
    driver.execute(SchemaManager.get_schema())  # many statements, with percent signs: not through SQLAlchemy
    return True


def _has_tables(connection: Connection) -> bool:
    return connection.execute(text("SELECT to_regclass('procrastinate_jobs')")).scalar() is not None


def _check_version(connection: Connection) -> None:
    """Check that the functions are there that the installed Procrastinate calls; their names contain their version.

    Raises:
        StoreError: they are not.
    """
    called = {name for query in _CALLED for name in _FUNCTION.findall(queries()[query])} | set(_FUNCTION.findall(_DEFER.text))
    found = text("SELECT name FROM unnest(CAST(:names AS text[])) name WHERE to_regproc(name) IS NULL ORDER BY name")
    missing = connection.execute(found, {"names": sorted(called)}).scalars().all()
    if missing:
        msg = (
            f"the tables for workers in {database_name(connection.engine)} are those of another version of Procrastinate "
            f"(missing: {', '.join(missing)}); install the version that made them, or apply the migrations that "
            "`procrastinate schema --migrations-path` names"
        )
        raise StoreError(msg)


def register_worker(connection: Connection) -> int:
    """Return the number of a new worker."""
    return int(_run(connection, "register_worker", {})[0].worker_id)


def beat(connection: Connection, engine_worker: int) -> bool:
    """Store a worker's heartbeat; False: its row was deleted meanwhile."""
    _run(connection, "update_heartbeat", {"worker_id": engine_worker})
    found = text("SELECT 1 FROM procrastinate_workers WHERE id = :id")
    return connection.execute(found, {"id": engine_worker}).first() is not None


def unregister_worker(connection: Connection, engine_worker: int) -> None:
    """Delete the row of a worker."""
    _run(connection, "unregister_worker", {"worker_id": engine_worker})


def prune_workers(connection: Connection, silent_seconds: float) -> None:
    """Delete the rows of workers whose heartbeat is too old."""
    _run(connection, "prune_stalled_workers", {"seconds_since_heartbeat": silent_seconds})


def defer(connection: Connection, *, job_id: int, portal: str, priority: int) -> int | None:
    """Write a message; None: another one for this portal waits."""
    lock = f"portal:{portal}"
    values = {"queue": QUEUE, "task": TASK, "priority": priority, "lock": lock, "job": job_id, "portal": portal}
    try:
        with connection.begin_nested():
            return int(connection.execute(_DEFER, values).scalar_one())
    except exc.IntegrityError:
        return None


def fetch(connection: Connection, engine_worker: int) -> QueueMessage | None:
    """Take the first message that waits; None: none does, or the worker's row was deleted, which its next sign of life mends."""
    try:
        with connection.begin_nested():
            (row,) = _run(connection, "fetch_job", {"queues": [QUEUE], "worker_id": engine_worker})
    except exc.IntegrityError:
        return None
    if row.id is None:
        return None
    job = row.args.get("job")
    return QueueMessage(id=row.id, job_id=job if isinstance(job, int) else None)


def delete_messages(connection: Connection, numbers: Sequence[int]) -> None:
    """Delete messages, whatever their state; those that are gone are left out."""
    if numbers:
        connection.execute(text("DELETE FROM procrastinate_jobs WHERE id = ANY(:ids)"), {"ids": list(numbers)})


def _run(connection: Connection, name: str, values: Mapping[str, Any]) -> Sequence[Any]:
    return connection.exec_driver_sql(queries()[name], values).all()
