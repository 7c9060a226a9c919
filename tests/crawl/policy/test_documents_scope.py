"""The scope of the documents' rule (002 §3.3): the host as it is written, and pages of other hosts, from which nothing goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import warm_command
from crawling import articles, command
from portal_server import PortalServer, address, listing, story

ELSEWHERE = "/2026/02/10/most-jinde-otevren-po-oprave/"
FURTHER = "/2026/02/11/dalsi-clanek-tehoz-portalu/"


@pytest.fixture
def portal() -> Iterator[PortalServer]:
    with PortalServer() as server:
        yield server


@pytest.fixture
def other() -> Iterator[PortalServer]:
    with PortalServer(
        host="127.0.0.2", routes={ELSEWHERE: story(7, links=f"<a href='{FURTHER}'>Další</a>"), FURTHER: story(8)}
    ) as server:
        yield server


def crawl(folder: Path, portal: PortalServer, *keys: str) -> set[str]:
    lines = [
        f'[[portal]]\nname = "one"\nstart_urls = ["{portal.url}"]\ndelay = 0\nclassifier = "documents"\nnetworks = ["127.0.0.0/8"]',
        *keys,
    ]
    (folder / "newscrawler.toml").write_text("\n".join(lines) + "\n", "utf-8")
    done = warm_command.run(command("crawl", "one"), cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return {stored.article.url or "" for stored in articles(folder)}


def test_pages_of_other_hosts_are_ignored_or_fetched_once_and_lead_nowhere(
    tmp_path: Path, portal: PortalServer, other: PortalServer
) -> None:
    external = f"{other.url[:-1]}{ELSEWHERE}"
    own = f"{portal.url[:-1]}{address(1)}"
    portal.routes = {"/": listing(address(1), external, f"{other.url}rubrika/"), address(1): story(1)}
    (tmp_path / "without").mkdir()
    (tmp_path / "with").mkdir()

    assert crawl(tmp_path / "without", portal) == {own}
    assert not other.asked
    assert crawl(tmp_path / "with", portal, "external_pages = true") == {own, external}
    assert [each.path for each in other.asked] == ["/robots.txt", "/.well-known/tdmrep.json", ELSEWHERE]


def test_the_robots_txt_of_another_host_forbids_its_pages_to_the_portal_too(
    tmp_path: Path, portal: PortalServer, other: PortalServer
) -> None:
    portal.routes = {"/": listing(address(1), f"{other.url[:-1]}{ELSEWHERE}"), address(1): story(1)}
    other.routes["/robots.txt"] = "User-agent: *\nDisallow: /2026/\n"

    assert crawl(tmp_path, portal, "external_pages = true") == {f"{portal.url[:-1]}{address(1)}"}
    assert [each.path for each in other.asked] == ["/robots.txt"]


def test_a_host_that_does_not_answer_does_not_hold_up_the_portal(tmp_path: Path, portal: PortalServer) -> None:
    portal.routes = {"/": listing(address(1), f"http://127.0.0.3:9{ELSEWHERE}"), address(1): story(1)}

    assert crawl(tmp_path, portal, "external_pages = true") == {f"{portal.url[:-1]}{address(1)}"}
