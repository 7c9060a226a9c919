"""Who has acknowledged an alert, and the log of each run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add two columns and a table."""
    op.add_column("alert", sa.Column("acknowledged_at", _MOMENT, comment="Time at which somebody acknowledged it, in UTC."))
    op.add_column("alert", sa.Column("acknowledged_by", sa.String(100), comment="Name of the account that acknowledged it."))
    op.create_table(
        "run_log",
        sa.Column("id", _ROW_ID, nullable=False, comment="Number of the line."),
        sa.Column("run_id", sa.Integer(), nullable=False, comment="Run."),
        sa.Column("logged_at", _MOMENT, nullable=False, comment="Time of the line, in UTC."),
        sa.Column("level", sa.String(10), nullable=False, comment="How serious it is."),
        sa.Column("message", sa.Text(), nullable=False, comment="The line."),
        sa.PrimaryKeyConstraint("id", name="pk_run_log"),
        sa.CheckConstraint("level IN ('info', 'warning', 'error')", name=op.f("ck_run_log_level")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="fk_run_log_run_id_run", ondelete="CASCADE"),
        comment="Lines that runs wrote to their log, 2,000 a run at most; rows older than 90 days are deleted.",
    )
    op.create_index("ix_run_log_run", "run_log", ["run_id", "id"])
    op.create_index("ix_run_log_logged", "run_log", ["logged_at"])


def downgrade() -> None:
    """Remove them."""
    op.drop_table("run_log")
    op.drop_column("alert", "acknowledged_by")
    op.drop_column("alert", "acknowledged_at")
