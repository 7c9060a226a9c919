"""How many articles there were, estimated from what two independent sources both brought (capture and recapture).

Chapman's estimator (1951), with Chao's interval (1987), which never falls below what was found. It holds if both sources could
have brought each article and do so independently. Feeds and sitemaps are made by the same program from the same list, so they
count as one source and the links of pages as the other; if one source favours what the other favours too (articles on the front
page), the estimate is too low. Restrict both to the same time (the articles of one night).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

#: Two-sided 95 % of the normal distribution.
_Z = 1.959964
#: Sources whose lists come from one program.
PUBLISHED_LISTS = frozenset({"feed", "sitemap"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness:
    """How many articles there were, and how many of them were found."""

    #: Found by any source.
    found: int
    #: Estimated, found ones included.
    total: float
    #: 95 % interval of `total`.
    low: float
    high: float
    #: Found by the first source, by the second, by both.
    first: int
    second: int
    both: int

    @property
    def missed(self) -> float:
        """Estimated number of articles that no source brought."""
        return self.total - self.found

    @property
    def share(self) -> float:
        """Estimated share of the articles that was found, 0 to 1."""
        return self.found / self.total if self.total else 1.0


def completeness(first: int, second: int, both: int) -> Completeness | None:
    """Estimate from two independent sources; None where one of them is empty: nothing can be said.

    Args:
        first: how many articles one source brought.
        second: how many the other.
        both: how many both.
    """
    if not first or not second:
        return None
    found = first + second - both
    total = (first + 1) * (second + 1) / (both + 1) - 1
    unseen = max(0.0, total - found)
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    low, high = float(found), float(max(total, found))
    if unseen > 0:
        spread = math.exp(_Z * math.sqrt(math.log(1 + variance / unseen**2)))
        low, high = found + unseen / spread, found + unseen * spread
    return Completeness(found=found, total=found + unseen, low=low, high=high, first=first, second=second, both=both)


def completeness_of(articles: Mapping[frozenset[str], int]) -> Completeness | None:
    """Estimate from named sources ("links", "feed", "sitemap"): the lists that the portal publishes against the rest.

    Args:
        articles: how many were brought by just these sources, by the sources.
    """
    listed = {sources: number for sources, number in articles.items() if PUBLISHED_LISTS & sources}
    walked = {sources: number for sources, number in articles.items() if sources - PUBLISHED_LISTS}
    both = sum(number for sources, number in listed.items() if sources in walked)
    return completeness(sum(walked.values()), sum(listed.values()), both)
