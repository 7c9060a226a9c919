"""Drift checks of portals: the figures of each run and the limits that they violated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Row, delete, insert, select

from newscrawler.store.database import translated
from newscrawler.store.tables import DRIFT_CHECK, PORTAL


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftCheck:
    """The drift check of one run of one portal."""

    portal: str
    round: int
    #: The version of the template that read the pages; None: no template.
    template: int | None
    figures: Mapping[str, Any]
    #: One sentence for each violated limit.
    broken: tuple[str, ...]
    #: The action taken.
    done: str
    at: datetime


class DriftChecks:
    """The drift checks of all portals."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, portal: str, *, limit: int = 30) -> list[DriftCheck]:
        """Return a portal's drift checks, newest first."""
        query = (
            select(DRIFT_CHECK, PORTAL.c.name.label("portal"))
            .select_from(DRIFT_CHECK.join(PORTAL))
            .where(PORTAL.c.name == portal)
            .order_by(DRIFT_CHECK.c.round.desc())
            .limit(limit)
        )
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [_drift_check(row) for row in connection.execute(query)]

    def note(
        self,
        portal: str,
        round_number: int,
        *,
        template: int | None,
        figures: Mapping[str, Any],
        broken: Sequence[str],
        done: str,
        now: datetime,
    ) -> None:
        """Store the drift check of a run; replace an earlier one of the same run."""
        with translated(self._engine), self._engine.begin() as connection:
            portal_id = connection.execute(select(PORTAL.c.id).where(PORTAL.c.name == portal)).scalar_one()
            connection.execute(
                delete(DRIFT_CHECK).where((DRIFT_CHECK.c.portal_id == portal_id) & (DRIFT_CHECK.c.round == round_number))
            )
            values = {
                "portal_id": portal_id,
                "round": round_number,
                "template_version": template,
                "figures": dict(figures),
                "violations": list(broken),
                "action": done,
                "checked_at": now,
            }
            connection.execute(insert(DRIFT_CHECK).values(values))


def _drift_check(row: Row[Any]) -> DriftCheck:
    return DriftCheck(
        portal=row.portal,
        round=row.round,
        template=row.template_version,
        figures=row.figures,
        broken=tuple(row.violations),
        done=row.action,
        at=row.checked_at,
    )
