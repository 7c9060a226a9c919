"""Kept pages, learned wrappers and reviews."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def row_id() -> sa.types.TypeEngine:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "warc",
        sa.Column("id", row_id(), nullable=False),
        sa.Column("portal_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(length=300), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["portal_id"], ["portal.id"], name=op.f("fk_warc_portal_id_portal")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_warc")),
        sa.UniqueConstraint("portal_id", "path", name=op.f("uq_warc_portal_id")),
    )
    op.create_table(
        "page",
        sa.Column("id", row_id(), nullable=False),
        sa.Column("portal_id", sa.Integer(), nullable=False),
        sa.Column("warc_id", row_id(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("url_hash", sa.LargeBinary(length=16), nullable=False),
        sa.Column("fetched_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("offset", sa.BigInteger(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=60), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("reason", sa.String(length=300), nullable=True),
        sa.Column("article_id", row_id(), nullable=True),
        sa.Column("reading", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["portal_id"], ["portal.id"], name=op.f("fk_page_portal_id_portal")),
        sa.ForeignKeyConstraint(["warc_id"], ["warc.id"], name=op.f("fk_page_warc_id_warc")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page")),
    )
    op.create_index("ix_page_url", "page", ["portal_id", "url_hash"])
    op.create_index("ix_page_round", "page", ["portal_id", "round"])
    op.create_index("ix_page_article", "page", ["article_id"])
    op.create_index("ix_page_warc", "page", ["warc_id"])
    op.create_table(
        "wrapper",
        sa.Column("id", row_id(), nullable=False),
        sa.Column("portal_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("figures", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["portal_id"], ["portal.id"], name=op.f("fk_wrapper_portal_id_portal")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_wrapper")),
        sa.UniqueConstraint("portal_id", "version", name=op.f("uq_wrapper_portal_id")),
    )
    op.create_table(
        "night",
        sa.Column("id", row_id(), nullable=False),
        sa.Column("portal_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("wrapper", sa.Integer(), nullable=True),
        sa.Column("figures", sa.JSON(), nullable=False),
        sa.Column("broken", sa.JSON(), nullable=False),
        sa.Column("done", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["portal_id"], ["portal.id"], name=op.f("fk_night_portal_id_portal")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_night")),
        sa.UniqueConstraint("portal_id", "round", name=op.f("uq_night_portal_id")),
    )
    op.create_table(
        "review",
        sa.Column("id", row_id(), nullable=False),
        sa.Column("portal_id", sa.Integer(), nullable=False),
        sa.Column("article_id", row_id(), nullable=False),
        sa.Column("page_id", row_id(), nullable=False),
        sa.Column("faults", sa.JSON(), nullable=False),
        sa.Column("gold", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["portal_id"], ["portal.id"], name=op.f("fk_review_portal_id_portal")),
        sa.ForeignKeyConstraint(["article_id"], ["article.id"], name=op.f("fk_review_article_id_article")),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name=op.f("fk_review_page_id_page")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review")),
        sa.UniqueConstraint("article_id", name=op.f("uq_review_article_id")),
    )
    with op.batch_alter_table("revision") as batch_op:
        batch_op.add_column(sa.Column("why", sa.String(length=40), nullable=True))
        batch_op.add_column(sa.Column("record", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("revision") as batch_op:
        batch_op.drop_column("record")
        batch_op.drop_column("why")
    for table in ("review", "night", "wrapper", "page", "warc"):
        op.drop_table(table)
