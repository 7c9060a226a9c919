"""Saved searches, jobs with parameters and progress, and an index from which words of periods are counted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_FACETS = ["id", "portal_id", "dated_at", "day", "language", "genre", "section_id"]
#: Name, type and comment of what a job gets.
_OF_JOB = (
    ("parameters", sa.JSON(none_as_null=True), "What is asked for beside kind and target, such as selection and format."),
    ("progress", sa.Integer(), "Articles that are done; NULL: none are counted."),
    ("total", sa.Integer(), "Articles that are to be done; NULL if unknown."),
    ("path", sa.Text(), "File or folder that the job wrote; NULL: none."),
)


def upgrade() -> None:
    """Add them."""
    op.create_table(
        "saved_search",
        sa.Column("id", sa.Integer(), nullable=False, comment="Number of the search."),
        sa.Column("owner", sa.String(100), nullable=False, comment="Name of the account; `local` where there are no accounts."),
        sa.Column("name", sa.String(100), nullable=False, comment="Name that the owner gave it."),
        sa.Column("query", sa.Text(), nullable=False, comment="Query and filters, as in the URL of the page."),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False, comment="Time of saving, in UTC."),
        sa.PrimaryKeyConstraint("id", name="pk_saved_search"),
        sa.UniqueConstraint("owner", "name", name="uq_saved_search_owner"),
        comment="Searches that people of the web application keep.",
    )
    for name, kind, comment in _OF_JOB:
        op.add_column("job", sa.Column(name, kind, comment=comment))
    _describe(kind="What is to be done, such as crawl, export or release.", target="Name of a portal, an export or a release.")
    _index([*_FACETS, "word_count"])


def downgrade() -> None:
    """Remove them again."""
    _index(_FACETS)
    _describe(kind="crawl, stop or export.", target="Name of a portal or an export.")
    for name, _, _ in _OF_JOB:
        op.drop_column("job", name)
    op.drop_table("saved_search")


def _index(columns: list[str]) -> None:
    op.drop_index("ix_article_facets", "article")
    op.create_index("ix_article_facets", "article", columns)


def _describe(**comments: str) -> None:
    """Say what columns of `job` hold; SQLite keeps no comments."""
    if op.get_bind().dialect.name == "postgresql":
        for name, comment in comments.items():
            op.alter_column("job", name, comment=comment)
