"""The log of requests by months on PostgreSQL, settings of vacuum, and which programs may write a newer schema."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from newscrawler.store.hosts.partitions import partition_log, tune_vacuum

revision = "0029"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, and move the log."""
    writers = op.create_table(
        "schema_writers",
        sa.Column("id", sa.Integer(), nullable=False, comment="1."),
        sa.Column(
            "oldest", sa.String(32), nullable=False, comment="Oldest schema whose programs may go on to write this one, as a number."
        ),
        sa.PrimaryKeyConstraint("id", name="pk_schema_writers"),
        comment="Which earlier programs may use the database while they are replaced; one row.",
    )
    op.bulk_insert(writers, [{"id": 1, "oldest": "0027"}])
    partition_log(op.get_bind(), now=datetime.now(UTC))
    tune_vacuum(op.get_bind())


def downgrade() -> None:
    """Remove the table; the log stays as it is, which earlier programs can write."""
    op.drop_table("schema_writers")
