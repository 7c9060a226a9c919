"""Corrections are found within a budget, and the budget goes where a portal is known to correct."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.discovery import (
    LONGEST_SECONDS,
    ListingVisit,
    RecentArticle,
    choose_corrections,
    compute_next_visit_seconds,
    estimate_articles_per_day,
)
from newscrawler.discovery.revisits import LEAST_LOOKS, LOOKS_PER_ARTICLE, SHORTEST_SECONDS

_NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
_DAY = 86_400
NOW = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)


def _history(fresh: list[int], hours: float = 24) -> list[ListingVisit]:
    return [
        ListingVisit(at=_NOW - timedelta(hours=hours * (len(fresh) - 1 - place)), fresh=each) for place, each in enumerate(fresh)
    ]


def test_what_was_never_visited_is_due():
    assert compute_next_visit_seconds([], _NOW) == 0


def test_a_busy_section_is_visited_sooner_than_a_quiet_one():
    busy = compute_next_visit_seconds(_history([10, 20, 25, 20]), _NOW)
    quiet = compute_next_visit_seconds(_history([10, 0, 1, 0]), _NOW)

    assert SHORTEST_SECONDS <= busy < 3 * 3600
    assert busy * 10 < quiet


def test_a_section_that_never_brings_anything_is_visited_less_and_less():
    waits = [compute_next_visit_seconds(_history([5] + [0] * days), _NOW) for days in (1, 3, 10, 30)]

    assert waits == sorted(waits)
    assert waits[0] >= _DAY
    assert waits[-1] <= LONGEST_SECONDS


def test_a_section_that_wakes_up_is_soon_visited_more_often():
    asleep = _history([5] + [0] * 30)
    awake = [*_history([5] + [0] * 29 + [12])]

    assert compute_next_visit_seconds(awake, _NOW) < compute_next_visit_seconds(asleep, _NOW) / 2


def test_what_the_first_visit_found_tells_nothing_of_the_rate():
    assert estimate_articles_per_day(_history([500]), _NOW) == estimate_articles_per_day(_history([0]), _NOW)


def test_time_that_has_passed_counts():
    history = _history([5, 1, 1, 1])

    wait = compute_next_visit_seconds(history, _NOW)

    assert compute_next_visit_seconds(history, _NOW + timedelta(seconds=wait / 2)) == pytest.approx(wait / 2, rel=0.05)
    assert compute_next_visit_seconds(history, _NOW + timedelta(days=60)) == 0


def test_the_order_of_visits_does_not_matter():
    history = _history([5, 1, 0, 3])

    assert compute_next_visit_seconds(history[::-1], _NOW) == compute_next_visit_seconds(history, _NOW)


def test_a_visit_without_an_offset_is_refused():
    with pytest.raises(ValueError, match="no offset"):
        ListingVisit(at=datetime(2026, 11, 20))  # noqa: DTZ001


def fetched(age_days: float, *, looked_days: float = 1.0, corrected_days: float | None = None) -> RecentArticle:
    born = NOW - timedelta(days=age_days)
    corrected = NOW - timedelta(days=corrected_days) if corrected_days is not None else None
    looked_at = NOW - timedelta(days=looked_days)
    return RecentArticle(url_id=1, published_at=born, first_seen_at=born, looked_at=looked_at, corrected_at=corrected)


def test_the_budget_of_a_night_is_kept_and_shared_by_the_crawls_of_a_day() -> None:
    articles = [fetched(age) for age in range(1, 101)]

    assert len(choose_corrections(articles, NOW, days=1.0)) == 100 * LOOKS_PER_ARTICLE
    assert len(choose_corrections(articles, NOW, days=4.0)) == 100 * LOOKS_PER_ARTICLE
    assert len(choose_corrections(articles, NOW, days=1 / 24)) == LEAST_LOOKS
    assert len(choose_corrections([fetched(40)] * 5000 + [fetched(3)] * 1000, NOW, days=1.0)) == 300


def test_what_was_fetched_just_now_is_left() -> None:
    assert choose_corrections([fetched(1, looked_days=0.1)], NOW, days=1.0) == []


def test_new_articles_come_first_and_those_that_were_not_looked_at_for_long() -> None:
    articles = [fetched(1), fetched(40, looked_days=20), *[fetched(40)] * 7]

    assert choose_corrections(articles, NOW, days=1.0)[:2] == [1, 0]


def test_a_portal_that_corrects_late_is_looked_at_late() -> None:
    """Twenty articles of a fortnight were corrected when they were twelve days old, none of those that are newer."""
    late = [fetched(14, corrected_days=2) for _ in range(20)] + [fetched(14) for _ in range(20)]
    articles = [fetched(2) for _ in range(40)] + late

    assert set(choose_corrections(articles, NOW, days=1.0)) <= set(range(40, 80))


def test_four_of_five_corrections_are_found_within_three_days_at_three_tenths_of_a_request_an_article_a_night() -> None:
    dice = random.Random(5)
    articles = [fetched(dice.uniform(0, 40), looked_days=dice.uniform(0, 3)) for _ in range(170)]
    changed_at: dict[int, datetime] = {}
    delays: list[float] = []
    requests = 0
    for night in range(20):
        now = NOW + timedelta(days=night)
        for place in dice.sample(range(170), 4):
            changed_at.setdefault(place, now - timedelta(hours=12))
        for place in choose_corrections(articles, now, days=1.0):
            requests += 1
            found = changed_at.pop(place, None)
            delays += [(now - found) / timedelta(days=1)] if found else []
            articles[place] = replace(articles[place], looked_at=now, corrected_at=now if found else articles[place].corrected_at)
    overdue = [now - moment for moment in changed_at.values() if now - moment > timedelta(days=3)]

    assert requests / (20 * 170) <= 0.3
    assert sum(delay <= 3.0 for delay in delays) >= 0.8 * (len(delays) + len(overdue))
