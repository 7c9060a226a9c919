"""Who may see and change what: accounts, sessions, roles, proxies."""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from web_site import HASH, PASSWORD, Site, form_token, send

from newscrawler.errors import ConfigError
from newscrawler.store.web import Role
from newscrawler.web import WebServer, hash_password


def test_without_accounts_this_machine_may_do_everything_and_other_names_nothing(site: Site) -> None:
    assert "Local, no sign-in" in site.client().get("/").text
    assert site.client().get("/audit").status_code == 200
    assert site.client(base_url="http://localhost").get("/").status_code == 200
    rebound = site.client(base_url="http://evil.example").get("/")
    assert rebound.status_code == 421
    assert "newscrawler.toml" not in rebound.text


def test_with_an_account_everybody_logs_in_and_gets_back_to_where_they_were(site: Site) -> None:
    site.account("anna", Role.OPERATOR)
    client = site.client()

    asked = client.get("/audit?before=7")
    assert (asked.status_code, asked.headers["location"]) == (303, "/login?next=%2Faudit%3Fbefore%3D7")
    wrong = send(client, "/login", name="anna", password="wrong password")
    assert wrong.status_code == 403
    before = client.cookies["newscrawler"]
    done = send(client, "/login", name="anna", password=PASSWORD, next="/audit?before=7")

    assert (done.status_code, done.headers["location"]) == (303, "/audit?before=7")
    assert client.cookies["newscrawler"] != before
    assert {"HttpOnly", "SameSite=lax"} <= set(done.headers["set-cookie"].split("; "))
    page = client.get("/audit").text
    assert "login failed" in page
    assert "anna" in page


@pytest.mark.parametrize("behind", ["//evil.example/", "https://evil.example/", "/\\evil.example", "/\t/evil.example"])
def test_a_login_leads_to_no_other_site(site: Site, behind: str) -> None:
    site.account("anna", Role.READER)
    client = site.client()

    done = send(client, "/login", name="anna", password=PASSWORD, next=behind)

    assert done.headers["location"] == "/"


def test_a_session_ends_by_logging_out_by_idleness_and_with_a_new_password(site: Site) -> None:
    client = site.logged_in("anna", Role.READER)
    stolen = dict(client.cookies)
    send(client, "/logout", page="/")
    client.cookies.update(stolen)
    assert client.get("/").status_code == 303

    send(client, "/login", name="anna", password=PASSWORD)
    site.now += timedelta(hours=13)
    assert client.get("/").status_code == 303

    send(client, "/login", name="anna", password=PASSWORD)
    assert client.get("/").status_code == 200
    site.store.accounts.change("anna", password=hash_password("another password"))
    assert client.get("/").status_code == 303


def test_whoever_guesses_passwords_has_to_wait_longer_and_longer(site: Site) -> None:
    site.account("anna", Role.READER)
    client = site.client()
    for _ in range(5):
        assert send(client, "/login", name="anna", password="guess guess").status_code == 403

    waits = []
    for _ in range(7):
        refused = send(client, "/login", name="anna", password=PASSWORD[::-1])
        assert refused.status_code == 429
        waits.append(int(refused.headers["retry-after"]))
        site.now += timedelta(seconds=waits[-1])
        assert send(client, "/login", name="anna", password=PASSWORD[::-1]).status_code == 403

    assert waits == [5, 10, 20, 40, 80, 160, 320]
    site.now += timedelta(minutes=16)
    assert send(client, "/login", name="anna", password=PASSWORD).status_code == 303


def test_guesses_of_one_account_shut_out_neither_the_others_nor_a_browser_that_was_there_before(site: Site) -> None:
    anna = site.logged_in("anna", Role.READER)
    send(anna, "/logout", page="/")
    site.store.accounts.add("bert", password=HASH, role=Role.READER, now=site.now)
    stranger = site.client()
    for _ in range(5):
        send(stranger, "/login", name="anna", password="guess guess")

    assert send(stranger, "/login", name="anna", password=PASSWORD).status_code == 429
    assert send(stranger, "/login", name="bert", password=PASSWORD).status_code == 303
    assert send(anna, "/login", name="anna", password=PASSWORD).status_code == 303
    forged = site.client()
    forged.cookies.set("newscrawler_known", "0" * 64)
    assert send(forged, "/login", name="anna", password=PASSWORD).status_code == 429


def test_attempts_at_the_same_time_count_before_their_hash_and_two_hashes_run_at_once(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.account("anna", Role.READER)
    running, most = [0], [0]
    lock = threading.Lock()

    def look_slowly(_password: str, _stored: str | None) -> bool:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.05)
        with lock:
            running[0] -= 1
        return False

    monkeypatch.setattr("newscrawler.web.pages.account.is_password", look_slowly)
    clients = [site.client() for _ in range(30)]
    with ThreadPoolExecutor(30) as pool:
        statuses = Counter(
            answer.status_code for answer in pool.map(lambda each: send(each, "/login", name="anna", password="guess"), clients)
        )

    assert most[0] <= 2
    assert statuses[403] == 5
    assert statuses[429] + statuses[503] == 25


def test_a_role_may_do_what_it_may_and_no_more(site: Site) -> None:
    reader = site.logged_in("rita", Role.READER)

    refused = reader.get("/audit")

    assert refused.status_code == 403
    assert "needs the role operator" in refused.text
    assert "/audit" not in reader.get("/").text


def test_a_change_from_elsewhere_is_refused(site: Site) -> None:
    client = site.logged_in("anna", Role.OPERATOR)
    fields = {"csrf": form_token(client.get("/account").text), "name": "robot", "scope": "read", "days": "30"}

    refused = [
        client.post("/account/tokens", data=fields | {"csrf": "0" * 64}),
        client.post("/account/tokens", data={key: value for key, value in fields.items() if key != "csrf"}),
        client.post("/account/tokens", data=fields, headers={"Origin": "https://evil.example"}),
        client.post("/account/tokens", data=fields, headers={"Origin": "null"}),
        client.post("/account/tokens", data=fields, headers={"Sec-Fetch-Site": "cross-site"}),
    ]

    assert [answer.status_code for answer in refused] == [403] * 5
    assert client.post("/account/tokens", data=fields, headers={"Origin": "http://127.0.0.1:8765"}).status_code == 200
    (account,) = site.store.accounts.all()
    assert [token.name for token in site.store.credentials.tokens(account)] == ["robot"]


def test_a_proxy_names_the_user_and_nobody_else_can(site: Site) -> None:
    site.account("anna", Role.OPERATOR)
    proxied = {"needs_login": True, "user_header": "Remote-User"}

    behind = site.client(base_url="http://news.example", **proxied)
    assert "anna · operator</a>" in behind.get("/", headers={"Remote-User": "anna"}).text
    assert "carl · reader</a>" in behind.get("/", headers={"Remote-User": "carl"}).text
    assert behind.get("/").status_code == 401
    assert behind.get("/", headers=[("Remote-User", "carl"), ("Remote-User", "anna")]).status_code == 401
    elsewhere = site.client(base_url="http://news.example", address="192.0.2.7", **proxied)
    assert elsewhere.get("/", headers={"Remote-User": "anna"}).status_code == 401
    answer = behind.get("/", headers={"Remote-User": "anna", "X-Forwarded-Proto": "https"})
    assert "Secure" in answer.headers["set-cookie"]


def test_other_machines_may_ask_only_where_somebody_has_to_log_in(site: Site) -> None:
    from newscrawler.config import load_configuration

    configuration = load_configuration(site.folder / "newscrawler.toml")
    with pytest.raises(ConfigError, match="newscrawler web account add"):
        WebServer(configuration, "0.0.0.0", 0)
    WebServer(configuration, "0.0.0.0", 0, user_header="Remote-User").close()
    site.account("anna", Role.READER)
    WebServer(configuration, "0.0.0.0", 0).close()
