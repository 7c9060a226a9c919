"""Word some reasons as other crawlers do.

Programs that know the earlier words alone cannot write them any more, so these are refused from here on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

_WORDS = {
    "pages of this kind bring nothing": "pattern never led to an article",
    "address of another kind of page": "URL of another kind of page",
    "answer cannot be decoded": "response cannot be decoded",
    "answer that is no HTTP": "invalid HTTP response",
    "trap": "crawler trap",
    "login or wall": "login or paywall",
}
_REFERRING = ("frontier", "request", "page")


def _reword(words: dict[str, str]) -> None:
    bind = op.get_bind()
    for before, after in words.items():
        values = {"before": before, "after": after}
        bind.execute(sa.text("INSERT INTO reason (word) VALUES (:after)"), values)
        for table in _REFERRING:
            bind.execute(sa.text(f"UPDATE {table} SET reason = :after WHERE reason = :before"), values)  # noqa: S608  our own names
        bind.execute(sa.text("DELETE FROM reason WHERE word = :before"), values)


def _name_oldest_writer(values: dict[str, str]) -> None:
    op.get_bind().execute(sa.text("UPDATE schema_writers SET oldest = :oldest"), values)


def upgrade() -> None:
    """Reword the vocabulary and the rows that refer to it."""
    _reword(_WORDS)
    _name_oldest_writer({"oldest": "0030"})


def downgrade() -> None:
    """Give the reasons their earlier words."""
    _reword({after: before for before, after in _WORDS.items()})
    _name_oldest_writer({"oldest": "0027"})
