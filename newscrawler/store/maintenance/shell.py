"""Runs SQL that people type: in the database's own shell if it is installed, else in a small read-only one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Engine, text

from newscrawler.store.database import translated

#: Most rows fetched of one statement.
MOST_ROWS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program that replaces this process."""

    arguments: tuple[str, ...]
    #: Added to the environment.
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementResult:
    """What a statement returned."""

    columns: tuple[str, ...]
    rows: tuple[Sequence[Any], ...]
    #: There are more than `MOST_ROWS` rows.
    is_cut: bool = False


def program_name(engine: Engine) -> str:
    """Return the name of the database's own shell."""
    return "sqlite3" if engine.dialect.name == "sqlite" else "psql"


def find_program(engine: Engine, *, write: bool) -> Program | None:
    """Return how to start the database's own shell, read-only unless `write`; None: it is not installed."""
    found = shutil.which(program_name(engine))
    if found is None:
        return None
    if engine.dialect.name == "sqlite":
        options = ("-cmd", "PRAGMA foreign_keys=ON") if write else ("-readonly",)
        return Program(arguments=(found, *options, engine.url.database or ""), environment={})
    url = engine.url.set(drivername="postgresql")
    environment = {"PGPASSWORD": str(url.password)} if url.password else {}  # `ps` must not show it
    if not write:
        environment["PGOPTIONS"] = f"{os.environ.get('PGOPTIONS', '')} -c default_transaction_read_only=on".strip()
    return Program(arguments=(found, url._replace(password=None).render_as_string()), environment=environment)


def answer(engine: Engine, statement: str) -> StatementResult:
    """Run a read-only statement and return its rows.

    Raises:
        StoreError: the database refuses it.
    """
    options: dict[str, Any] = {"reading": True}
    if engine.dialect.name == "postgresql":
        options |= {"postgresql_readonly": True, "stream_results": True}
    with translated(engine), engine.connect().execution_options(**options) as connection:
        if engine.dialect.name == "sqlite":
            connection.execute(text("PRAGMA query_only=ON"))
        try:
            result = connection.exec_driver_sql(statement.replace("%", "%%") if engine.dialect.name == "postgresql" else statement)
            if not result.returns_rows:
                return StatementResult(columns=(), rows=())
            rows = tuple(tuple(row) for row in islice(result, MOST_ROWS + 1))
            return StatementResult(columns=tuple(result.keys()), rows=rows[:MOST_ROWS], is_cut=len(rows) > MOST_ROWS)
        finally:
            if engine.dialect.name == "sqlite":
                connection.execute(text("PRAGMA query_only=OFF"))
