"""Delays between requests to a host: the gap, longer if the host is slow, and back-off after failures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum
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
#: Doubled with each failure in a row.
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 600.0
#: Longest Retry-After; a host that asks for more is suspended.
LONGEST_RETRY_AFTER_SECONDS = 3600.0
#: Failures in a row after which a host is suspended: 1 + 2 + … + 128 times the delay, about four minutes with a delay of 1 s.
MOST_FAILURES = 9
#: The same for a host that has never answered, which is more likely a mistyped address than a host that is down.
MOST_FAILURES_AT_FIRST = 3
#: Length of a suspension; longer than a run.
SUSPENSION = timedelta(hours=12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a host has been answering."""

    #: Factor of the delay, 1 to MOST_SLOWDOWN.
    slowdown: float = 1.0
    #: None: not known.
    response_seconds: float | None = None

    def note_answer(self, seconds: float, *, delay_seconds: float) -> Pace:
        """Return the pace after an answer: the gap grows if the host is slow, and shrinks again slowly."""
        mean = seconds if self.response_seconds is None else self.response_seconds + _LATEST * (seconds - self.response_seconds)
        slow = mean > max(SLOW_SECONDS, delay_seconds / 2)
        factor = self.slowdown * (_RISES_WHEN_SLOW if slow else _FALLS)
        return replace(self, slowdown=min(MOST_SLOWDOWN, max(1.0, factor)), response_seconds=mean)

    def note_failure(self) -> Pace:
        """Return the pace after a server error or a timeout."""
        return replace(self, slowdown=min(MOST_SLOWDOWN, self.slowdown * _RISES_WITH_ERRORS))

    def gap_seconds(self, delay_seconds: float) -> float:
        """Return the least gap between two requests."""
        return max(delay_seconds, min(delay_seconds * self.slowdown, LONGEST_GAP_SECONDS))


def add_jitter(gap_seconds: float, random_source: Random) -> float:
    """Return a gap with jitter, never shorter than given."""
    return gap_seconds * (1.0 + JITTER * random_source.random())


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredGaps:
    """Measured gaps between requests, in seconds."""

    requests: int
    #: When the first of them was sent; None: there was none.
    since: datetime | None
    #: None: there were not two.
    smallest_seconds: float | None = None
    median_seconds: float | None = None


def measure_gaps(sent_at: Sequence[datetime]) -> MeasuredGaps:
    """Return the gaps between all requests to one host."""
    moments = sorted(sent_at)
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(moments)]
    return MeasuredGaps(
        requests=len(moments), since=moments[0] if moments else None, smallest_seconds=min(gaps, default=None),
        median_seconds=median(gaps) if gaps else None,
    )  # fmt: skip


class FailureScope(Enum):
    """The party at fault."""

    #: The host's: name not found, connection refused, robots.txt unreachable, 429.
    HOST = "host"
    #: The page's or the host's: a truncated answer, a timeout, 503.
    UNSURE = "unsure"
    #: The page's.
    PAGE = "page"


def compute_pause(
    failures: int, *, delay_seconds: float, retry_after_seconds: float | None = None, never_answered: bool = False
) -> tuple[float, bool]:
    """Return the seconds to pause after a failure, and whether the host is suspended.

    Args:
        failures: in a row, this one included.
        delay_seconds: between two requests to the host; the first pause is not shorter.
        retry_after_seconds: by Retry-After; None: not given.
        never_answered: the host has never answered.
    """
    requested = retry_after_seconds or 0.0
    if requested > LONGEST_RETRY_AFTER_SECONDS or (failures >= MOST_FAILURES and not never_answered):
        return max(SUSPENSION.total_seconds(), min(requested, 2 * SUSPENSION.total_seconds())), True
    doubled = max(FIRST_PAUSE_SECONDS, delay_seconds) * 2.0 ** min(max(failures, 1) - 1, 30)
    return max(requested, min(doubled, LONGEST_PAUSE_SECONDS)), False


def read_price(field: str | None) -> str:
    """Return the price of a page as the host states it."""
    return f"crawler-price: {field.strip()[:60]}" if field and field.strip() else "no price is named"


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Return Retry-After in seconds, from a number or a date (RFC 9110, section 10.2.3); None: missing or invalid."""
    if not value:
        return None
    value = value.strip()
    if value.isascii() and value.isdecimal():
        digits = value.lstrip("0")[:9]
        return float(digits) if digits else 0.0
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    return max(0.0, (moment - now).total_seconds())
