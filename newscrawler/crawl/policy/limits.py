"""Limits that end a run before its queue is empty, checked between requests; pure.

`max_…` limits one run; `night_…` limits all runs of a day (from noon, or with the
window), so that hourly runs together keep to the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from newscrawler.config import Portal
from newscrawler.errors import counted
from newscrawler.politeness import Window
from newscrawler.store.service import BudgetUse
from newscrawler.store.vocabularies import EndReason, RunEnd


@dataclass(frozen=True, slots=True)
class InWindow:
    """The portal's window."""

    window: Window
    zone: ZoneInfo

    def check(self, run: BudgetUse, now: datetime) -> RunEnd | None:
        """Return the end when the window is closed; a run that begins outside it ends at once."""
        if self.window.closes_at(now, self.zone) is not None:
            return None
        closed_at = self.window.latest(now, self.zone)[1]
        opens_at = self.window.following(now, self.zone)[0].astimezone(self.zone)
        began_at = now - timedelta(seconds=run.seconds)
        closed = "" if began_at >= closed_at else f"closed at {closed_at.astimezone(self.zone):%H:%M}, "
        return RunEnd(EndReason.WINDOW, f"{closed}opens {opens_at:%Y-%m-%d %H:%M} ({self.zone.key})")


@dataclass(frozen=True, slots=True)
class Budget:
    """A budget of a run or of a day."""

    reason: EndReason
    most: float
    #: In the singular.
    unit: str
    amount: Callable[[BudgetUse], float]
    #: Spent by earlier runs of the day.
    spent: BudgetUse = field(default_factory=BudgetUse)

    def check(self, run: BudgetUse, _now: datetime) -> RunEnd | None:
        """Return the end when the budget is spent."""
        if self.amount(self.spent) + self.amount(run) < self.most:
            return None
        return RunEnd(self.reason, counted(self.most, self.unit) + (" for a night" if self.reason is EndReason.BUDGET else ""))


Limit = InWindow | Budget


def list_limits(portal: Portal, spent: BudgetUse | None = None) -> tuple[Limit, ...]:
    """Return the limits of a portal, in the order in which they are checked; `spent`: by earlier runs of this day."""
    spent = spent or BudgetUse()
    table: list[tuple[str, Callable[[BudgetUse], float], float | None, float | None]] = [
        ("page", lambda use: use.pages, portal.max_pages, portal.night_pages),
        ("article", lambda use: use.articles, portal.max_articles, portal.night_articles),
        ("minute", lambda use: use.seconds / 60, portal.max_minutes, portal.night_minutes),
        ("megabyte", lambda use: use.bytes / 2**20, None, portal.night_megabytes),
    ]
    windows = [InWindow(portal.window, ZoneInfo(portal.time_zone))] if portal.window is not None else []
    of_run = [Budget(EndReason.LIMIT, most, unit, amount) for unit, amount, most, _ in table if most is not None]
    of_night = [Budget(EndReason.BUDGET, most, unit, amount, spent) for unit, amount, _, most in table if most is not None]
    return (*windows, *of_run, *of_night)


def find_reached_limit(limits: Iterable[Limit], run: BudgetUse, now: datetime) -> RunEnd | None:
    """Return the end by the first limit that is reached; None: go on. `run`: used so far."""
    return next((because for limit in limits if (because := limit.check(run, now))), None)
