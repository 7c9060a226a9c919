"""What a crawl reports is true: portals that end early, lack attributes, or are linked from one source, crawled by one command."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from portal_server import Answer, Route, address, listing, story
from town import Town

from newscrawler.discovery.completeness import NoEstimate

UNDATED = re.compile("<meta property=[^>]+>")


def stories(count: int) -> dict[str, Route]:
    """A front page that links so many articles, and the articles."""
    routes: dict[str, Route] = {address(number): story(number) for number in range(count)}
    return routes | {"/": listing(*routes)}


def without_dates(routes: dict[str, Route]) -> dict[str, Route]:
    """The same pages without their dates."""
    return {path: UNDATED.sub("", str(page)) for path, page in routes.items()}


def feed(base: str, numbers: range) -> Answer:
    """A feed of some of the articles."""
    items = "".join(f"<item><title>Most</title><link>{base.rstrip('/')}{address(number)}</link></item>" for number in numbers)
    return Answer(f"<rss version='2.0'><channel>{items}</channel></rss>", kind="application/xml")


def behind_a_cookie(page: str) -> Route:
    """A page that is shown only to whoever sends a cookie back."""
    ask = Answer("", 302, {"Location": "/", "Set-Cookie": "consent=1; Path=/"})
    return lambda server: page if "Cookie: consent=1" in (server.heads or [""])[-1] else ask


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """One crawl of portals of which each test looks at one."""
    with Town(tmp_path_factory.mktemp("reports")) as made:
        limited = made.add("limited", stories(40), keys="delay = 0\nmax_articles = 10")
        limited.routes["/rss.xml"] = feed(limited.url, range(12))
        made.add("linked", stories(12)).heads = []
        made.add("undated", without_dates(stories(14)), keys='delay = 0\nrequired = ["title", "body", "date"]')
        made.add("without-description", stories(3), keys='delay = 0\nrequired = ["title", "body", "description"]')
        wall = made.add("cookie-wall", keys='delay = 0\ncookies = "session"\nheaders = { X-Access = "file:access.txt" }')
        (made.folder / "access.txt").write_text("secret 1\n", "utf-8")
        wall.heads = []
        wall.routes = {"/": behind_a_cookie(listing(*map(address, range(3)))), **{address(n): story(n) for n in range(3)}}
        made.add("unknown", start="http://no-such-name.example:{port}/", keys="delay = 5")
        yield made.crawl()


def test_a_crawl_that_a_limit_ended_gives_a_lower_bound(town: Town) -> None:
    coverage = town.results["limited"]["coverage"]

    assert (coverage["found"], coverage["total"], coverage["why_not"]) == (10, None, NoEstimate.QUEUE)
    assert coverage["left"] >= 30


def test_one_source_alone_gives_no_estimate(town: Town) -> None:
    coverage = town.results["linked"]["coverage"]

    assert (coverage["found"], coverage["total"], coverage["why_not"]) == (12, None, NoEstimate.ONE_SOURCE)


def test_articles_that_lack_an_attribute_are_no_listings(town: Town) -> None:
    """All of them are asked for, however many in a row are refused."""
    undated = town.results["undated"]

    assert (undated["refused"], undated["listings"], undated["new_articles"]) == ({"date missing": 14}, 1, 0)


def test_a_lead_is_no_description(town: Town) -> None:
    assert town.results["without-description"]["refused"] == {"description missing": 3}
    assert town.results["without-description"]["new_articles"] == 0


@pytest.mark.parametrize(
    ("portal", "told"),
    [
        ("unknown", "1 × host name not found); check the spelling of its address"),
        ("undated", "no article of undated was found (1 listing, 14 × date missing)"),
    ],
)
def test_a_first_crawl_that_finds_nothing_says_why(town: Town, portal: str, told: str) -> None:
    (sentence,) = [line for line in town.errors.splitlines() if f" of {portal} " in line]

    assert told in sentence
    assert town.results[portal]["needs_attention"] is True


def test_portals_with_articles_are_in_no_trouble(town: Town) -> None:
    assert not town.results["linked"]["needs_attention"]
    assert not town.results["limited"]["needs_attention"]


def test_a_name_that_does_not_exist_is_asked_for_once_and_not_waited_for(town: Town) -> None:
    assert (town.results["unknown"]["requests"], town.results["unknown"]["waited"]) == (1, {})


def test_cookies_of_a_session_and_headers_of_the_operator_are_sent(town: Town) -> None:
    assert town.results["cookie-wall"]["new_articles"] == 3
    assert all("X-Access: secret 1" in head for head in town.servers["cookie-wall"].heads or [])
    assert not any("Cookie" in head for head in town.servers["linked"].heads or [])
