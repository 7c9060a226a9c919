"""Licences and policies, the history of what origins say, requests for removal, and notes of reservations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0007"
branch_labels = None
depends_on = None

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add a column and three tables."""
    op.add_column("reservation", sa.Column("note", sa.String(length=200), nullable=True))
    op.create_table(
        "rights_file",
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("origin", sa.String(length=300), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=True),
        sa.Column("because", sa.String(length=300), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column("asked_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("url", name="pk_rights_file"),
    )
    op.create_index("ix_rights_file_origin", "rights_file", ["origin"])
    op.create_table(
        "origin_statement",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("origin", sa.String(length=300), nullable=False),
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("first_said_at", _MOMENT, nullable=False),
        sa.Column("last_said_at", _MOMENT, nullable=False),
        sa.Column("ended_at", _MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_origin_statement"),
    )
    op.create_index("ix_origin_statement_origin", "origin_statement", ["origin", "ended_at"])
    op.create_table(
        "removal",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("pattern", sa.String(length=500), nullable=False),
        sa.Column("because", sa.Text(), nullable=False),
        sa.Column("asked_at", _MOMENT, nullable=False),
        sa.Column("articles", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_removal"),
        sa.UniqueConstraint("pattern", name="uq_removal_pattern"),
    )


def downgrade() -> None:
    """Remove them."""
    op.drop_table("removal")
    op.drop_table("origin_statement")
    op.drop_table("rights_file")
    op.drop_column("reservation", "note")
