"""Log lines of runs, and the outcomes of the URLs that they fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Engine, delete, func, insert, select

from newscrawler.store.database import translated
from newscrawler.store.tables import FRONTIER, PORTAL, RUN_LOG
from newscrawler.store.vocabularies import LogLevel, UrlState

if TYPE_CHECKING:
    from newscrawler.store.service.runs import RunRecord

KEPT_DAYS = 90
_STATUS = re.compile(r"HTTP (\d{3})")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One line."""

    at: datetime
    level: LogLevel
    message: str
    #: 0: not stored yet.
    id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunUrl:
    """A URL whose last fetch was by a given run."""

    url: str
    outcome: str | None
    reason: str | None
    detail: str | None
    http_status: int | None
    fetched_at: datetime
    article_id: int | None


class RunLog:
    """The logs of all runs."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, run_id: int, lines: Iterable[LogLine], *, now: datetime) -> None:
        """Append lines and delete old ones."""
        rows = [{"run_id": run_id, "logged_at": line.at, "level": str(line.level), "message": line.message} for line in lines]
        with translated(self._engine), self._engine.begin() as connection:
            connection.execute(delete(RUN_LOG).where(RUN_LOG.c.logged_at < now - timedelta(days=KEPT_DAYS)))
            if rows:
                connection.execute(insert(RUN_LOG), rows)

    def lines(self, run_id: int, *, after_id: int = 0, limit: int = 200) -> list[LogLine]:
        """Return the newest lines of a run, oldest first; `after_id`: only those after this one."""
        query = select(RUN_LOG).where((RUN_LOG.c.run_id == run_id) & (RUN_LOG.c.id > after_id))
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            rows = connection.execute(query.order_by(RUN_LOG.c.id.desc()).limit(limit)).all()
        return [LogLine(id=row.id, at=row.logged_at, level=LogLevel(row.level), message=row.message) for row in reversed(rows)]

    def waiting(self, portal: str) -> int:
        """Count the URLs of a portal that are still to be fetched."""
        states = (str(UrlState.WAITING), str(UrlState.FETCHING))
        query = select(func.count()).select_from(FRONTIER.join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id))
        query = query.where((PORTAL.c.name == portal) & FRONTIER.c.state.in_(states))
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return connection.execute(query).scalar_one()

    def fetched(self, run: RunRecord, *, reason: str = "", limit: int = 100) -> list[RunUrl]:
        """Return URLs that a run fetched, newest first; `reason`: only those counted under this word in its figures."""
        until = run.ended_at or datetime.now(UTC) + timedelta(days=1)
        query = (
            select(*(FRONTIER.c[name] for name in RunUrl.__slots__))
            .join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id)
            .where((PORTAL.c.name == run.portal) & FRONTIER.c.fetched_at.between(run.started_at, until))
            .order_by(FRONTIER.c.fetched_at.desc())
            .limit(limit)
        )
        if status := _STATUS.fullmatch(reason):
            query = query.where(FRONTIER.c.http_status == int(status[1]))
        elif reason:
            query = query.where(FRONTIER.c.reason == reason.partition(": ")[0])
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [RunUrl(**row._mapping) for row in connection.execute(query)]  # noqa: SLF001  SQLAlchemy's public name for it
