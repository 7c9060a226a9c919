"""Licences and policies, the history of what origins say, requests for removal, notes of reservations, and the words for these."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)
_RESERVED = ("noindex", "nofollow", "noarchive", "unavailable_after", "tdm")
_NEW_RESERVED = ("any-use", "text-analysis", "search", "ai-train", "ai-input", "ai-images", "reproduction")
_FETCHED = ("page", "robots", "tdm", "part")
_FILES = ("rsl", "rsl feed", "odrl", "ai.txt", "trust.txt")
_REASONS = ("use reserved by the publisher", "payment required", "removed at the request of the operator")


def _one_of(column: str, words: tuple[str, ...]) -> str:
    listed = ", ".join(f"'{word}'" for word in words)
    return f"{column} IN ({listed})"


def _check(table: str, before: tuple[str, ...], words: tuple[str, ...]) -> None:
    """Let `kind` hold other words; SQLite can only make the table anew."""
    if op.get_bind().dialect.name == "sqlite":
        _make_anew(table, lambda sql: sql.replace(_one_of("kind", before), _one_of("kind", words)))
        return
    op.drop_constraint(op.f(f"ck_{table}_kind"), table, type_="check")
    op.create_check_constraint(op.f(f"ck_{table}_kind"), table, _one_of("kind", words))


def _make_anew(table: str, change: Callable[[str], str]) -> None:
    """Make a table anew by a changed statement, with its rows and indices; nothing refers to it."""
    bind = op.get_bind()
    described = sa.text("SELECT type, sql FROM sqlite_master WHERE tbl_name = :name AND sql IS NOT NULL ORDER BY type DESC")
    (_, made), *indices = bind.execute(described, {"name": table}).all()
    columns = ", ".join(row.name for row in bind.execute(sa.text(f"PRAGMA table_info({table})")))
    op.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    bind.exec_driver_sql(change(made))
    op.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM old_{table}")
    op.execute(f"DROP TABLE old_{table}")
    for _, index in indices:
        bind.exec_driver_sql(index)


def upgrade() -> None:
    """Add words, a column and three tables."""
    op.bulk_insert(sa.table("reason", sa.column("word", sa.String)), [{"word": word} for word in _REASONS])
    _check("reservation", _RESERVED, _RESERVED + _NEW_RESERVED)
    _check("request", _FETCHED, (*_FETCHED, "licence"))
    note = "Why it counts though it cannot be read, or the conditions of its policy."
    if op.get_bind().dialect.name == "sqlite":
        made = "CONSTRAINT pk_reservation"
        _make_anew("reservation", lambda sql: sql.replace(made, f"note VARCHAR(200), {made}"))
    else:
        op.add_column("reservation", sa.Column("note", sa.String(200), comment=note))
    op.create_table(
        "rights_file",
        sa.Column("url", sa.String(500), nullable=False, comment="URL of the file."),
        sa.Column("origin", sa.String(300), nullable=False, comment="Origin for whose pages it was requested."),
        sa.Column("kind", sa.String(20), nullable=False, comment="What it is."),
        sa.Column("http_status", sa.SmallInteger(), comment="HTTP status of the latest response; NULL if there was none."),
        sa.Column("reason", sa.String(300), comment="Why there is no body, or that of an earlier response."),
        sa.Column("body", sa.LargeBinary(), comment="The file as it was received."),
        sa.Column("fetched_at", _MOMENT, nullable=False, comment="Time of the latest request for it, in UTC."),
        sa.Column("expires_at", _MOMENT, nullable=False, comment="Time from which it is requested again, in UTC."),
        sa.PrimaryKeyConstraint("url", name="pk_rights_file"),
        sa.CheckConstraint(_one_of("kind", _FILES), name=op.f("ck_rights_file_kind")),
        comment="Licences (RSL), policies (ODRL) and other files that origins declare, as they were last received.",
    )
    op.create_index("ix_rights_file_origin", "rights_file", ["origin"])
    op.create_table(
        "origin_statement",
        sa.Column("id", _ROW_ID, nullable=False, comment="Number of the statement."),
        sa.Column("origin", sa.String(300), nullable=False, comment="scheme://host, with the port where it is not the default."),
        sa.Column("place", sa.String(40), nullable=False, comment="Where it was declared, such as robots.txt Content-Signal."),
        sa.Column("statement", sa.Text(), nullable=False, comment="The words of the publisher."),
        sa.Column("first_seen_at", _MOMENT, nullable=False, comment="Time at which it was seen first, in UTC."),
        sa.Column("last_seen_at", _MOMENT, nullable=False, comment="Latest time at which it was seen, in UTC."),
        sa.Column("ended_at", _MOMENT, comment="Time at which it was no longer declared, in UTC; NULL: it still holds."),
        sa.PrimaryKeyConstraint("id", name="pk_origin_statement"),
        comment="What origins declare for all their pages, and when; rows stay when a declaration ends.",
    )
    op.create_index("ix_origin_statement_origin", "origin_statement", ["origin", "ended_at"])
    op.create_table(
        "removal",
        sa.Column("id", _ROW_ID, nullable=False, comment="Number of the request."),
        sa.Column("pattern", sa.String(500), nullable=False, comment="URL, in which * stands for anything."),
        sa.Column("reason", sa.Text(), nullable=False, comment="Who asked for it, when and why."),
        sa.Column("requested_at", _MOMENT, nullable=False, comment="Time at which it was entered, in UTC."),
        sa.Column("articles", sa.Integer(), nullable=False, comment="Number of articles that were removed."),
        sa.PrimaryKeyConstraint("id", name="pk_removal"),
        sa.UniqueConstraint("pattern", name="uq_removal_pattern"),
        comment="Requests for removal by operators of portals; their pages are not fetched or stored again.",
    )


def downgrade() -> None:
    """Remove them, with what is said in the new words."""
    for table in ("removal", "origin_statement", "rights_file"):
        op.drop_table(table)
    op.execute(f"DELETE FROM reservation WHERE {_one_of('kind', _NEW_RESERVED)}")
    op.execute("DELETE FROM request WHERE kind = 'licence'")
    op.drop_column("reservation", "note")
    _check("reservation", _RESERVED + _NEW_RESERVED, _RESERVED)
    _check("request", (*_FETCHED, "licence"), _FETCHED)
