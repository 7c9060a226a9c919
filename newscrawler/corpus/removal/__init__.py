"""Removal of articles that may not be kept any more."""

from __future__ import annotations

from newscrawler.corpus.removal.disregarded import disregarded
from newscrawler.corpus.removal.removal import forget_in_templates, purge, purge_withdrawn, remove_matching

__all__ = [
    "disregarded",
    "forget_in_templates",
    "purge",
    "purge_withdrawn",
    "remove_matching",
]
