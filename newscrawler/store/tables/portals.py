"""Portals, the crawl runs of them, and the vocabulary of reasons."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime, one_of
from newscrawler.store.vocabularies import EndReason, LogLevel

PORTAL = Table(
    "portal",
    METADATA,
    Column("id", Integer, primary_key=True, comment="Number of the portal."),
    Column("name", String(200), unique=True, nullable=False, comment="Name of the portal in newscrawler.toml."),
    Column(
        "round",
        Integer,
        default=0,
        nullable=False,
        comment="Number of the current round: the runs from one that starts afresh to one that leaves nothing to fetch.",
    ),
    Column("created_at", UtcDateTime, nullable=False, comment="Time at which the portal was first crawled or scheduled, in UTC."),
    Column(
        "learned", JSON(none_as_null=True), comment="What crawls have learned of the whole portal, such as its way to write dates."
    ),
    comment="Portals that were crawled or scheduled.",
)


RUN = Table(
    "run",
    METADATA,
    Column("id", Integer, primary_key=True, comment="Number of the run; a later run has a larger one (fencing token)."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal that was crawled."),
    Column("round", Integer, nullable=False, comment="Round of the portal; a resumed run has the round of the run before."),
    Column("started_at", UtcDateTime, nullable=False, comment="Start, in UTC."),
    Column("heartbeat_at", UtcDateTime, nullable=False, comment="Latest sign of life, in UTC."),
    Column("ended_at", UtcDateTime, comment="End, in UTC; NULL while the run is under way."),
    Column("end_reason", String(20), comment="Why the run ended; NULL while it is under way."),
    Column("end_detail", Text, comment="What the reason is about, such as a host or an error."),
    Column("host", String(255), nullable=False, comment="Name of the machine."),
    Column("machine", String(400), comment="Boot and process namespace in which `pid` is valid."),
    Column("pid", Integer, nullable=False, comment="Number of the process."),
    Column("process_started", BigInteger, comment="Start of the process, in clock ticks since the machine started."),
    Column("version", String(40), nullable=False, comment="Version of newscrawler."),
    Column("counts", JSON, default=dict, nullable=False, comment="Figures of the run as a JSON object; v_run shows the main ones."),
    Index("ix_run_portal", "portal_id", "id"),
    Index("ix_run_open", "ended_at"),
    one_of("end_reason", EndReason),
    comment="Crawl runs: one row for each crawl of one portal by one process.",
)


RUN_LOG = Table(
    "run_log",
    METADATA,
    Column("id", RowId, primary_key=True, comment="Number of the line."),
    Column("run_id", ForeignKey("run.id", ondelete="CASCADE"), nullable=False, comment="Run."),
    Column("logged_at", UtcDateTime, nullable=False, comment="Time of the line, in UTC."),
    Column("level", String(10), nullable=False, comment="How serious it is."),
    Column("message", Text, nullable=False, comment="The line."),
    Index("ix_run_log_run", "run_id", "id"),
    Index("ix_run_log_logged", "logged_at"),
    one_of("level", LogLevel),
    comment="Lines that runs wrote to their log, 2,000 a run at most; rows older than 90 days are deleted.",
)


REASON = Table(
    "reason",
    METADATA,
    Column("word", String(60), primary_key=True, comment="The reason as commands show it."),
    comment="Vocabulary of reasons why a URL gave no article or a request failed.",
)
