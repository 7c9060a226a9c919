"""What ends a run before nothing is left: a list of limits, asked between any two requests.

A limit is a small pure object: it holds what was configured, is told how far the run is, and answers why the run is to end,
or None. A new kind of limit is a class here and a line in `limits_of`.

`max_…` counts one run; `night_…` counts all runs of a night, so that whoever crawls every hour asks no more than was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from newscrawler.config.portal import Portal
from newscrawler.politeness.window import Window
from newscrawler.store.outcomes import EndReason, RunEnd
from newscrawler.store.spending import Spent


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
    #: URLs that are let go and whose outcome is not known yet.
    in_hand: int

    def at_best(self) -> Progress:
        """How far it will be if all that is in hand are new articles."""
        return replace(self, new_articles=self.new_articles + self.in_hand, in_hand=0)


class Limit(Protocol):
    """One reason to end a run."""

    def reached(self, progress: Progress, /) -> RunEnd | None:
        """Say why the run ends, or None: go on."""
        ...


@dataclass(frozen=True, slots=True)
class MostPages:
    """So many requests."""

    most: int

    def reached(self, progress: Progress, /) -> RunEnd | None:
        """Count what was asked for, whatever came."""
        return RunEnd(EndReason.LIMIT, f"{self.most} pages") if progress.requests >= self.most else None


@dataclass(frozen=True, slots=True)
class MostArticles:
    """So many new articles."""

    most: int

    def reached(self, progress: Progress, /) -> RunEnd | None:
        """Count what was stored."""
        return RunEnd(EndReason.LIMIT, f"{self.most} articles") if progress.new_articles >= self.most else None


@dataclass(frozen=True, slots=True)
class MostMinutes:
    """So long."""

    most: float

    def reached(self, progress: Progress, /) -> RunEnd | None:
        """Count from the beginning of the run."""
        return RunEnd(EndReason.LIMIT, f"{self.most:g} minutes") if progress.seconds >= self.most * 60 else None


@dataclass(frozen=True, slots=True)
class InWindow:
    """Only in the hours of the day that are the portal's."""

    window: Window
    zone: ZoneInfo

    def reached(self, progress: Progress, /) -> RunEnd | None:
        """Close with the window; a run that begins outside it ends at once."""
        if self.window.closes_at(progress.now, self.zone) is not None:
            return None
        closed_at = self.window.latest(progress.now, self.zone)[1]
        opens_at = self.window.following(progress.now, self.zone)[0].astimezone(self.zone)
        began_at = progress.now - timedelta(seconds=progress.seconds)
        told = "" if began_at >= closed_at else f"closed at {closed_at.astimezone(self.zone):%H:%M}, "
        return RunEnd(EndReason.WINDOW, f"{told}opens {opens_at:%Y-%m-%d %H:%M} ({self.zone.key})")


@dataclass(frozen=True, slots=True)
class NightBudget:
    """So much of something for a night, however many runs it has."""

    most: float
    #: What earlier runs of the night have used.
    used: float
    what: str
    of_run: Callable[[Progress], float]

    def reached(self, progress: Progress, /) -> RunEnd | None:
        """Add up the night."""
        is_used = self.used + self.of_run(progress) >= self.most
        return RunEnd(EndReason.BUDGET, f"{self.most:g} {self.what} for a night") if is_used else None


def limits_of(portal: Portal, spent: Spent | None = None) -> tuple[Limit, ...]:
    """What is configured for a portal, in the order in which it is asked.

    Args:
        portal: whose limits are wanted.
        spent: by earlier runs of this night.
    """
    spent = spent or Spent()
    limits: list[Limit] = []
    if portal.window is not None:
        limits.append(InWindow(portal.window, ZoneInfo(portal.time_zone)))
    if portal.max_pages is not None:
        limits.append(MostPages(portal.max_pages))
    if portal.max_articles is not None:
        limits.append(MostArticles(portal.max_articles))
    if portal.max_minutes is not None:
        limits.append(MostMinutes(portal.max_minutes))
    if portal.night_pages is not None:
        limits.append(NightBudget(portal.night_pages, spent.pages, "pages", lambda run: run.requests))
    if portal.night_articles is not None:
        limits.append(NightBudget(portal.night_articles, spent.articles, "articles", lambda run: run.new_articles))
    if portal.night_minutes is not None:
        limits.append(NightBudget(portal.night_minutes, spent.seconds / 60, "minutes", lambda run: run.seconds / 60))
    if portal.night_megabytes is not None:
        limits.append(NightBudget(portal.night_megabytes, spent.bytes / 2**20, "megabytes", lambda run: run.bytes / 2**20))
    return tuple(limits)


def reached(limits: Iterable[Limit], progress: Progress) -> RunEnd | None:
    """Say which limit ends the run: the first of them; None: go on."""
    return next((because for limit in limits if (because := limit.reached(progress))), None)
