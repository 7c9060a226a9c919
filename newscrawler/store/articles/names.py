"""Stores each section, author and keyword once, and links articles to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import JSON, Connection, Table, bindparam, delete, insert, literal_column, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from newscrawler.article import Article
from newscrawler.store.tables import ARTICLE, ARTICLE_AUTHOR, ARTICLE_KEYWORD, AUTHOR, KEYWORD, SECTION

#: PostgreSQL cannot index longer names; a longer text is not a name.
_LONGEST = 600
_SECTION = select(SECTION.c.id).where((SECTION.c.portal_id == bindparam("portal")) & (SECTION.c.name == bindparam("named")))


def section_id(connection: Connection, portal_id: int, name: str | None) -> int | None:
    """Return the id of a portal's section, adding a new one; None for no section."""
    if not name:
        return None
    values = {"portal": portal_id, "named": name[:_LONGEST]}
    found: int | None = connection.execute(_SECTION, values).scalar()
    if found is None:
        connection.execute(_insertion(SECTION, connection.dialect.name), {"portal_id": portal_id, "name": name[:_LONGEST]})
        found = connection.execute(_SECTION, values).scalar_one()
    return found


def add_names(connection: Connection, articles: Iterable[Article]) -> None:
    """Add the new names of several articles at once in a fixed order, which avoids deadlocks."""
    authors, keywords = set(), set()
    for article in articles:
        authors |= {name[:_LONGEST] for name in article.authors}
        keywords |= {name[:_LONGEST] for name in article.keywords}
    _ids(connection, AUTHOR, sorted(authors))
    _ids(connection, KEYWORD, sorted(keywords))


def keyword_ids(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    """Return the ids of keywords, adding new ones."""
    cut = {name: name[:_LONGEST] for name in names}
    known = _ids(connection, KEYWORD, sorted(set(cut.values())))
    return {name: known[short] for name, short in cut.items()}


def link_names(connection: Connection, article_id: int, article: Article, *, replace: bool = False) -> None:
    """Link a stored article to its authors and keywords; `replace`: remove its earlier ones."""
    for link, table, names in ((ARTICLE_AUTHOR, AUTHOR, article.authors), (ARTICLE_KEYWORD, KEYWORD, article.keywords)):
        if replace:
            connection.execute(delete(link).where(link.c.article_id == article_id))
        if not names:
            continue
        cut = [name[:_LONGEST] for name in names]
        ids = _ids(connection, table, sorted(set(cut)))
        column = f"{table.name}_id"
        rows = [{"article_id": article_id, "position": place, column: ids[name]} for place, name in enumerate(cut, start=1)]
        connection.execute(_link(link), rows)


def _ids(connection: Connection, table: Table, names: Sequence[str]) -> dict[str, int]:
    """Return the ids of names, adding new ones."""
    if not names:
        return {}
    known = {row.name: row.id for row in connection.execute(_by_name(table), {"names": names})}
    missing = [name for name in names if name not in known]
    if missing:
        connection.execute(_insertion(table, connection.dialect.name), [{"name": name} for name in missing])
        known |= {row.name: row.id for row in connection.execute(_by_name(table), {"names": missing})}
    return known


# Statements that run for every article are built once: building them costs more than running them.
@lru_cache(maxsize=2)
def _by_name(table: Table) -> Any:
    return select(table.c.id, table.c.name).where(table.c.name.in_(bindparam("names", expanding=True)))


@lru_cache(maxsize=2)
def _link(table: Table) -> Any:
    return insert(table)


@lru_cache(maxsize=6)
def _insertion(table: Table, dialect: str) -> Any:
    return (postgresql if dialect == "postgresql" else sqlite).insert(table).on_conflict_do_nothing()


class NamesOf(FunctionElement[Any]):
    """The authors or keywords of a row's article, in order, as a list."""

    type = JSON()
    inherit_cache = True


@compiles(NamesOf, "sqlite")
def _sqlite(element: Any, compiler: Any, **kwargs: Any) -> str:
    (named,) = (compiler.process(part, **kwargs) for part in element.clauses)
    return (
        f"(SELECT json_group_array(name) FROM (SELECT {named}.name FROM article_{named} JOIN {named} ON {named}.id = {named}_id "  # noqa: S608  our own names
        f"WHERE article_{named}.article_id = article.id ORDER BY position))"
    )


@compiles(NamesOf, "postgresql")
def _postgresql(element: Any, compiler: Any, **kwargs: Any) -> str:
    (named,) = (compiler.process(part, **kwargs) for part in element.clauses)
    return (
        f"(SELECT json_agg({named}.name ORDER BY position) FROM article_{named} JOIN {named} ON {named}.id = {named}_id "  # noqa: S608  our own names
        f"WHERE article_{named}.article_id = article.id)"
    )


#: Columns of a SELECT from `article`.
AUTHORS = NamesOf(literal_column("author")).label("authors")
KEYWORDS = NamesOf(literal_column("keyword")).label("keywords")
SECTION_NAME = (
    select(SECTION.c.name).where(SECTION.c.id == ARTICLE.c.section_id).correlate(ARTICLE).scalar_subquery().label("section")
)
