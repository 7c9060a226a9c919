"""The title of an article has one name in Python, in JSON and in the database."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_TABLES = ("article", "revision")
_COMMENTS = {
    "article": {"text_hash": "BLAKE2b hash, 16 bytes, of title and body.", "title": "Title; empty if the page has none."},
    "revision": {"title": "Title at that time."},
}
_BEFORE = {
    "article": {"text_hash": "BLAKE2b hash, 16 bytes, of headline and body.", "headline": "Headline; empty if the page has none."},
    "revision": {"headline": "Headline at that time."},
}


def _rename(old: str, new: str, comments: dict[str, dict[str, str]]) -> None:
    """Rename the column of both tables, the field of templates, and the column of SQLite's full-text index, which is built anew."""
    bind = op.get_bind()
    for table in _TABLES:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    _rewrite("template", "document", lambda document: _in_overrides(document, old, new))
    _rewrite("drift_check", "figures", lambda figures: _renamed(figures, f"override {old}", f"override {new}"))
    if bind.dialect.name == "postgresql":
        for table, columns in comments.items():
            for column, comment in columns.items():
                op.execute(f"COMMENT ON COLUMN {table}.{column} IS '{comment}'")
        return
    op.execute("DROP TABLE article_search")
    op.execute(f"CREATE VIRTUAL TABLE article_search USING fts5({new}, body, content='', tokenize='ascii')")
    op.execute("DELETE FROM search_backlog")
    op.execute("INSERT INTO search_backlog (until_id, indexed_id) SELECT max(id), 0 FROM article HAVING max(id) IS NOT NULL")


def _rewrite(table: str, column: str, change: Callable[[Any], Any]) -> None:
    """Rewrite the JSON of a column row by row, where it changes."""
    bind = op.get_bind()
    rows = bind.execute(sa.text(f"SELECT id, CAST({column} AS TEXT) AS document FROM {table}")).all()
    kind = "JSON" if bind.dialect.name == "postgresql" and table != "template" else "TEXT"
    write = sa.text(f"UPDATE {table} SET {column} = CAST(:changed AS {kind}) WHERE id = :id")
    for row in rows:
        try:
            before = json.loads(row.document)
        except ValueError:
            continue  # a template of an early version that cannot be read stays as it is
        if (changed := change(before)) != before:
            bind.execute(write, {"id": row.id, "changed": json.dumps(changed, ensure_ascii=False)})


def _in_overrides(document: Any, old: str, new: str) -> Any:
    if not isinstance(document, dict) or not isinstance(document.get("overrides"), dict):
        return document
    return document | {"overrides": _renamed(document["overrides"], old, new)}


def _renamed(values: Any, old: str, new: str) -> Any:
    return {new if name == old else name: value for name, value in values.items()} if isinstance(values, dict) else values


def upgrade() -> None:
    _rename("headline", "title", _COMMENTS)


def downgrade() -> None:
    _rename("title", "headline", _BEFORE)
