"""Articles can be searched: FTS5 on SQLite, tsvector on PostgreSQL; what is stored already is indexed behind the migration."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

INDEX = "article_search"
CREATE = {
    "sqlite": (f"CREATE VIRTUAL TABLE {INDEX} USING fts5(headline, body, content='', tokenize='ascii')",),
    "postgresql": (
        f"CREATE TABLE {INDEX} (article_id BIGINT PRIMARY KEY REFERENCES article (id), words TSVECTOR NOT NULL)",
        f"CREATE INDEX ix_{INDEX}_words ON {INDEX} USING gin (words)",
    ),
}


def upgrade() -> None:
    """Create the index, empty, and note what is to be put into it (`newscrawler.store.search_index.index_backlog`)."""
    for statement in CREATE[op.get_bind().dialect.name]:
        op.execute(statement)
    op.create_table(
        "search_backlog",
        sa.Column("until_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column("indexed_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("until_id", name=op.f("pk_search_backlog")),
    )
    op.execute("INSERT INTO search_backlog (until_id, indexed_id) SELECT max(id), 0 FROM article HAVING max(id) IS NOT NULL")


def downgrade() -> None:
    """Remove it again."""
    op.drop_table("search_backlog")
    op.execute(f"DROP TABLE {INDEX}")
