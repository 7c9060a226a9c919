"""Which pages of a site to learn from: a share of them, taken evenly over time.

Source: S. Pogorilyy, A. Kramov (see `newscrawler.wrappers.trinity`), who learn from 20 % of the pages in the order of their
dates, so that the layouts of all years are among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


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
