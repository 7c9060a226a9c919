"""How long a host is left in peace after trouble, and when it is left alone for the night."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum

#: Doubled with each failure in a row.
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 600.0
#: Retry-After is honoured up to this; a host that asks for more is left alone for the night.
LONGEST_RETRY_AFTER_SECONDS = 3600.0
#: Failures in a row after which a host is left alone for the night: 1 + 2 + … + 128 seconds, about four minutes.
MOST_TROUBLES = 9
#: A host that has never answered anything is more likely an address with a slip than one in trouble.
MOST_TROUBLES_OF_A_STRANGER = 3
#: A night: the next one begins later than this.
LEFT_ALONE = timedelta(hours=12)
#: With a price (`crawler-price`) the host asks for money for each page: it says no to who does not pay.
PAYMENT_REQUIRED = 402


class Trouble(Enum):
    """What a failure says about the host."""

    #: The host itself: not found, refuses connections, keeps its robots.txt back, says that it is asked too much.
    HOST = "host"
    #: The page, or the host: an answer that broke off, a time that ran out, 503.
    UNSURE = "unsure"
    #: The page.
    PAGE = "page"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Nothing is asked of the host for a while."""

    seconds: float
    left_alone: bool = False


def pause_after(troubles: int, *, delay_seconds: float, retry_after_seconds: float | None = None, stranger: bool = False) -> Pause:
    """How long to pause after a failure.

    Args:
        troubles: failures in a row, this one included.
        delay_seconds: between two requests to the host; the first pause is no shorter.
        retry_after_seconds: as long as the host asks, where it does.
        stranger: the host has never answered anything.
    """
    asked = retry_after_seconds or 0.0
    if asked > LONGEST_RETRY_AFTER_SECONDS or (troubles >= MOST_TROUBLES and not stranger):
        return Pause(seconds=max(LEFT_ALONE.total_seconds(), min(asked, 2 * LEFT_ALONE.total_seconds())), left_alone=True)
    doubled = max(FIRST_PAUSE_SECONDS, delay_seconds) * 2.0 ** min(max(troubles, 1) - 1, 30)
    return Pause(seconds=max(asked, min(doubled, LONGEST_PAUSE_SECONDS)))


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
