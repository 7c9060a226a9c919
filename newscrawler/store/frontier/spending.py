"""Adds up what the runs of one night have used of a portal's budgets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, func, select

from newscrawler.store.database import translated
from newscrawler.store.tables import FETCH, PORTAL, RUN

#: Kinds of the fetch log that are pages.
_PAGES = ("page", "part", "alternate", "rendering")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Amounts used since a time."""

    pages: int = 0
    bytes: int = 0
    seconds: float = 0.0
    articles: int = 0


def spent_since(engine: Engine, portal: str, since: datetime, *, but_run: int | None = None) -> Spent:
    """Add up what runs that began since then have used; pages and bytes by the log of requests, which a killed run leaves too.

    Args:
        engine: of the database.
        portal: its name.
        since: aware.
        but_run: a run to leave out, because it counts itself.
    """
    asked = (
        select(func.count(), func.coalesce(func.sum(FETCH.c.bytes), 0))
        .join(PORTAL, PORTAL.c.id == FETCH.c.portal_id)
        .where((PORTAL.c.name == portal) & (FETCH.c.sent_at >= since) & FETCH.c.kind.in_(_PAGES))
    )
    runs = (
        select(RUN.c.started_at, RUN.c.ended_at, RUN.c.heartbeat_at, RUN.c.counts)
        .join(PORTAL, PORTAL.c.id == RUN.c.portal_id)
        .where((PORTAL.c.name == portal) & (RUN.c.started_at >= since))
    )
    if but_run is not None:
        asked = asked.where(FETCH.c.run_id.is_distinct_from(but_run))
        runs = runs.where(RUN.c.id != but_run)
    with translated(engine), engine.connect().execution_options(reading=True) as connection:
        pages, size = connection.execute(asked).one()
        rows = connection.execute(runs).all()
    return Spent(
        pages=pages,
        bytes=int(size),
        seconds=sum(((row.ended_at or row.heartbeat_at) - row.started_at).total_seconds() for row in rows),
        articles=sum(row.counts.get("new_articles", 0) for row in rows),
    )
