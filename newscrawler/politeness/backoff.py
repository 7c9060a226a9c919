"""How long a host is paused after a failure, and when it is suspended until the next night."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum

#: Doubled with each failure in a row.
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 600.0
#: Retry-After is honoured up to this; a host that asks for more is suspended.
LONGEST_RETRY_AFTER_SECONDS = 3600.0
#: Failures in a row after which a host is suspended: 1 + 2 + … + 128 seconds, about four minutes.
MOST_FAILURES = 9
#: A host that has never answered anything is more likely a mistyped address than a host that is down.
MOST_FAILURES_AT_FIRST = 3
#: The next night begins later than this.
SUSPENSION = timedelta(hours=12)
#: With a price (`crawler-price`) the host asks for money for each page: it says no to who does not pay.
PAYMENT_REQUIRED = 402


class FailureScope(Enum):
    """What a failure says about the host."""

    #: The host itself: not found, refuses connections, keeps its robots.txt back, says that it is asked too much.
    HOST = "host"
    #: The page, or the host: an answer that broke off, a time that ran out, 503.
    UNSURE = "unsure"
    #: The page.
    PAGE = "page"


def pause_after(
    failures: int, *, delay_seconds: float, retry_after_seconds: float | None = None, never_answered: bool = False
) -> tuple[float, bool]:
    """Return for how many seconds to pause after a failure, and whether the host is suspended until the next night.

    Args:
        failures: in a row, this one included.
        delay_seconds: between two requests to the host; the first pause is not shorter.
        retry_after_seconds: as long as the host asks, where it does.
        never_answered: the host has never answered anything.
    """
    asked = retry_after_seconds or 0.0
    if asked > LONGEST_RETRY_AFTER_SECONDS or (failures >= MOST_FAILURES and not never_answered):
        return max(SUSPENSION.total_seconds(), min(asked, 2 * SUSPENSION.total_seconds())), True
    doubled = max(FIRST_PAUSE_SECONDS, delay_seconds) * 2.0 ** min(max(failures, 1) - 1, 30)
    return max(asked, min(doubled, LONGEST_PAUSE_SECONDS)), False


def price_of(field: str | None) -> str:
    """Return what a host asks for a page, as it says it."""
    return f"crawler-price: {field.strip()[:60]}" if field and field.strip() else "no price is named"


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Retry-After in seconds, a number or a date (RFC 9110, section 10.2.3); None: it says nothing that can be read."""
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
