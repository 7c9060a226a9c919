"""Revisit policy of listings and articles: when to fetch them again.

Sections, feeds and sitemaps: new articles are taken for a Poisson process whose rate changes slowly. Old observations count less
(half after two weeks), and before the first observation one article a day is expected.

Articles, for their corrections: a daily budget, spent where a change is most likely. The changes of a portal's articles give a rate
for each age: a gamma prior around the rate of all ages, which falls slowly with the age. An article's probability of an unseen
change is the sum of its rate since it was last fetched.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
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
#: Expected of a source before the first observation: so many articles in so many seconds; longer for one far from the start.
PRIOR_ARTICLES = 1.0
PRIOR_SECONDS = _DAY
PRIOR_SECONDS_FAR = 4 * _DAY
#: Fetched again in a day, of each article that may be; of a large portal no more than this of the articles of a fortnight.
LOOKS_PER_ARTICLE = 0.3
_FORTNIGHT = timedelta(days=14)
#: Minimum of a crawl, and of a day of a small portal.
LEAST_LOOKS, LEAST_CAP = 3, 100
#: Not again so soon after the last time.
SHORTEST_REST = timedelta(hours=3)
#: Ages, in days, between which the rate is taken for constant.
_AGES = (0.0, 0.5, 1.5, 4.0, 10.0, 30.0, 3650.0)
#: The rate of each age is that of all, more for a new article, until about as many changes speak against it. Of a portal of which
#: nothing is known one change in so many article-days is expected.
_YOUNG, _EVENTS, _PRIOR_DAYS = 2.0, 5.0, 50.0
_DAY_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingVisit:
    """One visit to a section, feed or sitemap."""

    at: datetime
    #: Articles that it brought and that were not known before.
    fresh: int = 0

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            msg = f"at is {self.at!r}, which has no offset"
            raise ValueError(msg)


def estimate_articles_per_day(visits: Sequence[ListingVisit], now: datetime, *, prior_seconds: float = PRIOR_SECONDS) -> float:
    """Estimate how many new articles a source brings in a day.

    The first visit brings older articles; it says nothing about the rate and only starts the clock.

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


def compute_next_visit_seconds(visits: Sequence[ListingVisit], now: datetime, *, prior_seconds: float = PRIOR_SECONDS) -> float:
    """Return the seconds from now until a source is to be visited again; 0: it is due, or was never visited."""
    if not visits:
        return 0.0
    latest = max(visit.at for visit in visits)
    wait = WANTED / estimate_articles_per_day(visits, now, prior_seconds=prior_seconds) * _DAY
    wait = min(max(wait, SHORTEST_SECONDS), LONGEST_SECONDS)
    wait -= min(wait / 4, MOST_EARLY_SECONDS)
    return max(0.0, wait - (now - latest).total_seconds())


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentArticle:
    """An article that may be fetched again for corrections."""

    url_id: int
    first_seen_at: datetime
    looked_at: datetime
    published_at: datetime | None
    #: When its last change was found; None: it has not changed.
    corrected_at: datetime | None


@dataclass(frozen=True, slots=True)
class CorrectionRates:
    """Changes a day and article, by the age of the article."""

    rates: tuple[float, ...]

    @classmethod
    def of(cls, articles: Sequence[RecentArticle]) -> CorrectionRates:
        """Estimate them from a portal's articles: changes found, over the time in which they would have been."""
        days, changes = [0.0] * (len(_AGES) - 1), [0] * (len(_AGES) - 1)
        for article in articles:
            for bucket, share in enumerate(
                _share_by_age(_get_age(article, article.first_seen_at), _get_age(article, article.looked_at))
            ):
                days[bucket] += share
            if article.corrected_at is not None:
                changes[_find_age(_get_age(article, article.corrected_at))] += 1
        overall = (1 + sum(changes)) / (_PRIOR_DAYS + sum(days))
        priors = [overall * (1 + _YOUNG / (1 + age)) for age in _AGES[:-1]]
        known = zip(priors, days, changes, strict=True)
        return cls(tuple((_EVENTS + found) / (_EVENTS / prior + watched) for prior, watched, found in known))

    def probability(self, article: RecentArticle, now: datetime) -> float:
        """Return the probability that an article has changed since it was fetched."""
        shares = _share_by_age(_get_age(article, article.looked_at), _get_age(article, now))
        return 1 - math.exp(-sum(rate * share for rate, share in zip(self.rates, shares, strict=True)))


def choose_corrections(articles: Sequence[RecentArticle], now: datetime, *, days: float) -> list[int]:
    """Choose the articles to fetch again; returns their places in the sequence, the likeliest first.

    Args:
        articles: those that may be.
        now: aware.
        days: since the last crawl; hourly crawls share the budget of a day.
    """
    recent = sum(_get_birth(article) >= now - _FORTNIGHT for article in articles)
    daily = min(LOOKS_PER_ARTICLE * len(articles), max(LEAST_CAP, LOOKS_PER_ARTICLE * recent))
    budget = max(LEAST_LOOKS, math.floor(daily * min(1.0, days)))
    rates = CorrectionRates.of(articles)
    due = [place for place, article in enumerate(articles) if now - article.looked_at >= SHORTEST_REST]
    return sorted(due, key=lambda place: -rates.probability(articles[place], now))[:budget]


def _get_birth(article: RecentArticle) -> datetime:
    return min(article.published_at or article.first_seen_at, article.first_seen_at)


def _get_age(article: RecentArticle, moment: datetime) -> float:
    """Return the age in days at a moment."""
    return max(0.0, (moment - _get_birth(article)).total_seconds() / _DAY_SECONDS)


def _share_by_age(begin: float, end: float) -> tuple[float, ...]:
    """Return how much of the time between two ages lies in each bucket, in days."""
    return tuple(max(0.0, min(end, high) - max(begin, low)) for low, high in pairwise(_AGES))


def _find_age(age: float) -> int:
    return next((place for place, high in enumerate(_AGES[1:]) if age < high), len(_AGES) - 2)
