"""Who changed what, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, insert, select

from newscrawler.store.database import translated
from newscrawler.store.tables import AUDIT


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One change."""

    id: int
    at: datetime
    who: str
    action: str
    subject: str
    detail: str


class Audit:
    """The audit log."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def note(self, *, who: str, action: str, subject: str, detail: str = "", now: datetime) -> None:
        """Append an entry."""
        values = {"at": now, "who": who[:100], "action": action[:40], "subject": subject[:300], "detail": detail[:4000]}
        with translated(self._engine), self._engine.begin() as connection:
            connection.execute(insert(AUDIT).values(values))

    def entries(self, *, before_id: int | None = None, limit: int = 100) -> list[AuditEntry]:
        """Return entries, newest first; `before_id`: only those before this one."""
        query = select(AUDIT).order_by(AUDIT.c.id.desc()).limit(limit)
        if before_id is not None:
            query = query.where(AUDIT.c.id < before_id)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [AuditEntry(**row._mapping) for row in connection.execute(query)]  # noqa: SLF001  SQLAlchemy's public name for it
