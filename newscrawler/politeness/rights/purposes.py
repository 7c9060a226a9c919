"""Purposes of a corpus, and the reservations that concern each use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from newscrawler.article import Reserved


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
    Purpose.TEXT_ANALYSIS: "text analysis",
    Purpose.SEARCH: "search",
    Purpose.AI_TRAIN: "training of AI models",
    Purpose.AI_INPUT: "input of AI models",
    Purpose.ARCHIVE: "archiving",
}
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


def words_reserving(purpose: Purpose, intent: Intent) -> frozenset[Reserved]:
    """Return the words that reserve a purpose. Exports for it leave out articles with one of these words."""
    return frozenset(word for word in RESERVES if intent.is_bound_by(word, purpose))
