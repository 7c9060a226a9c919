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


def document(body: str, head: str = "") -> str:
    return f"<!doctype html><html lang=cs><head><meta charset=utf-8><title>Deník</title>{head}</head><body>{body}</body></html>"


WARES = "<div class='product-card'><a href='/zbozi/hrnek/'>Hrnek</a> <span itemprop=price>90 Kč</span></div>" * 6
CHALLENGE = "<form id=challenge-form action=/cdn-cgi/challenge-platform/x></form>"
#: Portals of which no article can be found: the front page, and keys of the configuration.
NOTHING_FOUND: dict[str, tuple[Route, str]] = {
    "javascript": (document("<div id=root></div><script src=/app.js></script>"), ""),
    "noscript": (document("<noscript>Zapněte JavaScript.</noscript><app-shell></app-shell><script>start()</script>"), ""),
    "frames": (document("<iframe src='http://127.0.0.99:1/obsah'></iframe>"), ""),
    "shop": (document(WARES), ""),
    "shut-out": (listing(*(address(n) for n in range(5))), "include = ['/blog/']"),
    "elsewhere": (listing("https://www.example.org/1", "https://www.example.org/2"), ""),
    "nothing": (document("<h1>Deník</h1><p>Brzy zde bude náš web.</p>"), ""),
    "forbidden": (Answer("no", 403), ""),
    "challenge": (document(CHALLENGE, "<title>Just a moment...</title>"), ""),
    "consent": (document("<h1>Váš souhlas s cookies</h1><button>Přijmout vše</button>"), ""),
    "circle": (Answer("", 302, {"Location": "/", "Set-Cookie": "seen=1"}), ""),
}


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """One crawl of portals of which each test looks at one."""
    with Town(tmp_path_factory.mktemp("reports")) as made:
        limited = made.add("limited", stories(40), keys="delay = 0\nmax_articles = 10")
        limited.routes["/rss.xml"] = feed(limited.url, range(12))
        made.add("linked", stories(12))
        made.add("undated", without_dates(stories(14)), keys='delay = 0\nrequired = ["title", "body", "date"]')
        made.add("without-description", stories(3), keys='delay = 0\nrequired = ["title", "body", "description"]')
        for name, (front, keys) in NOTHING_FOUND.items():
            made.add(name, {"/": front, "/zbozi/hrnek/": "<h1>Hrnek</h1>"}, keys=f"delay = 0\n{keys}")
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
        ("javascript", "its front page is empty without JavaScript; pages that scripts fill cannot be read"),
        ("noscript", "its front page is empty without JavaScript"),
        ("frames", "its front page consists of frames; name the address of the frame"),
        ("shop", "its front page is that of a shop; newscrawler reads news"),
        ("shut-out", "links only to addresses that `include` and `exclude` shut out; let `include` match"),
        ("elsewhere", "its front page links only to other hosts; name those that are the portal's in `hosts`"),
        ("nothing", "its front page links to nothing; see in a browser"),
        ("forbidden", "1 × HTTP 403); its server refuses the crawler"),
        ("challenge", "1 × captcha); a system against robots stands before it"),
        ("consent", "1 × consent page); a consent page stands before it"),
        ("circle", "too many redirects); it sends the crawler round in a circle, as sites do that want cookies"),
        ("unknown", "1 × host name not found); see whether its address is written right"),
        ("undated", "no article of undated was found (1 listing, 14 × date missing)"),
    ],
)
def test_a_first_crawl_that_finds_nothing_says_why(town: Town, portal: str, told: str) -> None:
    (sentence,) = [line for line in town.errors.splitlines() if f" of {portal} " in line]

    assert told in sentence
    assert town.results[portal]["troubled"] is True


def test_portals_with_articles_are_in_no_trouble(town: Town) -> None:
    assert not town.results["linked"]["troubled"]
    assert not town.results["limited"]["troubled"]


def test_a_name_that_does_not_exist_is_asked_for_once_and_not_waited_for(town: Town) -> None:
    assert (town.results["unknown"]["requests"], town.results["unknown"]["waited"]) == (1, {})
