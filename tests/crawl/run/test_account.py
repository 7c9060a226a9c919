"""The account of every article that a portal names: none is lost to a bad night, whatever its server answered then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from crawling import a_day_passes
from odd_sites import document, rss, sitemap
from portal_server import Answer, PortalServer, Route, address, cut_short, listing, story
from town import Town

#: Days of the crawls, and how many articles each portal names; the first of them are those of a bad night.
DAYS, NAMED, BAD = (1, 2, 4, 9, 17), 5, 2
LOGIN = document("<h1>Přihlášení</h1><form><input name=user><input type=password name=pass></form>")
CHALLENGE = document("<form id=challenge-form action=/cdn-cgi/challenge-platform/x></form>", "<title>Just a moment...</title>")
CONSENT = document("<h1>Váš souhlas s cookies</h1><button>Přijmout vše</button>")
SOON = document("<h1>Právě pracujeme na vylepšení webu</h1><p>Brzy jsme zpět.</p>")
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
    #: Crawls until the articles are there.
    until: int = 1
    more: dict[str, Route] = field(default_factory=dict)


def redirect(target: str) -> Answer:
    return Answer("", 302, {"Location": target})


KINDS = {
    "password": BadNight(Answer("no", 401), "HTTP 401", "links"),
    "payment": BadNight(Answer("no", 402), "payment required", "sitemap"),
    "forbidden": BadNight(Answer("no", 403), "HTTP 403", "section"),
    "forbidden-for-long": BadNight(Answer("no", 403), "HTTP 403", until=4),
    "missing": BadNight(Answer("no", 404), "HTTP 404", "links"),
    "missing-for-long": BadNight(Answer("no", 404), "HTTP 404", "sitemap", until=4),
    "gone": BadNight(Answer("no", 410), "HTTP 410"),
    "teapot": BadNight(Answer("no", 418), "HTTP 418"),
    "broken": BadNight(Answer("no", 500), "HTTP 500", "section"),
    "empty": BadNight("", "empty page", "sitemap"),
    "blank": BadNight("  \n", "empty page", "links"),
    "captcha": BadNight(Answer(CHALLENGE, 403), "captcha"),
    "captcha-200": BadNight(CHALLENGE, "captcha", "links"),
    "consent": BadNight(CONSENT, "consent page", "section"),
    "front-page": BadNight(redirect("/"), "redirect", "links"),
    "login": BadNight(redirect("/login"), "redirect", "sitemap", more={"/login": LOGIN}),
    "login-elsewhere": BadNight(redirect("http://127.0.0.99:1/login"), "redirect out of scope", "section"),
    "unasked-304": BadNight(Answer("", 304), "HTTP 304", "links"),
    "maintenance": BadNight(SOON, "no body", "feed"),
    "plain": BadNight(Answer("busy", kind="text/plain"), "not HTML", "feed"),
    "cut": BadNight(Answer(raw=cut_short), "connection lost", "links"),
    "dropped": BadNight(lambda _: None, "connection lost", "feed"),
}  # fmt: skip


@dataclass
class Nights:
    """Several crawls of all portals: what each left in the account, and the URLs that were requested."""

    town: Town
    accounts: list[dict[str, dict[str, Any]]] = field(default_factory=list)
    requests: list[dict[str, int]] = field(default_factory=list)

    @property
    def number(self) -> int:
        return len(self.accounts) + 1

    def add(self, name: str, night: BadNight) -> None:
        server = self.town.add(name, {}, keys="delay = 0\nlearn = false\nkeep_pages = false")
        paths = [address(number) for number in range(1, NAMED + 1)]
        server.routes = (
            {path: story(number) for number, path in enumerate(paths, 1)} | LISTS[night.lists](server.url, paths) | night.more
        )
        for number, path in enumerate(paths[:BAD], 1):
            server.routes[path] = self.switch(night, number)

    def switch(self, night: BadNight, number: int) -> Route:
        def answer(server: PortalServer) -> str | bytes | Answer | None:
            if self.number > night.until:
                return story(number)
            return night.answer(server) if callable(night.answer) else night.answer

        return answer

    def crawl(self) -> None:
        self.town.crawl(seconds=400)
        self.accounts.append({name: result["coverage"]["account"] for name, result in self.town.results.items()})
        self.requests.append({name: len(server.asked) for name, server in self.town.servers.items()})
        for server in self.town.servers.values():
            server.asked.clear()


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nights]:
    with Town(tmp_path_factory.mktemp("account")) as town:
        made = Nights(town)
        for kind, night in KINDS.items():
            made.add(kind, night)
        for day, before in zip(DAYS, (1, *DAYS), strict=False):
            for _ in range(day - before):
                a_day_passes(town.folder)
            made.crawl()
        yield made


@pytest.mark.parametrize("kind", KINDS)
def test_no_article_is_lost_to_a_bad_night(nights: Nights, kind: str) -> None:
    first, *later = (account[kind] for account in nights.accounts)

    assert (first["stored"], first["named"]) == (NAMED - BAD, NAMED)
    assert [(each["reason"], each["count"]) for each in first["missing"]] == [(KINDS[kind].reason, BAD)]
    assert all(each["next_try_at"] for each in first["missing"])
    assert later[-1] == {"named": NAMED, "stored": NAMED, "missing": []}
