"""What of a sitemap comes first, what waits behind the sections, and what is left; and that it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from scrapy.http import Response

from newscrawler.config import Portal
from newscrawler.crawl.policy.link_policy import LinkPolicy
from newscrawler.crawl.policy.stop_rules import MOST_EMPTY_SITEMAPS, StopRules
from newscrawler.crawl.reading.listings import read_list
from newscrawler.crawl.run.commits import HEAVY_BYTES, make_outcome, plan_visit
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.discovery import PRIORITY, Lead, LeadKind
from newscrawler.discovery import sitemaps as lists
from newscrawler.discovery.sitemaps import rank_entries
from newscrawler.errors import PageReason
from newscrawler.store.frontier import FoundUrl, LeasedUrl
from newscrawler.store.vocabularies import FrontierKind, UrlOutcome

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
FRESH, ARTICLE, ARCHIVE, UNDATED = (PRIORITY[name] for name in ("fresh", "article", "archive", "undated"))
HOST = "http://127.0.0.1"


def entry(days: float | None = None) -> Lead:
    moment = None if days is None else NOW - timedelta(days=days)
    return Lead(f"{HOST}/zpravy/most-se-opravi-{days}.html", changed_at=moment)


def places(entries: Sequence[Lead], *, seen_before: bool = False) -> list[int]:
    return [each.priority for each in rank_entries(entries, seen_before=seen_before, now=NOW) if each.priority is not None]


def claimed(url: str = f"{HOST}/sitemap.xml", depth: int = 0, visits: tuple[tuple[datetime, int], ...] = ()) -> LeasedUrl:
    return LeasedUrl(
        id=1, url=url, kind="sitemap", why=None, depth=depth, hops=0, tries=0, etag=None, last_modified=None, outcome=None,
        visits=visits,
    )  # fmt: skip


def read(body: str, *, depth: int = 0) -> FetchedUrl:
    item = FetchedUrl(lease=claimed(depth=depth), fetched_at=NOW)
    link_policy = LinkPolicy.of(Portal(name="p", start_urls=(f"{HOST}/",)), today=NOW.date())
    return read_list(item, Response(f"{HOST}/sitemap.xml", body=body.encode()), link_policy, "application/xml", LeadKind.SITEMAP)


def index(*months: str) -> str:
    rows = "".join(f"<sitemap><loc>{HOST}/m-{month}.xml</loc><lastmod>{month}-01</lastmod></sitemap>" for month in months)
    return f"<sitemapindex>{rows}</sitemapindex>"


def test_the_archive_waits_behind_what_is_new_the_latest_days_first() -> None:
    hours = [0.1, 1, 24, 13 * 24]
    days = [30, 31, 200, 700, 9_000]

    assert places([entry(each / 24) for each in hours]) == [FRESH, FRESH + 4, FRESH + 96, FRESH + 13 * 96]
    assert places([entry(each) for each in days]) == [ARCHIVE + each for each in days]
    assert PRIORITY["section"] < PRIORITY["look"] < ARCHIVE
    assert max(places([entry(90_000)])) < UNDATED < PRIORITY["late sitemap"] < PRIORITY["other"] < 2**15


def test_where_everything_was_changed_just_now_the_rest_is_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_FRESH", 2)

    assert places([entry(1)] * 4) == [FRESH + 96, FRESH + 96, ARCHIVE + 1, ARCHIVE + 1]


def test_the_day_in_an_address_counts_more_than_a_change() -> None:
    old = Lead(f"{HOST}/2019/05/04/most-se-opravi/", changed_at=NOW)
    of_month = Lead(f"{HOST}/2026/11/most-se-opravi/", changed_at=NOW - timedelta(days=3))

    assert places([old]) == [ARCHIVE + (NOW - datetime(2019, 5, 5, tzinfo=UTC)).days]
    assert places([of_month, old._replace(published_at=NOW)]) == [FRESH + 3 * 96, FRESH]


def test_entries_without_a_time_come_last_where_there_are_many_of_them_at_first_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_UNDATED", 2)

    assert places([entry(0), entry(), entry()]) == [FRESH, ARTICLE, ARTICLE]
    assert places([entry(0), *[entry()] * 3]) == [FRESH, *[UNDATED] * 3]
    assert places([*[entry(0)] * 3, entry()]) == [*[FRESH] * 3, UNDATED]
    assert places([entry()] * 3, seen_before=True) == [FRESH] * 3


def test_of_an_index_the_newest_are_read_first_and_the_others_when_the_archive_has_been_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lists, "MOST_SITEMAPS", 2)
    monkeypatch.setattr(lists, "MOST_OF_AN_INDEX", 3)
    monkeypatch.setattr(lists, "MOST_WOKEN", 1)

    item = read(index("2025-01", "2026-11", "2024-01", "2026-10"))

    assert [(each.url[-11:-4], each.priority, each.depth) for each in item.found] == [
        ("2026-11", PRIORITY["sitemap"], 1), ("2026-10", PRIORITY["sitemap"], 1), ("2025-01", PRIORITY["late sitemap"], 1),
    ]  # fmt: skip
    assert [each.changed_at is None for each in item.found] == [False, True, True]
    assert "the 3 most promising of 4" in item.notes[0]


def test_indexes_of_indexes_end() -> None:
    assert len(read(index("2026-11"), depth=1).found) == 1
    item = read(index("2026-11"), depth=2)

    assert (item.found, item.outcome) == ((), "nothing")
    assert "lead nowhere" in item.notes[0]


def test_what_is_not_taken_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawler.discovery.sitemaps.MOST_ENTRIES", 2)
    rows = "".join(f"<url><loc>{HOST}/zpravy/most-se-opravi-{1000 + n}.html</loc></url>" for n in range(5))

    assert "not read as a whole (too many entries): 2 addresses" in read(f"<urlset>{rows}</urlset>").notes[0]
    assert not read("<urlset></urlset>").notes


def test_times_of_a_news_sitemap_are_the_portals_where_they_have_no_offset() -> None:
    item = FetchedUrl(lease=claimed(), fetched_at=NOW)
    portal = Portal(name="p", start_urls=(f"{HOST}/",), time_zone="Europe/Prague")
    body = f"<urlset><url><loc>{HOST}/a-1.html</loc><news><publication_date>2026-11-20 08:00:00</publication_date></news></url>"
    read = read_list(
        item, Response(f"{HOST}/sitemap.xml", body=body.encode()), LinkPolicy.of(portal), "application/xml", LeadKind.SITEMAP
    )

    assert read.found[0].hints == (("news sitemap", "2026-11-20T08:00:00+01:00"),)


def test_sitemaps_without_end_are_left_for_the_night_but_not_for_ever() -> None:
    stop_rules = StopRules()
    for number in range(MOST_EMPTY_SITEMAPS):
        assert not stop_rules.is_unproductive(f"{HOST}/{chr(97 + number % 26)}{number // 26 * 'x'}.xml", "sitemap", None)
        stop_rules.note(f"{HOST}/{chr(97 + number % 26)}{number // 26 * 'x'}.xml", "sitemap", None, fruitful=False)
    lost = stop_rules.is_unproductive(f"{HOST}/other.xml", "sitemap", None)
    stop_rules.note(f"{HOST}/other.xml", "sitemap", None, fruitful=True)

    assert lost
    assert not stop_rules.is_unproductive(f"{HOST}/yet-another.xml", "sitemap", None)
    skipped = FetchedUrl(lease=claimed(), fetched_at=NOW, outcome=UrlOutcome.UNCHANGED).refuse(PageReason.UNPRODUCTIVE)
    plan = plan_visit(skipped)
    assert plan is not None
    assert plan(0).at == NOW + timedelta(days=14)


@pytest.mark.parametrize(("depth", "fresh", "place"), [(1, 3, "sitemap"), (1, 0, "quiet sitemap"), (0, 0, None)])
def test_old_months_are_looked_at_after_those_that_bring_something(depth: int, fresh: int, place: str | None) -> None:
    plan = plan_visit(FetchedUrl(lease=claimed(depth=depth), fetched_at=NOW, outcome=UrlOutcome.LISTING))

    assert plan is not None
    assert plan(fresh).priority == (PRIORITY[place] if place else None)


def test_a_large_list_is_heavy() -> None:
    sizes = (HEAVY_BYTES, HEAVY_BYTES + 1)
    items = [FetchedUrl(lease=claimed(), fetched_at=NOW, outcome=UrlOutcome.LISTING, size=size) for size in sizes]

    assert [make_outcome(item, delay_seconds=0).heavy for item in items] == [False, True]


def test_what_a_feed_names_is_new() -> None:
    item = FetchedUrl(lease=replace(claimed(), kind=FrontierKind.FEED), fetched_at=NOW)
    body = f"<rss><channel><item><link>{HOST}/stara-zprava-1.html</link><pubDate>Fri, 20 Nov 2020 08:00:00 +0100</pubDate></item>"
    link_policy = LinkPolicy.of(Portal(name="p", start_urls=(f"{HOST}/",)))
    read = read_list(item, Response(f"{HOST}/rss", body=body.encode()), link_policy, "", LeadKind.FEED)

    ((kind, place),) = [(type(each), each.priority) for each in read.found]
    assert kind is FoundUrl
    assert FRESH < place < ARTICLE
