"""Write docs/schema.md from the tables and views themselves, with example queries.

Run it again whenever a table changes; a test compares the page with what it would write.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import CheckConstraint, Column, Table
from sqlalchemy.dialects import sqlite

from newscrawler.store.tables import METADATA
from newscrawler.store.tables.views import VIEWS

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.schema_queries import QUERIES  # noqa: E402  where it is run as a script

PAGE = ROOT / "docs" / "schema.md"
HEAD = """\
# The database

Views, tables and queries to begin with. PostgreSQL shows the same sentences as comments (`\\d+ article`).
(`tools/write_schema_page.py` writes this page.)

- `sqlite3 -readonly newscrawler.sqlite` or `psql` opens the database. Begin with `v_article`: `SELECT * FROM v_article LIMIT 10;`.
- Times are in UTC, with the offset of the page where it is known; `day` is the local day. SQLite stores times
  as text, `2026-02-01 10:30:00.000000`, and days as `2026-02-01`.
- Vocabularies are checked: the row of a column lists its words; those of reasons are in the table `reason`.
- [Datasette](https://datasette.io) shows an SQLite database as it is: links along the foreign keys, views as tables. It
  takes the queries of this page, too: `datasette serve --immutable newscrawler.sqlite`. For a database that is being crawled
  into, leave `--immutable` out, or serve a backup (`newscrawler db backup`). Article numbers in `author` and `keyword` lead through
  `article_author` and `article_keyword`; useful facets of `v_article` are `portal`, `language`, `genre` and `day`.
- Datasette shows the tables `account`, `session` and `token` as well, which contain hashes of passwords and tokens: serve a
  database with accounts of the web application only to this machine, or leave these tables out of a copy.
- Do not write to the tables while crawls run, and use a command where there is one: `newscrawler db prune`, `rights purge`,
  `reextract --apply`, `review`.
"""
#: What a table is for, by the tables that stand together on the page.
TOPICS = {
    "Articles": (
        "article",
        "section",
        "author",
        "article_author",
        "keyword",
        "article_keyword",
        "article_url",
        "revision",
        "minhash_band",
        "review",
    ),
    "Portals and runs": ("portal", "run", "run_log", "reason", "template", "drift_check"),
    "URLs, pages and requests": ("frontier", "url_pattern", "page", "warc_file", "request", "host", "origin_file"),
    "Rights": ("reservation",),
    "Search and web application": ("account", "session", "token", "audit", "verdict", "word", "article_words"),
    "Service": ("service", "job", "alert"),
    "Many machines": ("worker", "schema_writers"),
}


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *_views(), *_tables(), *_queries()])


def _views() -> Iterator[str]:
    yield "## Views\n"
    for view in VIEWS:
        yield f"### {view.name}\n\n{view.comment}\n\n| Column | Meaning |\n|---|---|"
        yield from (f"| `{name}` | {_cell(comment)} |" for name, _, comment in view.columns)
        yield ""


def _tables() -> Iterator[str]:
    named = {name for names in TOPICS.values() for name in names}
    others = tuple(sorted(METADATA.tables.keys() - named))
    for topic, names in (TOPICS | ({"Others": others} if others else {})).items():
        yield f"## {topic}\n"
        for name in names:
            yield from _table(METADATA.tables[name])


def _table(table: Table) -> Iterator[str]:
    yield f"### {table.name}\n\n{table.comment}\n\n| Column | Type | Meaning |\n|---|---|---|"
    words = {
        str(check.name).removeprefix(f"ck_{table.name}_"): str(check.sqltext).partition(" IN (")[2].rstrip(")").replace("'", "`")
        for check in table.constraints
        if isinstance(check, CheckConstraint)
    }
    for column in table.columns:
        allowed = f" One of: {words[column.name]}." if words.get(column.name) else ""
        yield f"| `{column.name}` | {_type(column)} | {_cell(column.comment or '')}{_reference(column)}{allowed} |"
    yield ""
    indices = [
        ", ".join(f"`{part.name}`" for part in index.columns) for index in sorted(table.indexes, key=lambda each: str(each.name))
    ]
    if indices:
        yield f"Indices: {'; '.join(indices)}.\n"


def _type(column: Column[object]) -> str:
    name = column.type.compile(dialect=sqlite.dialect()).partition("(")[0].lower()
    return f"{name}, key" if column.primary_key else name if column.nullable else f"{name}, not null"


def _reference(column: Column[object]) -> str:
    return "".join(f" Refers to `{key.target_fullname}`." for key in column.foreign_keys)


def _queries() -> Iterator[str]:
    yield "## Ten queries to begin with\n"
    for number, query in enumerate(QUERIES, start=1):
        yield f"### {number}. {query.question}\n"
        if query.postgresql:
            yield f"SQLite:\n\n```sql\n{query.sqlite}\n```\n\nPostgreSQL:\n\n```sql\n{query.postgresql}\n```\n"
        else:
            yield f"```sql\n{query.sqlite}\n```\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
