"""What went into releases, and the records of articles that have changed since."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_FACTS = (
    "Figures of crawls, reviews, templates and models that the datasheet quotes; NULL: the release was made by an "
    "earlier newscrawler, which kept nothing of its documents."
)
_RowId = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add two tables and a column; of releases that were made before, nothing can be kept."""
    op.add_column("release", sa.Column("facts", sa.JSON(none_as_null=True), comment=_FACTS))
    op.create_table(
        "released_record",
        sa.Column("id", _RowId, nullable=False, comment="Number of the record."),
        sa.Column("article_id", _RowId, nullable=False, comment="Article."),
        sa.Column("record", sa.JSON(), nullable=False, comment="Columns of `article`, and its names, before it changed."),
        sa.PrimaryKeyConstraint("id", name="pk_released_record"),
        sa.ForeignKeyConstraint(["article_id"], ["article.id"], name="fk_released_record_article_id_article", ondelete="CASCADE"),
        comment="Articles as releases hold them, where they have changed since.",
    )
    op.create_index("ix_released_record_article_id", "released_record", ["article_id"])
    op.create_table(
        "release_document",
        sa.Column("release_id", sa.Integer(), nullable=False, comment="Release."),
        sa.Column("article_id", _RowId, nullable=False, comment="Number of the article, which may have been removed since."),
        sa.Column(
            "record_hash",
            sa.LargeBinary(16),
            comment="BLAKE2b hash, 16 bytes, of the whole record; NULL: it is not in the release.",
        ),
        sa.Column("record_id", _RowId, comment="The record that was released; NULL: the article has not changed since."),
        sa.Column(
            "later",
            sa.JSON(none_as_null=True),
            comment="What was known then besides the record: similar article, corrections, answer of the server; NULL: nothing.",
        ),
        sa.Column("rights", sa.JSON(none_as_null=True), comment="Rights as the release states them; NULL: nothing was reserved."),
        sa.Column(
            "left_out", sa.JSON(none_as_null=True), comment="Why it is not in the release: a duplicate or a tombstone; NULL: it is."
        ),
        sa.Column(
            "lost",
            sa.String(10),
            comment="Why the record cannot be rebuilt: removed (the article was) or reserved (its publisher reserves copies); "
            "NULL: it can.",
        ),
        sa.Column("url", sa.Text(), comment="URL of an article that was removed."),
        sa.PrimaryKeyConstraint("release_id", "article_id", name="pk_release_document"),
        sa.CheckConstraint("lost IN ('removed', 'reserved', 'changed')", name=op.f("ck_release_document_lost")),
        sa.ForeignKeyConstraint(["release_id"], ["release.id"], name="fk_release_document_release_id_release", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["record_id"], ["released_record.id"], name="fk_release_document_record_id_released_record", ondelete="SET NULL"
        ),
        comment="What went into a release, and what was left out of it.",
        sqlite_with_rowid=False,
    )
    op.create_index("ix_release_document_article_id", "release_document", ["article_id"])
    op.create_index("ix_release_document_record_id", "release_document", ["record_id"])


def downgrade() -> None:
    """Remove them."""
    op.drop_table("release_document")
    op.drop_table("released_record")
    op.drop_column("release", "facts")
