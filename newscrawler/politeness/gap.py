"""How long to wait between two requests to a host, more where it has a hard time; and the gaps that were really kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from random import Random
from statistics import median

#: Requests at even intervals come in step with those of others; a gap is longer than its delay by up to this part of it.
JITTER = 0.25
#: The delay grows up to this, whatever goes wrong; a delay that was configured to be longer stays.
LONGEST_GAP_SECONDS = 300.0
MOST_SLOWDOWN = 8.0
#: An answer that takes longer is slow, unless all of this host's do not take half of the delay.
SLOW_SECONDS = 2.0
_RISES_WITH_ERRORS = 2.0
_RISES_WHEN_SLOW = 1.25
_FALLS = 0.95
#: Weight of the latest answer in the mean.
_LATEST = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How a host has been answering."""

    #: The delay is multiplied by this, 1 to MOST_SLOWDOWN.
    slowdown: float = 1.0
    #: None: not known.
    response_seconds: float | None = None

    def answered(self, seconds: float, *, delay_seconds: float) -> Pace:
        """Note an answer: the gap rises where the host is slow, and comes down again slowly."""
        mean = seconds if self.response_seconds is None else self.response_seconds + _LATEST * (seconds - self.response_seconds)
        slow = mean > max(SLOW_SECONDS, delay_seconds / 2)
        factor = self.slowdown * (_RISES_WHEN_SLOW if slow else _FALLS)
        return replace(self, slowdown=min(MOST_SLOWDOWN, max(1.0, factor)), response_seconds=mean)

    def failed(self) -> Pace:
        """Note an error of the server, or silence."""
        return replace(self, slowdown=min(MOST_SLOWDOWN, self.slowdown * _RISES_WITH_ERRORS))

    def gap_seconds(self, delay_seconds: float) -> float:
        """The least gap between two requests."""
        return max(delay_seconds, min(delay_seconds * self.slowdown, LONGEST_GAP_SECONDS))


def jittered(gap_seconds: float, random_source: Random) -> float:
    """A gap, a little longer than asked for and never shorter."""
    return gap_seconds * (1.0 + JITTER * random_source.random())


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGaps:
    """From one request to the next, in seconds."""

    requests: int
    #: When the first of them was sent; None: there was none.
    since: datetime | None
    #: None: there were not two.
    smallest_seconds: float | None = None
    median_seconds: float | None = None


def kept_gaps(sent_at: Sequence[datetime]) -> KeptGaps:
    """Measure the gaps between requests to one host, whoever sent them."""
    moments = sorted(sent_at)
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(moments)]
    return KeptGaps(
        requests=len(moments),
        since=moments[0] if moments else None,
        smallest_seconds=min(gaps, default=None),
        median_seconds=median(gaps) if gaps else None,
    )
