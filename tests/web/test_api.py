"""The HTTP API as programs use it."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from kept_pages import Archive
from portal_server import address, story
from starlette.testclient import TestClient
from web_site import Site, client_of

from newscrawler.article import Article, Paragraph
from newscrawler.config import load_configuration
from newscrawler.store.articles import ReleaseRecord
from newscrawler.store.service import JobKind
from newscrawler.store.web import Role, TokenScope
from newscrawler.web import WebServer

PREFIX = "/api/v1"
READING = (
    "/portals", "/runs", "/runs/{number}", "/articles", "/articles/{number}", "/articles/{number}/revisions", "/search", "/export",
    "/facets", "/reviews", "/releases", "/releases/{name}", "/jobs", "/jobs/{number}/file", "/analyses/{tool}",
    "/analyses/{tool}/recipe", "/export/recipe", "/openapi.json", "/feed", "/searches/{number}/feed",
)  # fmt: skip
OPERATIONS = {("get", path) for path in READING} | {
    ("post", "/articles/{number}/review"), ("delete", "/articles/{number}/review"), ("post", "/jobs"), ("post", "/releases"),
    ("post", "/analyses/{tool}"),
}  # fmt: skip
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "web.md"


def article(number: int) -> Article:
    body = (Paragraph(text=f"The flood of {number} reached the bridge."),)
    return Article(title=f"Headline {number}", paragraphs=body, url=f"https://x.example/{number}", method="default", confidence=0.9)


def release(site: Site, name: str) -> ReleaseRecord:
    return ReleaseRecord(
        name=name,
        created_at=site.now,
        recipe={},
        version="0.1",
        articles=9,
        manifest_sha256="0f" * 32,
        path=str(site.folder / name),
    )


@pytest.fixture
def archive(site: Site) -> Archive:
    made = Archive(site.folder, portal="one")
    made.night([(f"https://one.example{address(number)}", story(number)) for number in range(1, 4)])
    for number in range(10, 35):
        site.store.articles.add("two", article(number))
    return made


def pages(client: TestClient, path: str) -> Iterator[dict[str, Any]]:
    cursor = ""
    while cursor is not None:
        page = client.get(f"{path}&cursor={cursor}").json()
        yield page
        cursor = page["next"]


def test_the_document_describes_every_operation_and_each_answers(site: Site, archive: Archive) -> None:
    assert archive
    client = client_of(site, "anna", Role.OPERATOR, TokenScope.READ)
    site.store.releases.add(release(site, "1"))
    site.store.saved_searches.save("anna", "floods", "q=flood", now=site.now)
    (site.folder / "trends.csv").write_text("month\n", "utf-8")
    job = site.store.jobs.ask(JobKind.COUNT, "trends", who="anna", now=site.now)
    site.store.jobs.put(replace(job, path=str(site.folder / "trends.csv")))
    document = client.get(f"{PREFIX}/openapi.json").json()

    assert {(method, path.removeprefix(PREFIX)) for path, methods in document["paths"].items() for method in methods} == OPERATIONS
    for path, methods in document["paths"].items():
        named = set(re.findall(r"\{(\w+)\}", path))
        for method, said in methods.items():
            assert {each["name"] for each in said.get("parameters", ()) if each["in"] == "path"} == named
            if method == "get":
                answer = client.get(re.sub(r"\{\w+\}", "1", path.replace("{tool}", "trends")), params={"q": "flood"})
                assert answer.status_code == 200, (path, answer.text)


def test_lists_are_read_page_by_page_without_holes_or_repetitions(site: Site, archive: Archive) -> None:
    assert archive
    client = client_of(site, "anna", Role.READER, TokenScope.READ)

    listed = [each["id"] for page in pages(client, f"{PREFIX}/articles?portal=two&limit=10") for each in page["articles"]]
    found = [each["id"] for page in pages(client, f"{PREFIX}/search?q=flood&limit=10") for each in page["articles"]]
    exported = client.get(f"{PREFIX}/export?portal=two&q=flood").text.splitlines()

    assert listed == sorted(set(listed))
    assert len(listed) == 25
    assert sorted(found) == listed
    assert [json.loads(line)["id"] for line in exported] == listed
    assert json.loads(exported[0])["title"] == "Headline 10"


def test_earlier_texts_are_there_and_what_has_not_changed_is_not_sent_again(site: Site, archive: Archive) -> None:
    assert archive
    client = client_of(site, "anna", Role.READER, TokenScope.READ)
    before = site.store.articles.get(5)
    assert before is not None
    assert site.store.articles.revise(before, article(99), why="read again")
    (earlier,) = client.get(f"{PREFIX}/articles/5/revisions").json()["revisions"]
    assert earlier["title"] == before.article.title
    first = client.get(f"{PREFIX}/articles/2")

    again = client.get(f"{PREFIX}/articles/2", headers={"If-None-Match": first.headers["etag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert client.get(f"{PREFIX}/articles/3", headers={"If-None-Match": first.headers["etag"]}).status_code == 200
    # RFC 9110, section 13.1.2: any version of an article
    assert client.get(f"{PREFIX}/articles/3", headers={"If-None-Match": "*"}).status_code == 304
    assert client.get(f"{PREFIX}/articles/9999", headers={"If-None-Match": "*"}).status_code == 404


def test_a_job_for_a_target_without_configuration_is_refused_at_once(site: Site) -> None:
    site.store.service.enter(now=site.now)
    operator = client_of(site, "anna", Role.OPERATOR, TokenScope.WRITE)

    for kind, what in (("crawl", "portal"), ("stop", "portal"), ("reextract", "portal"), ("export", "export")):
        answer = operator.post(f"{PREFIX}/jobs", json={"kind": kind, "target": "nowhere"})
        assert (answer.status_code, answer.json()) == (404, {"error": f"There is no {what} 'nowhere' in the configuration."})
    assert site.store.jobs.open() == []
    assert operator.post(f"{PREFIX}/jobs", json={"kind": "crawl", "target": "one"}).status_code == 200


def test_a_token_allows_what_its_scope_and_its_account_allow(site: Site, archive: Archive) -> None:
    assert archive
    reading = client_of(site, "rita", Role.OPERATOR, TokenScope.READ)
    reader = client_of(site, "bert", Role.READER, TokenScope.WRITE)
    reviewer = client_of(site, "vera", Role.REVIEWER, TokenScope.WRITE)
    verdict = {"faults": ["lead-missing"], "note": "see above"}

    assert site.client().get(f"{PREFIX}/portals").status_code == 401
    assert reading.post(f"{PREFIX}/articles/1/review", json=verdict).status_code == 403
    assert reader.post(f"{PREFIX}/articles/1/review", json=verdict).status_code == 403
    assert reviewer.post(f"{PREFIX}/jobs", json={"kind": "crawl", "target": "one"}).status_code == 403
    assert reviewer.post(f"{PREFIX}/articles/1/review", json=verdict).status_code == 200
    review = site.store.reviews.get(1)
    assert review is not None
    assert review.faults == ("lead-missing",)
    assert reviewer.request("DELETE", f"{PREFIX}/articles/1/review").status_code == 200
    assert reviewer.request("DELETE", f"{PREFIX}/articles/1/review").status_code == 404
    # tokens are for the API: no page takes them, and no session of a browser writes by the API
    assert reviewer.get("/", headers={"Accept": "text/html"}).status_code == 303
    browser = site.client()
    browser.cookies.update(site.logged_in("otto", Role.OPERATOR).cookies)
    assert browser.get(f"{PREFIX}/portals").status_code == 200
    assert browser.post(f"{PREFIX}/jobs", json={"kind": "crawl", "target": "one"}).status_code == 403


def test_a_token_that_is_old_revoked_or_of_a_closed_account_no_longer_holds(site: Site) -> None:
    old = client_of(site, "anna", Role.READER, TokenScope.READ)
    revoked = client_of(site, "bert", Role.READER, TokenScope.READ, days=9)
    closed = client_of(site, "carl", Role.READER, TokenScope.READ, days=9)
    bert = site.store.accounts.get("bert")
    assert bert is not None
    (token,) = site.store.credentials.tokens(bert)
    assert [client.get(f"{PREFIX}/runs").status_code for client in (old, revoked, closed)] == [200, 200, 200]

    site.now += timedelta(days=2)
    site.store.credentials.revoke_token(bert, token.id, now=site.now)
    site.store.accounts.close("carl", now=site.now)

    assert [client.get(f"{PREFIX}/runs").status_code for client in (old, revoked, closed)] == [401, 401, 401]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/articles/999999", 404),
        ("/articles/one", 422),
        ("/articles/99999999999999999999", 422),
        ("/articles?cursor=x", 422),
        ("/articles?since=tomorrow", 422),
        ("/articles?limit=-1", 422),
        ("/search?q=%22open", 422),
        ("/search?q=flood&cursor=100000", 422),
        ("/nothing", 404),
    ],
)
def test_what_is_wrong_is_said_in_json_or_plain_words(site: Site, archive: Archive, path: str, status: int) -> None:
    assert archive
    answer = site.client().get(PREFIX + path)

    assert answer.status_code == status
    assert "Traceback" not in answer.text


def test_the_client_in_the_documentation_works(site: Site, archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    assert archive
    client = client_of(site, "anna", Role.READER, TokenScope.READ)
    source = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert source
    space: dict[str, Any] = {"__name__": "client"}
    exec(source[1], space)

    class Answer:
        def __init__(self, request: Any) -> None:
            found = client.get(request.full_url, headers=dict(request.header_items()))
            assert found.status_code == 200
            self.content = found.content

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def read(self) -> bytes:
            return bytes(self.content)

        def __iter__(self) -> Iterator[bytes]:
            return iter(self.content.splitlines(keepends=True))

    monkeypatch.setitem(space, "urlopen", Answer)
    newscrawler = space["Newscrawler"]("http://127.0.0.1:8765", "newscrawler_anna")

    assert len(list(newscrawler.articles(portal="two", limit=10))) == 25
    assert newscrawler.article(2)["portal"] == "one"
    assert len(list(newscrawler.export(q="flood"))) == 25
    assert newscrawler.analyse("collocates", q="flood", portal="two", window=2)["columns"][0] == "word"


def test_facets_are_counted_and_a_release_is_asked_for_of_a_search(site: Site, archive: Archive) -> None:
    assert archive
    site.store.service.enter(now=site.now)
    operator = client_of(site, "anna", Role.OPERATOR, TokenScope.WRITE)
    reviewer = client_of(site, "vera", Role.REVIEWER, TokenScope.WRITE)
    asked = {"name": "news-1", "creators": ["Eva"], "selection": {"q": "flood", "portal": "two"}}

    facets = operator.get(f"{PREFIX}/facets?q=flood").json()
    assert facets["among"] == 25
    assert facets["facets"]["portal"] == {"two": 25}
    assert reviewer.post(f"{PREFIX}/releases", json=asked).status_code == 403
    assert operator.post(f"{PREFIX}/releases", json=asked | {"name": "../news"}).status_code == 422
    assert operator.post(f"{PREFIX}/releases", json=asked | {"creators": []}).status_code == 422
    assert operator.post(f"{PREFIX}/releases", json=asked | {"selection": {"q": '"open'}}).status_code == 422
    assert operator.post(f"{PREFIX}/jobs", json={"kind": "count", "target": "trends"}).status_code == 422
    assert operator.post(f"{PREFIX}/releases", json=asked).json() == {"id": 1, "state": "waiting"}

    (job,) = site.store.jobs.open()
    assert (job.kind, job.target) == (JobKind.RELEASE, "news-1")
    assert job.parameters["selection"] == {"portal": "two", "words": "flood"}
    site.store.releases.add(release(site, "news-1"))
    assert operator.post(f"{PREFIX}/releases", json=asked).status_code == 409
    assert [each["name"] for each in operator.get(f"{PREFIX}/releases").json()["releases"]] == ["news-1"]


def test_answers_to_generated_requests_are_as_the_document_says(site: Site, archive: Archive, tmp_path: Path) -> None:
    assert archive
    site.now = datetime.now(UTC)
    client_of(site, "anna", Role.OPERATOR, TokenScope.WRITE)
    site.store.service.enter(now=site.now + timedelta(minutes=10))
    site.nights("one", [3, 4])
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    address = f"http://127.0.0.1:{port}{PREFIX}/openapi.json"
    words = ["--config-file", str(ROOT / "schemathesis.toml"), "run", address, "--header", "Authorization: Bearer newscrawler_anna"]
    limits = ["--checks", "all", "--max-examples", "10", "--max-time", "20", "--generation-deterministic", "--no-color"]

    with WebServer(load_configuration(site.folder / "newscrawler.toml"), "127.0.0.1", port).running():
        done = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", *words, *limits], cwd=tmp_path, check=False, capture_output=True, text=True
        )

    assert done.returncode == 0, done.stdout
