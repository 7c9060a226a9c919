"""The tables of the full-text index that both databases share; `search_index` makes the index itself."""

from __future__ import annotations

from sqlalchemy import Column, Table

from newscrawler.store.tables.base import METADATA, RowId

SEARCH_BACKLOG = Table(
    "search_backlog",
    METADATA,
    Column("until_id", RowId, primary_key=True, autoincrement=False, comment="Last of the articles that are to be indexed."),
    Column("indexed_id", RowId, nullable=False, comment="Last of them that was indexed."),
    comment="Articles that were stored before there was a search index and are not in it yet; at most one row.",
)
