"""What follows from what a publisher reserved, and from the settings: store the text, follow the links, keep a copy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from newscrawler.article import Reservation, Reserved
from newscrawler.errors import PageReason

#: rel=nofollow of single links; it is counted, not kept with the page.
LINKS = "nofollow-links"
#: What a portal's setting `disregard` may name.
DISREGARDABLE = (*(str(word) for word in Reserved), LINKS)
_REFUSALS = {
    Reserved.TDM: PageReason.TDM_RESERVED,
    Reserved.NOINDEX: PageReason.NOINDEX,
    Reserved.UNAVAILABLE_AFTER: PageReason.EXPIRED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What may be done with a page."""

    #: Why its text may not be stored; None: it may.
    refusal: PageReason | None = None
    #: The reservation that decided it.
    because: Reservation | None = None
    follows_links: bool = True
    #: Copies besides the text itself may be kept: the page as it came, earlier texts.
    keeps_copies: bool = True

    @property
    def told(self) -> str:
        """What was said, and where."""
        return f"{self.because.said} ({self.because.place})" if self.because else ""


def decide(reservations: Sequence[Reservation], disregard: Collection[str], now: datetime) -> Decision:
    """Weigh what was said.

    Args:
        reservations: of one page.
        disregard: words of DISREGARDABLE that do not count for this portal.
        now: unavailable_after holds from its date on.
    """
    holding = {item.word: item for item in reversed(reservations) if item.word not in disregard and holds(item, now)}
    because = next((holding[word] for word in _REFUSALS if word in holding), None)
    return Decision(
        refusal=_REFUSALS[because.word] if because else None,
        because=because,
        follows_links=Reserved.NOFOLLOW not in holding,
        keeps_copies=because is None and Reserved.NOARCHIVE not in holding,
    )


def holds(reservation: Reservation, now: datetime) -> bool:
    """Whether it counts, and already does; a date that cannot be read never comes."""
    if reservation.word is not Reserved.UNAVAILABLE_AFTER:
        return not reservation.granted
    return reservation.from_at is not None and reservation.from_at <= now


def refuses(word: Reserved) -> bool:
    """Whether a page for which this is reserved is not to be stored as text."""
    return word in _REFUSALS
