"""Who may do what, asked of every page and operation that there is: a new one is covered without anybody thinking of it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from kept_pages import Archive
from portal_server import address, story
from starlette.testclient import TestClient
from web_site import HASH, Site, form_token, send

from newscrawler.config import get_keys, load_configuration
from newscrawler.errors import CostlyQueryError
from newscrawler.limits import JOBS_OF_A_USER
from newscrawler.store import limited_queries
from newscrawler.store.search import Search
from newscrawler.store.service import JobKind
from newscrawler.store.web import Role, TokenScope
from newscrawler.web.application import PAGES
from newscrawler.web.pages.settings import SETTINGS
from newscrawler.web.requests.endpoint import Page

#: What anybody may see, logged in or not.
PUBLIC = {"/login", "/logout"}
METHODS = ("PUT", "DELETE", "POST", "GET")
#: Values of the parts of paths: of what is there, and of what is not.
PARTS: Mapping[str, tuple[str, str]] = {"tool": ("trends", "x"), "ending": ("csv", "exe"), "ask": ("1", "0")}
USUAL = ("1", "99999999999999999999")
#: What every field of a form is given.
VALUES = (
    "", " ", "x", "-1", "0", "1e400", "nan", "99999999999999999999999", "[", "{}", "null", "a\nb", "../../x", "<b>", '"', "\u202e",
    "é" * 3000, "http://", "http://[", "true", "sqlite:///x", "(" * 600, "25:99", "* * * * *",
)  # fmt: skip


def fill(path: str, place: int) -> str:
    """Return a path with values for its parts."""
    for part in path.split("{")[1:]:
        name = part.partition("}")[0]
        values = ("one", "none") if name.partition(":")[0] in {"name", "portal"} else PARTS.get(name, USUAL)
        path = path.replace(f"{{{name}}}", values[place])
    return path


@pytest.fixture
def clients(site: Site) -> dict[Role | None, TestClient]:
    """Somebody of each role, and nobody, on a site with an article and a run."""
    Archive(site.folder, portal="one").night([(f"https://one.example{address(1)}", story(1))])
    site.nights("one", [3])
    found: dict[Role | None, TestClient] = {role: site.logged_in(str(role), role) for role in Role}
    return {None: site.client()} | found


def expect(page: Page, role: Role | None, method: str) -> set[int]:
    """Return the statuses that a request may have, by the permissions of its page alone."""
    if method not in {"GET", "POST"} or (method == "POST" and page.change is None):
        return {405}
    needed = (page.change_role or page.role) if method == "POST" else page.role
    if needed is not None and role is None:
        return {401} if method == "POST" else {303}
    if needed is not None and role is not None and not role.includes(needed):
        return {403}
    return {403} if method == "POST" else {200, 303, 400, 404, 409, 422}  # no form has a token


def test_every_page_is_for_those_of_its_role_alone(site: Site, clients: dict[Role | None, TestClient]) -> None:
    before = (site.folder / "newscrawler.toml").read_text(), len(site.store.audit.entries()), site.store.jobs.open()
    wrong, places = [], {path for page in PAGES for path in {fill(page.path, 0), fill(page.path, 1)}}
    for (role, client), page, place, method in itertools.product(clients.items(), PAGES, (0, 1), METHODS):
        path = fill(page.path, place)
        is_other = method not in {"GET", "POST"} or bool(place)
        if (place and path == fill(page.path, 0)) or (is_other and role in {Role.READER, Role.REVIEWER}):
            continue
        answer = client.request(method, path)
        found = [each for each in PAGES if _is_path(each.path, path)]
        first = next((each for each in found if method != "POST" or each.change is not None), found[0])
        if answer.status_code not in expect(first, role, method):
            wrong.append((str(role), method, path, answer.status_code))
        if "html" in answer.headers.get("content-type", ""):
            assert answer.headers["content-security-policy"]

    assert not wrong
    assert len(places) > 60
    assert {page.path for page in PAGES if page.role is None} == PUBLIC
    assert before == ((site.folder / "newscrawler.toml").read_text(), len(site.store.audit.entries()), site.store.jobs.open())


def _is_path(pattern: str, path: str) -> bool:
    """Return whether a page answers a path; of several, the first in the table does."""
    from starlette.routing import compile_path

    return compile_path(pattern)[0].match(path) is not None


def test_every_operation_is_for_those_of_its_role_and_scope_alone(site: Site, clients: dict[Role | None, TestClient]) -> None:
    assert clients
    tokens = {None: ""}
    for role, scope in itertools.product(Role, TokenScope):
        account = site.store.accounts.get(str(role))
        assert account is not None
        secret = tokens[role, scope] = f"newscrawler_{role}_{scope}"  # type: ignore[index]
        site.store.credentials.add_token(
            account, secret, name="t", scope=scope, expires_at=site.now + timedelta(days=1), now=site.now
        )
    client, wrong = site.client(), []
    document = client.get(
        "/api/v1/openapi.json", headers={"Authorization": f"Bearer {tokens[Role.READER, TokenScope.READ]}"}
    ).json()  # type: ignore[index]
    for (path, operations), (who, secret) in itertools.product(document["paths"].items(), tokens.items()):
        for method in ("get", "post", "delete", "put", "patch"):
            answer = client.request(method, fill(path, 0), headers={"Authorization": f"Bearer {secret}"} if secret else {})
            said = answer.status_code
            if method not in operations:
                is_right = said == 405
            elif who is None:
                is_right = said == 401
            elif method != "get" and who[1] is TokenScope.READ:
                is_right = said == 403
            else:
                is_right = said < 500 and said != 401
            if not is_right:
                wrong.append((str(who), method, path, said))

    assert not wrong
    assert len(document["paths"]) > 12
    assert site.store.jobs.open() == []


def test_every_key_of_every_form_refuses_what_is_none_and_the_file_stays_valid(site: Site) -> None:
    client, sent = site.client(), itertools.count()
    token = form_token(
        client.get("/settings").text if "csrf" in client.get("/settings").text else client.get("/portals/one/keys").text
    )
    forms = [(f"/settings/{table.name}", table.model) for table in SETTINGS]
    forms.append(("/portals/one/keys", SETTINGS[1].model))
    for path, model in forms:
        for key in get_keys(model):
            for _ in range(2):
                value = VALUES[next(sent) % len(VALUES)]
                answer = client.post(
                    path, data={"csrf": token, key.name: value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")}
                )
                assert answer.status_code in {200, 303, 403, 409, 422}, (path, key.name, value, answer.text[:300])

    assert next(sent) > 150
    configuration = load_configuration(site.folder / "newscrawler.toml")
    assert [portal.name for portal in configuration.portals] == ["one", "two"]


def test_a_user_has_some_jobs_and_others_have_theirs(site: Site) -> None:
    site.store.service.enter(now=site.now + timedelta(seconds=5))
    reader, other = (site.logged_in(name, Role.READER) for name in ("anna", "bert"))
    token = form_token(reader.get("/account").text)
    asked = ({"csrf": token, "q": f"flood {number}"} for number in range(150))
    said = [reader.post("/explore/trends", data=fields).status_code for fields in asked]

    assert said == [303] * JOBS_OF_A_USER + [429] * (150 - JOBS_OF_A_USER)
    assert send(other, "/explore/trends", page="/account", q="flood").status_code == 303
    assert {job.kind for job in site.store.jobs.open()} == {JobKind.COUNT}


def test_a_query_has_its_time_and_the_next_one_its_own(site: Site) -> None:
    def count(most: int) -> int:
        from sqlalchemy import text

        from newscrawler.store import translated

        query = f"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < {most}) SELECT count(*) FROM n"
        with translated(site.store.engine), site.store.engine.connect() as connection:
            return int(connection.execute(text(query)).scalar_one())

    with limited_queries(0.05):
        assert count(10) == 10
        for _ in range(2):
            with pytest.raises(CostlyQueryError):
                count(10**9)
    assert count(1_000_000) == 1_000_000


def test_a_costly_query_is_refused_with_what_to_do(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise CostlyQueryError("this takes longer")

    client = site.logged_in("anna", Role.READER)
    monkeypatch.setattr(Search, "find", refuse)
    monkeypatch.setattr("newscrawler.web.requests.selection.analyse", refuse)

    found, explored = client.get("/articles?q=flood"), client.get("/explore/trends?q=flood")

    assert (found.status_code, explored.status_code) == (400, 200)
    assert "as a job" in found.text
    assert "Count all articles as a job" in explored.text
    assert HASH not in found.text
