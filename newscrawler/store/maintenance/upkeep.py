"""Check a database for faults, without changing anything; remove old data and return unused disk space."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, Engine, Select, Table, and_, exc, func, select, text

from newscrawler.store.articles.article_intake import forget_entities, remove_articles
from newscrawler.store.database import delete_in_batches, translated
from newscrawler.store.search.word_ids import find_faults
from newscrawler.store.tables import ARTICLE, FETCH, FRONTIER, PORTAL, RUN
from newscrawler.store.vocabularies import UrlState


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
