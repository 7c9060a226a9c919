"""Copies a whole database to another, of any kind, and compares the copy with the source.

The source is read in one snapshot, in chunks. A crawl may continue; what it stores after the start is not in the copy.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Integer, Select, Table, bindparam, delete, func, insert, select, text, update

from newscrawler.errors import StoreError
from newscrawler.store.database import make_private, open_engine, translated
from newscrawler.store.schema import upgrade
from newscrawler.store.search.index import index_all
from newscrawler.store.tables import METADATA, REASON, SCHEMA_WRITERS

#: Rows in memory at a time.
CHUNK = 2000
#: Row digests are summed modulo this, so that the order of rows does not matter.
_DIGESTS = 1 << 128

Progress = Callable[[str, int], None]
#: Tables in which a new database contains rows.
_FILLED = (REASON, SCHEMA_WRITERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCopied:
    """One table that was copied and read back."""

    table: str
    rows: int
    #: Sum of the rows' BLAKE2b digests in hexadecimal; equal on both sides.
    digest: str


def copy_database(source: Engine, target: Engine, *, progress: Progress | None = None) -> list[TableCopied]:
    """Copy every table into an empty database of the same schema, and read it back; `progress` gets a table's name and its rows.

    Raises:
        StoreError: the target has rows, a database fails, or the copy differs from the source. The target is left empty.
    """
    report = progress or (lambda _table, _rows: None)
    done = []
    with translated(source), snapshot(source) as reading, translated(target), target.begin() as writing:
        _refuse_full(target, writing)
        for table in METADATA.sorted_tables:
            read = _copy_table(table, reading, writing, report)
            with closing(_rows(table, writing)) as rows:
                written = _sum_rows(rows)
            if read != written:
                msg = f"the copy of table {table.name} is not what was read: {read.rows} rows read, {written.rows} written"
                raise StoreError(msg)
            done.append(TableCopied(table=table.name, rows=read.rows, digest=f"{read.digest:032x}"))
        if target.dialect.name == "postgresql":
            _set_sequences(writing)
        index_all(writing)
    return done


def snapshot(engine: Engine) -> Connection:
    """Open a connection that sees one state of the database and never waits for writers."""
    connection = engine.connect().execution_options(reading=True, stream_results=True)
    if engine.dialect.name == "postgresql":
        return connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return connection


@dataclass(slots=True)
class _Sum:
    rows: int = 0
    digest: int = 0

    def add(self, row: Sequence[Any]) -> None:
        self.rows += 1
        plain = json.dumps([_make_plain(value) for value in row], ensure_ascii=True, sort_keys=True)
        self.digest = (self.digest + int.from_bytes(blake2b(plain.encode(), digest_size=16).digest())) % _DIGESTS


def _make_plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return bytes(value).hex() if isinstance(value, (bytes, memoryview)) else value


def _sum_rows(rows: Iterable[Sequence[Any]]) -> _Sum:
    total = _Sum()
    for row in rows:
        total.add(row)
    return total


def _select_stored(table: Table) -> Select[Any]:
    """Select the stored columns, in the order of the key."""
    return select(*(column for column in table.columns if column.computed is None)).order_by(*table.primary_key)


def _rows(table: Table, connection: Connection) -> Generator[Sequence[Any]]:
    with connection.execute(_select_stored(table), execution_options={"yield_per": CHUNK}) as result:
        yield from result


def _copy_table(table: Table, reading: Connection, writing: Connection, report: Progress) -> _Sum:
    total = _Sum()
    query = _select_stored(table)
    names = list(query.selected_columns.keys())
    ahead: dict[str, list[dict[str, int]]] = {key.parent.name: [] for key in table.foreign_keys if key.column.table is table}
    if table in _FILLED:  # the source may have rows of earlier versions
        writing.execute(delete(table))
    with reading.execute(query, execution_options={"yield_per": CHUNK}) as result:
        for chunk in result.partitions():
            rows = [[_make_portable(value) for value in row] for row in chunk]
            for row in rows:
                total.add(row)
            records = [dict(zip(names, row, strict=True)) for row in rows]
            for record, (column, later) in product(records, ahead.items()):
                if (record[column] or 0) > record["id"]:  # the row that it refers to is not there yet
                    later.append({"row": record["id"], "value": record[column]})
                    record[column] = None
            writing.execute(insert(table), records)
            report(table.name, total.rows)
    for column, later in ahead.items():
        if later:
            writing.execute(update(table).where(table.c.id == bindparam("row")).values({column: bindparam("value")}), later)
    return total


def _make_portable(value: Any) -> Any:
    """Return a value without NUL characters, which PostgreSQL cannot store in text or JSON."""
    if isinstance(value, str):
        return value.replace("\0", "")
    if isinstance(value, list):
        return [_make_portable(item) for item in value]
    return {key: _make_portable(item) for key, item in value.items()} if isinstance(value, dict) else value


def _refuse_full(target: Engine, connection: Connection) -> None:
    for table in METADATA.sorted_tables:
        if table not in _FILLED and connection.execute(select(table).limit(1)).first() is not None:
            name = target.url.render_as_string(hide_password=True)
            raise StoreError(f"{name} holds rows already (table {table.name}); copy into an empty database")


def _set_sequences(connection: Connection) -> None:
    """Set the sequences so that new ids follow the copied ones."""
    for table in METADATA.sorted_tables:
        key = next(iter(table.primary_key.columns)) if len(table.primary_key.columns) == 1 else None
        if key is None or not isinstance(key.type, Integer):
            continue
        sequence = connection.execute(
            text("SELECT pg_get_serial_sequence(:table, :column)"), {"table": table.name, "column": key.name}
        )
        name = sequence.scalar()
        highest = connection.execute(select(func.max(key))).scalar()
        if name and highest is not None:
            connection.execute(text("SELECT setval(CAST(:name AS regclass), :value)"), {"name": name, "value": highest})


#: Names of backups sort by time.
_NAME = "newscrawler-%Y%m%dT%H%M%SZ.sqlite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A backup that was written and checked."""

    path: Path
    size: int
    articles: int
    #: Older backups removed from the same folder.
    removed: tuple[Path, ...] = ()


def back_up(engine: Engine, target: Path, *, now: datetime, keep: int | None = None, progress: Progress | None = None) -> Backup:
    """Write a backup of the database.

    Args:
        engine: the database; crawls may continue.
        target: a file that does not exist, or a folder, where the file is named after the time.
        now: an aware time, for the file's name.
        keep: number of newest backups to keep in the folder; None: all.
        progress: called with table and rows while a PostgreSQL database is copied.

    Raises:
        StoreError: the target exists or cannot be written, or the database fails; no partial backup is left.
    """
    in_folder = target.is_dir()
    path = target / now.astimezone(UTC).strftime(_NAME) if in_folder else target
    if path.exists():
        raise StoreError(f"{path} is there already; name a file that is not, or a folder")
    if not path.parent.is_dir():
        raise StoreError(f"there is no folder {path.parent} for the backup; make it first")
    with _write_aside(path) as unfinished:
        if engine.dialect.name == "sqlite":
            _copy_file(engine, unfinished)
        else:
            _copy_tables(engine, unfinished, progress)
        articles = _check_copy(unfinished)
    removed = _remove_old(target, keep) if in_folder and keep is not None else ()
    return Backup(path=path, size=path.stat().st_size, articles=articles, removed=removed)


@contextmanager
def _write_aside(path: Path) -> Iterator[Path]:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    make_private(unfinished)
    try:
        try:
            yield unfinished
            with unfinished.open("rb") as file:
                os.fsync(file.fileno())
            unfinished.replace(path)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"the backup {path} cannot be written: {error}") from error
    finally:
        for rest in (unfinished, *(unfinished.with_name(unfinished.name + end) for end in ("-wal", "-shm", "-journal"))):
            rest.unlink(missing_ok=True)


def _copy_file(engine: Engine, path: Path) -> None:
    with (
        closing(
            sqlite3.connect(f"file:{Path(engine.url.database or '').resolve().as_uri()[7:]}?mode=ro", uri=True, timeout=30)
        ) as source,
        closing(sqlite3.connect(path)) as target,
    ):
        source.backup(target)  # all pages in one step: a single state, and nothing blocks in WAL mode
        target.execute("PRAGMA journal_mode=DELETE")  # a single complete file


def _copy_tables(engine: Engine, path: Path, progress: Progress | None) -> None:
    target = open_engine(f"sqlite:///{path}")
    try:
        upgrade(target)
        copy_database(engine, target, progress=progress)
    finally:
        target.dispose()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")


def _check_copy(path: Path) -> int:
    """Return the number of articles of a copy after SQLite's integrity check."""
    with closing(sqlite3.connect(path)) as connection:
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise StoreError(f"the copy is damaged ({verdict}); check the database with `newscrawler db check`")
        return int(connection.execute("SELECT count(*) FROM article").fetchone()[0])


def _remove_old(folder: Path, keep: int) -> tuple[Path, ...]:
    backups = sorted(path for path in folder.glob("newscrawler-*Z.sqlite") if path.is_file())
    old = tuple(backups[: max(0, len(backups) - max(1, keep))])
    for path in old:
        path.unlink(missing_ok=True)
    return old
