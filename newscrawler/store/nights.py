"""The watched figures of portals, night by night, and whether they broke their limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Row, delete, insert, select

from newscrawler.store.database import translated
from newscrawler.store.tables import NIGHT, PORTAL


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
            select(NIGHT, PORTAL.c.name.label("portal"))
            .select_from(NIGHT.join(PORTAL))
            .where(PORTAL.c.name == portal)
            .order_by(NIGHT.c.round.desc())
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
            connection.execute(delete(NIGHT).where((NIGHT.c.portal_id == portal_id) & (NIGHT.c.round == round_number)))
            values = {
                "portal_id": portal_id,
                "round": round_number,
                "wrapper": wrapper,
                "figures": dict(figures),
                "broken": list(broken),
                "done": done,
                "at": now,
            }
            connection.execute(insert(NIGHT).values(values))


def _night(row: Row[Any]) -> Night:
    return Night(
        portal=row.portal,
        round=row.round,
        wrapper=row.wrapper,
        figures=row.figures,
        broken=tuple(row.broken),
        done=row.done,
        at=row.at,
    )
