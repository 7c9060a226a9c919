"""Why a URL gave no article stands in two columns: a word of PageReason, and its detail."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, and part what stood in one."""
    op.add_column("frontier", sa.Column("detail", sa.String(length=300), nullable=True))
    place = "instr(reason, ': ')" if op.get_bind().dialect.name == "sqlite" else "strpos(reason, ': ')"
    op.execute(
        f"UPDATE frontier SET detail = substr(reason, {place} + 2), reason = substr(reason, 1, {place} - 1) WHERE {place} > 0"
    )


def downgrade() -> None:
    """Join them again."""
    op.execute("UPDATE frontier SET reason = substr(reason || ': ' || detail, 1, 300) WHERE detail IS NOT NULL AND detail <> ''")
    op.drop_column("frontier", "detail")
