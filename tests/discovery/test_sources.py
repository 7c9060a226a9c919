"""Sources: the table, what they are told and what they find; plugins add to them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from newscrawler.config import Portal
from newscrawler.crawl.policy.link_policy import LinkPolicy
from newscrawler.discovery import Lead, LeadKind, Source, SourcePortal, SourceResponse, collect_head_links, collect_links
from newscrawler.discovery.sources import SOURCES, make_sources
from newscrawler.page import Document
from newscrawler.plugins import PluginGroup
from newscrawler.store.frontier import LeasedUrl
from newscrawler.store.vocabularies import FrontierKind

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOST = "http://127.0.0.1"


class ListSource(Source):
    """A list of articles, one a line, at an address of its own."""

    priority = 3

    def start(self, portal: SourcePortal) -> Iterator[Lead]:
        yield Lead(f"{portal.start_urls[0]}articles.list", LeadKind.FEED, depth=0, why="list")

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        if answer.why == "list":
            yield from (Lead(line, LeadKind.ENTRY) for line in answer.body.decode().splitlines())


def make_policy(*sources: Source) -> LinkPolicy:
    policy = LinkPolicy.of(Portal(name="p", start_urls=(f"{HOST}/",)), today=NOW.date())
    object.__setattr__(policy, "sources", (*make_sources(), *sources))
    return policy


def test_a_crawl_begins_with_the_start_urls_and_what_the_sources_name() -> None:
    found = make_policy(ListSource()).start()

    assert [(each.url, each.kind, each.priority, each.why) for each in found] == [
        (f"{HOST}/", "start", 0, None), (f"{HOST}/sitemap.xml", "sitemap", 4, None), (f"{HOST}/articles.list", "feed", 3, "list"),
    ]  # fmt: skip


def test_a_source_reads_its_own_lists_and_no_other_source_does() -> None:
    policy = make_policy(ListSource())
    leased = LeasedUrl(id=1, url=f"{HOST}/articles.list", kind=FrontierKind.FEED, why="list")
    body = f"{HOST}/zpravy/most-se-opravi-1.html\nhttp://elsewhere.example/a-1.html".encode()
    answer = SourceResponse(
        portal=policy.outline, requested_url=leased.url, url=leased.url, kind=leased.kind, why=leased.why, fetched_at=NOW, body=body
    )

    assert [(each.url, each.kind, each.source, str(each.skipped)) for each in policy.find(answer, leased)] == [
        (f"{HOST}/zpravy/most-se-opravi-1.html", "article", "feed", "None"),
        ("http://elsewhere.example/a-1.html", "article", "feed", "on another host: elsewhere.example"),
    ]
    assert answer.problem == ""


def test_a_page_in_place_of_a_feed_leads_to_feeds_and_not_to_its_own_further_pages() -> None:
    policy = make_policy()
    leased = LeasedUrl(id=1, url=f"{HOST}/sitemap.xml", kind=FrontierKind.SITEMAP)
    links = "".join(f"<a href='{to}'>Další</a>" for to in ("/sitemap.xml?paged=2", "/sitemap.xml/?paged=3", "/novinky.xml"))
    page = Document.parse(f"<html><body><h1>Deník</h1>{links}</body></html>".encode(), leased.url)
    answer = SourceResponse(
        portal=policy.outline, requested_url=leased.url, url=leased.url, kind=leased.kind, fetched_at=NOW, problem="HTML page",
        page=page, links=collect_links(page), head=collect_head_links(page),
    )  # fmt: skip

    assert [each.url for each in policy.find(answer, leased) if each.kind == "feed"] == [f"{HOST}/novinky.xml"]


def test_plugins_add_sources_behind_the_built_in_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        def load(self) -> type[Source]:
            return ListSource

    installed = {PluginGroup.SOURCES: {"lists": Entry()}}
    monkeypatch.setattr("newscrawler.plugins.find_plugins", lambda group: installed.get(group, {}))

    assert list(SOURCES) == ["links", "month archives", "feeds", "sitemaps", "posts", "slugs", "lists"]
    assert isinstance(make_sources()[-1], ListSource)
