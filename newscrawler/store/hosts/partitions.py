"""The log of requests on PostgreSQL: a partition for each month, so that what is old is dropped as a whole.

A row that is deleted costs as much as one that is written, and vacuum comes back to it; a month that is dropped costs nothing. Rows
of other months, as `newscrawler db copy` brings them, are in the partition `request_default`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, text

from newscrawler.store.tables import FETCH

_INDICES = (
    "CREATE INDEX ix_request_host ON request (host, sent_at)",
    "CREATE INDEX ix_request_portal ON request (portal_id, sent_at)",
    "CREATE INDEX ix_request_sent ON request (sent_at)",
    "CREATE INDEX ix_request_run ON request (run_id) WHERE run_id IS NOT NULL",
)
_CONSTRAINTS = (
    "CONSTRAINT pk_request PRIMARY KEY (id, sent_at)",
    "CONSTRAINT fk_request_portal_id_portal FOREIGN KEY (portal_id) REFERENCES portal (id)",
    "CONSTRAINT fk_request_run_id_run FOREIGN KEY (run_id) REFERENCES run (id) ON DELETE SET NULL",
    "CONSTRAINT fk_request_reason_reason FOREIGN KEY (reason) REFERENCES reason (word)",
)
#: Tables whose rows change all the time: vacuum comes when a fiftieth has changed, and pages leave room for new versions of rows.
_BUSY = {"frontier": 90, "host": 70, "run": 80}


def partition_log(connection: Connection, *, now: datetime) -> None:
    """Make the log a partitioned table, with the rows that it contains; nothing is done on SQLite."""
    if connection.dialect.name != "postgresql":
        return

    def run(statement: str) -> Any:
        return connection.execute(text(statement))

    if run("SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass('request')").scalar():
        return  # the schema was taken back to an earlier one, which writes it as well
    run("ALTER TABLE request RENAME TO request_plain")
    parts = "INCLUDING DEFAULTS INCLUDING COMMENTS INCLUDING CONSTRAINTS"
    run(f"CREATE TABLE request (LIKE request_plain {parts}) PARTITION BY RANGE (sent_at)")
    run("CREATE TABLE request_default PARTITION OF request DEFAULT")
    months = run("SELECT DISTINCT date_trunc('month', sent_at AT TIME ZONE 'UTC') FROM request_plain").scalars().all()
    for month in months:
        _create(connection, month.replace(tzinfo=UTC))
    ensure_partitions(connection, now=now)
    run("INSERT INTO request SELECT * FROM request_plain")  # made like it, so its columns are the same, of whatever schema
    run("ALTER SEQUENCE request_id_seq OWNED BY request.id")
    run("DROP TABLE request_plain")
    for constraint in _CONSTRAINTS:
        run(f"ALTER TABLE request ADD {constraint}")
    for statement in _INDICES:
        run(statement)
    comment = (FETCH.comment or "").replace("'", "''")
    run(f"COMMENT ON TABLE request IS '{comment}'")


def tune_vacuum(connection: Connection) -> None:
    """Let vacuum come often to tables whose rows change all the time; nothing is done on SQLite."""
    if connection.dialect.name != "postgresql":
        return
    for table, fill in _BUSY.items():
        settings = f"fillfactor = {fill}, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02"
        connection.execute(text(f"ALTER TABLE {table} SET ({settings})"))


def ensure_partitions(connection: Connection, *, now: datetime) -> None:
    """Make the partitions of this month and of the next."""
    month = _begin_month(now)
    for each in (month, _add_month(month)):
        if connection.execute(text("SELECT to_regclass(:name)"), {"name": _name_partition(each)}).scalar() is None:
            _create(connection, each)


def drop_partitions(connection: Connection, *, before: datetime) -> list[str]:
    """Drop the months that ended before, and older rows without their own month; return the names of the months."""
    query = text(
        "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'request'::regclass"
    )
    old = [name for name in connection.execute(query).scalars() if (month := _parse_month(name)) and _add_month(month) <= before]
    for name in sorted(old):
        connection.execute(text(f"DROP TABLE {name}"))
    connection.execute(text("DELETE FROM request_default WHERE sent_at < :before"), {"before": before})
    return sorted(old)


def _create(connection: Connection, month: datetime) -> None:
    begin, end = (each.strftime("%Y-%m-%d 00:00:00+00") for each in (month, _add_month(month)))
    name = _name_partition(month)
    bounds = f"FOR VALUES FROM ('{begin}') TO ('{end}')"
    connection.execute(text(f"CREATE TABLE IF NOT EXISTS {name} PARTITION OF request {bounds}"))


def _begin_month(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def _add_month(month: datetime) -> datetime:
    return month.replace(year=month.year + month.month // 12, month=month.month % 12 + 1)


def _name_partition(month: datetime) -> str:
    return f"request_{month:%Y_%m}"


def _parse_month(name: str) -> datetime | None:
    try:
        return datetime.strptime(name, "request_%Y_%m").replace(tzinfo=UTC)
    except ValueError:
        return None
