"""Removes old data and returns unused disk space."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import ColumnElement, Engine, Table, exc, func, select, text

from newscrawler.store.articles.article_intake import forget_entities, remove_articles
from newscrawler.store.database import delete_in_batches, translated
from newscrawler.store.tables import ARTICLE, FETCH, PORTAL, RUN


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
