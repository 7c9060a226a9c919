"""Returns unused disk space, and updates the database's statistics."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine, exc, func, select, text

from newscrawler.store.database import translated
from newscrawler.store.tables import ARTICLE, FRONTIER, PAGE


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
            _vacuum_file(engine)
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


def _vacuum_file(engine: Engine) -> None:
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
class Sizes:
    """Sizes of a database and of the kept pages."""

    database_bytes: int
    articles: int
    urls: int
    kept_pages: int
    kept_bytes: int


def measure_sizes(engine: Engine) -> Sizes:
    """Return the sizes of a database."""
    with translated(engine), engine.connect().execution_options(reading=True) as connection:
        if connection.dialect.name == "postgresql":
            size = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        else:
            pages = connection.execute(text("PRAGMA page_count")).scalar_one()
            size = pages * connection.execute(text("PRAGMA page_size")).scalar_one()
        kept = connection.execute(select(func.count(), func.coalesce(func.sum(PAGE.c.warc_length), 0)).select_from(PAGE)).one()
        return Sizes(
            database_bytes=int(size),
            articles=connection.execute(select(func.count()).select_from(ARTICLE)).scalar_one(),
            urls=connection.execute(select(func.count()).select_from(FRONTIER)).scalar_one(),
            kept_pages=int(kept[0]),
            kept_bytes=int(kept[1]),
        )
