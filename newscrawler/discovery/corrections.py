"""Which articles to fetch again to find corrections early: a nightly budget, spent where a change is most likely.

What a portal is known to change, and how long after publication, gives a rate for each age of its articles: a gamma prior around
the rate of all ages, which falls slowly with the age. An article's probability of an unseen change is what its rate adds
up to since it was last fetched; those with the highest probability are fetched again. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Protocol

#: Fetched again in a night, of each article that may be; of a large portal no more than this of the articles of a fortnight.
LOOKS_PER_ARTICLE = 0.3
_FORTNIGHT = timedelta(days=14)
#: Minimum of a crawl, and of a night of a small portal.
LEAST_LOOKS, LEAST_CAP = 3, 100
#: Not again so soon after the last time.
SHORTEST = timedelta(hours=3)
#: Ages, in days, between which the rate is taken for constant.
_AGES = (0.0, 0.5, 1.5, 4.0, 10.0, 30.0, 3650.0)
#: The rate of each age is that of all, more for a new article, until about as many changes speak against it. Of a portal of which
#: nothing is known one change in so many article-days is expected.
_YOUNG, _EVENTS, _PRIOR_DAYS = 2.0, 5.0, 50.0
_DAY_SECONDS = 86_400.0


class LookedAt(Protocol):
    """An article that may be fetched again."""

    @property
    def published_at(self) -> datetime | None:
        """None: it is not known."""
        ...

    @property
    def first_seen_at(self) -> datetime:
        """Return when its address was found."""
        ...

    @property
    def looked_at(self) -> datetime:
        """Return when it was fetched last."""
        ...

    @property
    def corrected_at(self) -> datetime | None:
        """Return when its last change was found."""
        ...


@dataclass(frozen=True, slots=True)
class CorrectionRates:
    """Changes a day and article, by the age of the article."""

    rates: tuple[float, ...]

    @classmethod
    def of(cls, articles: Sequence[LookedAt]) -> CorrectionRates:
        """Estimate them from a portal's articles: changes found, over the time in which they would have been."""
        days, changes = [0.0] * (len(_AGES) - 1), [0] * (len(_AGES) - 1)
        for article in articles:
            for bucket, share in enumerate(_shares(_age(article, article.first_seen_at), _age(article, article.looked_at))):
                days[bucket] += share
            if article.corrected_at is not None:
                changes[_bucket(_age(article, article.corrected_at))] += 1
        overall = (1 + sum(changes)) / (_PRIOR_DAYS + sum(days))
        priors = [overall * (1 + _YOUNG / (1 + age)) for age in _AGES[:-1]]
        known = zip(priors, days, changes, strict=True)
        return cls(tuple((_EVENTS + found) / (_EVENTS / prior + watched) for prior, watched, found in known))

    def probability(self, article: LookedAt, now: datetime) -> float:
        """Return the probability that an article has changed since it was fetched."""
        shares = _shares(_age(article, article.looked_at), _age(article, now))
        return 1 - math.exp(-sum(rate * share for rate, share in zip(self.rates, shares, strict=True)))


def chosen(articles: Sequence[LookedAt], now: datetime, *, days: float) -> list[int]:
    """Choose the articles to fetch again; returns their places in the sequence, the likeliest first.

    Args:
        articles: those that may be.
        now: aware.
        days: since the last crawl; hourly crawls share the budget of a night.
    """
    recent = sum(_born(article) >= now - _FORTNIGHT for article in articles)
    night = min(LOOKS_PER_ARTICLE * len(articles), max(LEAST_CAP, LOOKS_PER_ARTICLE * recent))
    budget = max(LEAST_LOOKS, math.floor(night * min(1.0, days)))
    rates = CorrectionRates.of(articles)
    due = [place for place, article in enumerate(articles) if now - article.looked_at >= SHORTEST]
    return sorted(due, key=lambda place: -rates.probability(articles[place], now))[:budget]


def _born(article: LookedAt) -> datetime:
    return min(article.published_at or article.first_seen_at, article.first_seen_at)


def _age(article: LookedAt, moment: datetime) -> float:
    """Return the age in days at a moment."""
    return max(0.0, (moment - _born(article)).total_seconds() / _DAY_SECONDS)


def _shares(begin: float, end: float) -> tuple[float, ...]:
    """Return how much of the time between two ages lies in each bucket, in days."""
    return tuple(max(0.0, min(end, high) - max(begin, low)) for low, high in pairwise(_AGES))


def _bucket(age: float) -> int:
    return next((place for place, high in enumerate(_AGES[1:]) if age < high), len(_AGES) - 2)
