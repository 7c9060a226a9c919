"""The account of every article that a portal names: none is lost to a bad night, whatever its server answered then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from crawling import a_day_passes
from odd_sites import XML, document, rss, sitemap
from portal_server import Answer, PortalServer, Route, address, cut_short, listing, story
from town import Town

from newscrawler.store import open_store

#: Days of the crawls, and how many articles a portal names.
DAYS, NAMED = (1, 2, 4), 5
LOGIN = document("<h1>Přihlášení</h1><form><input name=user><input type=password name=pass></form>")
CHALLENGE = document("<form id=challenge-form action=/cdn-cgi/challenge-platform/x></form>", "<title>Just a moment...</title>")
CONSENT = document("<h1>Váš souhlas s cookies</h1><button>Přijmout vše</button>")
MISSING = document("<h1>Stránka nenalezena</h1><p>Tato stránka bohužel neexistuje nebo byla přesunuta.</p>")
SOON = document("<h1>Právě pracujeme na vylepšení webu</h1><p>Brzy jsme zpět.</p>")
QUEUE = document(
    "<h1>Chvilku strpení</h1><p>Zájem o naše stránky je teď nezvykle velký. Jste ve frontě, před vámi čeká ještě "
    "několik tisíc lidí, a jakmile na vás přijde řada, pustíme vás dál.</p>"
)
LISTS: dict[str, Callable[[str, list[str]], dict[str, Route]]] = {
    "links": lambda _, paths: {"/": listing(*paths)},
    "feed": lambda base, paths: {"/": listing(), "/rss.xml": rss(base, paths)},
    "sitemap": lambda base, paths: {"/": listing(), "/sitemap.xml": sitemap(base, paths)},
    "section": lambda _, paths: {"/": listing("/sport/"), "/sport/": listing(*paths, title="Sport")},
}


@dataclass(frozen=True, slots=True)
class BadNight:
    """A kind of bad night: what is answered in place of an article, and how the account names it."""

    answer: Route
    reason: str
    #: Where the articles are named.
    lists: str = "feed"
    #: Crawls until the article is there.
    until: int = 1


def redirect(target: str) -> Answer:
    return Answer("", 302, {"Location": target})


KINDS = {
    "password": BadNight(Answer("no", 401), "HTTP 401", "links"),
    "payment": BadNight(Answer("no", 402), "payment required", "sitemap"),
    "forbidden": BadNight(Answer("no", 403), "HTTP 403", "section"),
    "forbidden-for-long": BadNight(Answer("no", 403), "HTTP 403", until=2),
    "missing": BadNight(Answer("no", 404), "HTTP 404", "links"),
    "missing-for-long": BadNight(Answer("no", 404), "HTTP 404", "sitemap", until=2),
    "gone": BadNight(Answer("no", 410), "HTTP 410"),
    "teapot": BadNight(Answer("no", 418), "HTTP 418"),
    "broken": BadNight(Answer("no", 500), "HTTP 500", "section"),
    "missing-200": BadNight(MISSING, "error page", "sitemap"),
    "partial": BadNight(Answer(story(1)[:600], 206, {"Content-Range": "bytes 0-599/9000"}), "HTTP 206", "links"),
    "json": BadNight(Answer('{"error": "not now"}', kind="application/json"), "not HTML"),
    "empty": BadNight("", "empty page", "sitemap"),
    "blank": BadNight("  \n", "empty page", "links"),
    "captcha": BadNight(Answer(CHALLENGE, 403), "captcha"),
    "captcha-200": BadNight(CHALLENGE, "captcha", "links"),
    "consent": BadNight(CONSENT, "consent page", "section"),
    "front-page": BadNight(redirect("/"), "redirect", "links"),
    "login": BadNight(redirect("/login"), "redirect", "sitemap"),
    "login-elsewhere": BadNight(redirect("http://127.0.0.99:1/login"), "login or paywall", "section"),
    "elsewhere": BadNight(redirect("http://127.0.0.99:1/"), "redirect out of scope", "section"),
    "unasked-304": BadNight(Answer("", 304), "HTTP 304", "links"),
    "maintenance": BadNight(SOON, "no body", "feed"),
    "queue": BadNight(QUEUE, "error page", "links"),
    "queue-of-feed": BadNight(QUEUE, "error page", "feed"),
    "plain": BadNight(Answer("busy", kind="text/plain"), "not HTML", "feed"),
    "cut": BadNight(Answer(raw=cut_short), "connection lost", "links"),
    "dropped": BadNight(lambda _: None, "connection lost", "feed"),
}  # fmt: skip

ADDRESSES = {kind: address(number) for number, kind in enumerate(KINDS, 1)}
PATHS = [address(number) for number in range(1, NAMED + 1)]
STORIES: dict[str, Route] = {path: story(number) for number, path in enumerate(PATHS, 1)}
FORBIDS = Answer("User-agent: *\nDisallow: /zpravy/\n", kind="text/plain")
NUMBERS = [f"/?p={number}" for number in range(1001, 1021)]
Switch = Callable[[Route, Route], Route]
#: Portals with a bad night of another kind: their pages, made of the answers of the first crawl and of later ones; articles stored
#: and named after the first crawl, and after the last.
PORTALS: dict[str, tuple[Callable[[Switch, str], dict[str, Route]], tuple[int, int], int]] = {
    "robots": (
        lambda switch, base: {
            "/": listing(), "/rss.xml": rss(base, PATHS),
            "/robots.txt": switch(FORBIDS, Answer("", 404)), **STORIES,
        }, (0, NAMED), NAMED,
    ),
    "refused-feed": (
        lambda switch, base: {"/": listing(), "/rss.xml": switch(Answer("no", 403), rss(base, PATHS)), **STORIES}, (0, 0), NAMED,
    ),
    "empty-section": (
        lambda switch, _: {"/": listing("/sport/"), "/sport/": switch("", listing(*PATHS, title="Sport")), **STORIES},
        (0, 0), NAMED,
    ),
    "feed-of-redirects": (
        lambda _, base: {
            "/": listing(), "/rss.xml": rss(base, [f"/go/{number}" for number in range(1, NAMED + 1)]), **STORIES,
            **{f"/go/{number}": Answer("", 301, {"Location": path}) for number, path in enumerate(PATHS, 1)},
        }, (NAMED, NAMED), NAMED,
    ),
    "feed-of-two-hosts": (
        lambda _, base: {"/": listing(), "/rss.xml": Answer(str(rss(base, PATHS).body).replace(
            "</channel>", "<item><link>http://jinde.example/clanek-o-moste-1.html</link></item></channel>"), kind=XML), **STORIES},
        (NAMED, NAMED + 1), NAMED + 1,
    ),
    "two-addresses": (
        lambda *_: {
            "/": listing(*PATHS, *(path.replace("zpravy", "sport") for path in PATHS)), **STORIES,
            **{path.replace("zpravy", "sport"): page for path, page in STORIES.items()},
        }, (NAMED, NAMED), NAMED,
    ),
    "few-good": (
        lambda switch, _: {
            "/": listing(*(address(number) for number in range(1, 14))),
            **{address(number): story(number) if number < 4 else switch(document("."), story(number)) for number in range(1, 14)},
        }, (3, 13), 13,
    ),
    "none-good": (
        lambda switch, _: {
            "/": listing(*PATHS),
            **{path: switch(Answer("busy", kind="text/plain"), page) for path, page in STORIES.items()},
        }, (0, NAMED), NAMED,
    ),
    "numbered": (
        lambda switch, _: {
            "/": listing(*NUMBERS),
            **{path: switch(Answer("no", 403), story(number)) for number, path in enumerate(NUMBERS, 1)},
        }, (0, len(NUMBERS)), len(NUMBERS),
    ),
}  # fmt: skip


@dataclass
class Nights:
    """Several crawls of all portals, the coverage that each left, and the articles that were missing then, by path."""

    town: Town
    coverage: list[dict[str, dict[str, Any]]] = field(default_factory=list)
    missing: list[dict[str, dict[str, tuple[str, str]]]] = field(default_factory=list)

    def add(self, name: str, make: Callable[[Switch, str], dict[str, Route]]) -> None:
        server = self.town.add(name, {}, keys="delay = 0\nlearn = false\nkeep_pages = false")
        server.routes = make(self.switch, server.url)

    def switch(self, bad: Route, good: Route, until: int = 1) -> Route:
        """Answer badly in the first crawls, and well in later ones."""

        def answer(server: PortalServer) -> str | bytes | Answer | None:
            route = bad if len(self.coverage) < until else good
            return route(server) if callable(route) else route

        return answer

    def crawl(self) -> None:
        self.town.crawl(seconds=400)
        self.coverage.append({name: result["coverage"] for name, result in self.town.results.items()})
        with open_store(f"sqlite:///{self.town.folder / 'newscrawler.sqlite'}") as store:
            rows = {name: store.patterns.missing_of(name) for name in self.town.servers}
        paths = {name: {urlsplit(row["url"]).path: (row["reason"], row["next_try_at"]) for row in rows[name]} for name in rows}
        self.missing.append(paths)


def make_bad_nights(lists: str, switch: Switch, base: str) -> dict[str, Route]:
    """Return the pages of a portal with the articles of all kinds that are named in this way, and with good ones."""
    nights = {ADDRESSES[kind]: (night, number) for number, (kind, night) in enumerate(KINDS.items(), 1) if night.lists == lists}
    bad = {path: switch(night.answer, story(number), night.until) for path, (night, number) in nights.items()}
    good = {address(number): story(number) for number in range(50, 53)}
    return {"/login": LOGIN, **bad, **good, **LISTS[lists](base, [*bad, *good])}


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nights]:
    with Town(tmp_path_factory.mktemp("account")) as town:
        made = Nights(town)
        for lists in LISTS:
            made.add(lists, partial(make_bad_nights, lists))
        for name, (routes, _, _) in PORTALS.items():
            made.add(name, routes)
        for day, before in zip(DAYS, (1, *DAYS), strict=False):
            for _ in range(day - before):
                a_day_passes(town.folder)
            made.crawl()
        yield made


@pytest.mark.parametrize("kind", KINDS)
def test_no_article_is_lost_to_a_bad_night(nights: Nights, kind: str) -> None:
    night, path = KINDS[kind], ADDRESSES[kind]
    reason, next_try_at = nights.missing[0][night.lists][path]

    assert reason == night.reason
    assert datetime.fromisoformat(next_try_at)
    assert nights.coverage[0][night.lists]["account"]["stored"] == 3
    assert nights.missing[-1][night.lists] == {}


@pytest.mark.parametrize("name", PORTALS)
def test_all_that_a_portal_names_is_stored_at_last_and_counted_as_articles(nights: Nights, name: str) -> None:
    _, first, most = PORTALS[name]
    coverage = [coverage[name] for coverage in nights.coverage]

    assert (coverage[0]["account"]["stored"], coverage[0]["account"]["named"]) == first
    elsewhere = [{"reason": "on another host", "count": 1, "next_try_at": None}] if name == "feed-of-two-hosts" else []
    assert coverage[-1]["account"] == {"named": most, "stored": most - len(elsewhere), "missing": elsewhere}
    assert sum(each["found"] for each in coverage) == most - len(elsewhere)


def test_addresses_that_lead_to_stored_articles_by_several_redirects_are_not_tried_again(tmp_path: Path) -> None:
    short = [f"/zkratka-{number}-vede-k-clanku-o-moste.html" for number in range(1, 6)]
    with Town(tmp_path) as town:
        server = town.add("chain", {"/": listing(*short)})
        for number, path in enumerate(short, 1):
            server.routes |= {
                path: redirect(f"/dal/{number}"),
                f"/dal/{number}": redirect(address(number)),
                address(number): story(number),
            }
        town.crawl()
        a_day_passes(tmp_path)
        first = len(server.asked)
        town.crawl()

    assert len({item.path for item in server.asked} & set(short)) == 5
    assert not {item.path for item in server.asked[first:]} & {*short, *(f"/dal/{number}" for number in range(1, 6))}
