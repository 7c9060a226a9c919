"""When a run is to end, asked between requests."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newscrawler.config import build_portal
from newscrawler.crawl.policy.limits import Progress, find_reached_limit, list_limits
from newscrawler.store.vocabularies import RunEnd

LIMITS = list_limits(build_portal("https://www.example.org/", max_pages=10, max_articles=5, max_minutes=2))


def progress(**changes: float) -> Progress:
    values = {"seconds": 0.0, "requests": 0, "bytes": 0, "new_articles": 0} | changes
    return Progress(now=datetime(2026, 11, 20, tzinfo=UTC), **values)  # type: ignore[arg-type]


def test_a_limit_of_one_is_named_in_the_singular() -> None:
    limits = list_limits(build_portal("https://www.example.org/", max_articles=1))

    assert str(find_reached_limit(limits, progress(new_articles=1))) == "limit: 1 article"


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        ({}, None),
        ({"requests": 9, "new_articles": 4, "seconds": 119.9}, None),
        ({"requests": 10}, "limit: 10 pages"),
        ({"new_articles": 5}, "limit: 5 articles"),
        ({"seconds": 120}, "limit: 2 minutes"),
        ({"requests": 11, "new_articles": 6}, "limit: 10 pages"),
    ],
)
def test_the_first_limit_that_is_reached_ends_the_run(changes: dict[str, float], because: str | None) -> None:
    assert find_reached_limit(LIMITS, progress(**changes)) == (because and RunEnd.parse(because))
