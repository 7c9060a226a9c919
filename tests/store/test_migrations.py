"""Databases of version 0.1.0 are upgraded to the present schema; those made before that are refused unchanged."""

from __future__ import annotations

import io
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from host_states import put_host
from sqlalchemy import Engine, create_engine, inspect, make_url, select, text
from warm_command import CommandProcess

from newscrawler.errors import PageReason, StoreError
from newscrawler.store import Store, open_store
from newscrawler.store.frontier import FoundUrl, PageOutcome
from newscrawler.store.hosts import FetchRecord, HostRecord
from newscrawler.store.maintenance import check
from newscrawler.store.schema import BASELINE, HEAD, MIGRATIONS, OLDEST_WRITER
from newscrawler.store.tables import REASON
from newscrawler.store.vocabularies import FINISHED

NOW = datetime.now(UTC)
#: Written by tools/write_baseline.py.
BASELINES = Path(__file__).parent / "data"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same test on both, from no tables on."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite'}"
    return str(request.getfixturevalue("empty_postgresql_database"))


@pytest.fixture
def other_url(database_url: str, tmp_path: Path) -> Iterator[str]:
    """A second database without tables."""
    if database_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'new.sqlite'}"
        return
    engine = create_engine(database_url, isolation_level="AUTOCOMMIT")
    name = f"{make_url(database_url).database}_new"
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield make_url(database_url).set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


def make_baseline(url: str) -> None:
    """Make a database as version 0.1.0 made it."""
    engine = create_engine(url)
    script = (BASELINES / f"0.1.0-{engine.dialect.name}.sql").read_text("utf-8")
    with closing(engine.raw_connection()) as connection:
        if engine.dialect.name == "sqlite":
            connection.executescript(script)  # type: ignore[attr-defined]
        else:
            connection.cursor().execute(script)
        connection.commit()
    engine.dispose()


def describe(engine: Engine) -> set[str]:
    """Return everything that a database says of its tables but their comments."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            found = connection.execute(text("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'")).scalars()
            return {" ".join(str(sql).split()).replace("( ", "(").replace(" )", ")") for sql in found}
        there, parts = inspect(connection), set[str]()
        for name in there.get_table_names():
            described: list[Any] = [
                [{key: value for key, value in column.items() if key != "comment"} for column in there.get_columns(name)],
                there.get_foreign_keys(name),
                there.get_indexes(name),
                there.get_check_constraints(name),
                there.get_unique_constraints(name),
                there.get_pk_constraint(name),
            ]
            for part in described:
                parts |= {f"{name} {each}" for each in (part if isinstance(part, list) else [part])}
        views = connection.execute(text("SELECT viewname, definition FROM pg_views WHERE schemaname = 'public'"))
        return parts | {f"{name} {definition}" for name, definition in views}


def test_alembic_finds_no_difference_between_a_new_database_and_the_tables(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`revision --autogenerate` would write each of them, and drop tables that belong to others."""
    open_store(database_url).close()
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE procrastinate_jobs (id integer)"))
    engine.dispose()
    monkeypatch.setenv("NEWSCRAWLER_DATABASE", database_url)

    said = io.StringIO()

    command.check(Config(f"{MIGRATIONS}/alembic.ini", stdout=said))

    assert "No new upgrade operations detected" in said.getvalue()


def test_an_upgraded_database_has_the_schema_of_a_new_one(database_url: str, other_url: str) -> None:
    make_baseline(database_url)

    with open_store(database_url) as upgraded, open_store(other_url) as new:
        assert describe(upgraded.engine) == describe(new.engine)
        assert check(upgraded.engine) == []
        with upgraded.engine.connect() as connection:
            words = set(connection.execute(select(REASON.c.word)).scalars())
            revision, oldest = (
                connection.execute(text(f"SELECT {query}")).scalar()
                for query in ("version_num FROM alembic_version", "oldest FROM schema_writers")
            )
    assert words == {str(reason) for reason in PageReason}
    assert (revision, oldest) == (HEAD, OLDEST_WRITER)


def test_the_newest_migration_is_the_one_that_the_code_expects() -> None:
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS))
    assert (scripts.get_current_head(), scripts.get_base()) == (HEAD, BASELINE)


@pytest.mark.parametrize("create", [True, False])
def test_a_database_made_before_the_baseline_is_refused_and_not_changed(tmp_path: Path, *, create: bool) -> None:
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE article (id); CREATE TABLE alembic_version (version_num)")
        connection.execute("INSERT INTO alembic_version VALUES ('0032')")
        connection.commit()
        connection.execute("PRAGMA journal_mode=WAL")
    before = path.read_bytes()

    with pytest.raises(
        StoreError, match=r"before newscrawler 0\.1\.0 \(schema 0032\).* `newscrawler export --output articles.jsonl`"
    ):
        open_store(f"sqlite:///{path}", create=create)

    assert path.read_bytes() == before


def test_a_database_of_another_program_with_a_table_of_our_names_is_refused(database_url: str) -> None:
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE article (id INTEGER PRIMARY KEY)"))

    with pytest.raises(StoreError, match="is the database of another program, with the tables article; nothing was added to it"):
        open_store(database_url)

    assert inspect(engine).get_table_names() == ["article"]
    engine.dispose()


def write(store: Store) -> None:
    """Do what a crawl writes: a run, URLs, outcomes, the log."""
    run, frontier = store.runs.begin("example", now=NOW, version="1")
    frontier.seed([FoundUrl(url="http://h/", kind="start", priority=0, depth=0)], now=NOW)
    (claimed,) = frontier.lease(1, now=NOW)
    frontier.commit([PageOutcome(url_id=claimed.id, state="done", outcome="listing", http_status=200, fetched_at=NOW)])
    put_host(store.hosts, HostRecord(name="h"), [FetchRecord(at=NOW, host="h", portal="example", status=200)])
    store.runs.end(run.id, now=NOW, because=FINISHED, counts={})


def test_a_program_of_the_schema_before_goes_on_writing_a_schema_that_only_adds(
    database_url: str,
) -> None:
    with open_store(database_url) as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with open_store(database_url) as created, open_store(database_url, create=False) as opened:
        write(created)

        assert [run.portal for run in opened.runs.latest()] == ["example"]
        assert [each.host for each in opened.hosts.fetches()] == ["h"]


def test_a_schema_that_takes_something_away_refuses_programs_of_those_before(database_url: str) -> None:
    with open_store(database_url) as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    # as long as it only adds, it opens
    with open_store(database_url, create=False) as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE schema_writers SET oldest = '9998'"))

    for create in (True, False):
        with pytest.raises(StoreError, match="written by a newer newscrawler"):
            open_store(database_url, create=create)


def test_a_file_of_another_program_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE moz_places (id); CREATE TABLE alembic_version (version_num)")
        connection.execute("INSERT INTO alembic_version VALUES ('8f1c2ab90d3e')")
        connection.commit()

    for create in (True, False):
        with pytest.raises(StoreError, match="another program, with the tables alembic_version, moz_places"):
            open_store(f"sqlite:///{path}", create=create)

    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (2,)


#: Make a database as the first command does, slowly enough to be killed in the midst of it.
MAKE = """
import sys
from newscrawler.store import open_store
print("ready", flush=True)
with open_store(sys.argv[1]) as store:
    print("made", flush=True)
"""


@pytest.mark.parametrize("tenth", range(10))
def test_a_migration_killed_at_any_moment_is_made_whole_by_the_next_program(tmp_path: Path, tenth: int) -> None:
    path = tmp_path / "newscrawler.sqlite"
    url = f"sqlite:///{path}"
    process = CommandProcess(
        [sys.executable, "-c", MAKE, url], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    began = time.monotonic()
    while time.monotonic() - began < 0.03 * tenth and process.poll() is None:
        time.sleep(0.002)
    process.kill()
    process.communicate()

    with open_store(url) as store, open_store(f"sqlite:///{tmp_path / 'other.sqlite'}") as other:
        assert describe(store.engine) == describe(other.engine)
        write(store)
