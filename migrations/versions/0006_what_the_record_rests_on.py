"""An article says where its section came from, and what language its text shows where another was declared."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create what this step adds."""
    op.add_column("article", sa.Column("section_source", sa.String(length=40), nullable=True))
    op.add_column("article", sa.Column("language_detected", sa.String(length=12), nullable=True))


def downgrade() -> None:
    """Remove it again."""
    op.drop_column("article", "language_detected")
    op.drop_column("article", "section_source")
