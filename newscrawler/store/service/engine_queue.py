"""Procrastinate's queue in our database: its schema, and its own queries on our connections.

So a job changes in one transaction with what it is about, and waits for a database that is away as everything else does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
    "jsonb_build_object('portal', CAST(:portal AS text), 'label', CAST(:label AS text)), NULL)]"
    "::procrastinate_job_to_defer_v1[])) AS id"
)


#: Procrastinate's queries that are used here, and how its functions are called.
_CALLED = (
    "register_worker", "unregister_worker", "prune_stalled_workers", "fetch_job", "finish_job", "retry_job", "cancel_job",
)  # fmt: skip
_FUNCTION = re.compile(r"\b(procrastinate_\w+_v\d+)\(")


def queries() -> Mapping[str, str]:
    """Return Procrastinate's own queries by name.

    Raises:
        ConfigError: it is not installed.
    """
    try:
        from procrastinate import sql
    except ModuleNotFoundError as error:
        raise ConfigError(f"workers need Procrastinate: {install_command('cluster')} ({error})") from error
    return sql.queries


def require_postgresql(url: URL) -> None:
    """Check that the database is one that several machines can share.

    Raises:
        ConfigError: it is not.
    """
    if url.get_backend_name() == "sqlite":
        raise ConfigError(
            f"workers need a database on PostgreSQL, and {url.database} is a file of SQLite; set database in [crawler] of "
            "newscrawler.toml to postgresql://USER:PASSWORD@HOST/NAME (`newscrawler db copy` moves what is stored), or use "
            "`newscrawler run` on one machine"
        )


def require_queue(connection: Connection) -> None:
    """Check that the queue's tables are there.

    Raises:
        ConfigError: Procrastinate is not installed, or the database is a file of SQLite.
        StoreError: the tables are missing, or those of another version of Procrastinate.
    """
    require_postgresql(connection.engine.url)
    queries()
    if not has_tables(connection):
        raise StoreError(
            f"{database_name(connection.engine)} has no tables for workers yet; make them once with `newscrawler worker --prepare`"
        )
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
    if has_tables(connection):
        _check_version(connection)
        return False
    driver: Any = connection.connection.driver_connection
    driver.execute(SchemaManager.get_schema())  # many statements, with percent signs: not through SQLAlchemy
    return True


def has_tables(connection: Connection) -> bool:
    """Return whether the queue's tables are there."""
    is_shared = connection.dialect.name == "postgresql"
    return is_shared and connection.execute(text("SELECT to_regclass('procrastinate_jobs')")).scalar() is not None


def _check_version(connection: Connection) -> None:
    """Check that the functions are there that the installed Procrastinate calls; their names contain their version.

    Raises:
        StoreError: they are not.
    """
    called = {name for query in _CALLED for name in _FUNCTION.findall(queries()[query])} | set(_FUNCTION.findall(_DEFER.text))
    found = text("SELECT name FROM unnest(CAST(:names AS text[])) name WHERE to_regproc(name) IS NULL ORDER BY name")
    missing = connection.execute(found, {"names": sorted(called)}).scalars().all()
    if missing:
        raise StoreError(
            f"the tables for workers in {database_name(connection.engine)} are those of another version of Procrastinate "
            f"(missing: {', '.join(missing)}); install the version that made them, or apply the migrations that "
            "`procrastinate schema --migrations-path` names"
        )


def call(connection: Connection, name: str, **values: Any) -> Sequence[Any]:
    """Call one of Procrastinate's own queries; return its rows."""
    return connection.exec_driver_sql(queries()[name], values).all()


def defer(connection: Connection, *, portal: str, label: str, priority: int) -> int:
    """Write the job of a scheduled crawl; return its number."""
    values = {"queue": QUEUE, "task": TASK, "priority": priority, "lock": lock_name(portal), "portal": portal, "label": label}
    return int(connection.execute(_DEFER, values).scalar_one())


def lock_name(portal: str) -> str:
    """Return the name of the lock by which Procrastinate lets one job of a portal wait, and one be under way."""
    return f"portal:{portal}"


def fetch(connection: Connection, engine_worker: int) -> Any:
    """Take the first job that waits; None: none does, or another worker has just taken the portal."""
    try:
        with connection.begin_nested():
            (row,) = call(connection, "fetch_job", queues=[QUEUE], worker_id=engine_worker)
    except exc.IntegrityError:
        return None
    return row if row.id is not None else None


def beat(connection: Connection, engine_worker: int) -> None:
    """Store a worker's sign of life, also where its row was deleted, which Procrastinate's own statement does not notice."""
    found = (
        "INSERT INTO procrastinate_workers (id, last_heartbeat) OVERRIDING SYSTEM VALUE VALUES (:id, now()) "
        "ON CONFLICT (id) DO UPDATE SET last_heartbeat = now()"
    )
    connection.execute(text(found), {"id": engine_worker})
