"""Decisions by a publisher's opt-outs and the operator's purposes: store the text, follow the links, keep copies."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from newscrawler.article import Reservation, Reserved
from newscrawler.errors import PageReason

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


class Purpose(StrEnum):
    """A use of texts that operators declare and publishers reserve."""

    #: Linguistics, social science, statistics: the results are patterns and counts.
    TEXT_ANALYSIS = "text-analysis"
    #: An index that leads users to the pages.
    SEARCH = "search"
    #: Training or fine-tuning of generative models.
    AI_TRAIN = "ai-train"
    #: Input of a generative model: retrieval, grounding, summaries.
    AI_INPUT = "ai-input"
    #: Copies that are kept and shown unchanged.
    ARCHIVE = "archive"


#: Wording for use in sentences.
PHRASES: Mapping[Purpose, str] = {
    Purpose.TEXT_ANALYSIS: "text analysis", Purpose.SEARCH: "search", Purpose.AI_TRAIN: "training of AI models",
    Purpose.AI_INPUT: "input of AI models", Purpose.ARCHIVE: "archiving",
}  # fmt: skip
_ALL = frozenset(Purpose)
#: Which uses each word reserves; of several words the earlier one is given as the reason.
RESERVES: Mapping[Reserved, frozenset[Purpose]] = {
    Reserved.TDM: _ALL,
    Reserved.NOINDEX: _ALL,
    Reserved.UNAVAILABLE_AFTER: _ALL,
    Reserved.ANY_USE: _ALL,
    Reserved.TEXT_ANALYSIS: frozenset({Purpose.TEXT_ANALYSIS}),
    Reserved.SEARCH: frozenset({Purpose.SEARCH}),
    Reserved.AI_TRAIN: frozenset({Purpose.AI_TRAIN}),
    Reserved.AI_INPUT: frozenset({Purpose.AI_INPUT}),
    Reserved.REPRODUCTION: frozenset({Purpose.ARCHIVE, Purpose.AI_INPUT, Purpose.AI_TRAIN}),
    Reserved.NOARCHIVE: frozenset({Purpose.ARCHIVE}),
}
#: Reservations under Article 4(3) of Directive (EU) 2019/790, which do not bind scientific research under Article 3.
ARTICLE_4 = frozenset({
    Reserved.TDM, Reserved.ANY_USE, Reserved.TEXT_ANALYSIS, Reserved.SEARCH, Reserved.AI_TRAIN, Reserved.AI_INPUT,
    Reserved.REPRODUCTION,
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """The declaration of the crawler's operator."""

    purposes: frozenset[Purpose] = frozenset({Purpose.TEXT_ANALYSIS})
    #: The provision under which the operator does research (`research = true`); None without research.
    legal_basis: str | None = None

    def is_bound_by(self, word: Reserved, purpose: Purpose) -> bool:
        """Return whether a reservation counts for a purpose. Those of Article 4 do not bind research by text analysis."""
        if purpose not in RESERVES.get(word, ()):
            return False
        return not (self.legal_basis and purpose is Purpose.TEXT_ANALYSIS and word in ARTICLE_4)


def list_reserving_words(purpose: Purpose, intent: Intent) -> frozenset[Reserved]:
    """Return the words that reserve a purpose. Exports for it leave out articles with one of these words."""
    return frozenset(word for word in RESERVES if intent.is_bound_by(word, purpose))


@dataclass(frozen=True, slots=True, kw_only=True)
class RightsDecision:
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


def decide_rights(
    reservations: Sequence[Reservation], disregard: Collection[str], now: datetime, intent: Intent | None = None
) -> RightsDecision:
    """Return the decision on a page. Its text is refused where every purpose of the corpus is reserved.

    Args:
        reservations: of one page.
        disregard: words of DISREGARDABLE that do not count for this portal.
        now: unavailable_after applies from its date on.
        intent: purposes of the corpus; None: text analysis.
    """
    intent = intent or Intent()
    holding = {item.word: item for item in reversed(reservations) if item.word not in disregard and is_effective(item, now)}
    reserved = {
        purpose: next(holding[word] for word in RESERVES if word in holding and intent.is_bound_by(word, purpose))
        for purpose in Purpose
        if any(intent.is_bound_by(word, purpose) for word in holding)
    }
    refused = all(purpose in reserved for purpose in intent.purposes)
    because = next(reserved[purpose] for purpose in Purpose if purpose in intent.purposes) if refused else None
    return RightsDecision(
        refusal=_REFUSALS.get(because.word, PageReason.USE_RESERVED) if because else None,
        because=because,
        follows_links=Reserved.NOFOLLOW not in holding,
        keeps_copies=because is None and _NO_COPIES.isdisjoint(holding),
        reserved=tuple(reserved.items()),
    )


def is_effective(reservation: Reservation, now: datetime) -> bool:
    """Return whether a reservation counts already. A date that cannot be read never arrives."""
    if reservation.word is not Reserved.UNAVAILABLE_AFTER:
        return not reservation.granted
    return reservation.from_at is not None and reservation.from_at <= now


def explain_reservation(reservation: Reservation, disregard: Collection[str], now: datetime, intent: Intent) -> str:
    """Return one sentence: the statement, its place, the rule that applies, and the consequence."""
    said = f"The publisher says {reservation.said!r} in {reservation.place}"
    said += f" ({reservation.note})" if reservation.note else ""
    if reservation.word in disregard:
        return f"{said}; `disregard` names {reservation.word} for this portal, so nothing follows."
    if not is_effective(reservation, now):
        return f"{said}; it reserves nothing{' yet' if reservation.from_at and reservation.from_at > now else ''}."
    uses = [purpose for purpose in Purpose if purpose in RESERVES.get(reservation.word, ())]
    if not uses:
        return f"{said}: {reservation.word}; texts may be stored."
    named = "any use" if len(uses) == len(Purpose) else " and ".join(PHRASES[use] for use in uses)
    bound = [use for use in uses if intent.is_bound_by(reservation.word, use)]
    if intent.legal_basis and len(bound) < len(uses):
        named += f", but research under {intent.legal_basis} is free to analyse"
    decision = decide_rights([reservation], disregard, now, intent)
    left_out = f", and left out of exports for {', '.join(bound)}" if decision.reserved else ""
    follows = "the text is not stored" if decision.refusal is not None else f"the text is stored{left_out}"
    return f"{said}, which reserves {named}; {follows}."
