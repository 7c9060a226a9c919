"""Which pages of a site to learn from: a share of them, taken evenly over time.

Source: S. Pogorilyy, A. Kramov (see `newscrawler.research.site_methods.trinity`), who learn from 20 % of the pages in the order of
their dates, so that the layouts of all years are among them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

T = TypeVar("T")


class Choice(StrEnum):
    """How pages to learn from are chosen."""

    EVENLY = "evenly"
    NEWEST = "newest"
    RANDOM = "random"


def choose_pages(pages: Sequence[T], *, share: float, least: int = 2, choice: Choice = Choice.EVENLY, seed: int = 0) -> list[T]:
    """Choose a share of pages, given in the order of their dates; they stay in that order."""
    if choice is Choice.EVENLY:
        return spread(pages, share=share, least=least)
    count = min(len(pages), max(least, round(share * len(pages))))
    if choice is Choice.NEWEST:
        return list(pages[len(pages) - count :])
    chosen = sorted(random.Random(seed).sample(range(len(pages)), count))  # noqa: S311 - no secret
    return [pages[place] for place in chosen]


def spread(pages: Sequence[T], *, share: float = 0.2, least: int = 2) -> list[T]:
    """Choose pages at even distances, the first and the last among them.

    Args:
        pages: in the order of their dates.
        share: of the pages, 0 to 1.
        least: how many to choose at least, if there are as many.
    """
    count = min(len(pages), max(least, round(share * len(pages))))
    if count < 2:
        return list(pages[:count])
    return [pages[round(place * (len(pages) - 1) / (count - 1))] for place in range(count)]
