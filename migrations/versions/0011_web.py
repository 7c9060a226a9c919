"""Accounts, sessions, tokens, the audit log, jobs for the service, and verdicts of several reviewers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0009"
branch_labels = None
depends_on = None

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(100), nullable=False, unique=True),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True)),
    )
    op.create_table(
        "session",
        sa.Column("digest", sa.LargeBinary(32), primary_key=True),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), nullable=False, index=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "token",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("digest", sa.LargeBinary(32), nullable=False, unique=True),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), nullable=False, index=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("scope", sa.String(10), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.Column("revoked_at", sa.DateTime(timezone=True)),
    )
    op.create_table(
        "audit",
        sa.Column("id", _ROW_ID, primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, index=True),
        sa.Column("who", sa.String(100), nullable=False),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("subject", sa.String(300), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
    )
    op.create_table(
        "job",
        sa.Column("id", _ROW_ID, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("target", sa.String(200), nullable=False),
        sa.Column("state", sa.String(10), nullable=False, index=True),
        sa.Column("asked_by", sa.String(100), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True)),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("message", sa.String(300), nullable=False),
    )
    op.create_table(
        "verdict",
        sa.Column("id", _ROW_ID, primary_key=True),
        sa.Column("article_id", _ROW_ID, sa.ForeignKey("article.id"), nullable=False),
        sa.Column("reviewer", sa.String(100), nullable=False),
        sa.Column("page_id", _ROW_ID, sa.ForeignKey("page.id"), nullable=False),
        sa.Column("faults", sa.JSON(), nullable=False),
        sa.Column("gold", sa.JSON()),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("article_id", "reviewer"),
    )
    op.create_index("ix_verdict_reviewer", "verdict", ["reviewer", "reviewed_at"])
    op.execute(
        "INSERT INTO verdict (article_id, reviewer, page_id, faults, gold, note, reviewed_at)"
        " SELECT article_id, 'terminal', page_id, faults, gold, note, reviewed_at FROM review"
    )


def downgrade() -> None:
    """Remove them again."""
    for name in ("verdict", "job", "audit", "token", "session", "account"):
        op.drop_table(name)
