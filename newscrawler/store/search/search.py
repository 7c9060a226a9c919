"""Full-text search: runs queries of `newscrawler.store.search` on either database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Engine, Select, delete, func, insert, literal_column, select, table

from newscrawler.errors import ConfigError
from newscrawler.limits import SAVED_SEARCHES
from newscrawler.store.articles.article_rows import joined_articles, stored_of
from newscrawler.store.articles.articles import select_articles
from newscrawler.store.articles.records import Selection, StoredArticle
from newscrawler.store.database import StorePart, fill_record
from newscrawler.store.search.index import INDEX
from newscrawler.store.search.index_queries import PostgreSqlQuery, SqliteQuery
from newscrawler.store.search.query_language import Node
from newscrawler.store.tables import ARTICLE, SAVED_SEARCH

#: So many of the matches that were stored last are ranked by relevance, or ordered by date: a word of every third article has no
#: best one, and the latest articles are among those that were stored last.
_MOST_RANKED = {"relevance": 1_000, "date": 10_000}
_Query = SqliteQuery | PostgreSqlQuery


class Order(StrEnum):
    """The order of hits."""

    RELEVANCE = "relevance"
    DATE = "date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An article that matches a query."""

    stored: StoredArticle
    #: The larger, the better; comparable within one answer only.
    score: float


class Search(StorePart):
    """The full-text index of all portals."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._form = PostgreSqlQuery if engine.dialect.name == "postgresql" else SqliteQuery

    def find(
        self, query: Node, selection: Selection, *, order: Order = Order.RELEVANCE, limit: int = 20, offset: int = 0
    ) -> list[Hit]:
        """Return the best, or the latest, matches of a query within a selection.

        Raises:
            StoreError: the database fails.
        """
        with self._reading() as connection:
            scores = _select_scores(connection, self._form(query), selection, order, limit=limit, offset=offset)
            rows = connection.execute(joined_articles().where(ARTICLE.c.id.in_(scores)))
            found = {row.id: Hit(stored=stored_of(row), score=scores[row.id]) for row in rows}
        return [found[number] for number in scores]

    def count(self, query: Node, selection: Selection) -> int:
        """Return how many articles of a selection a query matches."""
        return int(self._read_value(_select_matching(self._form(query), selection, func.count())))


def _select_scores(
    connection: Connection, query: _Query, selection: Selection, order: Order, *, limit: int, offset: int
) -> dict[int, float]:
    """Return the scores of the best matches by id, best first; search only as far back as needed."""
    query.narrow(connection)
    while True:
        rows = connection.execute(_rank(query, selection, order).limit(limit).offset(offset)).all()
        if not query.widen(rows[0].candidates if rows else 0, _MOST_RANKED[order]):
            return {row.id: float(row.score) for row in rows}


def _rank(query: _Query, selection: Selection, order: Order) -> Select[Any]:
    columns = [query.key.label("id"), *([] if order is Order.DATE else [query.rankable.label("rankable")])]
    candidates = _select_matching(query, selection, *columns)
    newest = candidates.order_by(query.recency.desc()).limit(_MOST_RANKED[order]).subquery()
    number = (func.count().over() if query.is_narrowed else literal_column("0")).label("candidates")
    if order is Order.DATE:
        # not a join, for which PostgreSQL would read all articles
        dated_at = select_articles(Selection(), ARTICLE.c.dated_at).where(ARTICLE.c.id == newest.c.id).scalar_subquery()
        scores = select(newest.c.id, literal_column("0.0").label("score"), number)
        return scores.order_by(dated_at.desc(), newest.c.id.desc())
    score = query.score(newest.c.rankable).label("score")
    return select(newest.c.id, score, number).order_by(score.desc(), newest.c.id.desc())


def _select_matching(query: _Query, selection: Selection, *columns: Any) -> Select[Any]:
    """Select from the articles that match; without a join where none is needed, as joins take most of the time."""
    if selection == Selection():
        return select(*columns).select_from(table(INDEX)).where(query.condition())
    return select_articles(selection, *columns).join(table(INDEX), ARTICLE.c.id == query.key).where(query.condition())


#: Of one owner.
MOST = SAVED_SEARCHES


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSearch:
    """One search."""

    id: int
    owner: str
    name: str
    #: Query and filters, as in the URL of the page.
    query: str
    saved_at: datetime


class SavedSearches(StorePart):
    """The saved searches of all accounts."""

    def of(self, owner: str | None) -> list[SavedSearch]:
        """Return the searches of an owner, by name; None: those of all."""
        query = select(SAVED_SEARCH).order_by(SAVED_SEARCH.c.owner, SAVED_SEARCH.c.name)
        query = query if owner is None else query.where(SAVED_SEARCH.c.owner == owner)
        return [fill_record(SavedSearch, row) for row in self._read(query)]

    def save(self, owner: str, name: str, query: str, *, now: datetime) -> None:
        """Save a search, replacing an earlier one of this name.

        Raises:
            ConfigError: the owner has too many.
        """
        same = (SAVED_SEARCH.c.owner == owner) & (SAVED_SEARCH.c.name == name)
        with self._writing() as connection:
            connection.execute(delete(SAVED_SEARCH).where(same))
            number = connection.execute(select(func.count()).where(SAVED_SEARCH.c.owner == owner)).scalar_one()
            if number >= MOST:
                raise ConfigError(f"you have {MOST} saved searches; remove one first")
            connection.execute(insert(SAVED_SEARCH).values(owner=owner, name=name, query=query, saved_at=now))

    def remove(self, owner: str, search_id: int) -> bool:
        """Remove a search of an owner; False: there is none."""
        query = delete(SAVED_SEARCH).where((SAVED_SEARCH.c.owner == owner) & (SAVED_SEARCH.c.id == search_id))
        with self._writing() as connection:
            return bool(connection.execute(query).rowcount)
