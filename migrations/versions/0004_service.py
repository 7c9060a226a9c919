"""What the nightly service remembers."""

from __future__ import annotations

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create what this step adds."""


def downgrade() -> None:
    """Remove it again."""
