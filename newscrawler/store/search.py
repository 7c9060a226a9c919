"""Articles by what they say: queries of `newscrawler.text`, asked of either store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Engine, Select, func, literal_column, select, table

from newscrawler.errors import StoreError
from newscrawler.store.article_rows import joined_articles, stored_of
from newscrawler.store.articles import narrowed
from newscrawler.store.database import translated
from newscrawler.store.records import Selection, StoredArticle
from newscrawler.store.search_index import INDEX, has_backlog
from newscrawler.store.search_postgresql import PostgreSqlQuery
from newscrawler.store.search_sqlite import SqliteQuery
from newscrawler.store.tables import ARTICLE, PORTAL
from newscrawler.text import Node

#: So many of the matches that were stored last are ranked by relevance, or ordered by date: a word of every third article has no
#: best one, and the latest articles are among those that were stored last.
_MOST_RANKED = {"relevance": 1_000, "date": 10_000}
_Query = SqliteQuery | PostgreSqlQuery


class Order(StrEnum):
    """In which order hits come."""

    RELEVANCE = "relevance"
    DATE = "date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An article that a query found."""

    stored: StoredArticle
    #: The larger, the better; comparable within one answer only.
    score: float


class Search:
    """The full-text index of all portals."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._form = PostgreSqlQuery if engine.dialect.name == "postgresql" else SqliteQuery

    def find(
        self, query: Node, selection: Selection, *, order: Order = Order.RELEVANCE, limit: int = 20, offset: int = 0
    ) -> list[Hit]:
        """Return the best, or the latest, matches of a query within a selection.

        Raises:
            StoreError: the index is not complete yet, or the database fails.
        """
        with self._connected() as connection:
            ranked = _ranked(self._form.prepare(connection, query), selection, order).limit(limit).offset(offset)
            scores = {row.id: float(row.score) for row in connection.execute(ranked)}
            rows = connection.execute(joined_articles().where(ARTICLE.c.id.in_(scores)))
            found = {row.id: Hit(stored=stored_of(row), score=scores[row.id]) for row in rows}
        return [found[number] for number in scores]

    def count(self, query: Node, selection: Selection) -> int:
        """Return how many articles of a selection a query matches."""
        with self._connected() as connection:
            matches = _matching(select(func.count()), self._form.prepare(connection, query), selection)
            return int(connection.execute(matches).scalar_one())

    def stream(self, query: Node, selection: Selection, *, batch: int = 200) -> Iterator[StoredArticle]:
        """Yield all matches in constant memory, in the order in which they were stored."""
        with self._connected(yield_per=batch) as connection:
            prepared = self._form.prepare(connection, query)
            matches = _matching(joined_articles(joined=False), prepared, selection, whole=True).order_by(prepared.key)
            for row in connection.execute(matches):
                yield stored_of(row)

    @contextmanager
    def _connected(self, **options: Any) -> Iterator[Connection]:
        with translated(self._engine), self._engine.connect().execution_options(reading=True, **options) as connection:
            if has_backlog(connection):
                raise StoreError("the search index of this database is not complete; `newscrawler db upgrade` completes it")
            yield connection


def _ranked(query: _Query, selection: Selection, order: Order) -> Select[Any]:
    by_date = order is Order.DATE
    rankable: Any = ARTICLE.c.dated_at if by_date else query.rankable
    candidates = _matching(select(query.key.label("id"), rankable.label("rankable")), query, selection, by_date=by_date)
    newest = candidates.order_by(query.key.desc()).limit(_MOST_RANKED[order]).subquery()
    if by_date:
        return select(newest.c.id, literal_column("0.0").label("score")).order_by(newest.c.rankable.desc(), newest.c.id.desc())
    score = query.score(newest.c.rankable).label("score")
    return select(newest.c.id, score).order_by(score.desc(), newest.c.id.desc())


def _matching(columns: Any, query: _Query, selection: Selection, *, by_date: bool = False, whole: bool = False) -> Select[Any]:
    """Add what makes a query match; tables that nobody asks for are not looked into, which costs most of the time."""
    joined: Any = table(INDEX)
    if by_date or whole or selection != Selection():
        joined = joined.join(ARTICLE, ARTICLE.c.id == query.key)
    if not whole:  # of the article what it is narrowed and ordered by, not the row with its text
        columns = columns.with_hint(ARTICLE, "INDEXED BY ix_article_facets", "sqlite")
    if whole or selection.portal is not None or selection.portals:
        joined = joined.join(PORTAL, PORTAL.c.id == ARTICLE.c.portal_id)
    return narrowed(columns.select_from(joined), selection).where(query.condition())
