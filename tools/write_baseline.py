"""Write the statements that make a database of this version into tests/store/data, from where a test upgrades it to later versions.

    python tools/write_baseline.py 0.1.0 postgresql+psycopg://me@localhost/empty

Run it when a version is released, never after that: the files say what databases of that version are like.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, text

from newscrawler.store import open_engine, upgrade

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "store" / "data"
#: Tables in which a new database has rows.
_FILLED = ("reason", "schema_writers", "alembic_version")


def record_schema(engine: Engine) -> list[str]:
    """Create the schema; return the statements that did, without comments on tables and columns."""
    statements: list[str] = []

    def record(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if statement.lstrip().startswith(("CREATE", "ALTER", "DROP")):
            statements.append(" ".join(statement.split()).replace("%%", "%"))

    event.listen(engine, "before_cursor_execute", record)
    upgrade(engine)
    with engine.connect().execution_options(reading=True) as connection:
        for table in _FILLED:
            for row in connection.execute(text(f"SELECT * FROM {table} ORDER BY 1")):
                statements.append(f"INSERT INTO {table} VALUES ({', '.join(map(_quote, row))})")
    engine.dispose()
    parts = groupby(statements, lambda each: each.startswith(("CREATE INDEX", "CREATE UNIQUE INDEX")))
    return [each for is_index, part in parts for each in (sorted(part) if is_index else part)]  # SQLAlchemy keeps indexes as a set


def _quote(value: object) -> str:
    return str(value) if isinstance(value, int) else "'" + str(value).replace("'", "''") + "'"


if __name__ == "__main__":
    version, postgresql = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for url in (f"sqlite:///{folder}/new.sqlite", postgresql):
            engine = open_engine(url)
            path = FOLDER / f"{version}-{engine.dialect.name}.sql"
            path.write_text("".join(f"{statement};\n" for statement in record_schema(engine)), "utf-8")
