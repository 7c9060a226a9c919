"""Workers of a cluster, and the crawls that are dispatched to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)
_OPEN = sa.text("ended_at IS NULL")


def upgrade() -> None:
    """Add both; tables that are there stay as they are, so writers of the schema before go on meanwhile."""
    op.create_table(
        "worker",
        sa.Column("id", _ROW_ID, nullable=False, comment="Number of the worker."),
        sa.Column(
            "name", sa.String(255), nullable=False, comment="Name that the operator gave it; a restarted worker may have the same."
        ),
        sa.Column("host", sa.String(255), nullable=False, comment="Name of the machine."),
        sa.Column("machine", sa.String(400), nullable=False, comment="Boot and process namespace in which `pid` is valid."),
        sa.Column("pid", sa.Integer(), nullable=False, comment="Number of the process."),
        sa.Column("process_started", sa.BigInteger(), comment="Start of the process, in clock ticks since the machine started."),
        sa.Column("version", sa.String(40), nullable=False, comment="Version of newscrawler."),
        sa.Column(
            "places", sa.SmallInteger(), nullable=False, comment="Crawls for which it has memory, those under way included."
        ),
        sa.Column("engine_worker", sa.BigInteger(), comment="Number in `procrastinate_workers`."),
        sa.Column("started_at", _MOMENT, nullable=False, comment="Start, in UTC."),
        sa.Column("heartbeat_at", _MOMENT, nullable=False, comment="Latest sign of life, on the database's clock, in UTC."),
        sa.Column("ended_at", _MOMENT, comment="End, in UTC; NULL while it runs."),
        sa.PrimaryKeyConstraint("id", name="pk_worker"),
        comment="Processes of `newscrawler worker`.",
    )
    op.create_index("ix_worker_open", "worker", ["heartbeat_at"], sqlite_where=_OPEN, postgresql_where=_OPEN)
    op.create_table(
        "crawl_job",
        sa.Column("id", _ROW_ID, nullable=False, comment="Number of the job."),
        sa.Column("portal_id", sa.Integer(), nullable=False, comment="Portal."),
        sa.Column("label", sa.String(40), nullable=False, comment="Which scheduled crawl it is: `scheduled_crawl.label`."),
        sa.Column(
            "priority",
            sa.Integer(),
            nullable=False,
            comment="Higher ones begin first: the sooner a crawl has to begin, the higher.",
        ),
        sa.Column("state", sa.String(10), nullable=False, comment="State of the job."),
        sa.Column("token", sa.Integer(), nullable=False, comment="Fencing token: grows with each worker that takes the job."),
        sa.Column("worker_id", _ROW_ID, comment="Worker that took it last."),
        sa.Column("engine_job", sa.BigInteger(), comment="Number in `procrastinate_jobs` of the message that dispatches it."),
        sa.Column("created_at", _MOMENT, nullable=False, comment="Time of dispatch, on the database's clock, in UTC."),
        sa.Column("started_at", _MOMENT, comment="Time at which a worker took it last, in UTC."),
        sa.Column("heartbeat_at", _MOMENT, comment="Latest sign of life of that worker for this job, in UTC."),
        sa.Column("ended_at", _MOMENT, comment="End, in UTC; NULL while it is open."),
        sa.Column(
            "exit_code", sa.Integer(), comment="Exit code of the crawl, a signal as a negative number; NULL while it is open."
        ),
        sa.Column(
            "stop", sa.String(10), nullable=False, comment="end: it is asked to end; kill: at once; empty: neither."
        ),
        sa.Column(
            "detail", sa.String(300), nullable=False, comment="Why its worker ended it, in words; empty: it came to its own end."
        ),
        sa.PrimaryKeyConstraint("id", name="pk_crawl_job"),
        sa.CheckConstraint("state IN ('waiting', 'running', 'ended')", name=op.f("ck_crawl_job_state")),
        sa.ForeignKeyConstraint(["portal_id"], ["portal.id"], name="fk_crawl_job_portal_id_portal"),
        sa.ForeignKeyConstraint(["worker_id"], ["worker.id"], name="fk_crawl_job_worker_id_worker", ondelete="SET NULL"),
        comment="Crawls that are dispatched to workers; a portal has at most one that is open.",
    )
    op.create_index("uq_crawl_job_open", "crawl_job", ["portal_id"], unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN)
    op.create_index("ix_crawl_job_portal", "crawl_job", ["portal_id", "id"])
    op.create_index("ix_crawl_job_worker", "crawl_job", ["worker_id"])


def downgrade() -> None:
    """Remove them."""
    op.drop_table("crawl_job")
    op.drop_table("worker")
