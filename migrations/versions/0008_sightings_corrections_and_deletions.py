"""When a URL was seen last, what became of an article later, and an index that answers for bands alone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; count the corrections that are stored."""
    op.add_column("frontier", sa.Column("seen_round", sa.Integer(), server_default="0", nullable=False))
    op.add_column("article", sa.Column("corrections", sa.SmallInteger(), server_default="0", nullable=False))
    op.add_column("article", sa.Column("corrected_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("article", sa.Column("gone_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("article", sa.Column("http_status", sa.SmallInteger(), nullable=True))
    op.execute(
        "UPDATE article SET corrected_at = fetched_at, corrections = "
        "(SELECT count(*) FROM revision WHERE revision.article_id = article.id AND revision.why IS NULL) "
        "WHERE id IN (SELECT article_id FROM revision WHERE why IS NULL)"
    )
    op.drop_index("ix_band_value", table_name="band")
    op.create_index("ix_band_value", "band", ["value", "article_id"])


def downgrade() -> None:
    """Drop them again."""
    op.drop_index("ix_band_value", table_name="band")
    op.create_index("ix_band_value", "band", ["value"])
    for column in ("http_status", "gone_at", "corrected_at", "corrections"):
        op.drop_column("article", column)
    op.drop_column("frontier", "seen_round")
