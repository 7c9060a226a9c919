"""Opens the database and translates its errors into ours."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from json import JSONDecodeError
from pathlib import Path
from time import thread_time
from types import MappingProxyType
from typing import Any, TypeVar

import orjson
from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Engine,
    Row,
    Select,
    Table,
    create_engine,
    delete,
    event,
    exc,
    make_url,
    select,
    text,
)
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.engine import URL

from newscrawler.errors import ConfigError, CostlyQueryError, NoDatabaseError, StoreAwayError, StoreError, install_command
from newscrawler.limits import QUERY_SECONDS, QUERY_WALL_SECONDS

_Record = TypeVar("_Record")
_SAME: Mapping[str, str] = MappingProxyType({})

#: How long SQLite waits for another writer.
BUSY_SECONDS = 30.0
#: The same where the whole crawl would wait too.
_IMPATIENT_SECONDS = 0.05
#: Seconds that the queries of a transaction may take; None: no limit.
_query_seconds: ContextVar[float | None] = ContextVar("query_seconds", default=None)
#: Steps of SQLite between two looks at the clock, a millisecond or so.
_STEPS = 20_000
_without_waiting: ContextVar[bool] = ContextVar("without_waiting", default=False)
#: How long one try to read a locked SQLite file takes, and the pause between two.
_TRY_SECONDS, _PAUSE_SECONDS = 1.0, 0.5
#: Pages of 4 KiB in SQLite's log before a checkpoint.
_LOG_PAGES = 4_000
#: PostgreSQL shuts down, starts or has too many clients; or a deadlock.
_AWAY_STATES = frozenset({"57P01", "57P02", "57P03", "53300", "40001", "40P01", "55P03"})


#: A writing transaction that sends nothing for so long is ended. It has to be less than the leases of `dispatch` and of planners.
_IDLE_SECONDS = 30
#: Rows deleted in one transaction.
_BATCH = 1_000
#: Rows in memory at a time where all are not.
_STREAMED = 500
#: What libpq is to do where the network is cut; otherwise it waits for an answer for a quarter of an hour, or for ever.
_PATIENCE = {
    "connect_timeout": 15, "keepalives_idle": 15, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000,
}  # fmt: skip


class _HintingCompiler(SQLiteCompiler):
    """Writes hints such as INDEXED BY after tables, which SQLAlchemy's SQLite compiler omits."""

    def get_from_hint_text(self, table: Any, text: str | None) -> str | None:  # noqa: ARG002  SQLAlchemy's signature
        """Return the hint unchanged."""
        return text


def open_engine(url: str, *, create: bool = True) -> Engine:
    """Return an engine for the database at `url`.

    Raises:
        ConfigError: the URL names no database that we can use.
        StoreError: it cannot be reached, opened or (with create=False) found.
    """
    try:
        parsed = make_url(url)
    except (exc.ArgumentError, ValueError):  # ValueError: the port is not a number
        raise ConfigError(_describe_usage(url)) from None
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        _check_sqlite_file(parsed, create=create)
        # A crawl has a thread for each portal, and all of them may wait for another writer: none should wait for a connection
        # as well. The most recently used connection is reused, because its cache is warmest.
        engine = create_engine(
            parsed.set(drivername="sqlite"), max_overflow=-1, pool_use_lifo=True, **_JSON, **_choose_connection(parsed)
        )
        engine.dialect.statement_compiler = _HintingCompiler
        _prepare_sqlite(engine)
    elif backend == "postgresql":
        engine = _make_postgresql_engine(parsed)
    else:
        raise ConfigError(_describe_usage(url))
    with translated(engine), engine.connect():
        pass
    return engine


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def fill_record(record: type[_Record], row: Row[Any], columns: Mapping[str, str] = _SAME, /, **values: Any) -> _Record:
    """Return a record of a row.

    Args:
        record: a dataclass; each field is taken from the column of its name, and keeps its default where there is none.
        row: of the result of a query.
        columns: field → column, where the names differ.
        values: fields that are not a column as it is.
    """
    found = row._mapping  # noqa: SLF001  SQLAlchemy's public name
    for name in _field_names(record):  # type: ignore[arg-type]  # mypy does not see that classes are hashable
        if name not in values and (column := columns.get(name, name)) in found:
            values[name] = found[column]
    return record(**values)


def compact_json(value: Any) -> str:
    """Return compact JSON for the tables, without escapes, so that `LIKE '%Markéta%'` matches."""
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):  # orjson refuses lone surrogates and numbers of more than 64 bits
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_json(text: str | bytes) -> Any:
    """Parse JSON of the tables."""
    try:
        return orjson.loads(text)
    except ValueError:  # orjson refuses lone surrogates, which a title may contain
        return json.loads(text)


_JSON: dict[str, Any] = {"json_serializer": compact_json, "json_deserializer": read_json}


def _describe_usage(url: str) -> str:
    return (
        f"{url!r} is not a database URL that newscrawler can use; write sqlite:///FILE or "
        "postgresql+psycopg://USER:PASSWORD@HOST/DATABASE"
    )


def _make_postgresql_engine(url: URL) -> Engine:
    if "+" not in url.drivername:
        url = url.set(drivername="postgresql+psycopg")
    patience = {name: value for name, value in _PATIENCE.items() if name not in url.query}
    try:
        engine = create_engine(url, pool_pre_ping=True, connect_args=patience, **_JSON)
    except exc.NoSuchModuleError:
        raise ConfigError(_describe_usage(url.render_as_string())) from None
    except ModuleNotFoundError as error:
        raise ConfigError(f"a PostgreSQL store needs the driver: {install_command('postgresql')} ({error})") from error
    event.listen(engine, "connect", _set_up_planner)
    event.listen(engine, "begin", _limit_idleness)
    return engine


def _set_up_planner(connection: Any, _record: Any) -> None:
    """Turn off what takes longer to begin than most queries take, and count on pages that are in memory."""
    with connection.cursor() as cursor:
        cursor.execute("SET jit = off; SET max_parallel_workers_per_gather = 0; SET random_page_cost = 1.1")
    connection.commit()


def _limit_idleness(connection: Connection) -> None:
    """Let PostgreSQL end queries that take too long, and a writing transaction whose process stopped in it, with its locks."""
    if _query_seconds.get() is not None:
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {round(1000 * QUERY_WALL_SECONDS)}")
    if not connection.get_execution_options().get("reading", False):
        connection.exec_driver_sql(f"SET LOCAL idle_in_transaction_session_timeout = {_IDLE_SECONDS * 1000}")


def _check_sqlite_file(url: URL, *, create: bool) -> None:
    if not url.database or url.database == ":memory:":
        raise ConfigError(_describe_usage(str(url)))
    path = Path(url.database)
    if not create and not path.exists():
        raise NoDatabaseError(f"there is no database {path} yet; run `newscrawler crawl` first, or name another with --database")
    if not path.parent.is_dir():
        raise StoreError(f"the folder {path.parent} for the database {path.name} does not exist; create it first")
    if path.is_dir():
        raise StoreError(f"{path} is a folder, not a database file")
    if create:
        make_private(path)


def make_private(path: Path) -> None:
    """Create a missing file that only its owner may read; SQLite's other files get the same mode."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError:  # it exists, or cannot be created: opening it reports why
        pass


def _choose_connection(url: URL) -> dict[str, Any]:
    """Return how to connect; where SQLite cannot create its log, the file is opened as immutable."""
    path = os.path.abspath(url.database or "")  # noqa: PTH100  as SQLAlchemy opens it
    if not Path(path).exists() or _may_write(Path(path).parent) or Path(f"{path}-wal").exists():
        return {"connect_args": {"timeout": BUSY_SECONDS}}
    address = f"{Path(path).as_uri()}?mode=ro&immutable=1"
    return {"creator": lambda: sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, check_same_thread=False)}


def _prepare_sqlite(engine: Engine) -> None:
    """Set up the write-ahead log, foreign keys, and transactions that take the write lock when they begin."""
    path = os.path.abspath(engine.url.database or "")  # noqa: PTH100  as SQLAlchemy opens it
    opened: list[tuple[int, int] | None] = []

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # we send BEGIN ourselves
        cursor = connection.cursor()
        writable = _is_writable(engine.url.database)
        cursor.execute("PRAGMA journal_mode=WAL" if writable else "PRAGMA query_only=ON")
        cursor.execute("PRAGMA synchronous=NORMAL")
        cursor.execute("PRAGMA foreign_keys=ON")
        # Each page touches some thirty places of tables and indexes; a larger log needs fewer checkpoints. A page
        # cache larger than SQLite's own 2 MiB a connection would only make a long crawl's memory grow.
        cursor.execute(f"PRAGMA wal_autocheckpoint={_LOG_PAGES}")
        cursor.close()
        # SQLite's own lower() converts only A to Z
        connection.create_function("lower", 1, lambda value: value.lower() if isinstance(value, str) else value, deterministic=True)
        if not opened:
            opened.append(_read_identity(path))

    @event.listens_for(engine, "checkin")
    def on_checkin(connection: Any, record: Any) -> None:
        if connection is not None and record.info.pop("limited", False):
            connection.set_progress_handler(None, 0)

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        if (seconds := _query_seconds.get()) is not None:
            until = thread_time() + seconds
            connection.connection.info["limited"] = True
            file: Any = connection.connection
            file.set_progress_handler(lambda: thread_time() > until, _STEPS)
        if connection.get_execution_options().get("reading", False):
            connection.exec_driver_sql("BEGIN")
            return
        if _read_identity(path) != opened[0]:  # SQLite does not check this with a write-ahead log
            msg = f"the database {database_name(engine)} was deleted, moved or replaced while in use; put it back, or start again"
            raise StoreError(msg)
        if _without_waiting.get():
            _begin_at_once(connection)
        else:
            connection.exec_driver_sql("BEGIN IMMEDIATE")


def _read_identity(path: str) -> tuple[int, int] | None:
    """Return device and inode of a file; None: it does not exist."""
    try:
        status = os.stat(path)  # noqa: PTH116  before each transaction
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _begin_at_once(connection: Connection) -> None:
    file: Any = connection.connection
    file.execute(f"PRAGMA busy_timeout={round(1000 * _IMPATIENT_SECONDS)}")
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    finally:
        file.execute(f"PRAGMA busy_timeout={round(1000 * BUSY_SECONDS)}")


def is_in_process(engine: Engine) -> bool:
    """Return whether this process writes the database file itself; otherwise a server does, with some latency."""
    return engine.dialect.name == "sqlite"


@contextmanager
def without_waiting() -> Iterator[None]:
    """Make transactions on a locked SQLite file fail soon (`StoreAwayError`) instead of waiting."""
    before = _without_waiting.set(True)
    try:
        yield
    finally:
        _without_waiting.reset(before)


@contextmanager
def limited_queries(seconds: float = QUERY_SECONDS) -> Iterator[None]:
    """Interrupt queries that take longer than these seconds of CPU a transaction; on PostgreSQL, than QUERY_WALL_SECONDS.

    Raises:
        CostlyQueryError: one did.
    """
    before = _query_seconds.set(seconds)
    try:
        yield
    finally:
        _query_seconds.reset(before)


def _is_writable(path: str | None) -> bool:
    """Return whether SQLite may write here; the mode bits are checked as well, because root may write everywhere."""
    if not path or not Path(path).exists():
        return True
    return _may_write(Path(path)) and _may_write(Path(path).absolute().parent)


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK) and bool(path.stat().st_mode & 0o222)


@contextmanager
def translated(engine: Engine) -> Iterator[None]:
    """Translate errors of the database into errors of ours, one sentence each."""
    try:
        yield
    except exc.DBAPIError as error:
        if getattr(error.orig, "sqlstate", "") == "57014" or str(error.orig) == "interrupted":
            raise CostlyQueryError("this takes longer than a query may") from error
        kind = StoreAwayError if _is_away(error) else StoreError
        raise kind(_describe_error(engine, error)) from error
    except exc.TimeoutError as error:
        raise StoreAwayError(f"all connections to the database {database_name(engine)} are in use") from error
    except ValueError as error:
        if not isinstance(error, (UnicodeDecodeError, JSONDecodeError)) and "isoformat" not in str(error):
            raise
        msg = f"the database {database_name(engine)} is damaged ({str(error)[:100]}); restore it from a backup"
        raise StoreError(msg) from error
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise StoreError(f"no space left on the disk for {database_name(engine)}") from error


def delete_in_batches(
    engine: Engine,
    table: Table,
    condition: ColumnElement[bool],
    *,
    delete_rows: Callable[[Connection, Sequence[int]], None] | None = None,
) -> int:
    """Delete rows in transactions of some rows each, so that nobody waits long for a lock; return how many rows.

    Rows that another process has locked stay: it deletes them itself, or needs them. `delete_rows` deletes the rows with these ids
    and what belongs to them.

    Raises:
        StoreError: the database fails; rows deleted before that stay deleted.
    """
    chosen = select(table.c.id).where(condition).limit(_BATCH).with_for_update(skip_locked=True)
    total = 0
    while True:
        with translated(engine), engine.begin() as connection:
            if delete_rows is None:
                number = connection.execute(delete(table).where(table.c.id.in_(chosen))).rowcount
            else:
                ids = connection.execute(chosen).scalars().all()
                delete_rows(connection, ids)
                number = len(ids)
        total += number
        if number < _BATCH:
            return total


class StorePart:
    """A part of the store, and how it reads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Open a transaction that writes."""
        with translated(self._engine), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _reading(self, **options: int) -> Iterator[Connection]:
        """Open a transaction that only reads; `yield_per`: rows in memory at a time."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True, **options) as connection:
            yield connection

    def _stream(self, query: Select[Any]) -> Iterator[Any]:
        """Yield the rows of a query in constant memory."""
        with self._reading(yield_per=_STREAMED) as connection:
            yield from connection.execute(query)

    def _read(self, query: Select[Any] | CompoundSelect[Any]) -> Sequence[Any]:
        """Return all rows of a query."""
        with self._reading() as connection:
            return connection.execute(query).all()

    def _read_first(self, query: Select[Any] | CompoundSelect[Any]) -> Any:
        """Return the first row; None: there is none."""
        with self._reading() as connection:
            return connection.execute(query).first()

    def _read_column(self, query: Select[Any] | CompoundSelect[Any]) -> list[Any]:
        """Return the first value of each row."""
        return [row[0] for row in self._read(query)]

    def _read_value(self, query: Select[Any] | CompoundSelect[Any]) -> Any:
        """Return the first value of the first row; None: there is none."""
        row = self._read_first(query)
        return row[0] if row is not None else None


def _is_away(error: exc.DBAPIError) -> bool:
    """Return whether a retry may succeed: the server does not answer, or another process has a lock."""
    if error.connection_invalidated:
        return True
    if not isinstance(error, exc.OperationalError):
        return False
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        return bool(state in _AWAY_STATES or state.startswith("08"))
    if isinstance(error.orig, sqlite3.Error):
        return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return True  # PostgreSQL did not answer


def database_name(engine: Engine) -> str:
    """Return the name of the database for messages: a file, or an address without its password."""
    if engine.url.get_backend_name() == "sqlite":
        return engine.url.database or ""
    return engine.url.render_as_string(hide_password=True)


def _describe_error(engine: Engine, error: exc.DBAPIError) -> str:
    cause = " ".join(str(error.orig).split())
    name = database_name(engine)
    known = {
        "readonly database": f"the database {name} is read-only; make it writable, or name another with --database",
        "unable to open": f"the database {name} cannot be opened; check that the folder exists and is writable",
        "not a database": f"{name} is not an SQLite database; name another file with --database",
        "malformed": f"the database {name} is damaged ({cause}); restore it from a backup",
        "Could not decode": f"the database {name} is damaged ({cause[:100]}); restore it from a backup",
        "locked": f"the database {name} is locked by another process; wait until it has ended",
        "disk is full": f"no space left on the disk for {name}; what was stored before is safe; make room, then crawl again",
        "No space left on device": f"no space left on the disk of {name}; what was stored is safe; make room, then crawl again",
        "disk I/O": f"the disk refuses to write {name} ({cause})",
    }
    for word, sentence in known.items():
        if word in cause:
            return sentence
    return f"the database {name} answers: {cause}"


def make_insert(dialect: str, table: Table) -> Any:
    """Return an insertion into a table that can say what happens on a conflict, which dialects write each in their way."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)


def clock(connection: Connection) -> datetime:
    """Return the time shared by all users of the database: the server's clock, or this machine's for SQLite."""
    if connection.dialect.name == "postgresql":
        moment: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
        return moment.astimezone(UTC)
    return datetime.now(UTC)


def wait_until_unlocked(url: str, *, seconds: float, report: Callable[[str], None]) -> None:
    """Wait until the file can be read; other faults of the file or its URL show when it is opened.

    SQLite's own wait cannot be interrupted and reports nothing, so it is kept short.

    Args:
        url: the database; only SQLite needs waiting.
        seconds: the longest wait; after that, opening the file reports the lock.
        report: called once if the file is locked.
    """
    path = _find_file(url)
    until, waits = time.monotonic() + seconds, False
    while path is not None and _is_locked(path) and time.monotonic() < until:
        if not waits:
            report(f"the database {path} is locked by another process; waiting for it, {seconds / 60:g} minutes at most")
            waits = True
        time.sleep(_PAUSE_SECONDS)


def _find_file(url: str) -> str | None:
    try:
        parsed = make_url(url)
    except (exc.ArgumentError, ValueError):
        return None
    return parsed.database if parsed.get_backend_name() == "sqlite" else None


def _is_locked(path: str) -> bool:
    address = Path(path).absolute().as_uri()
    try:
        with closing(sqlite3.connect(f"{address}?mode=rw", uri=True, timeout=_TRY_SECONDS)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return False


def hosts_database(database_url: str) -> str:
    """Return the URL of the database of hosts: the project's if it exists, else the user's."""
    try:
        url = make_url(database_url)
    except (exc.ArgumentError, ValueError):
        return state_database()
    there = url.get_backend_name() != "sqlite" or Path(url.database or "").exists()
    return database_url if there else state_database()


#: The schema of version 0.1.0. Databases made before that are not upgraded; the state of hosts, which can be lost, begins anew.
BASELINE = "0101"


def state_database() -> str:
    """Return the URL of the user's database of hosts; in a temporary folder if there is no state folder."""
    base = os.environ.get("XDG_STATE_HOME") or ""
    folder = Path(base) if Path(base).is_absolute() else Path("~/.local/state").expanduser()
    try:
        (folder / "newscrawler").mkdir(mode=0o700, parents=True, exist_ok=True)
        writable = os.access(folder / "newscrawler", os.W_OK)
    except OSError:
        writable = False
    if not writable:
        folder = Path(tempfile.gettempdir()) / f"newscrawler-{os.getuid()}"
        (folder / "newscrawler").mkdir(mode=0o700, parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'newscrawler' / f'hosts-{BASELINE}.sqlite'}"
