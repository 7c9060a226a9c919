"""Revisit policy of sections, feeds and sitemaps: by how often they list new articles.

Pure: the history and the clock come in as arguments. New articles of a source are taken for a Poisson process whose rate changes
slowly: what was seen long ago counts less (half after two weeks), and before anything was seen one article a day is expected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

_MINUTE, _HOUR, _DAY = 60.0, 3_600.0, 86_400.0

SHORTEST_SECONDS = 15 * _MINUTE
LONGEST_SECONDS = 14 * _DAY
#: A visit is due when so many new articles are expected.
WANTED = 1.0
#: No two nightly runs begin, or reach a page, at the same minute: a visit is due a quarter of its time earlier, at most this.
MOST_EARLY_SECONDS = 6 * _HOUR
#: Visits that are kept of a source; older ones hardly count.
MOST_VISITS = 20
HALF_LIFE_SECONDS = 14 * _DAY
#: What is expected of a source before anything was seen: this article in so many seconds; longer for one far from the start.
PRIOR_ARTICLES = 1.0
PRIOR_SECONDS = _DAY
PRIOR_SECONDS_FAR = 4 * _DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One visit to a section, feed or sitemap."""

    at: datetime
    #: Articles that it brought and that were not known before.
    fresh: int = 0

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            msg = f"at is {self.at!r}, which has no offset"
            raise ValueError(msg)


def articles_per_day(visits: Sequence[Visit], now: datetime, *, prior_seconds: float = PRIOR_SECONDS) -> float:
    """Estimate how many new articles a source brings in a day.

    The first visit brings what gathered before; it says nothing about the rate and only starts the clock.

    Args:
        visits: in any order.
        now: aware.
        prior_seconds: in which one article is expected before anything was seen.
    """
    ordered = sorted(visits, key=lambda visit: visit.at)
    articles, seconds = PRIOR_ARTICLES, prior_seconds
    for earlier, later in pairwise(ordered):
        weight = 0.5 ** (max(0.0, (now - later.at).total_seconds()) / HALF_LIFE_SECONDS)
        articles += weight * later.fresh
        seconds += weight * (later.at - earlier.at).total_seconds()
    return articles / seconds * _DAY


def next_visit_seconds(visits: Sequence[Visit], now: datetime, *, prior_seconds: float = PRIOR_SECONDS) -> float:
    """Give the seconds from now until a source is to be visited again; 0: it is due.

    Args:
        visits: its history, in any order; empty: due at once.
        now: aware.
        prior_seconds: as for `articles_per_day`.
    """
    if not visits:
        return 0.0
    latest = max(visit.at for visit in visits)
    wait = WANTED / articles_per_day(visits, now, prior_seconds=prior_seconds) * _DAY
    wait = min(max(wait, SHORTEST_SECONDS), LONGEST_SECONDS)
    wait -= min(wait / 4, MOST_EARLY_SECONDS)
    return max(0.0, wait - (now - latest).total_seconds())
