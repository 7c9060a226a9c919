"""Rebuild all tables under standard names: text once, foreign keys, checked vocabularies, authors and keywords in tables.

The tables as they were are moved aside (SQLite: old_*; PostgreSQL: the schema newscrawler_before_0012), those of
`0012_DIALECT.sql` are made, and the rows are copied in batches, each in a transaction of its own. Who is interrupted goes on behind
the last batch. Before that, a SQLite database is backed up to FILE.before-0012; on PostgreSQL the old schema stays as the backup.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import op

from newscrawler.errors import StoreError

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

SCHEMA = "newscrawler_before_0012"
#: Rows that are copied in one transaction.
BATCH, PYTHON_BATCH, BANDS = 20_000, 1_000, 200_000
_REPORT_SECONDS = 10.0
_MOST_CACHED = 50_000
_LONGEST_NAME = 600

OLD_TABLES = (
    "search_backlog", "session", "token", "account", "audit", "job", "verdict", "review", "revision", "band", "page", "warc", "reservation", "frontier", "article", "pattern", "wrapper", "night", "run", "portal",
    "tdm_file", "host", "robots", "fetch_log", "service", "watch", "turn", "alert", "digest", "export", "release",
)
REASONS = (
    "empty page", "not HTML", "no headline", "no body", "listing", "error page", "missing page answered with 200", "title missing",
    "description missing", "source missing", "date missing", "body missing", "further page of an article",
    "a further page is missing for now", "address of another kind of page", "feed or sitemap without articles",
    "same article as another URL", "fault while reading the page", "forbidden by robots.txt", "no answer to robots.txt", "HTTP status",
    "too large", "timeout", "too slow", "answer cannot be decoded", "host name not found", "connection refused", "connection lost",
    "answer that is no HTTP", "TLS failure", "address not allowed", "host left alone", "host is paused", "redirect out of scope",
    "too many redirects", "trap", "pages of this kind bring nothing", "captcha", "consent page", "login or wall", "noindex",
    "text mining reserved", "unavailable_after has passed", "page is not kept", "kept page is damaged",
)
END_REASONS = ("finished", "interrupted", "killed", "limit", "window", "budget", "left alone", "memory", "busy", "error")
KINDS = ("start", "probe", "feed", "sitemap", "article", "section", "other")
OUTCOMES = ("article", "listing", "nothing", "redirect", "unchanged")

Lock = Callable[[sa.Connection], None]
Report = Callable[[str], None]


def listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"'{word}'" for word in words)


class Step(NamedTuple):
    """How the rows of one table come into a new one; columns of the same name are copied as they are."""

    table: str
    old: str
    #: New column to expression; `o` is the old row.
    columns: dict[str, str] = {}
    #: Grows from row to row, and is the same in both; None: all rows at once.
    key: str | None = "id"
    rows: int = BATCH
    #: Rows that need more than SQL can do.
    python: bool = False
    #: A further statement for each batch.
    also: str = ""


def steps(dialect: str) -> tuple[Step, ...]:
    place = "instr" if dialect == "sqlite" else "strpos"

    def word(column: str) -> str:
        return f"CASE WHEN {place}({column}, ': ') > 0 THEN substr({column}, 1, {place}({column}, ': ') - 1) ELSE {column} END"

    def rest(column: str) -> str:
        return f"CASE WHEN {place}({column}, ': ') > 0 THEN substr({column}, {place}({column}, ': ') + 2) END"

    def there(table: str, column: str) -> str:
        return f"(SELECT x.id FROM {table} AS x WHERE x.id = o.{column})"

    def named(column: str) -> str:
        return f"(SELECT x.id FROM portal AS x WHERE x.name = o.{column})"

    ended = word("o.ended_because")
    known = f"({ended}) IN ({listed(END_REASONS)})"
    return (
        Step(table="portal", old="portal"),
        Step(table="run", old="run", columns={
            "process_started": "o.process_began",
            "end_reason": f"CASE WHEN o.ended_because IS NULL THEN NULL WHEN {known} THEN {ended} ELSE 'interrupted' END",
            "end_detail": f"CASE WHEN {known} THEN {rest('o.ended_because')} ELSE o.ended_because END",
        }),
        Step(table="article", old="article", rows=PYTHON_BATCH, python=True),
        Step(table="minhash_band", old="band", key="hash", python=True),
        Step(table="revision", old="revision", rows=PYTHON_BATCH, python=True),
        Step(table="frontier", old="frontier", columns={
            "kind": f"CASE WHEN o.kind IN ({listed(KINDS)}) THEN o.kind ELSE 'other' END",
            "outcome": f"CASE WHEN o.outcome IN ({listed(OUTCOMES)}) THEN o.outcome END",
            "kind_reason": "o.why", "redirects": "o.hops", "attempts": "o.tries", "new_articles": "o.fresh_links",
            "empty_visits": "o.barren_visits", "retry_at": "o.next_try_at", "revisit_at": "o.next_visit_at",
            "run_id": there("run", "run_id"), "article_id": there("article", "article_id"),
            "found_on_id": f"(SELECT x.id FROM {{old_frontier}} AS x WHERE x.id = o.found_on_id AND x.id < o.id)",
        }, also="INSERT INTO article_url (article_id, url_hash, url, kind, first_seen_at) "
            "SELECT f.article_id, f.url_hash, f.url, 'duplicate', f.fetched_at FROM frontier AS f "
            "JOIN article AS a ON a.id = f.article_id WHERE f.id > :last AND f.id <= :upto AND f.url <> a.url ON CONFLICT DO NOTHING"),
        Step(table="url_pattern", old="pattern", columns={
            "others": "o.neither", "new_articles": "o.fresh", "unproductive": "o.barren", "skipped": "o.passed_over",
        }),
        Step(table="warc_file", old="warc", columns={"created_at": "o.began_at"}),
        Step(table="page", old="page", columns={
            "outcome": f"CASE WHEN o.outcome IN ({listed((*OUTCOMES, 'part'))}) THEN o.outcome END",
            "warc_offset": 'o."offset"', "warc_length": "o.length", "reason": word("o.reason"), "detail": rest("o.reason"), "article_id": there("article", "article_id"),
        }),
        Step(table="template", old="wrapper"),
        Step(table="drift_check", old="night", columns={
            "template_version": "o.wrapper", "violations": "o.broken", "action": "o.done", "checked_at": "o.at",
        }),
        Step(table="review", old="review"),
        Step(table="reservation", old="reservation", columns={
            "kind": "o.word", "statement": "o.said", "is_granted": "o.granted", "effective_at": "o.from_at",
            "first_seen_at": "o.first_said_at", "last_seen_at": "o.last_said_at",
        }),
        Step(table="tdm_policy", old="tdm_file", key=None, columns={
            "http_status": "o.status", "reason": "o.because", "fetched_at": "o.asked_at", "unchanged_since": "o.said_since",
        }),
        Step(table="host", old="host", key=None, columns={
            "next_request_at": "o.next_free_at", "lease_holder": "o.held_by", "lease_expires_at": "o.held_until",
            "has_waiter": "o.wanted", "last_response_at": "o.answered_at", "delay_factor": "o.slowdown", "failures": "o.troubles",
            "pause_reason": "o.paused_because", "is_suspended": "o.left_alone",
        }),
        Step(table="robots", old="robots", key=None, columns={
            "http_status": "o.status", "reason": "o.because", "fetched_at": "o.asked_at", "failures": "o.troubles",
            "crawl_delay_seconds": "o.asks_seconds",
        }),
        Step(table="request", old="fetch_log", columns={
            "sent_at": "o.at", "portal_id": named("portal"), "run_id": there("run", "run_id"), "http_status": "o.status",
            "duration_ms": "o.milliseconds", "delay_seconds": "o.gap_seconds",
        }),
        Step(table="service", old="service", columns={
            "heartbeat_at": "o.beat_at", "problem": "o.trouble", "process_started": "o.process_began",
        }),
        Step(table="scheduled_portal", old="watch", key=None, columns={"portal_id": named("portal")}),
        Step(table="scheduled_crawl", old="turn", columns={
            "portal_id": named("portal"), "started_at": "o.began_at", "detail": "o.because",
        }),
        Step(table="alert", old="alert", columns={
            "portal_id": named("portal"), "kind": "o.trouble", "message": "o.sentence", "started_at": "o.began_at",
            "ended_at": "o.over_at", "start_sent": "o.told", "end_sent": "o.told_over",
        }),
        Step(table="digest", old="digest", key=None, columns={"channels": "o.told"}),
        Step(table="export", old="export"),
        Step(table="release", old="release"),
        Step(table="search_backlog", old="search_backlog", key=None),
        Step(table="account", old="account"),
        Step(table="session", old="session", key=None),
        Step(table="token", old="token"),
        Step(table="audit", old="audit"),
        Step(table="job", old="job"),
        Step(table="verdict", old="verdict"),
        # SQLite's index is a virtual table that refers to articles by their numbers, which stay
        *(() if dialect == "sqlite" else (Step(table="article_search", old="article_search", key="article_id"),)),
    )


# ---------------------------------------------------------------------- the three stages


def protect(engine: sa.Engine, report: Report) -> None:
    """Back up a SQLite database that holds articles, unless an earlier attempt did; called before the first of several migrations."""
    with engine.connect().execution_options(reading=True) as connection:
        if engine.dialect.name != "sqlite" or is_begun(connection):
            return
        if connection.execute(sa.text("SELECT id FROM article LIMIT 1")).first() is None:
            return
    back_up(Path(engine.url.database or ""), report)


def prepare(engine: sa.Engine, lock: Lock, report: Report) -> None:
    """Move the old tables aside and copy, in transactions of their own; go on where an earlier attempt was broken off."""
    with engine.begin() as connection:
        lock(connection)
        if is_due(connection) and not is_begun(connection):
            begin(connection)
    progress = Progress(report)
    for step in steps(engine.dialect.name):
        copying, more = Copying(step), True
        while more:
            with engine.begin() as connection:
                lock(connection)
                if not is_due(connection):  # another process was faster
                    return
                more = copying.copy(connection)
                progress.tell(connection, copying)
    report("all rows are copied; making the indices, then giving unused space back")


def upgrade() -> None:
    """Copy what is left, hold the numbers of rows against each other, make the indices, and drop the old tables."""
    connection = op.get_bind()
    if not is_begun(connection):
        begin(connection)
    for step in steps(connection.dialect.name):
        copying = Copying(step)
        while copying.copy(connection):
            pass
    for step in steps(connection.dialect.name):
        compare(connection, step)
    for statement in statements(connection):
        if statement.startswith("CREATE INDEX"):  # an index that is made of all rows at once costs a fraction, and is smaller
            connection.exec_driver_sql(statement)
    if connection.dialect.name == "sqlite":
        overwrites = connection.exec_driver_sql("PRAGMA secure_delete").scalar()
        connection.exec_driver_sql("PRAGMA secure_delete=OFF")  # VACUUM leaves nothing of them; zeros would fill the log
        for table in OLD_TABLES:
            connection.execute(sa.text(f"DROP TABLE {old_name(connection, table)}"))
        connection.exec_driver_sql(f"PRAGMA secure_delete={overwrites}")
    else:
        number_anew(connection)


def finish(engine: sa.Engine, report: Report) -> None:
    """Give the space of the old tables back; whoever has the file open meanwhile keeps it until `newscrawler db vacuum`."""
    if engine.dialect.name != "sqlite":
        report(f"the old tables stay in the schema {SCHEMA} as a backup; remove them with: DROP SCHEMA {SCHEMA} CASCADE")
        return
    connection = engine.raw_connection()
    try:
        for statement in ("VACUUM", "ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"):
            connection.cursor().execute(statement).fetchall()
    except sqlite3.Error as error:
        report(f"the file was not made smaller ({error}); run `newscrawler db vacuum`")
    finally:
        connection.close()


def downgrade() -> None:
    """Refuse: the backup is the way back."""
    msg = "the tables before 0012 are in the backup that its migration made"
    raise NotImplementedError(msg)


# ---------------------------------------------------------------------- before and after


def is_due(connection: sa.Connection) -> bool:
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == down_revision


def old_name(connection: sa.Connection, table: str) -> str:
    return f"old_{table}" if connection.dialect.name == "sqlite" else f"{SCHEMA}.{table}"


def is_begun(connection: sa.Connection) -> bool:
    if connection.dialect.name == "sqlite":
        return sa.inspect(connection).has_table("old_portal")
    return sa.inspect(connection).has_table("portal", schema=SCHEMA)


def back_up(path: Path, report: Report) -> None:
    size, free = path.stat().st_size, shutil.disk_usage(path.absolute().parent).free
    if free < 3 * size:
        msg = (
            f"the new tables and the backup of {path} need {3 * size >> 20} MiB of disk, and {free >> 20} MiB are free; "
            "make room, then run `newscrawler db upgrade`"
        )
        raise StoreError(msg)
    target = path.with_name(f"{path.name}.before-{revision}")
    unfinished = target.with_name(f".{target.name}.unfinished")
    report(f"backing up {path} to {target}, then rebuilding its tables; this takes a minute for each 100,000 articles or less")
    os.close(os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(path, timeout=30)) as source, closing(sqlite3.connect(unfinished)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    unfinished.replace(target)


def begin(connection: sa.Connection) -> None:
    """Move the old tables aside and make the new ones."""
    if connection.dialect.name == "sqlite":
        indices = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND name <> 'ix_band_value'"
        for (name,) in connection.execute(sa.text(indices)).all():
            connection.execute(sa.text(f"DROP INDEX {name}"))
        for table in OLD_TABLES:
            connection.execute(sa.text(f"ALTER TABLE {table} RENAME TO old_{table}"))
    else:
        connection.execute(sa.text(f"CREATE SCHEMA {SCHEMA}"))
        for table in OLD_TABLES:
            connection.execute(sa.text(f"ALTER TABLE {table} SET SCHEMA {SCHEMA}"))
        connection.execute(sa.text(f"ALTER TABLE article_search SET SCHEMA {SCHEMA}"))
    for statement in statements(connection):
        if not statement.startswith("CREATE INDEX"):
            connection.exec_driver_sql(statement)
    words = set(REASONS)
    page = next(step.columns["reason"] for step in steps(connection.dialect.name) if step.table == "page")
    for table, expression in (("frontier", "o.reason"), ("page", page), ("fetch_log", "o.reason")):
        found = connection.execute(sa.text(f"SELECT DISTINCT {expression} FROM {old_name(connection, table)} AS o"))
        words |= {word for (word,) in found if word is not None}
    connection.execute(sa.text("INSERT INTO reason (word) VALUES (:word)"), [{"word": word} for word in sorted(words)])


def statements(connection: sa.Connection) -> list[str]:
    """The statements that make the new tables and their indices."""
    file = Path(__file__).with_name(f"{revision}_{connection.dialect.name}.sql")
    return file.read_text("utf-8").rstrip().rstrip(";").split(";\n\n")


def number_anew(connection: sa.Connection) -> None:
    """Let new rows be numbered from behind the copied ones."""
    for table in sa.inspect(connection).get_table_names():
        columns = {column["name"] for column in sa.inspect(connection).get_columns(table)}
        if "id" not in columns:
            continue
        sequence = connection.execute(sa.text("SELECT pg_get_serial_sequence(:name, 'id')"), {"name": table}).scalar()
        highest = connection.execute(sa.text(f"SELECT max(id) FROM {table}")).scalar()
        if sequence and highest is not None:
            connection.execute(sa.text("SELECT setval(CAST(:name AS regclass), :value)"), {"name": sequence, "value": highest})


def compare(connection: sa.Connection, step: Step) -> None:
    old, new = (
        connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one()
        for table in (old_name(connection, step.old), step.table)
    )
    if new < old and step.table != "minhash_band":  # the hashes of two bands of one article may agree in 32 bits
        msg = f"the migration copied {new} of {old} rows of {step.old}; nothing is lost, the old tables are still there"
        raise StoreError(msg)


# ---------------------------------------------------------------------- copying


class Progress:
    """Tells how far the copying is, now and then."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._told_at = time.monotonic()

    def tell(self, connection: sa.Connection, copying: Copying) -> None:
        if time.monotonic() - self._told_at < _REPORT_SECONDS or copying.step.key != "id":
            return
        self._told_at = time.monotonic()
        total = connection.execute(
            sa.text(f"SELECT coalesce(max({copying.step.key}), 0) FROM {old_name(connection, copying.step.old)}")
        ).scalar()
        self._report(f"rebuilding the tables: {copying.step.table} {copying.last:,} of {total:,}")


class Copying:
    """Copies one table, a batch at a time."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.last = 0
        self._columns: tuple[list[str], list[str]] | None = None
        self._names = Names()

    def copy(self, connection: sa.Connection) -> bool:
        """Copy the next batch; False: there is none."""
        step, old = self.step, old_name(connection, self.step.old)
        if step.table == "minhash_band":
            return self._copy_bands(connection, old)
        if step.key is None:
            if connection.execute(sa.text(f"SELECT 1 FROM {step.table} LIMIT 1")).first() is None:
                connection.execute(sa.text(f"{self._insert_select(connection)} FROM {old} AS o"))
            return False
        self.last = connection.execute(sa.text(f"SELECT coalesce(max({step.key}), 0) FROM {step.table}")).scalar_one()
        behind = f"FROM {old} WHERE {step.key} > :last"
        upto = connection.execute(
            sa.text(f"SELECT {step.key} {behind} ORDER BY {step.key} LIMIT 1 OFFSET {step.rows - 1}"), {"last": self.last}
        ).scalar()
        upto = upto or connection.execute(sa.text(f"SELECT max({step.key}) {behind}"), {"last": self.last}).scalar()
        if upto is None:
            if step.table == "portal":
                add_portals(connection)
            return False
        bounds = {"last": self.last, "upto": upto}
        if step.python:
            (copy_articles if step.table == "article" else copy_revisions)(connection, bounds, self._names)
        else:
            chosen = f"WHERE o.{step.key} > :last AND o.{step.key} <= :upto ORDER BY o.{step.key}"
            ending = " ON CONFLICT DO NOTHING" if step.key != "id" else ""
            connection.execute(sa.text(f"{self._insert_select(connection)} FROM {old} AS o {chosen}{ending}"), bounds)
        if step.also:
            connection.execute(sa.text(step.also), bounds)
        return True

    def _copy_bands(self, connection: sa.Connection, old: str) -> bool:
        """Copy bands in the order of their hashes, the upper 32 of 63 bits, so that the new table grows at its end alone."""
        last = connection.execute(sa.text("SELECT max(hash) FROM minhash_band")).scalar()
        low = 0 if last is None else (last + 2**31 + 1) << 31
        if low >= 2**63:
            return False
        ordered = f"FROM {old} WHERE value >= :low ORDER BY value"
        upto = connection.execute(sa.text(f"SELECT value {ordered} LIMIT 1 OFFSET {BANDS - 1}"), {"low": low}).scalar()
        upto = upto or connection.execute(sa.text(f"SELECT max(value) FROM {old} WHERE value >= :low"), {"low": low}).scalar()
        if upto is None:
            return False
        connection.execute(
            sa.text(
                "INSERT INTO minhash_band (hash, article_id) SELECT CAST((value >> 31) - 2147483648 AS integer), article_id "
                f"FROM {old} WHERE value >= :low AND value <= :upto ORDER BY value, article_id ON CONFLICT DO NOTHING"
            ),
            {"low": low, "upto": upto | (2**31 - 1)},
        )
        self.last = (upto >> 31) - 2**31
        return True

    def _insert_select(self, connection: sa.Connection) -> str:
        if self._columns is None:
            given = {name: text.format(old_frontier=old_name(connection, "frontier")) for name, text in self.step.columns.items()}
            given |= {name: f"o.{name}" for name in common(connection, self.step) if name not in given}
            self._columns = (list(given), list(given.values()))
        names, expressions = self._columns
        return f"INSERT INTO {self.step.table} ({', '.join(names)}) SELECT {', '.join(expressions)}"


def add_portals(connection: sa.Connection) -> None:
    """Add the portals that the service knows and nobody has crawled yet."""
    watch, turn, alert = (old_name(connection, name) for name in ("watch", "turn", "alert"))
    connection.execute(
        sa.text(
            "INSERT INTO portal (id, name, round, created_at) "
            "SELECT (SELECT coalesce(max(id), 0) FROM portal) + row_number() OVER (ORDER BY known.portal), known.portal, 0, min(known.since) "
            f"FROM (SELECT portal, since FROM {watch} UNION ALL SELECT portal, planned_at FROM {turn} "
            f"UNION ALL SELECT portal, began_at FROM {alert}) AS known "
            "WHERE known.portal NOT IN (SELECT name FROM portal) GROUP BY known.portal"
        )
    )


def common(connection: sa.Connection, step: Step) -> list[str]:
    """The columns that both tables have and that are stored."""
    there = sa.inspect(connection)
    if connection.dialect.name == "sqlite":
        old = {column["name"] for column in there.get_columns(f"old_{step.old}")}
    else:
        old = {column["name"] for column in there.get_columns(step.old, schema=SCHEMA)}
    return [column["name"] for column in there.get_columns(step.table) if column["name"] in old and not column.get("computed")]


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def url_hash(url: str) -> bytes:
    return blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def texts(lead: str | None, paragraphs: list[list[str]]) -> tuple[str | None, str]:
    """The columns `lead` and `paragraphs`: a lead that is the first paragraph is marked there."""
    if lead is not None and paragraphs and paragraphs[0][0] == "paragraph" and paragraphs[0][1] == lead:
        paragraphs[0][0], lead = "lead", None
    return lead, compact(paragraphs)


class Names:
    """Ids of sections, authors and keywords; what was looked up is remembered, up to a bound."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, str], int] = {}

    def ids(self, connection: sa.Connection, table: str, names: set[tuple[int, str]]) -> dict[tuple[int, str], int]:
        """Ids by (portal, name), which are added if they are new; the portal is 0 but for sections."""
        if len(self._known) > _MOST_CACHED:
            self._known.clear()
        columns = ("portal_id", "name") if table == "section" else ("name",)
        where = " AND ".join(f"{column} = :{column}" for column in columns)
        query = sa.text(f"SELECT id FROM {table} WHERE {where}")
        insertion = sa.text(
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(f':{column}' for column in columns)}) RETURNING id"
        )
        found = {}
        for portal, name in names:
            key = (table, portal, name)
            if key not in self._known:
                values = {"portal_id": portal, "name": name}
                values = {column: values[column] for column in columns}
                there = connection.execute(query, values).scalar()
                self._known[key] = there if there is not None else connection.execute(insertion, values).scalar_one()
            found[portal, name] = self._known[key]
        return found


def copy_articles(connection: sa.Connection, bounds: dict[str, int], names: Names) -> None:
    rows = [dict(row._mapping) for row in connection.execute(articles_between(connection), bounds)]
    same = [name for name in common(connection, _ARTICLE) if name not in {"lead", "paragraphs", "description", "canonical_url"}]
    sections = names.ids(connection, "section", {(row["portal_id"], row["section"][:_LONGEST_NAME]) for row in rows if row["section"]})
    values, links, urls = [], {"author": [], "keyword": []}, []
    for row in rows:
        paragraphs = json.loads(row["paragraphs_text"])
        first = row["lead"] or (paragraphs[0][1] if paragraphs else None)
        lead, text = texts(row["lead"], paragraphs)
        canonical = row["canonical_url"]
        is_canonical = canonical is not None and canonical == row["url"]
        values.append(
            {name: row[name] for name in same}
            | {
                "lead": lead,
                "paragraphs": text,
                "description": None if row["description_is_lead"] and row["description"] == first else row["description"],
                "is_canonical": is_canonical,
                "canonical_url": None if is_canonical else canonical,
                "section_id": sections[row["portal_id"], row["section"][:_LONGEST_NAME]] if row["section"] else None,
                "minhash": row["sketch"],
                "similar_to_id": row["earlier_id"],
            }
        )
        if canonical is not None and not is_canonical:
            urls.append({"article": row["id"], "hash": url_hash(canonical), "url": canonical, "seen": row["fetched_at"]})
        for kind in links:
            named = [name[:_LONGEST_NAME] for name in json.loads(row[f"{kind}s_text"])]
            links[kind] += [(row["id"], place, name) for place, name in enumerate(named, start=1)]
    columns = list(values[0])
    marks = [f"CAST(:{name} AS json)" if name == "paragraphs" and connection.dialect.name != "sqlite" else f":{name}" for name in columns]
    connection.execute(sa.text(f"INSERT INTO article ({', '.join(columns)}) VALUES ({', '.join(marks)})"), values)
    for kind, found in links.items():
        ids = names.ids(connection, kind, {(0, name) for _, _, name in found})
        if found:
            connection.execute(
                sa.text(f"INSERT INTO article_{kind} (article_id, position, {kind}_id) VALUES (:article, :place, :named)"),
                [{"article": article, "place": place, "named": ids[0, name]} for article, place, name in found],
            )
    if urls:
        connection.execute(
            sa.text(
                "INSERT INTO article_url (article_id, url_hash, url, kind, first_seen_at) "
                "VALUES (:article, :hash, :url, 'canonical', :seen)"
            ),
            urls,
        )


_ARTICLE = Step(table="article", old="article")
_REVISION = Step(table="revision", old="revision")


def articles_between(connection: sa.Connection) -> sa.TextClause:
    old = old_name(connection, "article")
    return sa.text(
        "SELECT o.*, CAST(o.paragraphs AS text) AS paragraphs_text, CAST(o.authors AS text) AS authors_text, "
        "CAST(o.keywords AS text) AS keywords_text, earlier.id AS earlier_id "
        f"FROM {old} AS o LEFT JOIN {old} AS earlier ON earlier.id = o.similar_to AND earlier.id < o.id "
        "WHERE o.id > :last AND o.id <= :upto ORDER BY o.id"
    )


def copy_revisions(connection: sa.Connection, bounds: dict[str, int], _names: Names) -> None:
    query = sa.text(
        "SELECT o.*, CAST(o.paragraphs AS text) AS paragraphs_text, CAST(o.record AS text) AS record_text "
        f"FROM {old_name(connection, 'revision')} AS o WHERE o.id > :last AND o.id <= :upto ORDER BY o.id"
    )
    same = [name for name in common(connection, _REVISION) if name not in {"lead", "paragraphs", "record"}]
    values = list(revised(connection, query, bounds, same))
    columns = list(values[0])
    json_columns = {"paragraphs", "record"} if connection.dialect.name != "sqlite" else set()
    marks = [f"CAST(:{name} AS json)" if name in json_columns else f":{name}" for name in columns]
    connection.execute(sa.text(f"INSERT INTO revision ({', '.join(columns)}) VALUES ({', '.join(marks)})"), values)


def revised(connection: sa.Connection, query: sa.TextClause, bounds: dict[str, int], same: list[str]) -> Iterator[dict[str, Any]]:
    for row in connection.execute(query, bounds):
        there = dict(row._mapping)
        lead, text = texts(there["lead"], json.loads(there["paragraphs_text"]))
        record = there["record_text"]
        yield {name: there[name] for name in same} | {
            "lead": lead,
            "paragraphs": text,
            "reason": "corrected" if there["why"] is None else "reread",
            "detail": there["why"],
            "record": None if record is None or record == "null" else compact(json.loads(record)),
        }
