"""When a listing is visited again follows from its history and the time of the visit alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from newscrawler.crawl.run.commits import plan_visit
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.discovery import MOST_VISITS
from newscrawler.store.frontier import LeasedUrl, NextVisit
from newscrawler.store.vocabularies import UrlOutcome

NOW = datetime(2026, 11, 20, 2, tzinfo=UTC)
Visits = tuple[tuple[datetime, int], ...]


def fetched(
    at: datetime,
    visits: Visits = (),
    *,
    kind: str = "section",
    depth: int = 1,
    why: str | None = None,
    outcome: UrlOutcome = UrlOutcome.LISTING,
) -> FetchedUrl:
    claimed = LeasedUrl(
        id=1, url="http://a/sport/", kind=kind, why=why, depth=depth, hops=0, tries=0, etag=None, last_modified=None, outcome=None,
        visits=visits,
    )  # fmt: skip
    return FetchedUrl(lease=claimed, fetched_at=at, outcome=outcome)


def planned(item: FetchedUrl, fresh: int) -> NextVisit:
    plan = plan_visit(item)
    assert plan is not None
    return plan(fresh)


def nights(fresh: list[int], depth: int = 1, hours: float = 24.0) -> list[int]:
    """Nights on which a section is visited that brings so many articles on each of them."""
    seen: list[int] = []
    visit: NextVisit | None = None
    for night, each in enumerate(fresh):
        # No two nights begin at the same time.
        now = NOW + timedelta(hours=hours * night + (1 if night % 2 else -1))
        if visit is None or visit.at <= now:
            seen.append(night)
            visit = planned(fetched(now, visit.visits if visit else (), depth=depth), each)
    return seen


def test_a_section_that_brings_something_is_visited_every_night() -> None:
    assert nights([5, 3, 4, 2, 3, 5, 4, 3]) == list(range(8))


def test_archives_of_past_days_rest_and_those_of_these_days_do_not() -> None:
    items = {day: fetched(NOW) for day in ("2026-11-12", "2026-11-20")}
    visits = {
        day: planned(replace(item, lease=replace(item.lease, url=f"http://a/archive?day={day}")), 5) for day, item in items.items()
    }

    assert visits["2026-11-12"].is_over
    assert visits["2026-11-12"].at > NOW + timedelta(days=10)
    assert not visits["2026-11-20"].is_over
    assert visits["2026-11-20"].at < NOW + timedelta(days=1)


def test_a_night_that_begins_a_little_earlier_is_a_night_all_the_same() -> None:
    assert nights([5, 3, 4, 2, 3, 5], hours=23.8) == list(range(6))


def test_a_section_that_brings_nothing_is_visited_less_and_less_but_not_for_ever() -> None:
    seen = nights([8] + [0] * 120)

    gaps = [later - earlier for earlier, later in pairwise(seen)]
    assert seen[:2] == [0, 1]
    assert gaps == sorted(gaps)
    assert gaps[-1] == 14
    assert len(seen) <= 16


def test_a_section_far_from_the_start_waits_longer_before_anything_is_known_of_it() -> None:
    assert nights([8] + [0] * 10, depth=3)[1] >= 4


def test_a_section_that_wakes_up_is_visited_more_often_again_and_sooner_in_the_run() -> None:
    quiet = planned(fetched(NOW, tuple((NOW - timedelta(days=day), 0) for day in range(20, 0, -1))), 0)
    awake = planned(fetched(NOW, quiet.visits), 30)

    assert awake.at - NOW < (quiet.at - NOW) / 5
    assert awake.priority is not None
    assert quiet.priority is not None
    assert awake.priority < quiet.priority


def test_what_gives_no_list_is_asked_again_after_two_weeks() -> None:
    assert planned(fetched(NOW, kind="feed", outcome=UrlOutcome.NOTHING), 0).at - NOW == timedelta(days=14)


@pytest.mark.parametrize(("kind", "why"), [("article", None), ("other", "tag"), ("section", "pagination"), ("probe", None)])
def test_what_is_no_listing_has_no_next_visit(kind: str, why: str | None) -> None:
    assert plan_visit(fetched(NOW, kind=kind, why=why)) is None


def test_the_history_is_bounded() -> None:
    visits = tuple((NOW - timedelta(days=day), 1) for day in range(50, 0, -1))

    assert len(planned(fetched(NOW, visits), 1).visits) == MOST_VISITS
