"""How far the backfill of a portal is: its months, and when it is finished at the present rate."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from newscrawler.store import Store
from newscrawler.store.frontier import MonthProgress
from newscrawler.store.vocabularies import PAST

#: Latest runs that make the rate.
_MOST_RUNS = 21


@dataclass(frozen=True, slots=True, kw_only=True)
class BackfillState:
    """How far a backfill is."""

    portal: str
    #: The earliest first.
    months: Sequence[MonthProgress]
    #: Addresses outside the range, and waiting ones without a day.
    outside: int
    undated: int
    #: Articles a day, by the latest runs; None: it was not run yet.
    per_night: float | None
    #: The day on which nothing waits any more at this rate; None: nothing waits, or there is no rate.
    done_on: date | None
    #: The service carries it out.
    is_scheduled: bool = False

    @property
    def known(self) -> int:
        """Return how many addresses of the range are known."""
        return sum(month.known for month in self.months)

    @property
    def stored(self) -> int:
        """Return how many articles of the range are stored."""
        return sum(month.stored for month in self.months)

    @property
    def waiting(self) -> int:
        """Return how many articles wait."""
        return sum(month.waiting for month in self.months)

    def describe_months(self) -> list[dict[str, Any]]:
        """Return the figures of all months, with their first and last days."""
        last_days = [(each.month + timedelta(days=31)).replace(day=1) - timedelta(days=1) for each in self.months]
        return [
            each.as_dict() | {"first_day": each.month.isoformat(), "last_day": last.isoformat()}
            for each, last in zip(self.months, last_days, strict=True)
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return it for `--json`."""
        return {
            "portal": self.portal, "known": self.known, "stored": self.stored, "waiting": self.waiting, "outside": self.outside,
            "undated": self.undated, "scheduled": self.is_scheduled, "per_night": self.per_night and round(self.per_night, 1),
            "done_on": self.done_on and self.done_on.isoformat(), "months": [month.as_dict() for month in self.months],
        }  # fmt: skip


def list_backfills(store: Store, now: datetime, scheduled: Collection[str] = ()) -> list[BackfillState]:
    """Return how far all backfills are, by portal; `scheduled`: portals whose backfill the service carries out."""
    found = []
    for name in sorted({*store.backfills.portals(), *scheduled}):
        state = read_backfill(store, name, now)
        if state is None and name in scheduled:
            state = BackfillState(portal=name, months=(), outside=0, undated=0, per_night=None, done_on=None)
        found += [replace(state, is_scheduled=name in scheduled)] if state is not None else []
    return found


def read_backfill(store: Store, portal: str, now: datetime) -> BackfillState | None:
    """Return how far the backfill of a portal is; None: it has none."""
    runs = store.runs.latest(portal + PAST, limit=_MOST_RUNS)
    if not runs:
        return None
    since, until = map(date.fromisoformat, runs[0].counts.get("range") or (date.min.isoformat(), date.max.isoformat()))
    months, outside = store.backfills.months(portal, since, until), store.backfills.count_outside(portal)
    days = {(run.started_at - timedelta(hours=12)).date() for run in runs}
    per_night = sum(run.counts.get("new_articles", 0) for run in runs) / len(days)
    waiting = sum(month.waiting for month in months)
    done_on = (now + timedelta(days=-(-waiting // max(1, int(per_night))))).date() if waiting and per_night else None
    return BackfillState(
        portal=portal, months=months, outside=outside.get("outside", 0), undated=outside.get("undated", 0), per_night=per_night,
        done_on=done_on,
    )  # fmt: skip
