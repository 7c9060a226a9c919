"""Portals, and the crawls of them."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Integer, String, Table

from newscrawler.store.tables.base import METADATA, UtcDateTime

#: A portal that was crawled at least once.
PORTAL = Table(
    "portal",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), unique=True, nullable=False),
    #: Counts the nights: a run that follows a finished one begins a new round, one that follows a broken one goes on.
    Column("round", Integer, default=0, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    #: What crawls found out of it as a whole: how it writes dates, what it answers where there is no page.
    Column("learned", JSON(none_as_null=True)),
)


#: One crawl of one portal by one process.
RUN = Table(
    "run",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("portal_id", ForeignKey("portal.id"), index=True, nullable=False),
    Column("round", Integer, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("heartbeat_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    Column("ended_because", String(200)),
    Column("host", String(255), nullable=False),
    #: Boot and namespace of process numbers: where `pid` means something.
    Column("machine", String(400)),
    Column("pid", Integer, nullable=False),
    #: In ticks since the machine started: a number that was given anew is another process.
    Column("process_began", BigInteger),
    Column("version", String(40), nullable=False),
    Column("counts", JSON, default=dict, nullable=False),
)
