"""The fixtures of all tests of the web application."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from web_site import CONFIGURATION, Site

from newscrawler.store import open_store
from newscrawler.web.requests import passwords


@pytest.fixture(autouse=True)
def fast_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash cheaply: Argon2 takes its time on purpose."""
    cheap = partial(Argon2id, length=32, iterations=1, lanes=1, memory_cost=8)
    monkeypatch.setattr(passwords, "_make_hasher", cheap)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with tables and nothing in them, to be copied."""
    path = tmp_path_factory.mktemp("empty") / "newscrawler.sqlite"
    with open_store(f"sqlite:///{path}"):
        pass
    return path


@pytest.fixture
def site(tmp_path: Path, empty_database: Path) -> Iterator[Site]:
    (tmp_path / "newscrawler.toml").write_text(CONFIGURATION)
    shutil.copy(empty_database, tmp_path / "newscrawler.sqlite")
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store, ExitStack() as clients:
        yield Site(folder=tmp_path, store=store, clients=clients)
