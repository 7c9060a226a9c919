"""The web application over a real database, asked as a browser asks it."""

from __future__ import annotations

import re
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from newscrawler.config import Configuration, load_configuration
from newscrawler.store import Store
from newscrawler.store.vocabularies import FINISHED
from newscrawler.store.web import Role, TokenScope
from newscrawler.web import WebContext, create_app
from newscrawler.web.requests.passwords import LoginLimiter

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
PASSWORD = "correct horse battery"
#: Of PASSWORD, made by argon2-cffi 25.1 at the lowest cost: Argon2 is slow on purpose, and tests need not be.
HASH = "$argon2id$v=19$m=8,t=1,p=1$C2NGxd+HZIVs7zeeyAt88g$3BAVde4DitgeO0orc6tUSoMQFn3cfcgyPaBuCmVs66I"
COVERAGE = {
    "found": 19, "left": 0, "failed": 0, "of": 19, "total": 20.0, "low": 19.2, "high": 23.1, "why_not": None,
    "basis": "links against feeds and sitemaps",
}  # fmt: skip
CONFIGURATION = """\
[crawler]
database = "sqlite:///newscrawler.sqlite"

# the first portal
[[portal]]
name = "one"
start_urls = ["http://127.0.0.1:1/"]

[[portal]]
name = "two"
start_urls = ["http://127.0.0.1:2/"]
schedule = "30 1 * * *"
"""


@dataclass
class Site:
    """The application, its database and its clock."""

    folder: Path
    store: Store
    now: datetime = NOW
    clients: ExitStack = field(default_factory=ExitStack)
    limiter: LoginLimiter = field(default_factory=LoginLimiter)

    @property
    def configuration(self) -> Configuration:
        return load_configuration(self.folder / "newscrawler.toml")

    def client(self, *, base_url: str = "http://127.0.0.1:8765", address: str = "127.0.0.1", **options: Any) -> TestClient:
        context = replace(WebContext.of(self.store, self.configuration, now=lambda: self.now, **options), limiter=self.limiter)
        client = TestClient(create_app(context), base_url=base_url, follow_redirects=False, client=(address, 50000))
        return self.clients.enter_context(client)

    def account(self, name: str, role: Role) -> None:
        self.store.accounts.add(name, password=HASH, role=role, now=self.now)

    def logged_in(self, name: str, role: Role) -> TestClient:
        """Return a client whose account was just made and has logged in."""
        self.account(name, role)
        client = self.client()
        done = send(client, "/login", name=name, password=PASSWORD)
        assert done.status_code == 303
        return client

    def nights(self, portal: str, articles: list[int]) -> None:
        """Note crawls that ended, one a night, the last of them last night."""
        for back, number in zip(range(len(articles), 0, -1), articles, strict=True):
            at = self.now - timedelta(days=back - 1, hours=10)
            run, _ = self.store.runs.begin(portal, now=at, version="test")
            counts = {"requests": 50, "pages": 40, "new_articles": number, "coverage": COVERAGE}
            self.store.runs.end(run.id, now=at + timedelta(hours=1), because=FINISHED, counts=counts)


def form_token(page: str) -> str:
    """Return what the forms of a page send back."""
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', page)
    assert found, page
    return found[1]


def send(client: TestClient, path: str, /, *, page: str = "/login", **fields: Any) -> Any:
    """Send a form as a browser does, with the token of a page that has one."""
    return client.post(path, data={"csrf": form_token(client.get(page).text), **fields})


def client_of(site: Site, name: str, role: Role, scope: TokenScope, *, days: int = 1) -> TestClient:
    """Return a client with a token of a new account."""
    site.store.accounts.add(name, password=HASH, role=role, now=site.now)
    account = site.store.accounts.get(name)
    assert account is not None
    secret = f"newscrawler_{name}"
    expires_at = site.now + timedelta(days=days)
    site.store.credentials.add_token(account, secret, name="test", scope=scope, expires_at=expires_at, now=site.now)
    client = site.client()
    client.headers["Authorization"] = f"Bearer {secret}"
    return client
