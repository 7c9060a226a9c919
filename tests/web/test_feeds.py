"""Feeds of the API: the latest articles, and no text that its publisher reserves."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from starlette.testclient import TestClient
from web_site import HASH, Site

from newscrawler.article import Article, Paragraph, Reservation, Reserved
from newscrawler.corpus import remove_matching
from newscrawler.store.articles import RecordedReservations
from newscrawler.store.frontier import FoundUrl, PageOutcome
from newscrawler.store.web import Role, TokenScope

PREFIX = "/api/v1"
ATOM = "{http://www.w3.org/2005/Atom}"
URL = "https://one.example/{}?a=1&b=2"
NOARCHIVE = Reservation(word=Reserved.NOARCHIVE, said="noarchive", place="meta robots")


def store_articles(site: Site, count: int, *, reserved: int = 0) -> None:
    """Store articles of the portal `one`, the latest with the highest number."""
    _, frontier = site.store.runs.begin("one", now=site.now, version="1")
    numbers = {URL.format(number): number for number in range(1, count + 1)}
    frontier.seed([FoundUrl(url=url, kind="article", priority=1, depth=0) for url in numbers], now=site.now)
    for leased in frontier.lease(count, now=site.now):
        number = numbers[leased.url]
        article = Article(
            title=f"News & <i>no.</i> {number}\x07", paragraphs=(Paragraph(text=f"Flood & dam <{number}>."),),
            lead=f"Lead {number}.",
            url=leased.url, method="default", confidence=1.0, fetched_at=site.now, language="cs", authors=("Jana Malá",),
            published_at=site.now.replace(hour=0) + timedelta(minutes=number), section="home" if number % 2 else "world",
        )  # fmt: skip
        said = RecordedReservations(reservations=(NOARCHIVE,) if number == reserved else ())
        outcome = PageOutcome(
            url_id=leased.id, state="done", outcome="article", http_status=200, fetched_at=site.now, article=article, said=said
        )
        assert frontier.commit([outcome])[0].written


def client_of(site: Site, name: str, role: Role) -> TestClient:
    """Return a client with a token of a new account."""
    site.store.accounts.add(name, password=HASH, role=role, now=site.now)
    account = site.store.accounts.get(name)
    assert account is not None
    site.store.credentials.add_token(
        account, name, name="test", scope=TokenScope.READ, expires_at=site.now + timedelta(days=1), now=site.now
    )
    client = site.client()
    client.headers["Authorization"] = f"Bearer {name}"
    return client


@pytest.fixture
def client(site: Site) -> TestClient:
    """A client of a reader; of four articles 2 is reserved and 3 was removed."""
    store_articles(site, 4, reserved=2)
    remove_matching(site.store, site.configuration, URL.format(3), because="a letter", now=site.now)
    return client_of(site, "anna", Role.READER)


def entries_of(client: TestClient, path: str = "/feed") -> list[ET.Element]:
    answer = client.get(f"{PREFIX}{path}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/atom+xml"
    return ET.fromstring(answer.content).findall(f"{ATOM}entry")


def test_an_atom_feed_has_the_text_of_free_articles_only_newest_first(client: TestClient) -> None:
    entries = entries_of(client)

    assert [each.findtext(f"{ATOM}id") for each in entries] == [URL.format(number) for number in (4, 2, 1)]
    assert [each.findtext(f"{ATOM}title") for each in entries] == [f"News & <i>no.</i> {number}" for number in (4, 2, 1)]
    texts = ["<p>Flood &amp; dam &lt;4&gt;.</p>", None, "<p>Flood &amp; dam &lt;1&gt;.</p>"]
    assert [each.findtext(f"{ATOM}content") for each in entries] == texts
    assert [each.findtext(f"{ATOM}summary") for each in entries] == ["Lead 4.", None, "Lead 1."]
    assert {each.findtext(f"{ATOM}author/{ATOM}name") for each in entries} == {"Jana Malá"}


def test_a_json_feed_has_the_same(client: TestClient) -> None:
    answer = client.get(f"{PREFIX}/feed?form=json&portal=one")
    feed: dict[str, Any] = answer.json()

    assert answer.headers["content-type"] == "application/feed+json"
    assert (feed["version"], feed["title"]) == ("https://jsonfeed.org/version/1.1", "one")
    assert [item["id"] for item in feed["items"]] == [URL.format(number) for number in (4, 2, 1)]
    assert ["content_html" in item for item in feed["items"]] == [True, False, True]
    assert "dam <2>" not in answer.text
    assert "summary" not in feed["items"][1]
    assert all(item.get("content_html") or item["content_text"] for item in feed["items"])


def test_a_feed_is_of_a_selection_with_at_most_a_hundred_entries(site: Site) -> None:
    store_articles(site, 103)
    client = client_of(site, "anna", Role.READER)

    assert [len(entries_of(client, f"/feed?{query}")) for query in ("", "section=home", "portal=two", "q=dam")] == [100, 52, 0, 100]
    assert entries_of(client)[0].findtext(f"{ATOM}id") == URL.format(103)
    assert client.get(f"{PREFIX}/feed?since=1.2.2026").status_code == 422
    assert client.get(f"{PREFIX}/feed?form=rss").status_code == 422


def test_a_feed_is_sent_again_only_when_it_has_changed(site: Site, client: TestClient) -> None:
    first = client.get(f"{PREFIX}/feed")
    tag, changed_at = first.headers["etag"], first.headers["last-modified"]

    assert client.get(f"{PREFIX}/feed", headers={"If-None-Match": tag}).status_code == 304
    assert client.get(f"{PREFIX}/feed", headers={"If-Modified-Since": changed_at}).status_code == 304
    remove_matching(site.store, site.configuration, URL.format(4), because="a letter", now=site.now)
    again = client.get(f"{PREFIX}/feed", headers={"If-None-Match": tag, "If-Modified-Since": changed_at})
    assert (again.status_code, again.text.count("<entry")) == (200, 2)


def test_a_feed_needs_a_token_and_a_saved_search_its_owner(site: Site, client: TestClient) -> None:
    site.store.saved_searches.save("anna", "Dams", "q=dam&section=world&order=date", now=site.now)
    (saved,) = site.store.saved_searches.of("anna")
    path = f"/searches/{saved.id}/feed"

    assert [each.findtext(f"{ATOM}id") for each in entries_of(client, path)] == [URL.format(4), URL.format(2)]
    assert client.get(f"{PREFIX}{path}?form=json").json()["title"] == "Dams"
    assert client_of(site, "hana", Role.OPERATOR).get(f"{PREFIX}{path}").status_code == 404
    assert [site.client().get(f"{PREFIX}{each}").status_code for each in ("/feed", path)] == [401, 401]


def test_pages_name_their_feeds(site: Site) -> None:
    store_articles(site, 2)
    site.store.saved_searches.save("local", "Dams & locks", "q=dam", now=site.now)
    client, found = site.client(), {}
    for path in ("/articles?portal=one&q=flood&order=date", "/portals/one", "/"):
        links = re.findall(r'<link rel="alternate" type="([^"]+)" title="([^"]+)" href="([^"]+)">', client.get(path).text)
        found[path] = [unescape(link[2]) for link in links]
        for kind, _, address in links:
            assert client.get(unescape(address)).headers["content-type"] == kind

    assert found["/portals/one"] == [f"{PREFIX}/feed?portal=one&form={form}" for form in ("atom", "json")]
    assert found["/"] == [f"{PREFIX}/feed?form={form}" for form in ("atom", "json")]
    (saved,) = site.store.saved_searches.of("local")
    assert set(found["/articles?portal=one&q=flood&order=date"]) == {
        f"{PREFIX}/{path}form={form}"
        for path in ("feed?q=flood&portal=one&", f"searches/{saved.id}/feed?")
        for form in ("atom", "json")
    }
