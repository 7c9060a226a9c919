"""When a run is to end, asked between requests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from newscrawler.config import build_portal
from newscrawler.crawl.policy.limits import find_reached_limit, list_limits
from newscrawler.store.service import BudgetUse
from newscrawler.store.vocabularies import RunEnd

LIMITS = list_limits(build_portal("https://www.example.org/", max_pages=10, max_articles=5, max_minutes=2))


NOW = datetime(2026, 11, 20, tzinfo=UTC)


def test_a_limit_of_one_is_named_in_the_singular() -> None:
    limits = list_limits(build_portal("https://www.example.org/", max_articles=1))

    assert str(find_reached_limit(limits, BudgetUse(articles=1), NOW)) == "limit: 1 article"


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        ({}, None),
        ({"pages": 9, "articles": 4, "seconds": 119.9}, None),
        ({"pages": 10}, "limit: 10 pages"),
        ({"articles": 5}, "limit: 5 articles"),
        ({"seconds": 120}, "limit: 2 minutes"),
        ({"pages": 11, "articles": 6}, "limit: 10 pages"),
    ],
)
def test_the_first_limit_that_is_reached_ends_the_run(changes: dict[str, Any], because: str | None) -> None:
    assert find_reached_limit(LIMITS, BudgetUse(**changes), NOW) == (because and RunEnd.parse(because))
