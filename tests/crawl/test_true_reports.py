"""What a crawl reports is true: portals that end early, refuse, time out or cannot be read, crawled by one command."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from crawling import command
from portal_server import Answer, PortalServer, Route, address, listing, story

from newscrawler.discovery.completeness import NoEstimate
from newscrawler.store import open_store

UNDATED = re.compile("<meta property=[^>]+>")


def stories(count: int) -> dict[str, Route]:
    """A front page that links so many articles, and the articles."""
    routes: dict[str, Route] = {address(number): story(number) for number in range(count)}
    return routes | {"/": listing(*routes)}


def with_feed(routes: dict[str, Route], base: str, numbers: range) -> dict[str, Route]:
    """Add a feed of some of the articles."""
    items = "".join(f"<item><title>Most</title><link>{base.rstrip('/')}{address(number)}</link></item>" for number in numbers)
    return routes | {"/rss.xml": Answer(f"<rss version='2.0'><channel>{items}</channel></rss>", kind="application/xml")}


#: Name of the portal: what it serves, and lines of its configuration.
PORTALS: dict[str, tuple[dict[str, Route], str]] = {
    "limited": (stories(40), "max_articles = 10"),
    "linked": (stories(12), ""),
}

Reports = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, subprocess.CompletedProcess[str]]]:
    """Crawl all portals once; the folder of the crawl, and how it ended."""
    folder = tmp_path_factory.mktemp("reports")
    with ExitStack() as servers:
        lines = []
        for name, (routes, options) in PORTALS.items():
            server = servers.enter_context(PortalServer(routes))
            server.routes = with_feed(routes, server.url, range(12)) if name == "limited" else routes
            lines.append(f'[[portal]]\nname = "{name}"\nstart_urls = ["{server.url}"]\ndelay = 0\nlanguage = "cs"\n{options}\n')
        (folder / "newscrawler.toml").write_text("\n".join(lines), "utf-8")
        yield folder, subprocess.run(command("crawl"), cwd=folder, capture_output=True, text=True, timeout=240, check=False)


@pytest.fixture(scope="module")
def reports(crawled: tuple[Path, subprocess.CompletedProcess[str]]) -> Reports:
    """The counts of each portal's run, as the database keeps them."""
    with open_store(f"sqlite:///{crawled[0] / 'newscrawler.sqlite'}", create=False) as store:
        return {run.portal: dict(run.counts) for run in store.runs.latest()}


def test_a_crawl_that_a_limit_ended_gives_a_lower_bound(
    crawled: tuple[Path, subprocess.CompletedProcess[str]], reports: Reports
) -> None:
    coverage = reports["limited"]["coverage"]

    assert (coverage["found"], coverage["total"], coverage["why_not"]) == (10, None, NoEstimate.QUEUE)
    assert coverage["left"] >= 30
    assert f"articles of this round: at least 10: {coverage['left']} URLs are left in the queue" in crawled[1].stdout


def test_one_source_alone_gives_no_estimate(reports: Reports) -> None:
    coverage = reports["linked"]["coverage"]

    assert (coverage["found"], coverage["total"], coverage["why_not"]) == (12, None, NoEstimate.ONE_SOURCE)
