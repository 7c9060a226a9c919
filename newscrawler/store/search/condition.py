"""The full-text condition of selections."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Boolean, bindparam, select, table
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from newscrawler.store.search.index import INDEX
from newscrawler.store.search.postgresql import PostgreSqlQuery
from newscrawler.store.search.sqlite import fts5
from newscrawler.store.search.text import parse


class HoldsWords(FunctionElement[Any]):
    """The condition that a query finds a row's article; its two clauses are the query for each database."""

    type = Boolean()
    inherit_cache = True


def holds_words(query: str) -> HoldsWords:
    """Return the condition that a query finds an article.

    Raises:
        ConfigError: the query cannot be read.
    """
    node = parse(query)
    unread = PostgreSqlQuery(node)
    matching = select(unread.key).select_from(table(INDEX)).where(unread.condition())
    return HoldsWords(bindparam(None, fts5(node), unique=True), matching.scalar_subquery())


@compiles(HoldsWords, "sqlite")
def _sqlite(element: Any, compiler: Any, **kwargs: Any) -> str:
    query, _ = element.clauses
    matching = f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH {compiler.process(query, **kwargs)}"  # noqa: S608  a bound value
    return f"article.id IN ({matching})"


@compiles(HoldsWords, "postgresql")
def _postgresql(element: Any, compiler: Any, **kwargs: Any) -> str:
    _, matching = element.clauses
    return f"article.id IN {compiler.process(matching, **kwargs)}"
