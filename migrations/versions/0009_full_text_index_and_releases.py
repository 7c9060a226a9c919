"""Articles can be searched (FTS5, tsvector; what is stored already is indexed behind the migration), and releases are listed."""

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
    """Create the index, empty, and note what is to be put into it (`newscrawler.store.search.index.index_backlog`)."""
    for statement in CREATE[op.get_bind().dialect.name]:
        op.execute(statement)
    op.create_table(
        "search_backlog",
        sa.Column("until_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column("indexed_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("until_id", name=op.f("pk_search_backlog")),
    )
    op.create_table(
        "release",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recipe", sa.JSON(), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("articles", sa.Integer(), nullable=False),
        sa.Column("manifest_sha256", sa.String(length=64), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_release")),
        sa.UniqueConstraint("name", name=op.f("uq_release_name")),
    )
    op.execute("INSERT INTO search_backlog (until_id, indexed_id) SELECT max(id), 0 FROM article HAVING max(id) IS NOT NULL")


def downgrade() -> None:
    """Remove it again."""
    op.drop_table("release")
    op.drop_table("search_backlog")
    op.execute(f"DROP TABLE {INDEX}")
