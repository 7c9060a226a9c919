"""Write the statements that make all tables into files beside a migration: the schema as it stands, frozen.

    python tools/write_schema_files.py 0012

Run it before a migration that rebuilds all tables is merged, never after that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable, SetColumnComment, SetTableComment

from newscrawler.store.search.index import CREATE
from newscrawler.store.tables import METADATA

FOLDER = Path(__file__).resolve().parents[1] / "migrations" / "versions"
DIALECTS: dict[str, Dialect] = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect()}


def statements(dialect: Dialect) -> Iterator[str]:
    """Yield CREATE TABLE, CREATE INDEX and COMMENT ON, parents first."""
    for table in METADATA.sorted_tables:
        yield str(CreateTable(table).compile(dialect=dialect)).strip()
        for index in sorted(table.indexes, key=lambda each: str(each.name)):
            yield str(CreateIndex(index).compile(dialect=dialect)).strip()
        if dialect.supports_comments:
            yield str(SetTableComment(table).compile(dialect=dialect)).strip()
            for column in table.columns:
                yield str(SetColumnComment(column).compile(dialect=dialect)).strip()

    if dialect.name == "postgresql":  # SQLite's search index is a virtual table, which stays as it is
        yield from CREATE["postgresql"]


if __name__ == "__main__":
    for name, dialect in DIALECTS.items():
        lines = [" ".join(line.split()) if line.startswith("COMMENT") else line for line in statements(dialect)]
        text = ";\n\n".join(lines).replace("\t", "    ").replace(" \n", "\n")
        (FOLDER / f"{sys.argv[1]}_{name}.sql").write_text(text + ";\n", "utf-8")
