"""Checks a database for faults without changing anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, Select, and_, exc, func, select, text

from newscrawler.store.database import translated
from newscrawler.store.search.word_ids import find_faults
from newscrawler.store.tables import ARTICLE, FRONTIER, RUN
from newscrawler.store.vocabularies import UrlState


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
