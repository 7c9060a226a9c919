"""What has not changed is not sent again: ETag and Last-Modified go back as they came, and the server's log tells of each night."""

from __future__ import annotations

from collections.abc import Callable
from email import message_from_string
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawl, a_day_passes, articles, summary
from portal_server import Answer, PortalServer, address, listing, story

FEED = "<rss version='2.0'><channel><title>Deník</title>{items}</channel></rss>"
ITEM = "<item><title>Most číslo {n} se letos dočká opravy</title><link>{url}</link></item>"
MONDAY, TUESDAY = "Mon, 16 Nov 2026 08:00:00 GMT", "Tue, 17 Nov 2026 08:00:00 GMT"
Route = Callable[[PortalServer], Answer]


def once_seen(body: str, *, etag: str | None = None, modified: str | None = None, kind: str = "text/html; charset=utf-8") -> Route:
    """A page that is sent to those who do not have it; with RFC 9110, section 13.2.2, If-None-Match alone counts where it came."""
    headers = {name: value for name, value in (("ETag", etag), ("Last-Modified", modified)) if value}

    def answer(server: PortalServer) -> Answer:
        assert server.heads is not None
        asked = message_from_string(server.heads[-1])
        tag, since = asked["If-None-Match"], asked["If-Modified-Since"]
        same = tag == etag if tag is not None else since is not None and since == modified
        return Answer("", 304, headers) if same else Answer(body, headers=headers, kind=kind)

    return answer


@pytest.fixture
def portal(server: PortalServer) -> PortalServer:
    server.heads = []
    show(server, 3, etag='"a"', modified=MONDAY)
    return server


def show(server: PortalServer, count: int, *, etag: str, modified: str) -> None:
    """Let the portal have so many articles; front page and feed have an ETag, the section a date, articles both or none."""
    paths = [address(number) for number in range(1, count + 1)]
    items = "".join(ITEM.format(n=number, url=f"{server.url[:-1]}{path}") for number, path in enumerate(paths, start=1))
    server.routes = {
        "/": once_seen(listing("/sport/", paths[-1]), etag=etag),
        "/sport/": once_seen(listing(*paths, title="Sport"), modified=modified),
        "/rss.xml": once_seen(FEED.format(items=items), etag=f"W/{etag}", kind="application/rss+xml"),
        paths[0]: story(1),
        **{
            path: once_seen(story(number), etag=f'"{number}"', modified=MONDAY)
            for number, path in enumerate(paths[1:], start=2)
        },
    }  # fmt: skip


def night(server: PortalServer, crawl: Crawl, folder: Path) -> tuple[dict[str, Any], dict[str, tuple[int, str | None, str | None]]]:
    """Crawl, and tell what the server saw: status and validators by path; then let a day pass."""
    server.asked.clear()
    server.heads = []
    result = summary(crawl(server.url))
    heads = [message_from_string(head) for head in server.heads]
    a_day_passes(folder)
    return result, {
        asked.path: (asked.status, head["If-None-Match"], head["If-Modified-Since"])
        for asked, head in zip(server.asked, heads, strict=True)
        if asked.status != 404
    }


def test_what_was_seen_costs_no_body_in_the_next_night(portal: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    first, _ = night(portal, crawl, tmp_path)
    second, asked = night(portal, crawl, tmp_path)

    assert asked["/"] == (304, '"a"', None)
    assert asked["/sport/"] == (304, None, MONDAY)
    assert asked["/rss.xml"] == (304, 'W/"a"', None)
    assert [asked[address(number)] for number in (1, 2, 3)] == [(200, None, None), (304, '"2"', MONDAY), (304, '"3"', MONDAY)]
    assert second["statuses"]["304"] == second["unchanged"] == 5
    assert (first["new_articles"], second["new_articles"], second["corrected"]) == (3, 0, 0)
    assert second["bytes"] < len(story(1).encode()) + 2000  # the one without validators, and what says 404
    assert len(articles(tmp_path)) == 3


def test_what_has_changed_is_sent_and_its_new_validators_count(portal: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    night(portal, crawl, tmp_path)
    show(portal, 4, etag='"b"', modified=TUESDAY)
    second, changed = night(portal, crawl, tmp_path)
    _, again = night(portal, crawl, tmp_path)

    assert changed["/"] == (200, '"a"', None)
    assert changed["/sport/"] == (200, None, MONDAY)
    assert changed["/rss.xml"] == (200, 'W/"a"', None)
    assert changed[address(4)] == (200, None, None)
    assert second["new_articles"] == 1
    assert again["/"] == (304, '"b"', None)
    assert again["/sport/"] == (304, None, TUESDAY)
    assert again["/rss.xml"] == (304, 'W/"b"', None)
    assert len(articles(tmp_path)) == 4


def test_an_etag_that_never_changes_is_not_believed_for_ever(portal: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    night(portal, crawl, tmp_path)
    show(portal, 6, etag='"a"', modified=MONDAY)
    counts = [night(portal, crawl, tmp_path)[0]["new_articles"] for _ in range(3)]

    assert sum(counts) == 3


def test_lists_that_the_portal_names_are_requested_without_conditions(portal: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    (tmp_path / "newscrawler.toml").write_text("[crawler.defaults]\nunconditional = ['/rss', '^http://[^/]*/$']\n", "utf-8")
    night(portal, crawl, tmp_path)
    _, asked = night(portal, crawl, tmp_path)

    assert (asked["/rss.xml"], asked["/"], asked["/sport/"]) == ((200, None, None), (200, None, None), (304, None, MONDAY))
