"""Limits that end a run before its queue is empty, checked between requests; pure.

`max_…` limits one run; `night_…` limits all runs of a day (from noon, or with the
window), so that hourly runs together keep to the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from newscrawler.config import Portal
from newscrawler.errors import counted
from newscrawler.politeness import Window
from newscrawler.store.service import BudgetUse
from newscrawler.store.vocabularies import EndReason, RunEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is."""

    #: Aware.
    now: datetime
    #: Since the run began.
    seconds: float
    requests: int
    bytes: int
    new_articles: int


@dataclass(frozen=True, slots=True)
class InWindow:
    """The portal's window."""

    window: Window
    zone: ZoneInfo

    def check(self, progress: Progress) -> RunEnd | None:
        """Return the end when the window is closed; a run that begins outside it ends at once."""
        if self.window.closes_at(progress.now, self.zone) is not None:
            return None
        closed_at = self.window.latest(progress.now, self.zone)[1]
        opens_at = self.window.following(progress.now, self.zone)[0].astimezone(self.zone)
        began_at = progress.now - timedelta(seconds=progress.seconds)
        closed = "" if began_at >= closed_at else f"closed at {closed_at.astimezone(self.zone):%H:%M}, "
        return RunEnd(EndReason.WINDOW, f"{closed}opens {opens_at:%Y-%m-%d %H:%M} ({self.zone.key})")


@dataclass(frozen=True, slots=True)
class Budget:
    """A budget of a run or of a day."""

    reason: EndReason
    most: float
    #: In the singular.
    unit: str
    of_run: Callable[[Progress], float]
    #: Spent by earlier runs of the day.
    used: float = 0.0

    def check(self, progress: Progress) -> RunEnd | None:
        """Return the end when the budget is spent."""
        if self.used + self.of_run(progress) < self.most:
            return None
        return RunEnd(self.reason, counted(self.most, self.unit) + (" for a night" if self.reason is EndReason.BUDGET else ""))


Limit = InWindow | Budget


def list_limits(portal: Portal, spent: BudgetUse | None = None) -> tuple[Limit, ...]:
    """Return the limits of a portal, in the order in which they are checked; `spent`: by earlier runs of this day."""
    spent = spent or BudgetUse()
    table: list[tuple[str, Callable[[Progress], float], float | None, float | None, float]] = [
        ("page", lambda run: run.requests, portal.max_pages, portal.night_pages, spent.pages),
        ("article", lambda run: run.new_articles, portal.max_articles, portal.night_articles, spent.articles),
        ("minute", lambda run: run.seconds / 60, portal.max_minutes, portal.night_minutes, spent.seconds / 60),
        ("megabyte", lambda run: run.bytes / 2**20, None, portal.night_megabytes, spent.bytes / 2**20),
    ]
    windows = [InWindow(portal.window, ZoneInfo(portal.time_zone))] if portal.window is not None else []
    of_run = [Budget(EndReason.LIMIT, most, unit, amount) for unit, amount, most, _, _ in table if most is not None]
    of_night = [Budget(EndReason.BUDGET, most, unit, amount, used) for unit, amount, _, most, used in table if most is not None]
    return (*windows, *of_run, *of_night)


def find_reached_limit(limits: Iterable[Limit], progress: Progress) -> RunEnd | None:
    """Return the end by the first limit that is reached; None: go on."""
    return next((because for limit in limits if (because := limit.check(progress))), None)
