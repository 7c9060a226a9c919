"""Kept pages, learned wrappers and reviews."""

from __future__ import annotations

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create what this step adds."""


def downgrade() -> None:
    """Remove it again."""
