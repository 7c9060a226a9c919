"""A robots.txt that changes while a crawl goes on, as it is seen within its cache time; which is an hour, and here a moment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import warm_command
from crawling import reasons, summary
from portal_server import Answer, PortalServer, address, listing, story

ARTICLES = 8
#: The robots.txt changes when this article has been requested.
CHANGES_AFTER = 2
CRAWL = """
import sys
from dataclasses import replace
from datetime import timedelta
from newscrawler.crawl.hosts.origin_files import FILE_RULES
from newscrawler.store.vocabularies import OriginFileKind
rule = FILE_RULES[OriginFileKind.ROBOTS]
assert rule.lasts == timedelta(hours=1)
FILE_RULES[OriginFileKind.ROBOTS] = replace(rule, lasts=timedelta(milliseconds=100), shortest=timedelta(milliseconds=100))
sys.argv = ["newscrawler", "crawl", {url!r}, "--delay", "0.1", "--json"]
from newscrawler.cli import main
main()
"""


def crawled(folder: Path) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Crawl a portal that at first forbids its section on sport, and later half of its articles instead."""
    later = "".join(f"Disallow: {address(number)}\n" for number in range(CHANGES_AFTER + 3, ARTICLES + 1))
    with PortalServer({"/": listing(*(address(number) for number in range(1, ARTICLES + 1)), "/sport/")}) as server:
        server.routes |= {address(number): story(number) for number in range(1, ARTICLES + 1)}
        server.routes["/sport/"] = listing(title="Sport")

        def robots(_: object) -> Answer:
            has_changed = address(CHANGES_AFTER) in [each.path for each in server.asked]
            return Answer(f"User-agent: *\n{later if has_changed else 'Disallow: /sport/'}\n", kind="text/plain")

        server.routes["/robots.txt"] = robots
        code = CRAWL.format(url=server.url)
        done: subprocess.CompletedProcess[str] = warm_command.run(
            [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120, check=False
        )
        return done, [each.path for each in server.asked]


def test_urls_in_the_queue_are_checked_against_the_robots_txt_of_now(tmp_path: Path) -> None:
    done, paths = crawled(tmp_path)
    asked = {number for number in range(1, ARTICLES + 1) if address(number) in paths}

    assert {1, 2} <= asked
    assert paths.count("/robots.txt") >= 2
    assert not asked & set(range(CHANGES_AFTER + 3, ARTICLES + 1)), done.stderr
    assert reasons(tmp_path)[address(ARTICLES)] == ("skipped", "forbidden by robots.txt")
    assert summary(done)["skipped"]["forbidden by robots.txt"] >= ARTICLES - CHANGES_AFTER - 2
