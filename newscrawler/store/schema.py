"""Creates the schema of a database, or updates it with the migrations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, insert, inspect, text

from newscrawler.errors import NoDatabaseError, PageReason, StoreError
from newscrawler.store.database import BASELINE, database_name, translated

#: The newest migration; a test compares it with the scripts.
HEAD = "0101"
#: Oldest schema whose programs may still write; a migration that removes something raises it.
OLDEST_WRITER = "0101"
_PACKAGE = Path(__file__).resolve().parent.parent
#: Inside the package in a wheel, next to the package in a checkout.
MIGRATIONS = next((path for path in (_PACKAGE / "migrations", _PACKAGE.parent / "migrations") if (path / "env.py").exists()), None)
#: Key of PostgreSQL's advisory lock for schema changes; arbitrary.
_SCHEMA_LOCK = 708_015_533


def upgrade(engine: Engine, *, migrate: bool = True) -> bool:
    """Create the schema, or with `migrate` update it; takes one query if it is current.

    Returns:
        Whether the database had no tables yet.

    Raises:
        StoreError: the database is another program's, was made before version 0.1.0, or was written by a newer newscrawler.
    """
    with translated(engine):
        present = _read_revision(engine)
        if present is None:
            _create(engine)
        elif migrate and present != HEAD and not _may_write(engine, present):
            _migrate(engine, present)
    return present is None


def require_schema(engine: Engine) -> None:
    """Check that the schema is the one of this program, without changing anything.

    Raises:
        StoreError: it is not, or the database is empty.
    """
    with translated(engine):
        present = _read_revision(engine)
        if present == HEAD or _may_write(engine, present):
            return
    if present is None:
        raise NoDatabaseError(f"{database_name(engine)} has no newscrawler tables yet; run `newscrawler crawl` first")
    if present > HEAD:
        msg = _describe_newer(engine, present)
    else:
        msg = (
            f"{database_name(engine)} was written by an earlier newscrawler (schema {present}, this one needs {HEAD}); nothing was "
            "changed. Back it up with `newscrawler db backup`, then bring it up to date with `newscrawler db upgrade`"
        )
    raise StoreError(msg)


def _may_write(engine: Engine, present: str | None) -> bool:
    """Return whether a newer schema only adds to the one that this program knows, as while workers are replaced one by one."""
    if present is None or present < HEAD:
        return False
    with engine.connect().execution_options(reading=True) as connection:
        oldest = connection.execute(text("SELECT oldest FROM schema_writers WHERE id = 1")).scalar()
    return oldest is not None and oldest <= HEAD


def _describe_newer(engine: Engine, present: str) -> str:
    return (
        f"{database_name(engine)} was written by a newer newscrawler (schema {present}, this one knows {HEAD}); "
        "upgrade newscrawler, or name another database"
    )


def _read_revision(engine: Engine) -> str | None:
    """Return the number of the schema; None: the database has no tables.

    Raises:
        StoreError: the database was made before version 0.1.0, or is another program's.
    """
    with engine.connect().execution_options(reading=True) as connection:
        present = _find_revision(connection)
        foreign = _list_foreign_tables(connection, present)
    if foreign:
        raise StoreError(
            f"{database_name(engine)} is the database of another program, with the tables {', '.join(foreign[:5])}; nothing was "
            "added to it. Name another database with --database"
        )
    if present is not None and present < BASELINE:
        raise StoreError(
            f"{database_name(engine)} was made before newscrawler 0.1.0 (schema {present}), and this version cannot "
            "read it; it was not changed. To carry its articles over, use the program that made it: `newscrawler export --output "
            "articles.jsonl` writes all articles, `newscrawler pages export --output pages.warc.gz` the kept pages. Then move the "
            "database away; `newscrawler collect pages.warc.gz` stores the articles of those pages in a new one without any request"
        )
    return present


def _list_foreign_tables(connection: Connection, present: str | None) -> list[str]:
    """Return the tables of another program that stand in the way: in a file all of them, on a server those with our names."""
    if present is not None and present.isdecimal():
        return []
    from newscrawler.store.tables import METADATA

    names = inspect(connection).get_table_names()
    return names if connection.dialect.name == "sqlite" else [name for name in names if name in METADATA.tables]


def _find_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _lock(connection: Connection) -> None:
    """Lock the schema until the transaction ends; SQLite's transactions already do."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_SCHEMA_LOCK})"))


def _create(engine: Engine) -> None:
    """Make all tables at once, as the migrations leave them; a test compares the two."""
    from newscrawler.store.search.index import create_index
    from newscrawler.store.tables import METADATA, REASON, SCHEMA_WRITERS
    from newscrawler.store.tables.views import create_views

    with engine.begin() as connection:
        _lock(connection)
        if _find_revision(connection) is not None:  # another process was faster
            return
        METADATA.create_all(connection, checkfirst=False)
        create_index(connection)
        connection.execute(insert(SCHEMA_WRITERS).values(id=1, oldest=OLDEST_WRITER))
        connection.execute(insert(REASON), [{"word": str(word)} for word in PageReason])
        create_views(connection)
        connection.execute(
            text(
                "CREATE TABLE alembic_version "
                "(version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
            )
        )
        connection.execute(text("INSERT INTO alembic_version (version_num) VALUES (:head)"), {"head": HEAD})


def _migrate(engine: Engine, present: str) -> None:
    """Run the migrations, each in a transaction."""
    from newscrawler.store.tables.views import create_views, drop_views

    scripts = _find_scripts(engine, present)
    for number, script in enumerate(scripts, start=1):
        with engine.begin() as connection:
            _lock(connection)
            if _find_revision(connection) != script.down_revision:  # another process was faster
                continue
            drop_views(connection)
            _run(connection, script.revision)
            if number == len(scripts):
                create_views(connection)


def _find_scripts(engine: Engine, present: str) -> list[Any]:
    """Return the migrations that a database lacks, oldest first."""
    from alembic.script import ScriptDirectory

    if MIGRATIONS is None:
        raise StoreError("newscrawler's migrations are missing from this installation; install it again")
    scripts = list(ScriptDirectory(str(MIGRATIONS)).walk_revisions())[::-1]
    known = [script.revision for script in scripts]
    if present not in known:
        raise StoreError(_describe_newer(engine, present))
    return scripts[known.index(present) + 1 :]


def _run(connection: Connection, revision: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
