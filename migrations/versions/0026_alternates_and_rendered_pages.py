"""Words for requests of alternates and of rendered pages, and for the answers from which a kept page was made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0022"
branch_labels = None
depends_on = None

_REASON = "not built by the browser"
_KINDS = "page', 'robots', 'tdm', 'part', 'licence"
_OUTCOMES = "article', 'listing', 'nothing', 'redirect', 'unchanged', 'part"
#: Table, column, words before, words that are added.
_CHECKS = (("request", "kind", _KINDS, "alternate', 'rendering"), ("page", "outcome", _OUTCOMES, "source"))
_COMMENTS = (
    (
        "request",
        "kind",
        "What was requested: page, robots, tdm (tdmrep.json), part (of an article), licence, alternate (another form of an article "
        "that its page names) or rendering (what a page asks for in a browser).",
    ),
    (
        "page",
        "outcome",
        "What the page was taken for; part: a further page of an article; source: an answer from which a page was made, by a "
        "browser or of the answer of an API.",
    ),
)


def _change(table: str, column: str, before: str, after: str) -> None:
    """Let a column hold other words. Tables refer to these, so SQLite's statement is changed in place (lang_altertable, 7)."""
    old, new = (f"{column} IN ('{words}')" for words in (before, after))
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint(op.f(f"ck_{table}_{column}"), table, type_="check")
        op.create_check_constraint(op.f(f"ck_{table}_{column}"), table, new)
        return
    bind = op.get_bind()
    version = bind.exec_driver_sql("PRAGMA schema_version").scalar()
    bind.exec_driver_sql("PRAGMA writable_schema = ON")
    changed = bind.execute(
        sa.text("UPDATE sqlite_master SET sql = replace(sql, :before, :after) WHERE type = 'table' AND name = :name"),
        {"before": old, "after": new, "name": table},
    )
    assert changed.rowcount == 1
    bind.exec_driver_sql(f"PRAGMA schema_version = {int(version or 0) + 1}")
    bind.exec_driver_sql("PRAGMA writable_schema = RESET")


def upgrade() -> None:
    """Add the words, and reword comments on PostgreSQL."""
    op.bulk_insert(sa.table("reason", sa.column("word", sa.String)), [{"word": _REASON}])
    for table, column, words, more in _CHECKS:
        _change(table, column, words, f"{words}', '{more}")
    if op.get_bind().dialect.name == "postgresql":
        for table, column, comment in _COMMENTS:
            op.execute(f"COMMENT ON COLUMN {table}.{column} IS '{comment}'")


def downgrade() -> None:
    """Remove them; such requests count as those of parts, such pages are removed."""
    op.execute("UPDATE request SET kind = 'part' WHERE kind IN ('alternate', 'rendering')")
    op.execute("DELETE FROM page WHERE outcome = 'source'")
    for table in ("frontier", "request", "page"):
        op.execute(f"UPDATE {table} SET reason = 'empty page' WHERE reason = '{_REASON}'")
    op.execute(f"DELETE FROM reason WHERE word = '{_REASON}'")
    for table, column, words, more in _CHECKS:
        _change(table, column, f"{words}', '{more}", words)
