"""Who may write: a portal belongs to one run at a time, and what a run has in hand is its own until it ends.

The number of the run is the token: it only grows, and each transaction of a run first makes sure that the run is still open.
A run that was taken for dead is closed by its successor, so one that wakes up again after that can write nothing, whatever
it had in hand and however late it comes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, update

from newscrawler.errors import LeaseLostError
from newscrawler.store.database import clock
from newscrawler.store.processes import Process
from newscrawler.store.tables import FRONTIER, RUN
from newscrawler.store.vocabularies.outcomes import UrlState

#: A run that gave no sign of life for this long is dead, wherever it ran.
DEAD_AFTER = timedelta(seconds=120)
#: Clocks that differ by less agree.
SAME_CLOCK = timedelta(seconds=2)
#: Built once, because each transaction asks it; it keeps others from closing the run until the transaction has ended.
_OPEN = select(RUN.c.ended_at).where(RUN.c.id == bindparam("run")).with_for_update(read=True)


def fence(connection: Connection, run_id: int) -> None:
    """Let a transaction of a run pass; the run cannot be taken over before that has ended.

    Raises:
        LeaseLostError: it was taken over.
    """
    row = connection.execute(_OPEN, {"run": run_id}).first()
    if row is None or row.ended_at is not None:
        msg = (
            f"run {run_id} gave no sign of life for a while, so another process has taken it over; this one ends, and what it "
            "had in hand is fetched by the other"
        )
        raise LeaseLostError(msg)


def keep_counts(connection: Connection, run_id: int, counts: Mapping[str, Any], *, now: datetime) -> None:
    """Note how far a run is, which is a sign of life; the figures outlast the process."""
    beat = {"heartbeat_at": shared_time(connection, now), "counts": dict(counts)}
    connection.execute(update(RUN).where(RUN.c.id == run_id).values(beat))


def release_leases(connection: Connection, run_ids: Sequence[int]) -> None:
    """Let everything wait again that these runs had in hand."""
    connection.execute(
        update(FRONTIER)
        .where(FRONTIER.c.run_id.in_(run_ids) & (FRONTIER.c.state == UrlState.FETCHING))
        .values(state=UrlState.WAITING, run_id=None)
    )


def shared_time(connection: Connection, now: datetime) -> datetime:
    """A moment of this machine's clock on that of the database, by which machines judge each other's signs of life."""
    ahead = clock(connection) - datetime.now(UTC)
    return now + ahead if abs(ahead) > SAME_CLOCK else now


def is_alive(row: Row[Any], now: datetime) -> bool:
    """Say whether an open run is at work: its process exists, where we can see that, and it gave a sign of life of late."""
    process = Process(host=row.host, machine=row.machine, pid=row.pid, began=row.process_started)
    if process.is_here() and not process.exists():
        return False
    return bool(now - row.heartbeat_at < DEAD_AFTER)
