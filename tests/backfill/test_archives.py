"""Indexes of web archives in all their forms, and copies without the archive's toolbar and rewriting."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from newscrawler.backfill import (
    ArchiveFiles,
    CommonCrawl,
    DayRange,
    Neighbours,
    PastFeedSource,
    Place,
    Pywb,
    Wayback,
    clean_copy,
    estimate_month,
    find_archive_days,
    split_copy_url,
)
from newscrawler.backfill.archives import read_index
from newscrawler.discovery import Completeness, LeadKind, NoEstimate, SourcePortal, SourceResponse
from newscrawler.discovery.urls import Scope
from newscrawler.page import Document

PAGE, DAYS = "http://paper.example/news/bridge-1.html", DayRange(since=date(2018, 1, 1), until=date(2018, 6, 30))
CAPTURED = datetime(2018, 3, 4, 10, 15, tzinfo=UTC)
LINE = f"example,paper)/news/bridge-1.html 20180304101500 {PAGE} text/html 200 ABC 1234"
FORMS = {
    "text": LINE,
    "text with a heading": f" CDX N b a m s k r M S V g\n{LINE} - - 1234 55 file.warc.gz",
    "array": json.dumps([["original", "timestamp", "statuscode"], [PAGE, "20180304101500", "200"], ["cut"], []]),
    "json lines": json.dumps({"urlkey": "k", "timestamp": "20180304101500", "url": PAGE, "mime": "text/html", "status": "200"}),
    "cdxj": f'example,paper)/news/bridge-1.html 20180304101500 {{"url": "{PAGE}", "mime": "text/html", "status": "200"}}',
}


@pytest.mark.parametrize("form", FORMS)
def test_an_index_is_read_in_each_form(form: str) -> None:
    (capture,) = read_index(FORMS[form].encode()).captures
    assert (capture.url, capture.captured_at) == (PAGE, CAPTURED)


def test_pages_that_were_missing_or_no_pages_are_left_out_and_the_first_capture_counts() -> None:
    later = LINE.replace("20180304101500", "20200101000000")
    other = [LINE.replace(" 200 ", " 404 "), LINE.replace("text/html", "image/png"), "rubbish", '{"broken": ', later, LINE]
    (capture,) = read_index("\n".join(other).encode()).captures
    assert capture.captured_at == CAPTURED
    assert read_index(b"[[[[").captures == ()


def test_indexes_go_on_where_their_resume_key_says() -> None:
    archive = Wayback("http://archive.example/")
    (url,) = archive.list_indexes("paper.example", DAYS)
    assert "url=paper.example%2F%2A" in url
    assert "from=20180101" in url
    rows = [["original", "timestamp"], [PAGE, "20180304101500"], [], ["key 2"]]
    _, (further,) = archive.read_index(json.dumps(rows).encode(), url)
    assert further == f"{url}&resumeKey=key+2"
    assert archive.read_index(f"{LINE}\n\nkey+2\n".encode(), url)[0].resume_key == "key+2"
    assert archive.read_index(json.dumps(rows[:2]).encode(), url)[1] == ()


def test_common_crawl_is_asked_once_a_year_from_the_range_on() -> None:
    archive = CommonCrawl("http://index.example")
    (url,) = archive.list_indexes("paper.example", DAYS)
    names = ("2017-51", "2018-05", "2018-51", "2019-04")
    crawls = [{"id": name, "cdx-api": f"http://index.example/CC-MAIN-{name}-index"} for name in names]
    _, further = archive.read_index(json.dumps([*crawls, {"cdx-api": "http://other.example/CC-MAIN-2018-60-index"}]).encode(), url)
    assert [each.partition("?")[0][-13:] for each in further] == ["2018-51-index", "2019-04-index"]


@pytest.mark.parametrize("archive", [Wayback("http://archive.example"), Pywb("http://archive.example/web")])
def test_a_copy_is_split_into_page_and_capture(archive: Wayback | Pywb) -> None:
    url = archive.make_copy_url(PAGE, date(2018, 3, 4))
    assert url == f"http://archive.example/web/20180304id_/{PAGE}"
    assert split_copy_url(url) == (PAGE, datetime(2018, 3, 4, tzinfo=UTC))
    assert split_copy_url(PAGE) is None
    assert split_copy_url("http://archive.example/web/20180304101500/http:/paper.example/a") == ("http://paper.example/a", CAPTURED)


def test_toolbars_and_rewritten_addresses_are_removed() -> None:
    copy = (
        b'<html><head><script src="/_static/js/bundle.js"></script><!-- End Wayback Rewrite JS Include -->'
        b"<title>T</title></head><body>"
        b"<!-- BEGIN WAYBACK TOOLBAR INSERT --><div>The archive.example</div><!-- END WAYBACK TOOLBAR INSERT -->"
        b'<a href="http://archive.example/web/20180304101500/http://paper.example/b">b</a>'
        b'<img src="/web/20180304101500im_/http://paper.example/c.png">'
        b"</body></html><!-- FILE ARCHIVED ON 10:15:00 Mar 04, 2018 -->"
    )
    cleaned = clean_copy(copy, "http://archive.example/web")
    for inserted in (b"archive.example", b"ARCHIVED", b"_static", b"20180304"):
        assert inserted not in cleaned
    assert b'<a href="http://paper.example/b">b</a><img src="http://paper.example/c.png">' in cleaned


def test_files_of_a_folder_name_pages_and_have_copies(tmp_path: Path) -> None:
    (tmp_path / "index.cdx").write_text(LINE.replace("bridge-1", "school-2"))
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>bridge</p>"
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {PAGE}\r\nWARC-Date: 2018-03-04T10:15:00Z\r\n"
    head += (
        f"WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    (tmp_path / "pages.warc").write_bytes(head.encode() + answer + b"\r\n\r\n")
    files = ArchiveFiles(tmp_path)
    assert {(each.url, each.captured_at) for each in files.list_captures()} == {
        (PAGE, CAPTURED), (PAGE.replace("bridge-1", "school-2"), CAPTURED)
    }  # fmt: skip
    page = files.read_copy(PAGE)
    assert page is not None
    assert page.body == b"<p>bridge</p>"
    assert files.read_copy("http://paper.example/other") is None


@pytest.mark.parametrize(
    ("url", "first", "last"),
    [
        ("http://p.example/2018/03/", date(2018, 3, 1), date(2018, 3, 31)),
        ("http://p.example/archive/2018-03-04.html", date(2018, 3, 4), date(2018, 3, 4)),
        ("http://p.example/archiv/4.3.2018/", date(2018, 3, 4), date(2018, 3, 4)),
        ("http://p.example/archive?year=2018&month=3", date(2018, 3, 1), date(2018, 3, 31)),
        ("http://p.example/?m=201803", date(2018, 3, 1), date(2018, 3, 31)),
        ("http://p.example/archive/2018/03/page/2/", date(2018, 3, 1), date(2018, 3, 31)),
    ],
)
def test_archive_pages_say_their_days(url: str, first: date, last: date) -> None:
    assert find_archive_days(url) == (first, last)


@pytest.mark.parametrize("url", ["http://p.example/news/2018-budget", "http://p.example/2018/13/", "http://p.example/a/b"])
def test_other_pages_are_not_archives(url: str) -> None:
    assert find_archive_days(url) is None


def test_neighbours_tell_days_only_where_numbers_rise_with_them() -> None:
    rising, mixed = Neighbours(), Neighbours()
    for number in range(30):
        rising.add(f"http://p.example/news/some-long-slug-{1000 + 10 * number}.html", date(2018, 1, 1 + number))
        mixed.add(f"http://p.example/news/some-long-slug-{1000 + 10 * number}.html", date(2018, 1 + number * 7 % 12, 1))
    rising.sort()
    mixed.sort()
    url = "http://p.example/news/some-other-slug-1105.html"
    place = rising.locate(url)
    assert place is not None
    assert place.find_day(DAYS) == date(2018, 1, 11)
    assert place.find_day(DayRange(since=date(2018, 1, 12), until=date(2018, 6, 1))) is None  # 11 or 12 January
    assert mixed.locate(url) is None


@pytest.mark.parametrize("newest_first", [True, False])
def test_addresses_without_numbers_get_their_days_by_their_order_in_a_list(*, newest_first: bool) -> None:
    neighbours = Neighbours()
    for place in (10, 40, 70, 100):
        day = date(2018, 12, 1) - timedelta(days=place) if newest_first else date(2018, 1, 1) + timedelta(days=place)
        neighbours.add(f"http://p.example/{'abcdefghij'[place % 7]}-slug-of-words", day, place=place, in_list="1")
    neighbours.sort()
    found = neighbours.locate("http://p.example/other-slug-of-words", place=50, in_list="1")
    assert found is not None
    expected = date(2018, 10, 12) if newest_first else date(2018, 2, 20)
    assert found.find_day(DayRange(since=date(2018, 1, 1), until=date(2018, 12, 31))) == expected
    unsampled = neighbours.locate("http://p.example/other-slug-of-words", place=50, in_list="2")
    assert unsampled is not None
    assert unsampled.find_day(DAYS) is None


def test_an_end_of_the_range_is_searched_from_within() -> None:
    place = Place(key="k", number=0, low=1000, high=2000, first=date(2017, 1, 1), last=date(2018, 6, 30), percent=100)
    numbers = list(range(1000, 2000))
    chosen = numbers[place.choose_probe(numbers, DAYS, date(2026, 1, 1))]
    assert 1800 < chosen < 1900  # by interpolation the range begins at 1668


FRONT = '<html><head><meta name="generator" content="{}"></head><body><p>News</p></body></html>'
FEED = b"<rss><channel><item><link>http://p.example/a-long-slug-of-words</link><title>T</title></item></channel></rss>"


def make_answer(url: str, *, kind: str = "start", why: str | None = None, body: bytes = b"", system: str = "") -> SourceResponse:
    scope = Scope.of(["http://p.example/"], [], [], [])
    portal = SourcePortal(start_urls=("http://p.example/",), scope=scope)
    page = Document.parse(FRONT.format(system).encode(), url) if kind == "start" else None
    return SourceResponse(portal=portal, requested_url=url, url=url, kind=kind, why=why, body=body, page=page, fetched_at=CAPTURED)


def test_feeds_of_the_past_are_read_until_they_repeat_and_replace_searches() -> None:
    source = PastFeedSource(DayRange(since=date(2018, 5, 1), until=date(2018, 6, 30)))
    leads = list(source.read(make_answer("http://p.example/", system="WordPress 6.5")))
    feeds, searches = ([lead.url for lead in leads if lead.kind is kind] for kind in (LeadKind.FEED, LeadKind.SECTION))
    assert [find_archive_days(url) for url in searches] == [
        (date(2018, 6, 1), date(2018, 6, 30)), (date(2018, 5, 1), date(2018, 5, 31))
    ]  # fmt: skip
    assert not any(map(source.get_reason_to_skip, [*feeds, *searches]))
    entry, further = source.read(make_answer(feeds[0], kind="feed", why="past feeds", body=FEED))
    assert entry.url == "http://p.example/a-long-slug-of-words"
    assert "paged=2" in further.url
    assert not list(source.read(make_answer(further.url, kind="feed", why="past feeds", body=FEED)))
    assert not any(map(source.get_reason_to_skip, feeds))
    assert all(map(source.get_reason_to_skip, searches))


def test_bloggers_feed_is_asked_for_two_dates() -> None:
    (lead,) = PastFeedSource(DAYS).read(make_answer("http://p.example/", system="blogger"))
    assert "published-min=2018-01-01T00%3A00%3A00" in lead.url
    assert "published-max=2018-07-01T00%3A00%3A00" in lead.url


def test_a_month_is_estimated_by_two_lists_of_different_origin() -> None:
    counts = {frozenset({"sitemap"}): 10, frozenset({"sitemap", "archive"}): 80, frozenset({"archive"}): 10}
    found = estimate_month(counts)
    assert isinstance(found, Completeness)
    assert 100 <= found.total <= 103
    assert found.low <= 101 <= found.high
    assert estimate_month(counts, waiting=1) is NoEstimate.QUEUE
    assert estimate_month({frozenset({"sitemap", "posts"}): 50, frozenset({"feed"}): 5}) is NoEstimate.ONE_SOURCE
    assert estimate_month({frozenset({"sitemap", "archive"}): 50}) is NoEstimate.CONTAINED
