"""A host's gate tells that somebody waits for it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create what this step adds."""
    op.add_column("host", sa.Column("wanted", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Remove it again."""
    op.drop_column("host", "wanted")
