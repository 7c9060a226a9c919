"""Collections, the articles and keywords that are filed in them, keywords known from news, and the reason why a page is none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)
_REASON = "not a news article"


def upgrade() -> None:
    """Add four tables and a word."""
    op.bulk_insert(sa.table("reason", sa.column("word", sa.String)), [{"word": _REASON}])
    op.create_table(
        "collection",
        sa.Column(
            "id",
            sa.Integer(),
            nullable=False,
            autoincrement=False,
            comment="Number of the collection; it is a row of `portal`, too, so that runs, queue and schedule are those of a portal.",
        ),
        sa.Column("created_at", _MOMENT, nullable=False, comment="Time at which it was first collected, in UTC."),
        sa.PrimaryKeyConstraint("id", name="pk_collection"),
        sa.ForeignKeyConstraint(["id"], ["portal.id"], name="fk_collection_id_portal"),
        comment="Collections of articles from any host, found by searches, lists of URLs, feeds and archives.",
    )
    op.create_table(
        "collection_article",
        sa.Column("collection_id", sa.Integer(), nullable=False, autoincrement=False, comment="Collection."),
        sa.Column("article_id", _ROW_ID, nullable=False, comment="Article of any portal."),
        sa.Column("filed_at", _MOMENT, nullable=False, comment="Time at which it was filed, in UTC."),
        sa.PrimaryKeyConstraint("collection_id", "article_id", name="pk_collection_article"),
        *_references("collection_article"),
        comment="Which articles are in which collections; an article of a portal may be in several.",
        sqlite_with_rowid=False,
    )
    op.create_index("ix_collection_article_article", "collection_article", ["article_id"])
    op.create_table(
        "collection_keyword",
        sa.Column("collection_id", sa.Integer(), nullable=False, autoincrement=False, comment="Collection."),
        sa.Column("article_id", _ROW_ID, nullable=False, comment="Article."),
        sa.Column("keyword_id", sa.Integer(), nullable=False, autoincrement=False, comment="Keyword under which it is filed."),
        sa.Column(
            "source",
            sa.String(10),
            nullable=False,
            comment="topic: a keyword of the collection that the article names; declared: by its page; frequent: among the words that "
            "its text repeats most.",
        ),
        sa.PrimaryKeyConstraint("collection_id", "article_id", "keyword_id", name="pk_collection_keyword"),
        sa.CheckConstraint("source IN ('topic', 'declared', 'frequent')", name=op.f("ck_collection_keyword_source")),
        *_references("collection_keyword"),
        sa.ForeignKeyConstraint(["keyword_id"], ["keyword.id"], name="fk_collection_keyword_keyword_id_keyword"),
        comment="Keywords under which the articles of collections are filed.",
        sqlite_with_rowid=False,
    )
    op.create_index("ix_collection_keyword_article", "collection_keyword", ["article_id"])
    op.create_index("ix_collection_keyword_keyword", "collection_keyword", ["keyword_id", "article_id"])
    op.create_table(
        "news_keyword",
        sa.Column("language", sa.String(12), nullable=False, comment="Language of the pages."),
        sa.Column("word", sa.Text(), nullable=False, comment="Keyword in small letters."),
        sa.Column("pages", sa.Integer(), nullable=False, comment="Pages of news that declared it."),
        sa.PrimaryKeyConstraint("language", "word", name="pk_news_keyword"),
        comment="Keywords of pages that were found to be news, with which the keywords of other pages are compared.",
        sqlite_with_rowid=False,
    )


def _references(table: str) -> tuple[sa.ForeignKeyConstraint, ...]:
    return tuple(
        sa.ForeignKeyConstraint([f"{name}_id"], [f"{name}.id"], name=f"fk_{table}_{name}_id_{name}", ondelete="CASCADE")
        for name in ("collection", "article")
    )


def downgrade() -> None:
    """Remove them; pages that were no news keep no reason."""
    for table in ("news_keyword", "collection_keyword", "collection_article", "collection"):
        op.drop_table(table)
    for table in ("frontier", "page"):
        op.execute(f"UPDATE {table} SET reason = NULL WHERE reason = '{_REASON}'")
    op.execute(f"DELETE FROM reason WHERE word = '{_REASON}'")
