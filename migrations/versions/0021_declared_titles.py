"""How the head of a page words its headline, and how sure the day of publication is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_DECLARED = "Headline in the head of the page; NULL unless it is worded otherwise there."
#: Comments that are worded anew.
_COMMENTS = (
    ("frontier", "revisit_at", "Time from which a listing is due again, in UTC; NULL: at once."),
    ("robots", "reason", "Why the file cannot be fetched, or holds no rules."),
)
_CONFIDENCE = "Probability that the day of publication is right; NULL if it is not of the page."


def upgrade() -> None:
    """Add two columns, and reword comments on PostgreSQL."""
    op.add_column("article", sa.Column("title_declared", sa.Text(), comment=_DECLARED))
    op.add_column("article", sa.Column("date_confidence", sa.Float(), comment=_CONFIDENCE))
    if op.get_bind().dialect.name == "postgresql":
        for table, column, comment in _COMMENTS:
            op.execute(f"COMMENT ON COLUMN {table}.{column} IS '{comment}'")


def downgrade() -> None:
    """Remove them."""
    op.drop_column("article", "date_confidence")
    op.drop_column("article", "title_declared")
