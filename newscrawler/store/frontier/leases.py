"""Leases: one run at a time owns a portal, and keeps its claimed URLs until it ends.

The run's id is the fencing token: ids only grow, and each transaction of a run first checks that the run is still open.
A successor closes a run that it considers dead. If that run resumes later, it can no longer write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, select, update

from newscrawler.errors import LeaseLostError
from newscrawler.store.database import clock, fill_record
from newscrawler.store.hosts import Process
from newscrawler.store.tables import FRONTIER, RUN
from newscrawler.store.vocabularies import KILLED, UrlState, end_values

#: A run without a heartbeat for this long is dead, on whatever machine.
DEAD_AFTER = timedelta(seconds=120)
#: Tolerated difference between clocks.
SAME_CLOCK = timedelta(seconds=2)
#: Built once, because each transaction runs it; it prevents others from closing the run until the transaction ends.
_OPEN = select(RUN.c.ended_at).where(RUN.c.id == bindparam("run")).with_for_update(read=True)
_KEEP_COUNTS = update(RUN).where(RUN.c.id == bindparam("run"))


def fence(connection: Connection, run_id: int) -> None:
    """Check that a run is still open, and prevent a takeover until the transaction ends.

    Raises:
        LeaseLostError: it was taken over.
    """
    row = connection.execute(_OPEN, {"run": run_id}).first()
    if row is None or row.ended_at is not None:
        raise LeaseLostError(
            f"run {run_id} gave no sign of life for a while, so another process has taken it over; this one ends, and what it "
            "had in hand is fetched by the other"
        )


def keep_counts(connection: Connection, run_id: int, counts: Mapping[str, Any], *, now: datetime) -> None:
    """Store the figures of a run, which is also its heartbeat; they survive the process."""
    beat = {"heartbeat_at": shared_time(connection, now), "counts": dict(counts)}
    connection.execute(_KEEP_COUNTS, {"run": run_id, **beat})


def release_leases(connection: Connection, run_ids: Sequence[int]) -> None:
    """Requeue all URLs claimed by these runs."""
    connection.execute(
        update(FRONTIER)
        .where(FRONTIER.c.run_id.in_(run_ids) & (FRONTIER.c.state == UrlState.FETCHING))
        .values(state=UrlState.WAITING, run_id=None)
    )


def close_killed(connection: Connection, row: Row[Any]) -> None:
    """Close a run whose process died, and requeue its URLs."""
    release_leases(connection, [row.id])
    connection.execute(update(RUN).where(RUN.c.id == row.id).values(ended_at=row.heartbeat_at, **end_values(KILLED)))


def requeue(connection: Connection, which: ColumnElement[bool], **values: Any) -> None:
    """Let URLs wait to be fetched again, with further new values."""
    connection.execute(update(FRONTIER).where(which).values(state=UrlState.WAITING, retry_at=None, **values))


def shared_time(connection: Connection, now: datetime) -> datetime:
    """Convert a time of this machine's clock to the database's, by which machines judge each other's heartbeats."""
    ahead = clock(connection) - datetime.now(UTC)
    return now + ahead if abs(ahead) > SAME_CLOCK else now


def is_alive(row: Row[Any], now: datetime) -> bool:
    """Return whether an open run is alive: its process exists, where that is visible, and its heartbeat is recent."""
    process = fill_record(Process, row)
    if process.is_here() and not process.exists():
        return False
    return bool(now - row.heartbeat_at < DEAD_AFTER)
