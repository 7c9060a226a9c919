"""Dates that feeds and listings show after the article was read count as if they had been known before."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import warm_command
from crawling import Crawl, articles, command, summary
from portal_server import Answer, PortalServer, address, listing, story

UNDATED = re.compile("<meta property=[^>]+>")
FEED = "<rss version='2.0'><channel>{}</channel></rss>"
ITEM = "<item><title>Most</title><link>{}</link><pubDate>Wed, 18 Nov 2026 08:00:00 +0100</pubDate></item>"


def archive(*paths: str) -> str:
    row = "<li><time>{}. 11. 2026</time> <a href='{}'>Most {} se letos opraví</a></li>"
    rows = "".join(row.format(12 + n, path, n) for n, path in enumerate(paths))
    return f"<html lang=cs><head><title>Sport</title></head><body><h1>Sport</h1><ul>{rows}</ul></body></html>"


def test_a_section_that_is_read_after_the_articles_dates_them(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    paths = [address(number) for number in range(1, 7)]
    pages = {path: UNDATED.sub("", story(number)) for number, path in enumerate(paths)}
    server.routes |= {"/": listing("/sport/", *paths), "/sport/": archive(*paths)} | pages

    done = summary(crawl(server.url))
    again = summary(crawl(server.url))

    found = {each.article.url: each.article for each in articles(tmp_path)}
    assert [found[server.url.rstrip("/") + path].date for path in paths] == [date(2026, 11, 12 + n) for n in range(6)]
    assert {each.published_source for each in found.values()} == {"listing"}
    assert (done["new_articles"], done["undated"], done["corrected"]) == (6, 0, 0)
    assert all(server.times(path) == 1 for path in paths)
    assert again["undated"] == 0


def test_a_feed_of_the_next_night_dates_what_was_stored_and_brings_back_what_was_refused(
    server: PortalServer, tmp_path: Path
) -> None:
    paths = [address(number) for number in range(1, 5)]
    pages = {path: Answer(UNDATED.sub("", story(number)), headers={"ETag": f'"{number}"'}) for number, path in enumerate(paths)}
    head = "<head><link rel=alternate type='application/rss+xml' href='/rss.xml'>"
    other = ITEM.format(server.url.rstrip("/") + address(9))
    server.routes |= pages | {"/": listing(*paths).replace("<head>", head), address(9): story(9)}
    server.routes["/rss.xml"] = Answer(FEED.format(other), kind="application/xml")
    required = 'required = ["title", "body", "date"]'
    configuration = f'[[portal]]\nname = "denik"\nstart_urls = ["{server.url}"]\ndelay = 0\nlanguage = "cs"\n{required}\n'
    (tmp_path / "newscrawler.toml").write_text(configuration, "utf-8")

    def night() -> dict[str, object]:
        done = warm_command.run(command("crawl", "--json"), cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
        return summary(done)

    first = night()
    items = "".join(ITEM.format(server.url.rstrip("/") + path) for path in paths[:3])
    server.routes["/rss.xml"] = Answer(FEED.format(items + other), kind="application/xml")
    second, third = night(), night()

    assert [each["new_articles"] for each in (first, second, third)] == [1, 3, 0]
    assert [each.article.published_source for each in articles(tmp_path)][1:] == ["feed"] * 3
    assert [server.times(path) for path in paths] == [2, 2, 2, 1]


def test_the_date_beside_a_link_that_redirects_is_that_of_its_target(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    paths = [address(number) for number in range(1, 5)]
    moved = [path.replace("/zpravy/", "/sport/") for path in paths]
    server.routes |= {"/": listing("/sport/"), "/sport/": archive(*moved)}
    server.routes |= {old: Answer("", 301, {"Location": new}) for old, new in zip(moved, paths, strict=True)}
    server.routes |= {path: UNDATED.sub("", story(number)) for number, path in enumerate(paths)}

    crawl(server.url)

    found = {each.article.url: each.article for each in articles(tmp_path)}
    assert [found[server.url.rstrip("/") + path].date for path in paths] == [date(2026, 11, 12 + n) for n in range(4)]
