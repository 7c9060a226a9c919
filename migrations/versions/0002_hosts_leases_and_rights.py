"""Hosts, robots.txt, the fetch log, leases and rights."""

from __future__ import annotations

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create what this step adds."""


def downgrade() -> None:
    """Remove it again."""
