"""What the nightly service remembers: turns, alerts, digests, exports, and which process it is."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Column, Index, Integer, SmallInteger, String, Table, Text, UniqueConstraint

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime

#: The one process that sees to everything; there is one row at most.
SERVICE = Table(
    "service",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("host", String(255), nullable=False),
    Column("machine", String(400), nullable=False),
    Column("pid", Integer, nullable=False),
    Column("process_began", BigInteger),
    Column("started_at", UtcDateTime, nullable=False),
    Column("beat_at", UtcDateTime, nullable=False),
    #: None while it runs.
    Column("ended_at", UtcDateTime),
    #: What is wrong with it, such as a configuration that was refused; empty: nothing.
    Column("trouble", Text, nullable=False),
)


#: A portal that the service sees to; its missed turns count from here.
WATCH = Table(
    "watch",
    METADATA,
    Column("portal", String(200), primary_key=True),
    Column("since", UtcDateTime, nullable=False),
)


#: One time at which a portal was to be crawled, and what became of it.
TURN = Table(
    "turn",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal", String(200), nullable=False),
    Column("label", String(40), nullable=False),
    Column("planned_at", UtcDateTime, nullable=False),
    Column("state", String(12), nullable=False),
    Column("attempts", SmallInteger, nullable=False),
    Column("began_at", UtcDateTime),
    Column("ended_at", UtcDateTime),
    Column("because", String(300), nullable=False),
    UniqueConstraint("portal", "label"),
    Index("ix_turn_planned", "portal", "planned_at"),
)


#: A trouble from its beginning to its end, and who was told of either.
ALERT = Table(
    "alert",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal", String(200), nullable=False),
    Column("trouble", String(40), nullable=False),
    Column("sentence", Text, nullable=False),
    Column("began_at", UtcDateTime, nullable=False),
    Column("over_at", UtcDateTime),
    #: Names of the ways by which its beginning and its end were told.
    Column("told", JSON, nullable=False),
    Column("told_over", JSON, nullable=False),
    Index("ix_alert_portal", "portal", "over_at"),
)


#: A day's digest, and by which ways it was sent.
DIGEST = Table(
    "digest",
    METADATA,
    Column("day", String(10), primary_key=True),
    Column("sent_at", UtcDateTime, nullable=False),
    Column("told", JSON, nullable=False),
)


#: A file that an export of the configuration has written.
EXPORT = Table(
    "export",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("name", String(100), nullable=False),
    Column("path", Text, nullable=False),
    Column("written_at", UtcDateTime, nullable=False),
    Column("articles", Integer, nullable=False),
    #: The newest article that was there; the next export of what is new begins behind it.
    Column("last_article_id", RowId, nullable=False),
    Index("ix_export_name", "name", "id"),
)
