"""Back-off: how long a host is paused after a failure, and when it is suspended."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum

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


class FailureScope(Enum):
    """Whose failure it is."""

    #: The host's: name not found, connection refused, robots.txt unreachable, 429.
    HOST = "host"
    #: The page's or the host's: a truncated answer, a timeout, 503.
    UNSURE = "unsure"
    #: The page's.
    PAGE = "page"


def pause_after(
    failures: int, *, delay_seconds: float, retry_after_seconds: float | None = None, never_answered: bool = False
) -> tuple[float, bool]:
    """Return the seconds to pause after a failure, and whether the host is suspended.

    Args:
        failures: in a row, this one included.
        delay_seconds: between two requests to the host; the first pause is not shorter.
        retry_after_seconds: by Retry-After; None: not given.
        never_answered: the host has never answered.
    """
    asked = retry_after_seconds or 0.0
    if asked > LONGEST_RETRY_AFTER_SECONDS or (failures >= MOST_FAILURES and not never_answered):
        return max(SUSPENSION.total_seconds(), min(asked, 2 * SUSPENSION.total_seconds())), True
    doubled = max(FIRST_PAUSE_SECONDS, delay_seconds) * 2.0 ** min(max(failures, 1) - 1, 30)
    return max(asked, min(doubled, LONGEST_PAUSE_SECONDS)), False


def price_of(field: str | None) -> str:
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
