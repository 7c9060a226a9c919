"""A declared deployment: what proxies say is believed from them only, and cookies, limits and addresses follow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from web_site import PASSWORD, Site, send

from newscrawler.errors import ConfigError
from newscrawler.store.web import Role
from newscrawler.web import WebServer

PROXY = "172.18.0.2"
DECLARED = """
[web]
public_url = "https://news.example.org/"
trusted_proxies = ["172.18.0.0/16"]
"""
CADDY = {"X-Forwarded-Proto": "https"}


@pytest.fixture
def behind(site: Site) -> Site:
    """A site behind a proxy, with an account."""
    file = site.folder / "newscrawler.toml"
    file.write_text(file.read_text() + DECLARED)
    site.account("anna", Role.OPERATOR)
    return site


def client_of(site: Site, address: str = PROXY, url: str = "https://news.example.org") -> TestClient:
    return site.client(base_url=url, address=address)


def log_in(client: TestClient, forwarded: str, password: str = "wrong password") -> int:
    client.headers["X-Forwarded-For"] = forwarded
    status: int = send(client, "/login", name="anna", password=password).status_code
    return status


def test_wrong_passwords_of_one_shut_out_nobody_else(behind: Site) -> None:
    client = client_of(behind)

    assert [log_in(client, "192.0.2.66") for _ in range(6)] == [403] * 5 + [429]
    assert log_in(client, "192.0.2.7", PASSWORD) == 303


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("192.0.2.66", "192.0.2.66"),
        ("10.9.9.9, 192.0.2.66", "192.0.2.66"),  # the client wrote the first one
        ("192.0.2.66, 172.18.0.9", "192.0.2.66"),  # two proxies of ours
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ("192.0.2.66:80", "192.0.2.66"),
        ("anna", PROXY),
        ("", PROXY),
        ("192.0.2.66, <script>", PROXY),
    ],
)
def test_the_last_address_that_is_no_proxy_counts(behind: Site, forwarded: str, address: str) -> None:
    log_in(client_of(behind), forwarded)

    assert behind.store.audit.entries(limit=1)[0].who == address


@pytest.mark.parametrize("address", ["192.0.2.1", "127.0.0.1"])
def test_others_choose_neither_their_address_nor_their_scheme(behind: Site, address: str) -> None:
    client = client_of(behind, address, "http://127.0.0.1:8765")

    assert log_in(client, "203.0.113.5") == 403
    assert behind.store.audit.entries(limit=1)[0].who == address
    assert "Secure" not in client_of(behind, address, "http://127.0.0.1:8765").get("/login", headers=CADDY).headers["set-cookie"]


@pytest.mark.parametrize(("headers", "secure"), [(CADDY, True), ({}, True), ({"X-Forwarded-Proto": "http"}, False)])
def test_cookies_follow_the_scheme_of_the_browser(behind: Site, headers: dict[str, str], secure: bool) -> None:  # noqa: FBT001
    client = client_of(behind, url="http://news.example.org")

    assert ("Secure" in client.get("/login", headers=headers).headers["set-cookie"]) is secure


def test_forms_come_from_the_public_address_whatever_host_the_proxy_names(behind: Site) -> None:
    client = client_of(behind, url="https://127.0.0.1:8765")
    fields: dict[str, Any] = {"name": "anna", "password": PASSWORD}

    for origin in ("https://evil.example", "null", "https://news.example.org.evil.example"):
        client.headers["Origin"] = origin
        assert send(client, "/login", **fields).status_code == 403
    client.headers["Origin"] = "https://news.example.org"
    assert send(client, "/login", **fields).status_code == 303


def test_a_public_address_needs_an_account(site: Site) -> None:
    file = site.folder / "newscrawler.toml"
    file.write_text(file.read_text() + DECLARED)

    with pytest.raises(ConfigError, match="newscrawler web account add"):
        WebServer(site.configuration, "127.0.0.1", 0)
    assert site.client(base_url="https://news.example.org").get("/").status_code == 303
    site.account("anna", Role.OPERATOR)
    server = WebServer(site.configuration, "127.0.0.1", 0)
    server.close()
    assert server.url == "https://news.example.org/"


def test_without_a_declaration_nobody_is_a_proxy(site: Site) -> None:
    site.account("anna", Role.OPERATOR)
    client = site.client()

    log_in(client, "203.0.113.5")

    assert site.store.audit.entries(limit=1)[0].who == "127.0.0.1"


def test_the_examples_for_proxies_declare_what_they_send() -> None:
    folder = Path(__file__).parents[2] / "deploy"

    for name in ("nginx/newscrawler.conf", "caddy/Caddyfile"):
        text = (folder / name).read_text()
        assert 'public_url = "https://news.example.org"' in text
        assert "X-Forwarded-For" in text
