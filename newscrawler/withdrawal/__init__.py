"""Articles that are not to be kept any more: which they are, and how everything of them is removed."""

from __future__ import annotations

from newscrawler.withdrawal.purge import forget_in_wrappers, purge, purge_withdrawn, remove_matching
from newscrawler.withdrawal.standing import Standing, Withdrawn, disregarded, standing

__all__ = [
    "Standing",
    "Withdrawn",
    "disregarded",
    "forget_in_wrappers",
    "purge",
    "purge_withdrawn",
    "remove_matching",
    "standing",
]
