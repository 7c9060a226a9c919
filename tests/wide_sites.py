"""Portals whose front page shows a part of the articles, or none before a choice: rows as in `odd_sites.py`."""

from __future__ import annotations

import json
from base64 import b64encode
from html import escape
from zlib import crc32

from odd_sites import TEN, XML, OddSite, Routes, anchors, at, document, plain, sitemap
from portal_server import Answer, PortalServer, Route, story
from standard_sites import data

FIRST, MIDDLE, LAST = TEN[:4], TEN[4:7], TEN[7:]
FRONT = f"<h1>Deník</h1><ul>{anchors(FIRST)}</ul>"


def items(paths: tuple[str, ...]) -> list[dict[str, str]]:
    """Entries of an API."""
    return [{"title": "Most se letos dočká opravy", "url": path} for path in paths]


def part(paths: tuple[str, ...]) -> str:
    """A part of the list without a page around it."""
    return f"<ul>{anchors(paths)}</ul>"


def shown_and(more: str, **pages: Route) -> Routes:
    """A front page of four articles, and what leads to the other six; `pages` by their addresses, with `__` for a slash."""
    return plain(TEN, document(FRONT + more), {name.replace("__", "/"): page for name, page in pages.items()})


def rest(first: str, second: str, answer: object = part) -> Routes:
    """The two other parts of the list."""
    make = answer if callable(answer) else part
    return {first: make(MIDDLE), second: make(LAST)}


def feed(fields: str, base: str) -> Routes:
    """A portal whose articles only a feed names."""
    entries = "".join(f"<item><title>Most se opraví</title>{fields.format(url=at(base, path), base=base)}</item>" for path in TEN)
    head = "<link rel=alternate type='application/rss+xml' href='/rss.xml'>"
    text = f"<?xml version='1.0'?><rss version='2.0'><channel><title>Deník</title>{entries}</channel></rss>"
    return plain(TEN, document("<h1>Deník</h1>", head), {"/rss.xml": Answer(text, kind=XML)})


def months(*, named: bool) -> Routes:
    """Archives by month that the reader chooses, below thirty other links."""
    address = "/archiv/?mesic={}" if named else "/archiv/{}/"
    values = [month if named else address.format(month) for month in ("2026-10", "2026-09")]
    options = "".join(f"<option value='{value}'>{value}</option>" for value in values)
    choice = f"<form action=/archiv/><select name=mesic>{options}</select><button>Ukaž</button></form>"
    links = "".join(f"<a href='https://jinde{n}.example/'>Jinde {n}</a> " for n in range(30))
    return plain(TEN, document(FRONT + links + choice), rest(address.format("2026-10"), address.format("2026-09")))


class Gate(dict[str, Route]):
    """Pages for those who bring the cookie that a choice gives; a page with that choice for others."""

    def get(self, path: str, default: Route | None = None) -> Route | None:  # type: ignore[override]
        """Return the page, or the choice, by the head of the latest request."""
        if path == "/volba?kraj=2":
            return Answer("", 302, {"Location": "/", "Set-Cookie": "kraj=2; Path=/"})
        page = super().get(path, default)
        return None if page is None else lambda server: page if "kraj=2" in _last_head(server) else CHOICE


CHOICE = document("<h1>Vyberte kraj</h1><p>Odkud čtete?</p><a href='/volba?kraj=2'>Jižní Čechy</a>")


def _last_head(server: PortalServer) -> str:
    server.heads = [] if server.heads is None else server.heads
    return server.heads[-1] if server.heads else ""


OFFSETS = {"/api?od=4&offset=4&limit=3": data({"total": 10, "data": items(MIDDLE)}),
           "/api?od=4&offset=7&limit=3": data({"total": 10, "data": items(LAST)})}  # fmt: skip
SITES: dict[str, OddSite] = {
    "offset": OddSite("an answer whose address counts entries", shown_and(
        "<div data-src='/api?od=4&amp;offset=4&amp;limit=3' class=more></div>") | OFFSETS, TEN),
    "last": OddSite("an answer that names its last entry", shown_and("<a class=load-more data-url='/vice?last_id=104'>Více</a>") | {
        "/vice?last_id=104": data({"html": part(MIDDLE), "last_id": 107}),
        "/vice?last_id=107": data({"html": part(LAST), "last_id": 110}),
        "/vice?last_id=110": data({"html": "", "last_id": None})}, TEN),
    "called-feed": OddSite("an answer in JSON whose address says feed", shown_and(
        "<button data-load-url='/feed/vice?after=a4'>Více</button>") | {
        "/feed/vice?after=a4": data({"entries": items(MIDDLE), "next_cursor": "b7"}),
        "/feed/vice?after=b7": data({"entries": items(LAST), "next_cursor": None})}, TEN),
    "fragments": OddSite("numbered parts without a link to the next", shown_and(
        "<div class=infinite data-url='/dil?page=2'></div>") | rest("/dil?page=2", "/dil?page=3"), TEN),
    "template": OddSite("a number in a template of a program", shown_and(
        "<script>let n = 2; async function more() { await fetch(`/dily/${n}.html`); n++ }</script>")
        | rest("/dily/2.html", "/dily/3.html"), TEN),
    "joined": OddSite("a number between texts of a program", shown_and(
        "<script>var page = 1; function more() { $.get('/dily/' + (++page) + '.html', add) }</script>")
        | rest("/dily/2.html", "/dily/3.html"), TEN),
    "form": OddSite("a form with the number of the page", plain(TEN, document(
        FRONT + "<form><input type=hidden name=paged value=2><button>Další</button></form>"), {
        "/?paged=2": document(part(MIDDLE) + "<form><input type=hidden name=paged value=3><button>Další</button></form>"),
        "/?paged=3": document(part(LAST))}), TEN),
    "before": OddSite("a link to what is older than a time", plain(TEN, document(
        FRONT + "<a href='/search?updated-max=2026-11-20T00:00:00Z&amp;max-results=4'>Starší</a>"), {
        "/search?updated-max=2026-11-20T00:00:00Z&max-results=4": document(MIDDLE and part(MIDDLE + LAST))}), TEN),
    "months": OddSite("addresses of months in a choice", months(named=False), TEN),
    "months-named": OddSite("months in a choice", months(named=True), TEN),
    "comments": OddSite("a list within a comment", plain(TEN, document(
        f"<h1>Deník</h1><div class=lazy><!-- {part(TEN)} --></div>")), TEN),
    "srcdoc": OddSite("a document within an attribute", plain(TEN, document(
        f'<h1>Deník</h1><iframe srcdoc="{escape(part(TEN))}"></iframe>')), TEN),
    "state-html": OddSite("HTML in a script's data", plain(TEN, document(
        "<h1>Deník</h1><script>window.S = " + json.dumps({"html": part(TEN)}).replace("</", "<\\/") + "</script>")), TEN),
    "sitemap-missing": OddSite("a missing sitemap in robots.txt", lambda base: plain(TEN, document(FRONT), {
        "/robots.txt": Answer(f"Sitemap: {base}stara.xml\n", kind="text/plain"), "/sitemap_index.xml": sitemap(base, TEN)}), TEN),
    "feed-html": OddSite("HTML without end tags in a feed", lambda base: feed(
        "<description><p>Rada<br><img src=a.jpg></description><link>{url}</link>", base), TEN),
    "feed-quotes": OddSite("values without quotes in a feed", lambda base: feed(
        "<description type=html><p class=lead>Rada</p></description><link rel=alternate href={url} />", base), TEN),
    "feed-front": OddSite("a feed whose links lead to the front page", lambda base: feed(
        "<link>{base}</link><guid isPermaLink='true'>{url}</guid>", base), TEN),
    "sessions": OddSite("short sessions in links", plain(TEN, document("<h1>Deník</h1>" + part(tuple(
        f"{path}?sid=a{crc32(path.encode()):x}" for path in TEN)))), TEN),
    "choice": OddSite("a choice before the front page", Gate(plain(TEN, document("<h1>Deník</h1>" + part(TEN)))), told="cookies"),
    "choice-cookie": OddSite("the same, and cookies", Gate(plain(TEN, document("<h1>Deník</h1>" + part(TEN)))), TEN,
        keys='cookies = "session"'),
}  # fmt: skip


class Topics(dict[str, Route]):
    """Endless pages of topics, each with three articles and eight other topics."""

    def get(self, path: str, default: Route | None = None) -> Route | None:  # type: ignore[override]
        """Return a page of a topic below its folder."""
        if not path.startswith("/d/"):
            return super().get(path, default)
        number = crc32(path.encode())
        words = "".join(f"<a href='/d/{WORDS[(number + n) % 26]}-{number % 97 + n}/'>{WORDS[n]}</a> " for n in range(8))
        return document(f"<h1>{WORDS[number % 26]}</h1><ul>{anchors(TEN[number % 7 : number % 7 + 3])}</ul>{words}")


class Tokens(dict[str, Route]):
    """Pages whose links have another part of their path each time."""

    def __init__(self, routes: Routes) -> None:
        super().__init__(routes)
        self.count = 0

    def get(self, path: str, default: Route | None = None) -> Route | None:  # type: ignore[override]
        """Return a page by the end of its path."""
        plain_path = f"/{path.partition('/z/')[2]}" if path.startswith("/s") else path
        if plain_path != "/" and plain_path not in TEN:
            return super().get(path, default)
        links = []
        for each in TEN:
            self.count += 1
            links.append(f"/s{b64encode(str(crc32(str(self.count).encode())).encode()).decode().strip('=').lower()}/z{each}")
        number = TEN.index(plain_path) + 1 if plain_path in TEN else 0
        return story(number, links=part(tuple(links))) if number else document("<h1>Deník</h1>" + part(tuple(links)))


WORDS = (
    "most", "reka", "rada", "skola", "vlak", "trh", "les", "pole", "kino", "hrad", "park", "dum", "voda", "zima", "jaro", "leto",
    "kolo", "auto", "sport", "hokej", "fotbal", "tenis", "divadlo", "hudba", "film", "knihy",
)  # fmt: skip
TOPICS = [story(number, links="".join(f"<a href='/d/{word}/'>{word}</a> " for word in WORDS[number::5])) for number in range(10)]
ENDLESS: dict[str, OddSite] = {
    "topics": OddSite("topics that lead to topics", Topics(
        plain(TEN, document("<h1>Deník</h1>" + part(TEN))) | dict(zip(TEN, TOPICS, strict=True))), TEN),
    "tokens": OddSite("sessions within paths", Tokens({}), TEN),
}  # fmt: skip
