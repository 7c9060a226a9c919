"""Articles whose pages are filled by scripts are read from the page's state, the site's own API or an AMP page."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
import warm_command
from crawling import Crawl, articles, command, reasons
from portal_server import Answer, PortalServer
from reading_faults import learned, perfect
from script_portals import STORIES, serve

from newscrawler.config import Collection
from newscrawler.crawl.collections.run import OpenScope
from newscrawler.discovery import fill_api_pattern, make_api_pattern
from newscrawler.extraction.body import build_page_with_answer

#: As deep as the reader of JSON allows, and deeper.
NESTED = b'{"title": "Deep", "body":' * 900 + b"1" + b"}" * 900
NESTED_DEEPER = b'{"a":' * 5_000 + b"1" + b"}" * 5_000
TWO_STORIES = json.dumps([STORIES[0].data, STORIES[1].data]).encode()


@pytest.mark.parametrize(("portal", "way"), [("named api", "api"), ("hydration", "state"), ("amp", "amp")])
def test_articles_in_page_or_api_are_read_without_a_browser(portal: str, way: str, crawl: Crawl, tmp_path: Path) -> None:
    with serve(portal) as server:
        done = crawl(server.url)

    assert done.returncode == 0, done.stderr
    assert perfect(tmp_path) >= 0.95 * len(STORIES)
    assert learned(tmp_path)[way]["articles"] == len(STORIES)
    assert max(server.times(story.path) for story in STORIES) == 1


def test_an_alternate_that_robots_txt_forbids_is_not_asked_for(crawl: Crawl, tmp_path: Path) -> None:
    with serve("named api") as server:
        server.routes["/robots.txt"] = Answer("User-agent: *\nDisallow: /api/\n", kind="text/plain")
        crawl(server.url)

    assert not [asked.path for asked in server.asked if asked.path.startswith("/api/")]
    assert articles(tmp_path) == []


def test_an_alternate_that_reserves_its_text_is_not_used(crawl: Crawl, tmp_path: Path) -> None:
    with serve("named api") as server:
        for path, route in server.routes.items():
            if path.startswith("/api/"):
                assert isinstance(route, Answer)
                route.headers["TDM-Reservation"] = "1"
        crawl(server.url)

    assert articles(tmp_path) == []


def test_an_alternate_of_another_host_is_not_asked_for(crawl: Crawl, tmp_path: Path) -> None:
    with PortalServer() as other, serve("named api") as server:
        for path, route in server.routes.items():
            if path.startswith("/news/") and isinstance(route, str):
                server.routes[path] = route.replace("href='/api", f"href='{other.url}api")
        crawl(server.url)

        assert other.asked == []
    assert articles(tmp_path) == []


def test_a_way_that_brings_nothing_is_given_up(crawl: Crawl, tmp_path: Path) -> None:
    with serve("named api") as server:
        for path in server.routes:
            if path.startswith("/api/"):
                server.routes[path] = Answer(json.dumps({"message": "no such story"}), kind="application/json")
        crawl(server.url)

    assert sum(asked.path.startswith("/api/") for asked in server.asked) == 5
    assert learned(tmp_path)["api"]["articles"] == 0


@pytest.mark.parametrize(
    ("page", "api", "pattern"),
    [
        ("/news/town-repairs-its-bridge", "/api/stories/town-repairs-its-bridge?full=1", "/api/stories/{slug}?full=1"),
        ("/news/town-repairs-its-bridge-10417.html", "/api/v2/10417.json", "/api/v2/{number}.json"),
        ("/news/10417/town-repairs-its-bridge", "/api/10417", None),
        ("/news/town-repairs-its-bridge", "/api/latest", None),
        ("/news/town-repairs-its-bridge", "/api/town-repairs-its-bridge/town-repairs-its-bridge", None),
        ("/news/town-repairs-its-bridge", "/api/{slug}/town-repairs-its-bridge", None),
    ],
)
def test_the_address_of_an_answer_is_learned_by_what_it_has_of_the_pages(page: str, api: str, pattern: str | None) -> None:
    site = "https://www.example.org"
    learned_pattern = make_api_pattern(site + page, site + api)

    assert learned_pattern == (site + pattern if pattern else None)
    if learned_pattern is not None:
        assert fill_api_pattern(learned_pattern, site + page) == site + api
        assert fill_api_pattern(learned_pattern, f"{site}/") is None


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        ("https://api.example.org/story/1", True),
        ("https://www.example.org/api/1", True),
        ("https://cdn.example.net/api/1", False),
        ("https://another.example.com/", False),
        ("http://10.0.0.1/api", False),
    ],
)
def test_pages_of_a_collection_get_their_content_from_their_own_site_alone(url: str, *, is_allowed: bool) -> None:
    scope = OpenScope.of_collection(Collection(name="floods", start_urls=()))

    assert scope.may_fill(url, "https://www.example.org/news/1") is is_allowed


def test_an_api_that_fails_for_now_is_asked_again(crawl: Crawl, tmp_path: Path, short_pauses: None) -> None:
    with serve("named api") as server:
        path = f"/api/stories/{STORIES[0].data['slug']}"
        answer = server.routes[path]
        server.routes[path] = lambda server: Answer("", 503) if server.times(path) == 0 else answer  # type: ignore[return-value]
        crawl(server.url)

    assert server.times(path) == 2
    assert perfect(tmp_path) >= 0.95 * len(STORIES)


def test_answers_without_an_article_leave_pages_without_one(crawl: Crawl, tmp_path: Path) -> None:
    answers = (b"", b"[]", b"{", NESTED)
    with serve("named api") as server:
        for story, answer in zip(STORIES, answers, strict=False):
            server.routes[f"/api/stories/{story.data['slug']}"] = Answer(answer, kind="application/json")
        done = crawl(server.url)

    assert done.returncode == 0, done.stderr
    assert {reasons(tmp_path)[story.path] for story in STORIES[: len(answers)]} == {("done", "empty page: no text")}
    assert len(articles(tmp_path)) == len(STORIES) - len(answers)


@pytest.mark.parametrize(
    "answer", [b"null", b'"text"', b"[" * 100_000, NESTED, NESTED_DEEPER, b"\xff\xfe", b'{"title": "No text"}', TWO_STORIES]
)
def test_what_is_no_article_becomes_no_page(answer: bytes) -> None:
    assert build_page_with_answer(b"<html><head></head>", "https://example.org/", answer) is None


def test_the_log_names_requests_for_alternates(crawl: Crawl, tmp_path: Path) -> None:
    with serve("amp") as server:
        crawl(server.url, "--max-articles", "3")

    with sqlite3.connect(tmp_path / "newscrawler.sqlite") as connection:
        (logged,) = connection.execute("SELECT count(*) FROM request WHERE kind = 'alternate' AND http_status = 200").fetchone()
    assert logged == sum(asked.path.startswith("/amp/news/") for asked in server.asked) >= 3


def test_articles_of_an_api_are_read_again_from_what_is_kept(crawl: Crawl, tmp_path: Path) -> None:
    with serve("named api") as server:
        crawl(server.url)
        asked = len(server.asked)

        name = f"127.0.0.1-{server.server_port}"
        again = warm_command.run(
            command("reextract", name, "--apply"), cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
        assert len(server.asked) == asked
    assert again.returncode == 0, again.stderr
    assert perfect(tmp_path) >= 0.95 * len(STORIES)
    with sqlite3.connect(tmp_path / "newscrawler.sqlite") as connection:
        kinds = dict(connection.execute("SELECT outcome, count(*) FROM page GROUP BY outcome").fetchall())
    assert kinds["article"] == len(STORIES)
    assert kinds["source"] == 2 * len(STORIES)
    done = warm_command.run(
        command("extract", *map(str, tmp_path.glob("newscrawler-data/pages/*/*.warc.gz")), "--output", "corpus"),
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    records = [json.loads(line) for line in (tmp_path / "corpus/articles.jsonl").read_text("utf-8").splitlines()]
    assert done.returncode == 0, done.stderr
    assert {record["title"] for record in records} == {story.title for story in STORIES}
