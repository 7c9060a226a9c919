"""How complete a month is: capture and recapture between two lists of its articles that do not come from the same program."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from newscrawler.discovery import Basis, Completeness, NoEstimate, Overlap, estimate_total

#: Lists by their origin: sitemaps, feeds and APIs are made by one program of one table; archive pages and links show what editors
#: left there; a web archive knows what others linked.
ORIGINS = {"feed": "published lists", "sitemap": "published lists", "posts": "published lists", "archive": "archive pages",
           "links": "links", "copies": "web archive"}  # fmt: skip


def estimate_month(by_sources: Mapping[frozenset[str], int], *, waiting: int = 0) -> Completeness | NoEstimate:
    """Estimate the articles of a month from the two lists of different origins that name the most together.

    Args:
        by_sources: stored articles by the lists that named them.
        waiting: articles that are still to be fetched.

    Returns:
        the estimate, or why there is none.
    """
    if waiting:
        return NoEstimate.QUEUE
    counts = {frozenset(ORIGINS[name] for name in names): 0 for names in by_sources}
    for names, number in by_sources.items():
        counts[frozenset(ORIGINS[name] for name in names)] += number
    found = sum(counts.values())
    if not found:
        return NoEstimate.NO_ARTICLE
    pairs = [_compare(counts, *pair) for pair in combinations(sorted(set(ORIGINS.values())), 2)]
    usable = [pair for pair in pairs if pair.reason_against is None]
    if not usable:
        reasons = [pair.reason_against for pair in pairs]
        order = (NoEstimate.FEW_IN_COMMON, NoEstimate.CONTAINED, NoEstimate.ONE_SOURCE)
        return next(reason for reason in order if reason in reasons)
    best = estimate_total(max(usable, key=lambda pair: (pair.found, pair.both)), Basis.MONTH)
    return Completeness(
        basis=Basis.MONTH, found=found, total=max(best.total, found), low=max(best.low, found), high=max(best.high, found)
    )


def _compare(counts: Mapping[frozenset[str], int], first: str, second: str) -> Overlap:
    return Overlap(
        first=sum(number for names, number in counts.items() if first in names),
        second=sum(number for names, number in counts.items() if second in names),
        both=sum(number for names, number in counts.items() if first in names and second in names),
    )
