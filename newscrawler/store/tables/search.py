"""What of the full-text index both stores have; the index itself is `search_index`'s, for it has another form on each."""

from __future__ import annotations

from sqlalchemy import Column, Table

from newscrawler.store.tables.base import METADATA, RowId

#: Articles that were stored before there was an index and are not in it yet: those behind the first number, up to the second.
SEARCH_BACKLOG = Table(
    "search_backlog",
    METADATA,
    Column("until_id", RowId, primary_key=True, autoincrement=False),
    Column("indexed_id", RowId, nullable=False),
)
