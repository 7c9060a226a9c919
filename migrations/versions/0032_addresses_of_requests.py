"""Addresses of requests that pages cause, and the pages that cause them, in the log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

_COMMENTS = {
    "url": "Address, where a page caused the request: part, alternate or rendering; those of pages are in `frontier`.",
    "page_url": "Address of the page that caused the request.",
}


def upgrade() -> None:
    """Add both; programs of the schema before go on writing lines without them."""
    for name, comment in _COMMENTS.items():
        op.add_column("request", sa.Column(name, sa.Text(), comment=comment))


def downgrade() -> None:
    """Remove both."""
    for name in _COMMENTS:
        op.drop_column("request", name)
