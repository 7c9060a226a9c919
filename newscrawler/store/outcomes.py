"""What became of a URL of the frontier, as words of fixed vocabularies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from newscrawler.errors import PageReason


class UrlState(StrEnum):
    """Where a URL of the frontier stands."""

    WAITING = "waiting"
    FETCHING = "fetching"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class UrlOutcome(StrEnum):
    """What fetching a URL showed."""

    ARTICLE = "article"
    LISTING = "listing"
    NOTHING = "nothing"
    REDIRECT = "redirect"
    #: It is as it was the last time (304).
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a URL gave no article, or is not fetched: a word, and what it is about."""

    word: PageReason
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.word}: {self.detail}" if self.detail else str(self.word)


def reason_values(reason: Reason | None) -> dict[str, Any]:
    """Return the columns of the frontier that a reason fills."""
    if reason is None:
        return {"reason": None, "detail": None}
    return {"reason": str(reason.word), "detail": reason.detail[:300] or None}
