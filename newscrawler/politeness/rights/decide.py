"""Decide by a publisher's reservations and the operator's purpose: store the text, follow the links, keep copies."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from newscrawler.article import Reservation, Reserved
from newscrawler.errors import PageReason
from newscrawler.politeness.rights.purposes import PHRASES, RESERVES, Intent, Purpose

#: rel=nofollow of single links; counted, but not stored with the page.
LINKS = "nofollow-links"
#: Words that a portal's setting `disregard` may name.
DISREGARDABLE = (*(str(word) for word in Reserved), LINKS)
_REFUSALS = {
    Reserved.TDM: PageReason.TDM_RESERVED,
    Reserved.NOINDEX: PageReason.NOINDEX,
    Reserved.UNAVAILABLE_AFTER: PageReason.EXPIRED,
}
_NO_COPIES = frozenset({Reserved.NOARCHIVE, Reserved.REPRODUCTION})


class Verdict(StrEnum):
    """What happens to a text."""

    ALLOWED = "allowed"
    #: Stored although reserved for other uses: exports for those uses leave it out.
    NOTED = "kept with a note"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The permitted uses of a page."""

    #: Why its text may not be stored; None if it may.
    refusal: PageReason | None = None
    #: The reservation that decided.
    because: Reservation | None = None
    follows_links: bool = True
    #: Whether copies besides the text may be kept: the page as received, earlier texts.
    keeps_copies: bool = True
    #: Uses that are reserved, each with the reservation.
    reserved: tuple[tuple[Purpose, Reservation], ...] = ()

    @property
    def statement(self) -> str:
        """Return the publisher's statement and its place."""
        return f"{self.because.said} ({self.because.place})" if self.because else ""

    @property
    def verdict(self) -> Verdict:
        """Return the decision in one word."""
        if self.refusal is not None:
            return Verdict.REFUSED
        return Verdict.NOTED if self.reserved else Verdict.ALLOWED


def decide(
    reservations: Sequence[Reservation], disregard: Collection[str], now: datetime, intent: Intent | None = None
) -> Decision:
    """Return the decision on a page. Its text is refused where every purpose of the corpus is reserved.

    Args:
        reservations: of one page.
        disregard: words of DISREGARDABLE that do not count for this portal.
        now: unavailable_after applies from its date on.
        intent: what the corpus is for; None: text analysis.
    """
    intent = intent or Intent()
    holding = {item.word: item for item in reversed(reservations) if item.word not in disregard and holds(item, now)}
    reserved = {
        purpose: next(holding[word] for word in RESERVES if word in holding and intent.is_bound_by(word, purpose))
        for purpose in Purpose
        if any(intent.is_bound_by(word, purpose) for word in holding)
    }
    refused = all(purpose in reserved for purpose in intent.purposes)
    because = next(reserved[purpose] for purpose in Purpose if purpose in intent.purposes) if refused else None
    return Decision(
        refusal=_REFUSALS.get(because.word, PageReason.USE_RESERVED) if because else None,
        because=because,
        follows_links=Reserved.NOFOLLOW not in holding,
        keeps_copies=because is None and _NO_COPIES.isdisjoint(holding),
        reserved=tuple(reserved.items()),
    )


def holds(reservation: Reservation, now: datetime) -> bool:
    """Return whether a reservation counts already. A date that cannot be read never arrives."""
    if reservation.word is not Reserved.UNAVAILABLE_AFTER:
        return not reservation.granted
    return reservation.from_at is not None and reservation.from_at <= now


def explain(reservation: Reservation, disregard: Collection[str], now: datetime, intent: Intent) -> str:
    """Return one sentence: the statement, its place, the rule that applies, and the consequence."""
    said = f"The publisher says {reservation.said!r} in {reservation.place}"
    said += f" ({reservation.note})" if reservation.note else ""
    if reservation.word in disregard:
        return f"{said}; `disregard` names {reservation.word} for this portal, so nothing follows."
    if not holds(reservation, now):
        return f"{said}; it reserves nothing{' yet' if reservation.from_at and reservation.from_at > now else ''}."
    uses = [purpose for purpose in Purpose if purpose in RESERVES.get(reservation.word, ())]
    if not uses:
        return f"{said}: {reservation.word}; texts may be stored."
    named = "any use" if len(uses) == len(Purpose) else " and ".join(PHRASES[use] for use in uses)
    bound = [use for use in uses if intent.is_bound_by(reservation.word, use)]
    if intent.legal_basis and len(bound) < len(uses):
        named += f", but research under {intent.legal_basis} is free to analyse"
    decision = decide([reservation], disregard, now, intent)
    follows = {
        Verdict.REFUSED: "the text is not stored",
        Verdict.NOTED: f"the text is stored, and left out of exports for {', '.join(bound)}",
        Verdict.ALLOWED: "the text is stored",
    }[decision.verdict]
    return f"{said}, which reserves {named}; {follows}."
