"""Some two hundred hostile inputs: nothing runs, nothing leaks, nothing breaks; the answer is a clean 4xx or a harmless page."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from kept_pages import Archive
from lxml import html
from portal_server import address, story
from starlette.testclient import TestClient
from web_site import PASSWORD, Site, form_token

from newscrawler.config.load import load_configuration
from newscrawler.store import Role

SCRIPTS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    "javascript:alert(1)",
    "{{7*7}}${7*7}",
    "</textarea><svg/onload=alert(1)>",
    "\u0085\u2028\x1b[2J",
    "a" * 5000,
    "%00",
    "' OR 1=1 --",
    "\u202egnp.exe",
)
PATHS = (
    "/static/../../pyproject.toml", "/static/%2e%2e/%2e%2e/pyproject.toml", "/static/..%2f..%2fnewscrawler.toml",
    "/static//etc/passwd", "/articles/../../etc/passwd", "/articles/%2e%2e/page", "/articles/1/revisions/%00", "/articles/-1",
    "/articles/1e3", "/articles/0x1", "/articles/٣", "/articles/1/page/../../../x", "/portals/..%2f..%2fetc", "/portals/%00",
    "/portals/one/template/99", "/runs/abc", "/review/1'--", "/review/99999999999999999999999", "/add-portal/9",
    "/audit?before=x", "/articles?since=0000-00-00", "/nothing", "/portals/one/template/1?against=x", "/articles?before=-1",
    "/articles?offset=1e9&q=x", "/runs/1?compare=x", "/api/v1/runs/x",
)  # fmt: skip
FORMS: dict[str, tuple[str, ...]] = {
    "/login": ("name", "next"),
    "/account/tokens": ("name", "scope", "days"),
    "/account/tokens/revoke": ("token",),
    "/portals/one": ("action",),
    "/portals/one/keys": ("start_urls", "language", "delay", "window", "include", "schedule"),
    "/portals/one/remove": ("name",),
    "/add-portal": ("url",),
    "/review/1": ("fault", "verdict"),
    "/review/1/correct": ("title", "block", "date", "authors"),
}
#: Never in an answer: what the server knows and nobody asked for.
SECRETS = ("Traceback", "sqlalchemy", "site-packages", "argon2id", PASSWORD)


@pytest.fixture
def client(site: Site) -> TestClient:
    """Somebody who may do everything, on a site with an article."""
    Archive(site.folder, portal="one").night([(f"https://one.example{address(1)}", story(1))])
    return site.logged_in("anna", Role.OPERATOR)


def harmless(answer: Any, sent: str) -> None:
    """Check that an answer neither runs nor tells anything."""
    assert answer.status_code < 500, answer.text
    assert not [secret for secret in SECRETS if secret in answer.text]
    if "html" in answer.headers.get("content-type", ""):
        assert answer.headers["content-security-policy"]
        for element in html.fromstring(answer.content).iter():
            attributes = {name.lower(): value for name, value in element.attrib.items()}
            assert not [name for name in attributes if name.startswith("on") or name == "style"], sent
            assert element.tag != "script" or attributes["src"].startswith("/static/"), sent
            assert element.tag not in {"embed", "object", "base"}, sent
            assert not attributes.get("href", "").strip().lower().startswith(("javascript:", "data:")), sent
        assert "49${7*7}" not in answer.text
    assert answer.headers.get("location", "/").startswith("/")
    assert not answer.headers.get("location", "").startswith("//"), sent


def test_paths_lead_nowhere_else(client: TestClient) -> None:
    for path in PATHS:
        answer = client.get(path)
        harmless(answer, path)
        assert 300 <= answer.status_code < 500, path


def test_queries_are_shown_and_not_run(client: TestClient) -> None:
    places = (("/articles", "q"), ("/articles", "section"), ("/login", "next"), ("/review", "done"), ("/review/start", "portal"))
    for text, (path, name) in itertools.product(SCRIPTS, places):
        harmless(client.get(path, params={name: text}), text)


def test_forms_refuse_or_store_what_is_hostile_and_never_run_it(site: Site, client: TestClient) -> None:
    token = form_token(client.get("/account").text)
    for path, names in FORMS.items():
        for number, name in enumerate(names):
            text = SCRIPTS[(number * 3 + len(path)) % len(SCRIPTS)]
            answer = client.post(path, data={"csrf": token, name: text})
            harmless(answer, f"{path} {name}")
    for path in ("/", "/portals/one", "/articles/1", "/review", "/review/1", "/jobs", "/audit", "/account"):
        harmless(client.get(path), path)

    portals = load_configuration(site.folder / "newscrawler.toml").portals
    assert [(portal.name, portal.start_urls) for portal in portals] == [
        ("one", ("http://127.0.0.1:1/",)),
        ("two", ("http://127.0.0.1:2/",)),
    ]


def test_bodies_that_are_too_large_or_of_another_kind_are_refused(client: TestClient) -> None:
    token = form_token(client.get("/account").text)
    large = client.post("/account/tokens", data={"csrf": token, "name": "x" * (5 * 2**20)})
    many = client.post("/account/tokens", data={"csrf": token} | {f"f{number}": "x" for number in range(6000)})
    kinds = [
        client.post("/account/tokens", content=b"{}", headers={"Content-Type": "application/json"}),
        client.post("/account/tokens", files={"csrf": token.encode()}),
        client.post("/account/tokens", content=b"csrf=\xff\xfe", headers={"Content-Type": "application/x-www-form-urlencoded"}),
        client.post("/account/tokens", data={"csrf": token, "name": "a\0b"}),
    ]

    assert (large.status_code, many.status_code) == (413, 400)
    assert [answer.status_code for answer in kinds] == [415, 415, 400, 400]
    for answer in (large, many, *kinds):
        harmless(answer, "body")


def test_methods_tokens_and_cookies_that_were_made_up_open_nothing(site: Site, client: TestClient) -> None:
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS"):
        assert client.request(method, "/account").status_code == 405
    stranger = site.client()
    for secret in ("", "x", "../..", "0" * 5000, "'; DROP TABLE session; --"):
        stranger.cookies.set("newscrawler", secret)
        assert stranger.get("/").status_code == 303
        assert stranger.post("/portals/one", data={"action": "pause", "csrf": secret}).status_code == 401
        answer = stranger.get("/api/v1/portals", headers={"Authorization": f"Bearer {secret}"})
        assert answer.status_code == 401
        harmless(answer, secret)
