"""Some two hundred hostile inputs: nothing runs, nothing leaks, nothing breaks; the answer is a clean 4xx or a harmless page."""

from __future__ import annotations

import itertools
import re
from collections import deque
from typing import Any

import pytest
from kept_pages import Archive
from lxml import html
from portal_server import address, story
from starlette.testclient import TestClient
from web_site import PASSWORD, Site, form_token

from newscrawler.config import load_configuration
from newscrawler.store.web import Role

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
    "/articles?offset=1e9&q=x", "/runs/1?compare=x", "/api/v1/runs/x", "/articles?section=%00", "/api/v1/articles?author=a%00",
    "/articles/1/page?kept=99", "/articles/1/revisions/0", "/runs/1/asked.xml", "/settings/exports/..%2f",
    "/alerts?before=x",
)  # fmt: skip
#: From here on the pages are found by their own links.
STARTS = ("/", "/login", "/review/1?portal=one", "/review/1/correct", "/add-portal", "/portals/one", "/portals/one/keys", "/runs/1")
#: Forms whose answer is not a page: they run a program, or make everybody log in again.
LEFT_OUT = {"/logout", "/account/password"}
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


def shape_of(link: str) -> str:
    """Return an address without what makes it that of one portal, article or choice."""
    return re.sub(r"=[^&#]*", "=", re.sub(r"[0-9]+", "N", re.sub(r"/portals/\w+", "/portals/P", link)))


def forms_of(client: TestClient) -> dict[str, tuple[str, dict[str, str]]]:
    """Follow the links of all pages; return every form by its method, its address without a query and its fields."""
    waiting, seen, found = deque(STARTS), set(map(shape_of, STARTS)), {}
    while waiting:
        path = waiting.popleft()
        answer = client.get(path)
        harmless(answer, path)
        if "html" not in answer.headers.get("content-type", "") or "/page" in path:
            continue
        page = html.fromstring(answer.content)
        for form in page.forms:
            action = (form.action or path).partition("?")[0]
            fields = {name: value or "" for name, value in form.fields.items() if name}
            found[f"{shape_of(action)} {','.join(sorted(fields))}"] = (f"{form.method} {action}", fields)
        for link in page.xpath("//a/@href"):
            if link.startswith("/") and shape_of(link) not in seen:
                seen.add(shape_of(link))
                waiting.append(link)
    return found


def test_scripts_in_every_field_of_every_form_are_refused_or_stored_and_never_run(site: Site, client: TestClient) -> None:
    forms = forms_of(client)
    token = form_token(client.get("/account").text)
    sent = 0
    for where, fields in forms.values():
        method, action = where.split(" ", 1)
        if action in LEFT_OUT:
            continue
        for name in set(fields) - {"csrf"}:
            text = SCRIPTS[sent % len(SCRIPTS)]
            sent += 1
            values = {**fields, "version": "", "csrf": token, name: text}
            values = values if name == "version" else {key: value for key, value in values.items() if key != "version"}
            answer = client.get(action, params=values) if method == "GET" else client.post(action, data=values)
            harmless(answer, f"{where} {name}={text}")
    for path in (*STARTS, "/settings", "/settings/exports", "/alerts", "/jobs", "/audit", "/account", "/articles/1", "/review"):
        harmless(client.get(path), path)

    assert len(forms) > 20
    assert sent > 100
    portals = load_configuration(site.folder / "newscrawler.toml").portals
    assert [portal.start_urls for portal in portals] == [("http://127.0.0.1:1/",), ("http://127.0.0.1:2/",)]


def test_tokens_that_are_replayed_open_nothing(site: Site, client: TestClient) -> None:
    other = site.logged_in("bert", Role.OPERATOR)
    token, cookie = form_token(other.get("/account").text), other.cookies["newscrawler"]
    assert client.post("/alerts/test", data={"csrf": token}).status_code == 403  # a form of somebody else's session
    made = other.post("/account/tokens", data={"csrf": token, "name": "t", "scope": "write", "days": "1"})
    secret = html.fromstring(made.content).xpath("string(//code[@class='secret'])")
    program = site.client()
    assert program.get("/api/v1/portals", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    assert program.get("/", headers={"Authorization": f"Bearer {secret}"}).status_code == 303  # no page opens to a program
    other.post("/account/tokens/revoke", data={"csrf": token, "token": "1"})
    other.post("/logout", data={"csrf": token})

    program.cookies.set("newscrawler", cookie)
    assert program.get("/").status_code == 303
    assert program.post("/portals/one", data={"csrf": token, "action": "pause"}).status_code == 401
    assert program.get("/api/v1/portals", headers={"Authorization": f"Bearer {secret}"}).status_code == 401


def test_bodies_of_the_interface_for_programs_are_refused_cleanly(client: TestClient) -> None:
    token = form_token(client.get("/account").text)
    made = client.post("/account/tokens", data={"csrf": token, "name": "t", "scope": "write", "days": "1"})
    secret = html.fromstring(made.content).xpath("string(//code[@class='secret'])")
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    bodies = (
        b"", b"[]", b"null", b"{", b"[" * 100_000, b'{"faults": "x"}', b'{"faults": [{}]}', b'{"faults": [[]], "gold": 1}',
        b'{"faults": ["title-wrong"], "gold": {}}', b'{"faults": ["title-wrong"], "gold": {"body": 1}}', b'{"note": "\\ud800"}',
        b'{"note": "\\u0000"}', b'{"faults": ' + b"9" * 5000 + b"}",
        b'{"faults": ["title-wrong"], "gold": {"title": {}, "body": "x"}}',
        b'{"faults": ["title-wrong"], "gold": {"faulty": {"x": 1}}}',
        b'{"faults": ["title-wrong"], "gold": {"body": "x", "authors": 5}}',
    )  # fmt: skip
    for body in bodies:
        answer = client.post("/api/v1/articles/1/review", content=body, headers=headers)
        harmless(answer, body[:40].decode())
        assert 400 <= answer.status_code < 500, body[:40]
    for body in (b'{"kind": {}, "target": "one"}', b'{"kind": "crawl", "target": 1}', b'{"kind": "shell", "target": "one"}'):
        assert client.post("/api/v1/jobs", content=body, headers=headers).status_code == 422, body


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9200/",
        "http://localhost/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/",
        "http://[::ffff:10.0.0.1]/",
    ],
)
def test_no_portal_of_a_private_network_is_added_from_elsewhere(site: Site, url: str) -> None:
    site.account("anna", Role.OPERATOR)
    client = site.client(needs_login=True)
    token = form_token(client.get("/login").text)
    client.post("/login", data={"csrf": token, "name": "anna", "password": PASSWORD})
    token = form_token(client.get("/account").text)
    before = (site.folder / "newscrawler.toml").read_text()

    added = client.post("/add-portal", data={"csrf": token, "url": url})
    changed = client.post("/portals/one/keys", data={"csrf": token, "start_urls": url})
    named = client.post("/portals/one/keys", data={"csrf": token, "hosts": "10.0.0.1"})

    assert (added.status_code, changed.status_code, named.status_code) == (422, 422, 422)
    assert (site.folder / "newscrawler.toml").read_text() == before


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
