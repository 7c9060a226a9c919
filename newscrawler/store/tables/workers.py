"""Records of a cluster: its workers, the crawls that are dispatched to them, and which programs may write this schema."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, SmallInteger, String, Table, text

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime, one_of
from newscrawler.store.vocabularies import CrawlJobState

_OPEN = text("ended_at IS NULL")

WORKER = Table(
    "worker",
    METADATA,
    Column("id", RowId, primary_key=True, comment="Number of the worker."),
    Column("name", String(255), nullable=False, comment="Name that the operator gave it; a restarted worker may have the same."),
    Column("host", String(255), nullable=False, comment="Name of the machine."),
    Column("machine", String(400), nullable=False, comment="Boot and process namespace in which `pid` is valid."),
    Column("pid", Integer, nullable=False, comment="Number of the process."),
    Column("process_started", BigInteger, comment="Start of the process, in clock ticks since the machine started."),
    Column("version", String(40), nullable=False, comment="Version of newscrawler."),
    Column("places", SmallInteger, nullable=False, comment="Crawls for which it has memory, those under way included."),
    Column("engine_worker", BigInteger, comment="Number in `procrastinate_workers`."),
    Column("started_at", UtcDateTime, nullable=False, comment="Start, in UTC."),
    Column("heartbeat_at", UtcDateTime, nullable=False, comment="Latest sign of life, on the database's clock, in UTC."),
    Column("ended_at", UtcDateTime, comment="End, in UTC; NULL while it runs."),
    Index("ix_worker_open", "heartbeat_at", sqlite_where=_OPEN, postgresql_where=_OPEN),
    comment="Processes of `newscrawler worker`.",
)


CRAWL_JOB = Table(
    "crawl_job",
    METADATA,
    Column("id", RowId, primary_key=True, comment="Number of the job."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("label", String(40), nullable=False, comment="Which scheduled crawl it is: `scheduled_crawl.label`."),
    Column("priority", Integer, nullable=False, comment="Higher ones begin first: the sooner a crawl has to begin, the higher."),
    Column("state", String(10), nullable=False, comment="State of the job."),
    Column("token", Integer, nullable=False, comment="Fencing token: grows with each worker that takes the job."),
    Column("worker_id", ForeignKey("worker.id", ondelete="SET NULL"), comment="Worker that took it last."),
    Column("engine_job", BigInteger, comment="Number in `procrastinate_jobs` of the message that dispatches it."),
    Column("created_at", UtcDateTime, nullable=False, comment="Time of dispatch, on the database's clock, in UTC."),
    Column("started_at", UtcDateTime, comment="Time at which a worker took it last, in UTC."),
    Column("heartbeat_at", UtcDateTime, comment="Latest sign of life of that worker for this job, in UTC."),
    Column("ended_at", UtcDateTime, comment="End, in UTC; NULL while it is open."),
    Column("exit_code", Integer, comment="Exit code of the crawl, a signal as a negative number; NULL while it is open."),
    Column("stop", String(10), nullable=False, comment="end: it is asked to end; kill: at once; empty: neither."),
    Column("detail", String(300), nullable=False, comment="Why its worker ended it, in words; empty: it came to its own end."),
    Index("uq_crawl_job_open", "portal_id", unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN),
    Index("ix_crawl_job_portal", "portal_id", "id"),
    Index("ix_crawl_job_worker", "worker_id"),
    one_of("state", CrawlJobState),
    comment="Crawls that are dispatched to workers; a portal has at most one that is open.",
)


SCHEMA_WRITERS = Table(
    "schema_writers",
    METADATA,
    Column("id", Integer, primary_key=True, comment="1."),
    Column("oldest", String(32), nullable=False, comment="Oldest schema whose programs may go on to write this one, as a number."),
    comment="Which earlier programs may use the database while they are replaced; one row.",
)
