"""Every kind of feed and sitemap leads to its articles; broken ones, and pages or errors in their place, hinder nothing."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import warm_command
from crawling import articles, command, reasons, summary
from portal_server import Answer, PortalServer, address, listing, story

#: Which source leads to which article; no page links to any of them.
SOURCES = {
    "rss": 1, "atom": 2, "rdf": 3, "json feed": 4, "feed cut off": 5, "feed after a notice": 6, "sitemap": 7, "packed sitemap": 8,
    "news sitemap": 9, "text sitemap": 10, "sitemap cut off": 11, "link on a page": 12,
}  # fmt: skip
#: Sources that give the date of an article whose page has none, and what they are called in its record.
DATED_ELSEWHERE = {"news sitemap": "news sitemap", "rss": "feed"}
UNDATED = re.compile("<meta property=[^>]+>")
XML, GZIP = "application/xml", "application/gzip"
PUBLISHED = "<pubDate>Fri, 20 Nov 2026 08:00:00 +0100</pubDate>"
INDEXED = ("articles.xml", "packed.xml.gz", "news.xml", "error.xml")
NAMED = ("index.xml", "list.txt", "half.xml", "wild.xml", "html.xml", "down.xml")
BOMB = '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY passwords SYSTEM "file:///etc/passwd">]>'


def item(url: str, more: str = "") -> str:
    return f"<item><title>Most se letos dočká opravy</title><link>{url}</link>{more}</item>"


def place(url: str, more: str = "") -> str:
    return f"<url><loc>{url}</loc>{more}</url>"


def routes(base: str) -> dict[str, Any]:
    def at(source: str) -> str:
        return base.rstrip("/") + address(SOURCES[source])

    feeds = {
        "/rss.xml": f"<rss version='2.0'><channel>{item(at('rss'), PUBLISHED)}</channel></rss>",
        "/atom.xml": f"<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>Most</title><link href='{at('atom')}'/></entry>",
        "/rdf.xml": (
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>"
            f"{item(at('rdf'))}</rdf:RDF>"
        ),
        "/feed.json": json.dumps(
            {"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": at("json feed"), "title": "Most"}]}
        ),
        "/cut.xml": f"<rss><channel>{item(at('feed cut off'))}<item><title>Další čl",
    }
    more_feeds = {
        "/notice.xml": f"Warning: mysql_connect() failed\n<rss><channel>{item(at('feed after a notice'))}</channel></rss>",
        "/bomb.xml": f"{BOMB}<rss><channel>{item(base + 'bomba-&b;')}</channel></rss>",
        "/outside.xml": f"{OUTSIDE}<rss><channel>{item(base + '&passwords;')}</channel></rss>",
        "/page.xml": "<!doctype html><html><body><h1>Deník</h1></body></html>",
    }
    head = "".join(f"<link rel=alternate type='application/rss+xml' href='{path}'>" for path in feeds)
    more_head = "".join(f"<link rel=alternate type='application/rss+xml' href='{path}'>" for path in more_feeds)
    sitemap = (
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'>"
    )
    news = "<news:news><news:publication_date>2026-11-20T08:00:00Z</news:publication_date><news:title>Most</news:title></news:news>"
    index = "".join(
        f"<sitemap><loc>{base}{name}</loc></sitemap>" for name in ("articles.xml", "packed.xml.gz", "news.xml", "error.xml")
    )
    lists = {
        "/robots.txt": Answer("".join(f"Sitemap: {base}{name}\n" for name in NAMED), kind="text/plain"),
        "/index.xml": Answer(f"<sitemapindex>{index}</sitemapindex>", kind=XML),
        "/articles.xml": Answer(f"{sitemap}{place(at('sitemap'))}{place('http://elsewhere.example/1')}</urlset>", kind=XML),
        "/packed.xml.gz": Answer(
            gzip.compress(f"{sitemap}{place(at('packed sitemap'))}</urlset>".encode()), kind="application/gzip"
        ),
        "/news.xml": Answer(f"{sitemap}{place(at('news sitemap'), news)}</urlset>", kind=XML),
        "/list.txt": Answer(f"{at('text sitemap')}\nno address\n", kind="text/plain"),
        "/half.xml": Answer(f"{sitemap}{place(at('sitemap cut off'))}<url><lo", kind=XML),
        "/wild.xml": Answer(bytes(range(256)) * 20, kind=XML),
        "/html.xml": "<!doctype html><html><body><h1>Deník</h1></body></html>",
        "/down.xml": Answer("", 500),
        "/error.xml": Answer("", 404),
    }
    front = listing("/sport/", address(SOURCES["link on a page"]))
    return {
        "/": front.replace("<head>", f"<head>{head}"),
        "/vice/": front.replace("<head>", f"<head>{more_head}"),
        "/sport/": listing("/", title="Sport"),
        **{path: Answer(text, kind=XML) for path, text in (feeds | more_feeds).items()},
        **lists,
        **{address(number): story(number) for number in SOURCES.values()},
        **{address(SOURCES[source]): UNDATED.sub("", story(SOURCES[source])) for source in DATED_ELSEWHERE},
    }


Night = tuple[PortalServer, dict[str, Any], Path]


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    folder = tmp_path_factory.mktemp("sources")
    with PortalServer() as server:
        server.routes |= routes(server.url)
        configuration = (
            f'[[portal]]\nname = "denik"\nstart_urls = ["{server.url}", "{server.url}vice/"]\ndelay = 0\nlanguage = "cs"\n'
        )
        (folder / "newscrawler.toml").write_text(configuration, "utf-8")
        done = warm_command.run(command("crawl", "--json"), cwd=folder, capture_output=True, text=True, timeout=240, check=False)
        assert done.stdout, done.stderr
        yield server, summary(done), folder


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_leads_to_its_article(night: Night, source: str) -> None:
    assert address(SOURCES[source]) in {
        (each.article.url or "").removeprefix(night[0].url.rstrip("/")) for each in articles(night[2])
    }


@pytest.mark.parametrize(("source", "hour"), [("news sitemap", 8), ("rss", 7)])
def test_the_record_of_a_page_without_a_date_has_that_of_its_source(night: Night, source: str, hour: int) -> None:
    found = next(each.article for each in articles(night[2]) if (each.article.url or "").endswith(address(SOURCES[source])))

    assert found.published_source == DATED_ELSEWHERE[source]
    assert found.published_at is not None
    assert found.published_at.astimezone(UTC) == datetime(2026, 11, 20, hour, tzinfo=UTC)


def test_what_is_no_list_is_told_with_its_reason(night: Night) -> None:
    told = reasons(night[2])

    assert told["/bomb.xml"][1] == told["/outside.xml"][1] == "feed or sitemap without articles"
    assert told["/page.xml"][1] == told["/html.xml"][1] == "feed or sitemap without articles: HTML page"
    assert told["/wild.xml"][1] == "feed or sitemap without articles: no feed or sitemap"
    assert told["/error.xml"][1] == "HTTP status: 404"
    assert told["/down.xml"][0] in {"failed", "waiting"}


def test_nothing_of_entities_or_of_other_hosts_is_asked_for(night: Night) -> None:
    assert not [each.path for each in night[0].asked if "bomba" in each.path or "root" in each.path]
    assert "/1" not in reasons(night[2])


def test_the_record_says_which_list_told_of_the_article(night: Night) -> None:
    assert night[1]["new_articles"] == len(SOURCES)
    assert night[1]["coverage"]["found"] == len(SOURCES)
