from datetime import date

import pytest

from newscrawler.discovery.urls import find_trap


@pytest.mark.parametrize(
    ("path", "trap"),
    [
        ("/calendar/2031-05/", "calendar"),
        ("/calendar?month=5&year=2031", "calendar"),
        ("/kalendar/2026/12/", "calendar"),
        ("/events/2026/11/20/", "calendar"),
        ("/?month=5&year=2031", "calendar"),
        ("/a?my_session=12ab", "session"),
        ("/a?sid=1763640000123", "session"),
        ("/a?_=1763640000000", "session"),
        ("/a/b/a/b/", "growing path"),
        ("/news/x/news/y/news/z", "growing path"),
        ("/a.html/b.html", "growing path"),
        ("/index.php/news/index.php/sport", "growing path"),
        ("/a.php/b.html/c.html", "growing path"),
        ("/" + "x/" * 20, "growing path"),
        ("/list?sort=price", "sort or filter"),
        ("/list?filter[colour]=red", "sort or filter"),
        ("/list?tag=a&tag=b&tag=c", "sort or filter"),
        ("/list?" + "&".join(f"p{n}={n}" for n in range(9)), "sort or filter"),
        ("/" + "x" * 900, "long address"),
    ],
)
def test_traps_are_known_by_their_address(path, trap):
    assert find_trap("https://example.com" + path) == trap


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/2026/09/slug/",
        "/2026/09/",
        "/magdeburg/magdeburg/prozess-dauert-an",
        "/sport/football/2026/11/20/sport-in-brief.html",
        "/index.php?option=com_content&view=article&id=52",
        "/index.php/news/52-council-meeting-opens-season.html",
        "/events/council-meeting-opens-season/",
        "/?p=12&page=2",
        "/modules.php?name=News&file=article&sid=539",
        "/article?id=1763640000000",
        "/news/calendar-of-the-season-is-out",
        "/2019/08/21/prairie-dogs-force-cancellation-of-camping-event/",
        "/index.php?id=5&tx_news_pi1[action]=detail&tx_news_pi1[news]=77",
        "/2026/11/12/what-changes-by-2040-and-why/",
        "/2026/11/12/the-agenda-for-2030",
        "/2026/11/12/2040-is-nearer-than-it-seems/",
        "/2026/11/2345/a-number-before-the-title/",
    ],
)
def test_pages_are_no_traps(path):
    assert find_trap("https://example.com" + path, today=date(2026, 11, 20)) is None


def test_an_archive_of_years_to_come_is_a_calendar():
    assert find_trap("https://example.com/2029/05/", today=date(2026, 11, 20)) == "calendar"
    assert find_trap("https://example.com/archive/2031-05/", today=date(2026, 11, 20)) == "calendar"
    assert find_trap("https://example.com/archive/2031-05-17", today=date(2026, 11, 20)) == "calendar"
    assert find_trap("https://example.com/?date=2031-05", today=date(2026, 11, 20)) == "calendar"
    assert find_trap("https://example.com/2025/05/", today=date(2026, 11, 20)) is None


def test_what_is_no_web_address_is_no_trap():
    assert find_trap("mailto:a@example.com") is None
