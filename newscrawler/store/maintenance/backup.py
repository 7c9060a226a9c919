"""Backs up a database while it is in use, to one complete SQLite file.

An SQLite database is copied with its online backup, which blocks neither readers nor writers. PostgreSQL is copied table by
table in one snapshot. Either way the file is written under a temporary name, checked and renamed.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine

from newscrawler.errors import StoreError
from newscrawler.store.database import make_private, open_engine
from newscrawler.store.maintenance.copying import Progress, copy_database
from newscrawler.store.schema import upgrade

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
        msg = f"{path} is there already; name a file that is not, or a folder"
        raise StoreError(msg)
    if not path.parent.is_dir():
        msg = f"there is no folder {path.parent} for the backup; make it first"
        raise StoreError(msg)
    with _aside(path) as unfinished:
        if engine.dialect.name == "sqlite":
            _copy_file(engine, unfinished)
        else:
            _copy_tables(engine, unfinished, progress)
        articles = _sound(unfinished)
    removed = _thin_out(target, keep) if in_folder and keep is not None else ()
    return Backup(path=path, size=path.stat().st_size, articles=articles, removed=removed)


@contextmanager
def _aside(path: Path) -> Iterator[Path]:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    make_private(unfinished)
    try:
        try:
            yield unfinished
            with unfinished.open("rb") as file:
                os.fsync(file.fileno())
            unfinished.replace(path)
        except (OSError, sqlite3.Error) as error:
            msg = f"the backup {path} cannot be written: {error}"
            raise StoreError(msg) from error
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


def _sound(path: Path) -> int:
    """Return the number of articles of a copy after SQLite's integrity check."""
    with closing(sqlite3.connect(path)) as connection:
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            msg = f"the copy is damaged ({verdict}); check the database with `newscrawler db check`"
            raise StoreError(msg)
        return int(connection.execute("SELECT count(*) FROM article").fetchone()[0])


def _thin_out(folder: Path, keep: int) -> tuple[Path, ...]:
    backups = sorted(path for path in folder.glob("newscrawler-*Z.sqlite") if path.is_file())
    old = tuple(backups[: max(0, len(backups) - max(1, keep))])
    for path in old:
        path.unlink(missing_ok=True)
    return old
