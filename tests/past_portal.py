"""A portal with many years of articles on loopback: sitemaps, an API, archives of three designs, a relaunch; web archives.

Everything follows from the number of an article, so that a portal of 40,000 takes no memory and no time to make.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit

#: Published so many on a page of a listing; lines of a page of an archive's index.
ROWS, LINES = 20, 1_500
WORDS = [
    "council",
    "bridge",
    "river",
    "school",
    "budget",
    "mayor",
    "police",
    "court",
    "station",
    "hospital",
    "forest",
    "market",
    "harvest",
    "flood",
    "winter",
    "summer",
    "museum",
    "theatre",
    "library",
    "railway",
    "airport",
    "harbour",
    "factory",
    "workers",
    "students",
    "teachers",
    "farmers",
    "doctors",
    "nurses",
    "drivers",
    "residents",
]


def draw(number: int, salt: str) -> float:
    """A number from 0 to 1 that only these two decide."""
    return int.from_bytes(blake2b(f"{salt} {number}".encode(), digest_size=6).digest(), "big") / 2**48


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What a portal has published, and where it lists it."""

    first: date = date(2015, 1, 1)
    last: date = date(2026, 11, 20)
    articles: int = 400
    #: Number of the design of its archive pages: months with pages, days, months in the query; 0: none.
    design: int = 1
    #: Shares of the live articles that the sitemaps and the archive pages list.
    in_sitemap: float = 0.9
    in_archive: float = 0.9
    #: Whether sitemaps say when an article was published (by lastmod), and are by month.
    dated_sitemap: bool = True
    by_month: bool = True
    wp_json: bool = False
    #: Whether feeds of months are served, and searches of months: as WordPress does, without naming them.
    past_feeds: bool = False
    past_search: bool = False
    #: Whether addresses have numbers; else words in their place.
    numbered: bool = True
    #: Until then addresses have numbers in place of dates; a third of them was lost.
    relaunch: date = date(2019, 7, 1)
    lost: float = 1 / 3
    #: Shares of live articles whose old addresses are listed and lead to new ones, and of listed addresses that were never right.
    moved: float = 0.03
    dead: float = 0.02
    #: Share of the lost articles of which the web archive has a copy, and of the copies that its index lists.
    copied: float = 0.97
    in_index: float = 0.99

    def day_of(self, number: int) -> date:
        """The day of an article; numbers and days rise together."""
        return self.first + timedelta(days=number * ((self.last - self.first).days) // max(1, self.articles - 1))

    def is_lost(self, number: int) -> bool:
        return self.day_of(number) < self.relaunch and draw(number, "lost") < self.lost

    def slug(self, number: int) -> str:
        words = [WORDS[int(draw(number, f"word {place}") * len(WORDS))] for place in range(4)]
        return "-".join(words)

    def path_of(self, number: int) -> str:
        """The present address of an article."""
        day = self.day_of(number)
        if not self.numbered:
            return f"/news/{self.slug(number)}-{'-'.join(WORDS[int(digit)] for digit in str(number))}.html"
        if day < self.relaunch:
            return f"/news/{self.slug(number)}-{100_000 + number}.html"
        return f"/{day:%Y/%m/%d}/{self.slug(number)}-{number}/"

    def listed_path(self, number: int) -> str:
        """The address of an article in lists, which a few years ago may have been another one."""
        return (
            f"/clanek/{self.slug(number)}-{100_000 + number}.html" if draw(number, "moved") < self.moved else self.path_of(number)
        )

    def number_of(self, path: str) -> int | None:
        """The article at a path, its former address included."""
        if not self.numbered:
            words = path.removeprefix("/news/").removesuffix(".html").split("-")[4:]
            digits = "".join(str(WORDS.index(word)) for word in words if word in WORDS[:10])
            return int(digits) if digits and path == self.path_of(int(digits)) else None
        tail = path.rstrip("/").removesuffix(".html").rpartition("-")[2]
        if not tail.isdigit():
            return None
        number = int(tail) - (100_000 if path.startswith(("/news/", "/clanek/")) else 0)
        return number if 0 <= number < self.articles and path in {self.path_of(number), self.former_path(number)} else None

    def former_path(self, number: int) -> str:
        return f"/clanek/{self.slug(number)}-{100_000 + number}.html"

    def numbers(self, since: date, until: date) -> range:
        """The articles of a range of days."""
        span = (self.last - self.first).days
        low = max(0, (since - self.first).days) * max(1, self.articles - 1) // span
        high = max(-1, (until - self.first).days + 1) * max(1, self.articles - 1) // span + 1
        found = [n for n in range(max(0, low - 2), min(self.articles, high + 2)) if since <= self.day_of(n) <= until]
        return range(found[0], found[-1] + 1) if found else range(0)

    def live(self, since: date, until: date) -> list[int]:
        return [number for number in self.numbers(since, until) if not self.is_lost(number)]

    def gone(self, since: date, until: date) -> list[int]:
        return [number for number in self.numbers(since, until) if self.is_lost(number)]

    def is_listed(self, number: int) -> bool:
        """Whether a list of the portal names a live article: its sitemaps, its archive pages, its API, its front page."""
        in_pages = self.design > 0 and draw(number, "archive") < self.in_archive
        return draw(number, "sitemap") < self.in_sitemap or in_pages or self.wp_json or number >= self.articles - ROWS

    def page(self, number: int, *, head: str = "") -> str:
        """The page of an article."""
        day, title = self.day_of(number), self.slug(number).replace("-", " ").capitalize()
        lines = "".join(
            f"<p>{title} {number}: the {WORDS[(number + part) % len(WORDS)]} of district {number * 7 + part} decided on {day:%d %B}"
            f" that the {WORDS[(number * 3 + part) % len(WORDS)]} will be rebuilt, after {number + part} residents had asked for it"
            f" in a letter to the {WORDS[(number * 5 + part) % len(WORDS)]}, which had said no twice before.</p>"
            for part in range(4)
        )
        return (
            f'<html lang="en"><head>{head}<meta charset="utf-8"><title>{title} of {number} | The Past</title>'
            f'<meta property="article:published_time" content="{day}T08:00:00+00:00"></head><body><nav><a href="/">Home</a> '
            f'<a href="/archive/">Archive</a></nav><article><h1>{title} of {number}</h1>{lines}</article></body></html>'
        )


class QuietServer(ThreadingHTTPServer):
    """A server whose clients may be killed."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing."""


@dataclass(slots=True)
class PastServer:
    """Serves the past of a portal, and counts what it is asked."""

    past: Past = field(default_factory=Past)
    #: Times of all requests by path, in their order.
    asked: list[tuple[float, str]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    port: int = 0
    #: The portal whose archive this is; "": it is the portal.
    origin: str = ""
    #: The archive shows nothing of the portal: the status of its copies; its index does not say so.
    excluded: int = 0
    #: Wayback's index answers in text, whatever is requested.
    in_text: bool = False
    _server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._server = QuietServer(("127.0.0.1", self.port), make_handler(self))
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str) -> tuple[int, str, str]:
        """Status, type and body of a path; of a redirect the address in place of the body."""
        past, parts = self.past, urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/robots.txt":
            return 200, "text/plain", f"User-agent: *\nAllow: /\nSitemap: {self.url}/sitemap.xml\n"
        if parts.path.startswith("/sitemap"):
            return self._sitemap(parts.path)
        if parts.path.startswith("/wp-json/") and past.wp_json:
            return self._posts(query)
        if parts.path.startswith("/archive"):
            return self._archive(parts.path, query)
        if parts.path.startswith("/cdx/search/cdx"):
            return self._index(query)
        if parts.path == "/collinfo.json":
            crawls = ("2018-51", "2019-47", "2019-51")
            return 200, "application/json", json.dumps([{"cdx-api": f"{self.url}/CC-MAIN-{each}-index"} for each in crawls])
        if parts.path.startswith(("/CC-MAIN-", "/library/cdx")):
            return self._list_lines(query)
        if parts.path.startswith(("/web/", "/library/")) and self.excluded:
            return self.excluded, "text/html", "<html><body><h1>Blocked site error</h1></body></html>"
        if parts.path.startswith(("/web/", "/library/")):
            return self._copy(parts.path)
        if parts.path == "/" and "m" in query:
            return self._month(query)
        if parts.path == "/":
            return 200, "text/html", self._front()
        number = past.number_of(parts.path)
        if number is None or past.is_lost(number):
            return 404, "text/html", "<html><body><h1>Not found</h1></body></html>"
        if parts.path != past.path_of(number):
            return 301, "text/html", past.path_of(number)
        return 200, "text/html", past.page(number)

    def has_copy(self, number: int) -> bool:
        return draw(number, "copy") < self.past.copied

    def _index(self, query: dict[str, str]) -> tuple[int, str, str]:
        """Wayback's index of the portal: copies of most articles, under their former addresses and their present ones."""
        start, size = int(query.get("resumeKey", "0")), int(query.get("limit", "1000"))
        numbers = [n for n in range(self.past.articles) if self.has_copy(n) and draw(n, "index") < self.past.in_index]
        rows = [["original", "timestamp", "statuscode", "mimetype"]]
        rows += [
            [f"{self.origin}{self.past.path_of(n)}", self.captured(n), "200", "text/html"] for n in numbers[start : start + size]
        ]
        rows += [[], [str(start + size)]] if numbers[start + size :] else []
        if self.in_text:
            return 200, "text/plain", "".join(f"{' '.join(row)}\n" for row in rows[1:])
        return 200, "application/json", json.dumps(rows)

    def _list_lines(self, query: dict[str, str]) -> tuple[int, str, str]:
        """An index of pywb: an object on each line, in pages as Common Crawl has them."""
        numbers = [n for n in range(self.past.articles) if self.has_copy(n) and draw(n, "index") < self.past.in_index]
        page = int(query.get("page", "0"))
        if page > len(numbers) // LINES:
            return 400, "application/json", '{"message": "Page invalid"}'
        lines = [
            {"url": f"{self.origin}{self.past.path_of(n)}", "timestamp": self.captured(n), "status": "200", "mime": "text/html"}
            for n in numbers[page * LINES : (page + 1) * LINES]
        ]
        return 200, "text/x-ndjson", "".join(f"{json.dumps(line)}\n" for line in lines)

    def captured(self, number: int) -> str:
        """The time of an article's copy."""
        return f"{self.past.day_of(number) + timedelta(days=int(draw(number, 'delay') * 300)):%Y%m%d}101500"

    def _copy(self, path: str) -> tuple[int, str, str]:
        """The copy of a page: a redirect to the nearest capture, then the page, with a toolbar unless the address says id_."""
        collection, timestamp, original = path.removeprefix("/").split("/", 2)
        number = self.past.number_of(original.removeprefix(self.origin))
        if number is None or not self.has_copy(number):
            return 404, "text/html", "<html><body><h1>Not archived</h1></body></html>"
        exact = self.captured(number)
        if timestamp.removesuffix("id_") != exact:
            return 301, "text/html", f"{self.url}/{collection}/{exact}id_/{original}"
        page = self.past.page(number).replace('href="/', f'href="{self.url}/{collection}/{exact}/{self.origin}/')
        bar = "<!-- BEGIN WAYBACK TOOLBAR INSERT --><div>Wayback toolbar of the archive</div><!-- END WAYBACK TOOLBAR INSERT -->"
        return 200, "text/html", page.replace("<body>", f"<body>{bar}")

    def _front(self) -> str:
        past, api = self.past, '<link rel="https://api.w.org/" href="/wp-json/">' if self.past.wp_json else ""
        api += '<meta name="generator" content="WordPress 6.5">' if self.past.past_feeds or self.past.past_search else ""
        newest = self._links(range(past.articles - 1, max(-1, past.articles - 1 - ROWS), -1))
        latest = {
            0: "",
            1: f"{past.last:/archive/%Y/%m/}",
            2: f"{past.last:/archive/%Y-%m-%d}",
            3: f"/archive?year={past.last:%Y}&month={past.last.month}",
        }
        link = f'<p><a href="{latest[past.design]}">Archive of this month</a></p>' if past.design else ""
        return (
            f'<html lang="en"><head><title>The Past</title>{api}</head><body><h1>The Past</h1>{link}<ul>{newest}</ul></body></html>'
        )

    def _month(self, query: dict[str, str]) -> tuple[int, str, str]:
        """A month as WordPress's feed or search."""
        past, page, is_feed = self.past, int(query.get("paged", "1")), "feed" in query
        since = date(int(query["m"][:4]), int(query["m"][4:]), 1)
        live = past.live(since, (since + timedelta(days=32)).replace(day=1) - timedelta(days=1))[::-1]
        rows = live[(page - 1) * ROWS : page * ROWS]
        if not rows or not (past.past_feeds if is_feed else past.past_search):
            return 404, "text/html", "<html><body><h1>Not found</h1></body></html>"
        if is_feed:
            items = "".join(
                f"<item><title>{past.slug(n)}</title><link>{self.url}{past.path_of(n)}</link>"
                f"<pubDate>{past.day_of(n):%d %b %Y} 08:00:00 GMT</pubDate></item>"
                for n in rows
            )
            return 200, "application/rss+xml", f"<rss><channel><title>The Past</title>{items}</channel></rss>"
        more = f'<a rel="next" href="/?s=&amp;m={query["m"]}&amp;paged={page + 1}">Older</a>' if live[page * ROWS :] else ""
        return 200, "text/html", f'<html lang="en"><body><h1>Results</h1><ul>{self._links(rows)}</ul>{more}</body></html>'

    def _links(self, numbers: Iterator[int] | range | list[int]) -> str:
        past = self.past
        return "".join(
            f'<li><a href="{past.listed_path(n)}">{past.slug(n).replace("-", " ").capitalize()} of {n}</a></li>' for n in numbers
        )

    def _archive(self, path: str, query: dict[str, str]) -> tuple[int, str, str]:
        past, number = self.past, 1
        pieces = [piece for piece in path.strip("/").split("/")[1:] if piece]
        if len(pieces) > 2 and pieces[-2] == "page":
            number, pieces = int(pieces[-1]), pieces[:-2]
        since, until = None, None
        if past.design == 1 and len(pieces) == 2:
            since = date(int(pieces[0]), int(pieces[1]), 1)
        elif past.design == 2 and len(pieces) == 1:
            since = until = date.fromisoformat(pieces[0]) if len(pieces[0]) == 10 else None
        elif past.design == 3 and "year" in query:
            since = date(int(query["year"]), int(query["month"]), 1)
        if since is None or not past.first.replace(day=1) <= since <= past.last:
            return 404, "text/html", "<html><body><h1>Not found</h1></body></html>"
        until = until or (since + timedelta(days=32)).replace(day=1) - timedelta(days=1)
        numbers = [n for n in past.live(since, until) if draw(n, "archive") < past.in_archive]
        rows = numbers[(number - 1) * ROWS : number * ROWS] if past.design == 1 else numbers
        more = (
            f'<a rel="next" href="/archive/{since:%Y/%m}/page/{number + 1}/">Older</a>'
            if past.design == 1 and numbers[number * ROWS :]
            else ""
        )
        return (
            200,
            "text/html",
            f'<html lang="en"><body><h1>Archive {since:%B %Y}</h1><ul>{self._links(rows)}</ul>{more}</body></html>',
        )

    def _sitemap(self, path: str) -> tuple[int, str, str]:
        past = self.past
        name = path.removeprefix("/sitemap").removesuffix(".xml").strip("-")
        if not name and past.by_month:
            month, rows = past.first.replace(day=1), []
            while month <= past.last:
                rows.append(f"<sitemap><loc>{self.url}/sitemap-{month:%Y-%m}.xml</loc></sitemap>")
                month = (month + timedelta(days=32)).replace(day=1)
            return 200, "application/xml", f"<sitemapindex>{''.join(rows)}</sitemapindex>"
        since = date.fromisoformat(f"{name}-01") if name else past.first
        until = (since + timedelta(days=32)).replace(day=1) - timedelta(days=1) if name else past.last
        rows = []
        for number in past.live(since, until):
            if draw(number, "sitemap") < past.in_sitemap:
                said = f"<lastmod>{past.day_of(number)}</lastmod>" if past.dated_sitemap else ""
                rows.append(f"<url><loc>{self.url}{past.listed_path(number)}</loc>{said}</url>")
            if draw(number, "dead") < past.dead:
                rows.append(f"<url><loc>{self.url}/news/never-was-such-a-page-{900_000 + number}.html</loc></url>")
        return 200, "application/xml", f"<urlset>{''.join(rows)}</urlset>"

    def _posts(self, query: dict[str, str]) -> tuple[int, str, str]:
        past, size, page = self.past, int(query.get("per_page", "10")), int(query.get("page", "1"))
        since, until = (date.fromisoformat(query[name][:10]) for name in ("after", "before"))
        found = past.live(since, until - timedelta(days=1))[(page - 1) * size : page * size]
        if not found and page > 1:
            return 400, "application/json", '{"code": "rest_post_invalid_page_number"}'
        posts = [
            {"link": self.url + past.path_of(n), "date_gmt": f"{past.day_of(n)}T08:00:00", "title": {"rendered": past.slug(n)}}
            for n in found
        ]
        return 200, "application/json", json.dumps(posts)


def make_handler(server: PastServer) -> type[BaseHTTPRequestHandler]:
    import time

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            server.asked.append((time.time(), self.path))
            status, kind, body = server.answer(self.path)
            server.counts[str(status)] += 1
            data = b"" if status == 301 else body.encode()
            self.send_response(status)
            if status == 301:
                self.send_header("Location", body)
            self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text") else kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    return Handler
