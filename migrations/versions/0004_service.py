"""What the nightly service remembers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def row_id() -> sa.types.TypeEngine:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create what this step adds."""
    op.create_table(
        "service",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("machine", sa.String(length=400), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("process_began", sa.BigInteger(), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_service")),
    )
    op.create_table(
        "watch",
        sa.Column("portal", sa.String(length=200), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("portal", name=op.f("pk_watch")),
    )
    op.create_table(
        "turn",
        sa.Column("id", row_id(), nullable=False),
        sa.Column("portal", sa.String(length=200), nullable=False),
        sa.Column("label", sa.String(length=40), nullable=False),
        sa.Column("planned_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.SmallInteger(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("because", sa.String(length=300), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turn")),
        sa.UniqueConstraint("portal", "label", name=op.f("uq_turn_portal")),
    )
    op.create_index("ix_turn_planned", "turn", ["portal", "planned_at"])
    op.create_table(
        "alert",
        sa.Column("id", row_id(), nullable=False),
        sa.Column("portal", sa.String(length=200), nullable=False),
        sa.Column("trouble", sa.String(length=40), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("over_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("told_over", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert")),
    )
    op.create_index("ix_alert_portal", "alert", ["portal", "over_at"])
    op.create_table(
        "digest",
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_digest")),
    )
    op.create_table(
        "export",
        sa.Column("id", row_id(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("articles", sa.Integer(), nullable=False),
        sa.Column("last_article_id", row_id(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_export")),
    )
    op.create_index("ix_export_name", "export", ["name", "id"])


def downgrade() -> None:
    """Remove it again."""
    for table in ("export", "digest", "alert", "turn", "watch", "service"):
        op.drop_table(table)
