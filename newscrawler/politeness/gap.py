"""The gap between two requests to a host, longer if it is slow or fails; and the gaps that were measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from random import Random
from statistics import median

#: A gap exceeds its delay by up to this share at random, so that crawlers do not run in step.
JITTER = 0.25
#: Longest gap after slowdowns; a longer configured delay still counts.
LONGEST_GAP_SECONDS = 300.0
MOST_SLOWDOWN = 8.0
#: A mean response time above this and above half of the delay is slow.
SLOW_SECONDS = 2.0
_RISES_WITH_ERRORS = 2.0
_RISES_WHEN_SLOW = 1.25
_FALLS = 0.95
#: Weight of the latest answer in the mean.
_LATEST = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a host has been answering."""

    #: Factor of the delay, 1 to MOST_SLOWDOWN.
    slowdown: float = 1.0
    #: None: not known.
    response_seconds: float | None = None

    def answered(self, seconds: float, *, delay_seconds: float) -> Pace:
        """Return the pace after an answer: the gap grows if the host is slow, and shrinks again slowly."""
        mean = seconds if self.response_seconds is None else self.response_seconds + _LATEST * (seconds - self.response_seconds)
        slow = mean > max(SLOW_SECONDS, delay_seconds / 2)
        factor = self.slowdown * (_RISES_WHEN_SLOW if slow else _FALLS)
        return replace(self, slowdown=min(MOST_SLOWDOWN, max(1.0, factor)), response_seconds=mean)

    def failed(self) -> Pace:
        """Return the pace after a server error or a timeout."""
        return replace(self, slowdown=min(MOST_SLOWDOWN, self.slowdown * _RISES_WITH_ERRORS))

    def gap_seconds(self, delay_seconds: float) -> float:
        """Return the least gap between two requests."""
        return max(delay_seconds, min(delay_seconds * self.slowdown, LONGEST_GAP_SECONDS))


def jittered(gap_seconds: float, random_source: Random) -> float:
    """Return a gap with jitter, never shorter than given."""
    return gap_seconds * (1.0 + JITTER * random_source.random())


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGaps:
    """Measured gaps between requests, in seconds."""

    requests: int
    #: When the first of them was sent; None: there was none.
    since: datetime | None
    #: None: there were not two.
    smallest_seconds: float | None = None
    median_seconds: float | None = None


def kept_gaps(sent_at: Sequence[datetime]) -> KeptGaps:
    """Return the gaps between all requests to one host."""
    moments = sorted(sent_at)
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(moments)]
    return KeptGaps(
        requests=len(moments),
        since=moments[0] if moments else None,
        smallest_seconds=min(gaps, default=None),
        median_seconds=median(gaps) if gaps else None,
    )
