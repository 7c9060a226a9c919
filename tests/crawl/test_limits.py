"""When a run is to end, asked between requests."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newscrawler.crawl.limits import MostArticles, MostMinutes, MostPages, Progress, reached
from newscrawler.store.outcomes import EndReason, RunEnd

LIMITS = (MostPages(10), MostArticles(5), MostMinutes(2))


def progress(**changes: float) -> Progress:
    values = {"seconds": 0.0, "requests": 0, "bytes": 0, "new_articles": 0, "in_hand": 0} | changes
    return Progress(now=datetime(2026, 11, 20, tzinfo=UTC), **values)  # type: ignore[arg-type]


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
    assert reached(LIMITS, progress(**changes)) == (because and RunEnd.parse(because))


def test_what_is_in_hand_may_reach_a_limit_at_best() -> None:
    now = progress(new_articles=3, in_hand=2)

    assert reached(LIMITS, now) is None
    assert reached(LIMITS, now.at_best()) == RunEnd(EndReason.LIMIT, "5 articles")
