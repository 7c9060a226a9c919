"""Removal of rows together with the rows that refer to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, Table, delete, update

from newscrawler.store.search_index import unindex_articles
from newscrawler.store.tables import ARTICLE, FRONTIER, METADATA, PAGE


def remove_articles(connection: Connection, article_ids: Sequence[int]) -> None:
    """Remove articles with their pages and everything else that refers to them; their URLs stay in the frontier."""
    connection.execute(update(FRONTIER).where(FRONTIER.c.article_id.in_(article_ids)).values(article_id=None))
    connection.execute(update(ARTICLE).where(ARTICLE.c.similar_to.in_(article_ids)).values(similar_to=None))
    unindex_articles(connection, article_ids)
    remove_rows(connection, ARTICLE, article_ids)
    connection.execute(delete(PAGE).where(PAGE.c.article_id.in_(article_ids)))


def remove_rows(connection: Connection, table: Table, ids: Sequence[int]) -> None:
    """Remove rows of a table and the rows of other tables that refer to them by a foreign key."""
    for child, column in _referring(table):
        connection.execute(delete(child).where(child.c[column].in_(ids)))
    connection.execute(delete(table).where(table.c.id.in_(ids)))


def _referring(table: Table) -> Iterator[tuple[Table, str]]:
    """Yield the tables that refer to this one by a foreign key, with the name of the column."""
    for child in METADATA.sorted_tables:
        for key in child.foreign_keys:
            if key.column.table is table:
                yield child, key.parent.name
