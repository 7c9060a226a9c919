"""When the listings of a portal wait for another visit, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.article import Article, Paragraph
from newscrawler.errors import PageReason
from newscrawler.store import Store, open_store
from newscrawler.store.frontier import FoundUrl, Frontier, NextVisit, PageOutcome
from newscrawler.store.service import RunRecord
from newscrawler.store.vocabularies import FINISHED, Reason

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


def begin(store: Store, now: datetime = NOW) -> tuple[RunRecord, Frontier]:
    return store.runs.begin("portal", now=now, version="1")


def found(url: str, kind: str = "article", priority: int = 10, *, depth: int = 1) -> FoundUrl:
    return FoundUrl(url=url, kind=kind, priority=priority, depth=depth)


def outcome(url_id: int, **values: object) -> PageOutcome:
    return PageOutcome(**({"url_id": url_id, "state": "done", "fetched_at": NOW} | values))  # type: ignore[arg-type]


def planned(at: datetime, days: float) -> Callable[[int], NextVisit]:
    """A listing that is worth a visit again after so many days, whatever it brought."""
    return lambda fresh: NextVisit(at=at + timedelta(days=days), visits=((at, fresh),))


def visited(store: Store, after_days: float, *, found_new: bool = False, lists: bool = True) -> set[str]:
    """What waits so many days after a first round in which each listing got its next visit a day later (the quiet ones: 9)."""
    run, frontier = begin(store)
    frontier.seed(
        [
            found("http://a/", "start", 0, depth=0), found("http://a/near", "section"), found("http://a/far", "section", depth=3),
            found("http://a/quiet", "section"), *([found("http://a/feed", "feed", depth=0)] if lists else []),
        ],
        now=NOW,
    )  # fmt: skip
    frontier.commit(
        [
            outcome(item.id, outcome="listing", plan=planned(NOW, 9 if "quiet" in item.url else 1))
            for item in frontier.lease(9, now=NOW)
        ]
    )
    store.runs.end(run.id, now=NOW, because=FINISHED, counts={})
    later = NOW + timedelta(days=after_days)
    _, frontier = begin(store, now=later)
    claimed = frontier.lease(9, now=later)
    if found_new:
        (start,) = (item for item in claimed if item.kind == "start")
        frontier.commit([outcome(start.id, outcome="listing", found=(found("http://a/new"),))])
        claimed += frontier.lease(9, now=later)
    return {item.url.removeprefix("http://a/") or "start" for item in claimed}


def test_listings_wait_again_when_their_time_has_come(store: Store) -> None:
    assert visited(store, 1) == {"start", "feed", "near", "far"}


def test_a_crawl_right_after_another_looks_at_start_pages_and_feeds_only(store: Store) -> None:
    assert visited(store, 0.01) == {"start", "feed"}


def test_news_on_a_start_page_wakes_the_sections_near_it_before_their_time(store: Store) -> None:
    assert visited(store, 0.01, found_new=True) == {"start", "feed", "near", "quiet", "new"}


def test_a_portal_without_feed_and_sitemap_is_asked_for_news_by_its_sections(store: Store) -> None:
    assert visited(store, 0.01, lists=False) == {"start", "near", "quiet"}


def test_a_feed_that_has_been_quiet_for_long_waits_for_its_time(store: Store) -> None:
    seen = []
    for hour in range(6):
        now = NOW + timedelta(hours=hour)
        run, frontier = begin(store, now=now)
        frontier.seed([found("http://a/feed", "feed", depth=0)], now=now)
        claimed = frontier.lease(9, now=now)
        seen += [hour for _ in claimed]
        frontier.commit([outcome(item.id, outcome="listing", plan=planned(now, 0.1)) for item in claimed])
        store.runs.end(run.id, now=now, because=FINISHED, counts={})

    assert seen == [0, 1, 2, 5]


def test_the_history_of_a_listing_comes_back_with_it(store: Store) -> None:
    run, frontier = begin(store)
    frontier.seed([found("http://a/near", "section")], now=NOW)
    (claimed,) = frontier.lease(9, now=NOW)
    frontier.commit([outcome(claimed.id, outcome="listing", found=(found("http://a/1"),), plan=planned(NOW, 1))])
    store.runs.end(run.id, now=NOW, because=FINISHED, counts={})

    _, frontier = begin(store, now=NOW + timedelta(days=1))

    (again,) = (item for item in frontier.lease(9, now=NOW + timedelta(days=1)) if item.kind == "section")
    assert again.visits == ((NOW, 1),)


def test_the_many_sitemaps_of_an_index_wait_for_their_time_unless_they_told_something_the_last_time(store: Store) -> None:
    run, frontier = begin(store)
    frontier.seed([found("http://a/index.xml", "sitemap", 4, depth=0)], now=NOW)
    (index,) = frontier.lease(9, now=NOW)
    children = (found("http://a/old.xml", "sitemap", 4, depth=0), found("http://a/new.xml", "sitemap", 4, depth=0))
    frontier.commit([outcome(index.id, outcome="listing", found=children, plan=planned(NOW, 1))])
    for child in frontier.lease(9, now=NOW):
        more = (found("http://a/1"),) if "new" in child.url else ()
        frontier.commit([outcome(child.id, outcome="listing", found=more, plan=planned(NOW, 1))])
    store.runs.end(run.id, now=NOW, because=FINISHED, counts={})

    _, frontier = begin(store, now=NOW + timedelta(hours=1))

    lists = {item.url for item in frontier.lease(9, now=NOW + timedelta(hours=1)) if item.kind == "sitemap"}
    assert lists == {"http://a/index.xml", "http://a/new.xml"}


class FeedNights:
    """Nights of a portal with one feed, an hour each; article 1 is never stored."""

    URL = "http://a/1"

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now = NOW

    def crawl(self, *, named: bool = True, unchanged: bool = False, dated: datetime | None = None, status: int = 403) -> list[str]:
        """Read the feed, then all that waits; return the articles that were requested."""
        self.now += timedelta(days=1)
        run, frontier = begin(self.store, now=self.now)
        feed = found("http://a/feed", "feed", 2, depth=0)
        entries = [found(url) for url in (self.URL, "http://a/2") if named or url != self.URL]
        entries = [replace(each, source="feed", changed_at=dated) for each in entries]
        frontier.seed([feed], now=self.now)
        (leased,) = [each for each in frontier.lease(1, now=self.now) if each.kind == "feed"]
        read = {"outcome": "listing", "http_status": 200, "found": tuple(entries)}
        self.commit(frontier, [outcome(leased.id, **({"outcome": "unchanged", "http_status": 304} if unchanged else read))])
        requested = frontier.lease(9, now=self.now)
        reason, at = Reason(PageReason.HTTP_STATUS, str(status)), self.now + timedelta(hours=12)
        values = {"outcome": "nothing", "http_status": status, "reason": reason, "next_try_at": at}
        self.commit(frontier, [outcome(each.id, **values) for each in requested])
        frontier.run_articles()
        self.store.runs.end(run.id, now=self.now, because=FINISHED, counts={})
        return [each.url for each in requested]

    def commit(self, frontier: Frontier, outcomes: list[PageOutcome]) -> None:
        frontier.commit([replace(each, fetched_at=self.now, plan=planned(self.now, 0.5)) for each in outcomes])


def test_a_url_is_tried_again_while_its_feed_names_it(store: Store) -> None:
    nights = FeedNights(store)
    first = [nights.URL in nights.crawl(unchanged=number in {2, 5}) for number in range(6)]
    dropped = [nights.URL in nights.crawl(named=False) for _ in range(3)]
    nights.crawl(named=True)

    assert first == [True] * 6
    assert dropped == [True, False, False]  # the first try began before the feed was read
    assert nights.URL in nights.crawl(named=True)


def test_a_missing_page_that_its_feed_names_no_more_is_given_up_at_once(store: Store) -> None:
    nights = FeedNights(store)
    nights.crawl(status=404)
    tried = [nights.URL in nights.crawl(named=False, status=404) for _ in range(3)]

    assert tried == [True, False, False]
    assert store.patterns.account_of("portal").sentence.startswith("0 of 1 named articles stored; 1: HTTP 404 (next try ")


def test_a_url_that_is_dated_anew_is_tried_at_once(store: Store) -> None:
    nights = FeedNights(store)
    nights.crawl()
    nights.now -= timedelta(hours=20)

    assert nights.crawl() == []
    assert nights.crawl(dated=nights.now + timedelta(hours=1)) != []


def test_a_redirect_to_a_stored_article_is_no_missing_one(store: Store) -> None:
    _, frontier = begin(store)
    frontier.seed([found("http://a/old"), found("http://a/login")], now=NOW)
    later = NOW + timedelta(hours=12)
    values = {"outcome": "redirect", "next_try_at": later}
    for leased in frontier.lease(2, now=NOW):
        target = FoundUrl(url=f"{leased.url}/target", kind="article", priority=10, depth=1, hops=1)
        frontier.commit([outcome(leased.id, found=(target,), **values)])
    new, login = frontier.lease(2, now=NOW)
    text = Article(
        title="T", paragraphs=(Paragraph(text="Text"),), url=new.url, fetched_at=NOW, portal="portal", method="x", confidence=1
    )
    frontier.commit([outcome(new.id, outcome="article", article=text, http_status=200), outcome(login.id, outcome="nothing")])

    account = frontier.run_articles().account

    assert account is not None
    assert account.sentence == f"1 of 2 named articles stored; 1: redirect (next try {later:%Y-%m-%d %H:%M} UTC)"
    assert [(each["url"], each["detail"]) for each in store.patterns.missing_of("portal")] == [("http://a/login", login.url)]


def test_a_killed_run_leaves_the_whole_account(store: Store) -> None:
    run, frontier = begin(store)
    frontier.seed([found(f"http://a/{number}") for number in range(3)], now=NOW)
    (leased,) = frontier.lease(1, now=NOW)
    later = NOW + timedelta(hours=12)
    frontier.commit([outcome(leased.id, outcome="nothing", reason=Reason(PageReason.EMPTY), next_try_at=later)])
    (broken_off,) = frontier.lease(1, now=NOW)
    frontier.commit([outcome(broken_off.id, outcome="nothing", state="waiting")])
    frontier.lease(1, now=NOW)  # and nothing more is heard of it

    account = store.runs.account(run)

    assert account is not None
    assert [(each.reason, each.count) for each in account.missing] == [("not fetched yet", 2), ("empty page", 1)]
