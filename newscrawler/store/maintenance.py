"""Maintenance of the database: copies and backups, checks for faults, and pruning of old data.

A whole database is copied to another, of any kind, and compared with it. The source is read in one snapshot, in chunks. A crawl may
continue; what it stores after the start is not in the copy.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    exc,
    func,
    insert,
    select,
    text,
    update,
)

from newscrawler.errors import StoreError
from newscrawler.store.articles.article_intake import forget_entities, remove_articles
from newscrawler.store.database import delete_in_batches, make_private, open_engine, translated
from newscrawler.store.schema import upgrade
from newscrawler.store.search.index import index_all
from newscrawler.store.search.word_ids import find_faults
from newscrawler.store.tables import ARTICLE, FETCH, FRONTIER, METADATA, PORTAL, REASON, RUN, SCHEMA_WRITERS
from newscrawler.store.vocabularies import UrlState

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneLimits:
    """How long data is kept; None: for ever."""

    #: Records of runs; the latest of each portal is always kept.
    runs: timedelta | None = timedelta(days=730)
    #: Lines of the fetch log.
    fetches: timedelta | None = timedelta(days=30)
    #: Articles published before (or, without a date, fetched before) are removed; their URLs stay known and are not fetched again.
    articles_before: datetime | None = None
    #: Only this portal's articles.
    portal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """Numbers of rows that were removed, or would be."""

    runs: int
    fetches: int
    articles: int


def prune(engine: Engine, retention: PruneLimits, *, now: datetime, dry_run: bool = False) -> Pruned:
    """Remove data older than the retention allows, while crawls may continue; return the numbers of rows.

    Raises:
        StoreError: the database fails; rows removed before that stay removed.
    """
    kept = retention
    pruned = Pruned(
        runs=_remove(engine, RUN, _select_old_runs(now - kept.runs), dry_run=dry_run) if kept.runs else 0,
        fetches=_remove(engine, FETCH, FETCH.c.sent_at < now - kept.fetches, dry_run=dry_run) if kept.fetches else 0,
        articles=_remove(engine, ARTICLE, _select_old_articles(kept.articles_before, kept.portal), dry_run=dry_run)
        if kept.articles_before
        else 0,
    )
    if pruned.articles and not dry_run:
        with translated(engine), engine.begin() as connection:
            forget_entities(connection)
    return pruned


def _select_old_runs(before: datetime) -> ColumnElement[bool]:
    later = RUN.alias("later")
    latest = select(func.max(later.c.id)).where(later.c.portal_id == RUN.c.portal_id).correlate(RUN).scalar_subquery()
    return RUN.c.ended_at.is_not(None) & (RUN.c.ended_at < before) & (RUN.c.id != latest)


def _select_old_articles(before: datetime, portal: str | None) -> ColumnElement[bool]:
    old = ARTICLE.c.dated_at < before
    if portal is not None:
        old &= ARTICLE.c.portal_id.in_(select(PORTAL.c.id).where(PORTAL.c.name == portal))
    return old


def _remove(engine: Engine, table: Table, condition: ColumnElement[bool], *, dry_run: bool) -> int:
    """Remove rows and return how many; foreign keys remove or clear references to them."""
    if not dry_run:
        return delete_in_batches(engine, table, condition, delete_rows=remove_articles if table is ARTICLE else None)
    with translated(engine), engine.connect().execution_options(reading=True) as connection:
        return int(connection.execute(select(func.count()).select_from(table).where(condition)).scalar_one())


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacuumed:
    """Bytes before and after, including SQLite's log."""

    before: int
    after: int


def vacuum(engine: Engine) -> Vacuumed:
    """Rewrite the database compactly; SQLite needs as much free disk again, and no other process may write.

    Raises:
        StoreError: it is in use, or the disk is full.
    """
    before = size_of(engine)
    with translated(engine):
        if engine.dialect.name == "sqlite":
            _compact_file(engine)
        else:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(text("VACUUM (ANALYZE)"))
    return Vacuumed(before=before, after=size_of(engine))


def size_of(engine: Engine) -> int:
    """Return the size of the database on disk in bytes."""
    if engine.dialect.name == "sqlite":
        name = engine.url.database or ""
        return sum(path.stat().st_size for path in (Path(name), Path(f"{name}-wal")) if path.exists())
    with translated(engine), engine.connect().execution_options(reading=True) as connection:
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())


def _compact_file(engine: Engine) -> None:
    """Vacuum an SQLite file without SQLAlchemy, which would begin a transaction first."""
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        for statement in ("VACUUM", "ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"):
            cursor.execute(statement).fetchall()
    except sqlite3.Error as error:
        raise exc.OperationalError("VACUUM", None, error) from error
    finally:
        connection.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseFault:
    """A fault in the database."""

    #: In words, with the number of rows.
    what: str
    #: What to do about it.
    advice: str


def check(engine: Engine) -> list[DatabaseFault]:
    """Check the file, the references and the consistency of rows; return what is wrong.

    Raises:
        StoreError: the database cannot be read at all.
    """
    with translated(engine), engine.connect().execution_options(reading=True) as connection:
        found = list(_find_damage(connection)) if engine.dialect.name == "sqlite" else []
        if not found:
            counted = ((connection.execute(query).scalar_one(), what, advice) for what, advice, query in _QUESTIONS)
            found = [DatabaseFault(what=f"{number} {what}", advice=advice) for number, what, advice in counted if number]
            anew = "write them anew with `newscrawler db rebuild`"
            found += [DatabaseFault(what=what, advice=anew) for what in find_faults(connection)]
        return found


def _find_damage(connection: Connection) -> Iterator[DatabaseFault]:
    restore = "restore the newest backup, or save what is left with `newscrawler export` and `newscrawler db copy`"
    try:
        lines = connection.execute(text("PRAGMA integrity_check(20)")).scalars().all()
        broken = connection.execute(text("PRAGMA foreign_key_check")).all()
    except exc.DatabaseError as error:
        lines, broken = [str(error.orig)], []
    for line in lines:
        if line != "ok":
            yield DatabaseFault(what=f"the file is damaged: {line}", advice=restore)
    if broken:
        tables = ", ".join(sorted({str(row[0]) for row in broken}))
        yield DatabaseFault(what=f"{len(broken)} rows of {tables} refer to rows that are not there", advice=restore)


def _count(table: object, *conditions: object) -> Select[int]:
    return select(func.count()).select_from(table).where(*conditions)  # type: ignore[arg-type]


_QUESTIONS: tuple[tuple[str, str, Select[int]], ...] = (
    (
        "URLs are in the hands of runs that have ended",
        "the portal's next crawl takes them up",
        _count(
            FRONTIER.join(RUN, RUN.c.id == FRONTIER.c.run_id),
            and_(FRONTIER.c.state == UrlState.FETCHING, RUN.c.ended_at.is_not(None)),
        ),
    ),
    (
        "articles have neither title nor body",
        "export them with `newscrawler articles --json` and report the portal, please",
        _count(ARTICLE, ARTICLE.c.title == "", ARTICLE.c.word_count == 0),
    ),
)
