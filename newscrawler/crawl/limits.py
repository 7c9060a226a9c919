"""What ends a run before nothing is left: a list of limits, asked between any two requests.

A limit is a small pure object: it holds what was configured, is told how far the run is, and answers why the run is to end,
or None. A new kind of limit (a window of the night, a budget of bytes) is a class here and a line in `limits_of`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from newscrawler.config.portal import Portal


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

    def reached(self, progress: Progress, /) -> str | None:
        """Say why the run ends ("limit: 100 pages"), or None: go on."""
        ...


@dataclass(frozen=True, slots=True)
class MostPages:
    """So many requests."""

    most: int

    def reached(self, progress: Progress, /) -> str | None:
        """Count what was asked for, whatever came."""
        return f"limit: {self.most} pages" if progress.requests >= self.most else None


@dataclass(frozen=True, slots=True)
class MostArticles:
    """So many new articles."""

    most: int

    def reached(self, progress: Progress, /) -> str | None:
        """Count what was stored."""
        return f"limit: {self.most} articles" if progress.new_articles >= self.most else None


@dataclass(frozen=True, slots=True)
class MostMinutes:
    """So long."""

    most: float

    def reached(self, progress: Progress, /) -> str | None:
        """Count from the beginning of the run."""
        return f"limit: {self.most:g} minutes" if progress.seconds >= self.most * 60 else None


def limits_of(portal: Portal) -> tuple[Limit, ...]:
    """What is configured for a portal, in the order in which it is asked."""
    limits: list[Limit] = []
    if portal.max_pages is not None:
        limits.append(MostPages(portal.max_pages))
    if portal.max_articles is not None:
        limits.append(MostArticles(portal.max_articles))
    if portal.max_minutes is not None:
        limits.append(MostMinutes(portal.max_minutes))
    return tuple(limits)


def reached(limits: Iterable[Limit], progress: Progress) -> str | None:
    """Say which limit ends the run: the first of them; None: go on."""
    return next((because for limit in limits if (because := limit.reached(progress))), None)
