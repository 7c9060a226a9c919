"""How much may wait in a frontier, and what has its turn earlier than it was given, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from newscrawler.discovery import PRIORITY
from newscrawler.store import Store, open_store
from newscrawler.store.frontier import Committed, FoundUrl, Frontier, LeasedUrl, NextVisit, PageOutcome
from newscrawler.store.frontier import intake as intake_module
from newscrawler.store.vocabularies import FINISHED

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SITEMAP = FoundUrl(url="http://a/sitemap.xml", kind="sitemap", priority=4, depth=0)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


def entries(count: int, first: int = 0, **more: Any) -> tuple[FoundUrl, ...]:
    made = (
        FoundUrl(url=f"http://a/{n}", kind="article", priority=50, depth=1, source="sitemap") for n in range(first, count + first)
    )
    return tuple(replace(each, **more) for each in made)


def begin(store: Store, now: datetime = NOW) -> Frontier:
    for run in store.runs.latest("portal"):
        store.runs.end(run.id, now=now, because=FINISHED, counts={})
    return store.runs.begin("portal", now=now, version="1")[1]


def visit(frontier: Frontier, found: tuple[FoundUrl, ...], now: datetime = NOW, **values: Any) -> Committed:
    """Claim the sitemap and commit what it showed."""
    (item,) = [each for each in frontier.lease(1, now=now) if each.kind == "sitemap"]
    shown: dict[str, Any] = {
        "url_id": item.id,
        "state": "done",
        "outcome": "listing",
        "fetched_at": now,
        "found": found,
        "etag": '"a"',
    }
    return frontier.commit([PageOutcome(**(shown | values))])[0]


def waiting(frontier: Frontier, now: datetime = NOW) -> list[LeasedUrl]:
    return frontier.lease(99, now=now)


def test_what_there_is_no_room_for_is_left_out_and_the_sitemap_read_again_as_a_whole(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake_module, "MOST_WAITING", 5)
    monkeypatch.setattr(intake_module, "_MANY", 3)
    frontier = begin(store)
    frontier.seed([SITEMAP], now=NOW)
    plan = NextVisit(at=NOW + timedelta(days=30), visits=((NOW, 5),))

    first = visit(frontier, entries(8), plan=lambda _: plan)
    claimed = [item.url for item in waiting(frontier)]
    later = NOW + timedelta(days=7)
    again = begin(store, later)
    (sitemap,) = [item for item in again.lease(1, now=later) if item.kind == "sitemap"]

    assert (first.fresh, first.left_out) == (5, 3)
    assert claimed == [f"http://a/{number}" for number in range(5)]
    assert (sitemap.url, sitemap.etag) == (SITEMAP.url, None)


def test_what_was_left_out_is_taken_when_there_is_room(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake_module, "MOST_WAITING", 5)
    monkeypatch.setattr(intake_module, "_MANY", 3)
    frontier = begin(store)
    frontier.seed([SITEMAP], now=NOW)
    visit(frontier, entries(8))
    done = [PageOutcome(url_id=item.id, state="done", outcome="article", fetched_at=NOW) for item in waiting(frontier)]

    frontier.commit(done)
    frontier.seed(entries(8), now=NOW)

    assert [item.url for item in waiting(frontier)] == ["http://a/5", "http://a/6", "http://a/7"]


def test_an_article_without_a_date_that_a_page_leads_to_has_its_turn_earlier(store: Store) -> None:
    frontier = begin(store)
    frontier.seed(entries(4, priority=PRIORITY["undated"]), now=NOW)
    frontier.seed(entries(1, 2, source="links", priority=10), now=NOW)
    frontier.seed(entries(1, 3, source="sitemap", priority=10), now=NOW)

    assert [item.url[-1] for item in waiting(frontier)] == ["2", "0", "1", "3"]


def test_an_article_that_a_list_dates_has_the_place_of_its_date(store: Store) -> None:
    frontier = begin(store)
    frontier.seed(entries(4, source="links", priority=PRIORITY["article"]), now=NOW)
    frontier.seed(entries(2, priority=PRIORITY["archive"], changed_at=NOW), now=NOW)
    frontier.seed(entries(2, 1, priority=PRIORITY["fresh"], changed_at=NOW), now=NOW)
    frontier.seed(entries(4, source="links", priority=PRIORITY["article"]), now=NOW)

    assert [item.url[-1] for item in waiting(frontier)] == ["2", "3", "0", "1"]


@pytest.mark.parametrize(("changed_after_days", "woken"), [(-1, False), (0.5, True)])
def test_a_sitemap_is_looked_at_again_when_its_index_says_that_it_has_changed(
    store: Store, changed_after_days: float, *, woken: bool
) -> None:
    frontier = begin(store)
    frontier.seed([SITEMAP], now=NOW)
    plan = NextVisit(at=NOW + timedelta(days=14), visits=((NOW, 0),), priority=45)
    visit(frontier, (), plan=lambda _: plan, heavy=True)
    later = NOW + timedelta(days=1)
    again = begin(store, later)
    before = waiting(again, later)

    again.seed([replace(SITEMAP, changed_at=NOW + timedelta(days=changed_after_days))], now=later)

    assert not before
    assert [item.url for item in waiting(again, later)] == ([SITEMAP.url] if woken else [])


@pytest.mark.parametrize("heavy", [False, True])
def test_a_large_list_that_brought_nothing_waits_for_its_time(store: Store, *, heavy: bool) -> None:
    frontier = begin(store)
    frontier.seed([SITEMAP], now=NOW)
    plan = NextVisit(at=NOW + timedelta(days=2), visits=((NOW, 0),))
    visit(frontier, (), plan=lambda _: plan, heavy=heavy)

    visits = [bool(waiting(begin(store, NOW + timedelta(days=days)), NOW + timedelta(days=days))) for days in (1, 3)]

    assert visits == [not heavy, True]


@pytest.mark.parametrize("fresh", [0, 1])
def test_an_index_is_read_every_night_while_its_sitemaps_bring_something(store: Store, fresh: int) -> None:
    index = replace(SITEMAP, url="http://a/index.xml")
    for night in range(6):
        now = NOW + timedelta(days=night)
        plan = NextVisit(at=now + timedelta(days=14), visits=((now, 0),))
        frontier = begin(store, now)
        frontier.seed([index], now=now)
        read = False
        for item in frontier.lease(1, now=now):
            read = True
            shown = PageOutcome(
                url_id=item.id, state="done", outcome="listing", fetched_at=now, found=(SITEMAP,), plan=lambda _, plan=plan: plan
            )
            frontier.commit([shown])
        for item in waiting(frontier, now):
            found = entries(fresh, night) if item.kind == "sitemap" else ()
            frontier.commit([PageOutcome(url_id=item.id, state="done", outcome="listing", fetched_at=now, found=found)])
        for item in waiting(frontier, now):
            frontier.commit([PageOutcome(url_id=item.id, state="done", outcome="article", fetched_at=now)])

    assert read == bool(fresh)


def test_waiting_urls_of_a_shape_are_skipped_in_one_step(store: Store) -> None:
    frontier = begin(store)
    found = [FoundUrl(url=f"http://a/{name}{n}", kind="article", priority=50, depth=1) for n in range(5) for name in ("x_", "xy")]
    frontier.seed([*found, SITEMAP], now=NOW)
    _, leased, *_ = frontier.lease(3, now=NOW)
    rests = [timedelta(days=1), timedelta(days=9)]

    assert frontier.skip_waiting(leased, "http://a/x_", lambda url: not url.endswith("3"), now=NOW, rests=rests) == 3
    assert [item.url[9:] for item in waiting(frontier)] == ["xy1", "xy2", "x_3", "xy3", "xy4"]
    later = begin(store, NOW + timedelta(days=2))
    later.seed([], now=NOW + timedelta(days=2))
    assert {item.url[9:]: item.empty_visits for item in waiting(later, NOW + timedelta(days=2)) if item.empty_visits} == {
        "x_1": 1, "x_2": 1, "x_4": 1
    }  # fmt: skip
