"""The watched figures of portals, night by night, and whether they broke their limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Row, delete, insert, select

from newscrawler.store.database import translated
from newscrawler.store.tables import DRIFT_CHECK, PORTAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One round of one portal."""

    portal: str
    round: int
    #: The version of the wrapper that the pages were read with; None: none.
    wrapper: int | None
    figures: Mapping[str, Any]
    #: What broke its limit, a sentence each; empty: nothing.
    broken: tuple[str, ...]
    #: What was done about it.
    done: str
    at: datetime


class Nights:
    """The nights of all portals."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, portal: str, *, limit: int = 30) -> list[Night]:
        """A portal's nights, newest first."""
        query = (
            select(DRIFT_CHECK, PORTAL.c.name.label("portal"))
            .select_from(DRIFT_CHECK.join(PORTAL))
            .where(PORTAL.c.name == portal)
            .order_by(DRIFT_CHECK.c.round.desc())
            .limit(limit)
        )
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [_night(row) for row in connection.execute(query)]

    def note(
        self,
        portal: str,
        round_number: int,
        *,
        wrapper: int | None,
        figures: Mapping[str, Any],
        broken: Sequence[str],
        done: str,
        now: datetime,
    ) -> None:
        """Write down a night, in place of what was written of the same round before."""
        with translated(self._engine), self._engine.begin() as connection:
            portal_id = connection.execute(select(PORTAL.c.id).where(PORTAL.c.name == portal)).scalar_one()
            connection.execute(
                delete(DRIFT_CHECK).where((DRIFT_CHECK.c.portal_id == portal_id) & (DRIFT_CHECK.c.round == round_number))
            )
            values = {
                "portal_id": portal_id,
                "round": round_number,
                "template_version": wrapper,
                "figures": dict(figures),
                "violations": list(broken),
                "action": done,
                "checked_at": now,
            }
            connection.execute(insert(DRIFT_CHECK).values(values))


def _night(row: Row[Any]) -> Night:
    return Night(
        portal=row.portal,
        round=row.round,
        wrapper=row.template_version,
        figures=row.figures,
        broken=tuple(row.violations),
        done=row.action,
        at=row.checked_at,
    )
