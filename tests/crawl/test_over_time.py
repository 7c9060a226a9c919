"""What changes while we crawl and between crawls: robots.txt, withdrawals, and what operators ask to be removed."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawl, a_day_passes, articles, command, reasons, summary
from portal_server import Answer, PortalServer, address, listing, story

from newscrawler.store import PageSelection, open_store


def newscrawler(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def numbers(folder: Path) -> set[int]:
    return {int(stored.article.headline.split()[2]) for stored in articles(folder)}


def test_what_an_operator_asks_to_be_removed_is_gone_and_stays_gone(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    (tmp_path / "newscrawler.toml").write_text('[crawler]\nwithdrawn = "purge"\n[crawler.defaults]\nlearn = false\n', "utf-8")
    twin = story(2).replace("</head>", f'<link rel="canonical" href="{server.url[:-1]}{address(1)}"></head>')
    server.routes = {"/": listing(*map(address, range(1, 5))), **{address(number): story(number) for number in range(1, 5)}}
    summary(crawl(server.url))
    assert numbers(tmp_path) == {1, 2, 3, 4}

    done = newscrawler(tmp_path, "rights", "remove", f"{server.url[:-1]}{address(1)}", "--because", "letter of 20 November")
    starred = newscrawler(tmp_path, "rights", "remove", f"{server.url}zpravy/*-2-se-*", "--because", "the same letter")

    assert done.stdout.startswith("1 article removed; "), done.stderr
    assert starred.stdout.startswith("1 article removed; "), starred.stderr
    assert numbers(tmp_path) == {3, 4}
    with open_store(f"sqlite:///{tmp_path}/newscrawler.sqlite", create=False) as store:
        kept = {page.kept.url for page in store.pages.select(PageSelection())}
        assert not {server.url[:-1] + address(number) for number in (1, 2)} & kept
        assert [(each.because, each.articles) for each in store.rights.removals()] == [
            ("letter of 20 November", 1),
            ("the same letter", 1),
        ]

    a_day_passes(tmp_path)
    other = "/zpravy/jina-adresa-teze-zpravy-o-moste-2999.html"
    server.asked.clear()
    server.routes |= {
        "/": listing(*map(address, range(1, 5)), other),
        other: twin,
        "/robots.txt": f"User-agent: *\nContent-Signal: {address(3)} use=immediate\n",
        address(3): Answer("gone", 404),
    }
    again = summary(crawl(server.url))

    assert not [asked for asked in server.asked if asked.path in {address(1), address(2)}]
    assert reasons(tmp_path)[other][1] == f"removed at the request of the operator: {server.url[:-1]}{address(1)}"
    # and what the origin withdraws is purged by rule, without fetching the page again
    assert numbers(tmp_path) == {4}
    assert "1 stored articles were withdrawn by their publisher, and removed" in again["notes"]
    refused = newscrawler(tmp_path, "rights", "remove", "no address", "--because", "x")
    assert refused.returncode == 2


def test_a_robots_txt_that_is_an_hour_old_is_asked_for_again_and_holds_for_what_waits(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    answers = {address(number): story(number) for number in range(1, 9)}
    server.routes = {"/": listing(*answers), **answers, "/robots.txt": "User-agent: *\nDisallow: /sport/\n"}
    database = tmp_path / "newscrawler.sqlite"

    summary(crawl(server.url, "--max-pages", "2"))
    with open_store(f"sqlite:///{database}") as store:
        (record,) = store.hosts.robots_of("127.0.0.1")
        assert (record.expires_at - record.asked_at).total_seconds() == 3600
        store.hosts.keep_robots(
            type(record)(**{name: getattr(record, name) for name in record.__slots__} | {"expires_at": datetime.now(UTC)})
        )
    before = {asked.path for asked in server.asked}
    server.routes["/robots.txt"] = "User-agent: *\nDisallow: /zpravy/\n"

    crawl(server.url)

    after = {asked.path for asked in server.asked} - before
    assert not after & set(answers)
    assert "forbidden by robots.txt" in {reason for _, reason in reasons(tmp_path).values()}


@pytest.fixture
def crawled(server: PortalServer, crawl: Crawl, tmp_path: Path) -> dict[str, Any]:
    server.routes = {
        "/": listing(address(1), address(2), address(3)),
        address(1): story(1),
        address(2): story(2).replace("</head>", '<meta name="robots" content="noindex"></head>'),
        address(3): Answer("", 500),
        "/robots.txt": "User-agent: *\nDisallow: /feed\n",
    }
    return summary(crawl(server.url))


def test_an_operator_can_be_sent_what_was_asked_of_the_portal(
    server: PortalServer, crawled: dict[str, Any], tmp_path: Path
) -> None:
    portal = crawled["portal"]

    done = newscrawler(tmp_path, "rights", "report", "--portal", portal, "--json")
    letter = newscrawler(tmp_path, "rights", "report", "--portal", portal).stdout

    found = json.loads(done.stdout)
    (host,) = found["hosts"]
    assert host["requests"] == len(server.asked)
    assert host["kinds"]["robots"] == server.times("/robots.txt")
    assert host["answers"]["500"] == server.times(address(3))
    assert host["bytes"] > 1_000
    assert found["left_out"]["noindex"] == 1
    assert found["left_out"]["forbidden by robots.txt"] >= 1
    assert "Left out, noindex: 1" in letter
    assert "gaps between requests: smallest" in letter
    assert newscrawler(tmp_path, "rights", "report", "--portal", portal, "--run", "99").returncode == 2
