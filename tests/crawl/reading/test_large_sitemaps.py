"""Portals with sitemaps as large as they may be, and with such as lead on without end: what is new comes first all the same."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path

from crawling import Crawl, a_day_passes, articles, reasons, summary
from portal_server import Answer, PortalServer, address, head, listing, story

XML = "application/xml"
FILLER = "x" * 3_000


def place(server: PortalServer, number: int, days: float | None, more: str = "") -> str:
    moment = None if days is None else datetime.now(UTC) - timedelta(days=days)
    changed = "" if moment is None else f"<lastmod>{moment.isoformat()}</lastmod>"
    return f"<url><loc>{server.url[:-1]}{address(number)}</loc>{changed}{more}</url>"


def index(server: PortalServer, *names: str) -> Answer:
    return Answer(
        f"<sitemapindex>{''.join(f'<sitemap><loc>{server.url}{name}</loc></sitemap>' for name in names)}</sitemapindex>", kind=XML
    )


def robots(server: PortalServer, *names: str) -> Answer:
    return Answer("".join(f"Sitemap: {server.url}{name}\n" for name in names), kind="text/plain")


def asked(server: PortalServer) -> list[str]:
    return [item.path for item in server.asked]


def stories(server: PortalServer) -> list[int]:
    return [int(path.split("-")[2]) for path in asked(server) if path.startswith("/zpravy/")]


def test_sitemaps_of_many_megabytes_are_read_and_their_newest_articles_first(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    plain = "".join(place(server, number, 3000 - number, FILLER) for number in range(2_200))
    packed = "".join(place(server, number, 3000 - number, FILLER) for number in range(2_200, 3_000))
    server.routes = {
        "/": listing("/sport/"),
        "/robots.txt": robots(server, "plain.xml", "packed.xml.gz", "larger.xml"),
        "/plain.xml": Answer(f"<urlset>{plain}</urlset>", kind=XML),
        "/packed.xml.gz": Answer(gzip.compress(f"<urlset>{packed}</urlset>".encode()), kind="application/x-gzip"),
        "/larger.xml": Answer(raw=lambda write: write(head(Content_Length=60_000_000))),
        **{address(number): story(number) for number in range(3_000)},
    }

    result = summary(crawl(server.url, "--max-articles", "20"))

    assert sorted(stories(server)[:20], reverse=True) == list(range(2999, 2979, -1))
    assert result["new_articles"] == 20
    assert result["waiting"] >= 2_900
    assert reasons(tmp_path)["/larger.xml"] == ("failed", "too large: over 50 MiB")


def test_the_archive_waits_behind_sections_and_what_is_new_the_next_night(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    old = "".join(place(server, number, 2000 + number) for number in range(100))
    server.routes = {
        "/": listing("/sport/", address(160)),
        "/sport/": listing("/", address(161), address(99), title="Sport"),
        "/sitemap.xml": Answer(f"<urlset>{old}{place(server, 162, 1)}</urlset>", kind=XML),
        **{address(number): story(number) for number in range(180)},
    }

    crawl(server.url, "--max-articles", "30")
    first = stories(server)
    a_day_passes(tmp_path)
    server.asked.clear()
    server.routes["/"] = listing("/sport/", address(170), address(98))
    server.routes["/sitemap.xml"] = Answer(f"<urlset>{old}{place(server, 171, 0.1)}</urlset>", kind=XML)
    crawl(server.url, "--max-articles", "30")
    second = stories(server)

    # Sixteen at a time are taken from the frontier, so some of the archive go with what leads to the others.
    assert {160, 161, 162} < set(first[:20])
    assert {170, 171} < set(second[:20])
    assert not {98, 99} & {*first, *second}  # a link does not make them new
    assert {0, 1, 2} < set(first)
    assert sum(number < 98 for number in first + second) > 40


def test_indexes_that_lead_on_without_end_keep_no_article_waiting(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    count = iter(range(100_000))
    letters = str.maketrans("0123456789", "abcdefghij")

    def wild(server: PortalServer) -> Answer:
        return index(server, "index.xml", *(f"{str(next(count)).translate(letters)}.xml" for _ in range(60)))

    class Wild(dict[str, object]):
        def get(self, path: str, default: object = None) -> object:
            return super().get(path, wild if path.endswith(".xml") and path[1:-4].isalpha() and path != "/rss.xml" else default)

    server.routes = Wild(  # type: ignore[assignment]
        {"/": listing(address(1)), "/robots.txt": robots(server, "index.xml"), address(1): story(1)}
    )

    first = summary(crawl(server.url, "--max-pages", "300"))
    lists = len([path for path in asked(server) if path.endswith(".xml")])
    server.asked.clear()
    server.routes["/"] = listing(address(1), address(2))
    server.routes[address(2)] = story(2)
    second = summary(crawl(server.url, "--max-pages", "300"))

    assert (first["new_articles"], second["new_articles"]) == (1, 1)
    assert lists < 60
    assert len([path for path in asked(server) if path.endswith(".xml")]) < 60
    assert len(articles(tmp_path)) == 2


def test_a_large_sitemap_that_brought_nothing_new_is_not_fetched_again_at_once(server: PortalServer, crawl: Crawl) -> None:
    rows = place(server, 1, 1, "x" * 1_100_000) + place(server, 2, 2)
    server.routes = {
        "/": listing(address(1)),
        "/sitemap.xml": Answer(f"<urlset>{rows}</urlset>", kind=XML),
        **{address(number): story(number) for number in (1, 2)},
    }

    times = []
    for _ in range(4):
        crawl(server.url)
        times.append(server.times("/sitemap.xml"))

    assert times == [1, 2, 2, 2]


def test_a_month_that_its_index_calls_changed_is_looked_at_before_its_time(server: PortalServer, crawl: Crawl) -> None:
    def months(days: float) -> Answer:
        changed = (datetime.now(UTC) + timedelta(days=days)).isoformat()
        rows = f"<sitemap><loc>{server.url}2026-11.xml</loc><lastmod>{changed}</lastmod></sitemap>"
        return Answer(f"<sitemapindex>{rows}</sitemapindex>", kind=XML)

    server.routes = {
        "/": listing(address(1)),
        "/sitemap.xml": months(-30),
        "/2026-11.xml": Answer(f"<urlset>{place(server, 1, 40)}</urlset>", kind=XML),
        **{address(number): story(number) for number in (1, 2)},
    }

    crawl(server.url)
    crawl(server.url)
    quiet = server.times("/2026-11.xml")
    server.routes["/sitemap.xml"] = months(0.01)
    server.routes["/2026-11.xml"] = Answer(f"<urlset>{place(server, 1, 40)}{place(server, 2, 0)}</urlset>", kind=XML)
    third = summary(crawl(server.url))

    assert quiet == 1
    assert server.times("/2026-11.xml") == 2
    assert third["new_articles"] == 1
