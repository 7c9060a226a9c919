"""Databases of every earlier version: brought up to date with all that they hold, whatever interrupts that."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, MetaData, Table, create_engine, insert, inspect, select, text

from newscrawler.errors import PageReason, StoreError
from newscrawler.store import FoundUrl, Order, Selection, open_store
from newscrawler.store.database import open_engine
from newscrawler.store.maintenance import check
from newscrawler.store.schema import MIGRATIONS, _run, upgrade
from newscrawler.store.search.text import parse
from newscrawler.store.tables import REASON
from newscrawler.store.tables.views import drop_views
from newscrawler.store.vocabularies.outcomes import EndReason, FrontierKind, RunEnd

NOW = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)
FIRST = "První odstavec s háčky: žluťoučký kůň."
KEY = bytes(range(16))
#: Rows of the first schema; columns that later ones added are given where they are there.
ROWS: dict[str, list[dict[str, Any]]] = {
    "portal": [{"id": 1, "name": "zprávy", "round": 3, "created_at": NOW, "learned": {"day_orders": [1]}}],
    "run": [
        {
            "id": 1,
            "portal_id": 1,
            "round": 3,
            "started_at": NOW,
            "heartbeat_at": NOW,
            "ended_at": NOW,
            "pid": 1,
            "host": "here",
            "ended_because": "error: disk full",
            "version": "0.1",
            "counts": {"pages": 2, "new_articles": 2},
        },
    ],
    "article": [
        {
            "id": number,
            "portal_id": 1,
            "url": f"http://127.0.0.1/{number}",
            "url_hash": KEY[:-1] + bytes([number]),
            "text_hash": bytes([number]) * 16,
            "canonical_url": f"http://127.0.0.1/{'canonical' if number == 5 else number}",
            "headline": "Titulek „ž“",
            "lead": FIRST if number == 2 else "Jiný perex",
            "body": f"{FIRST}\nDruhý.",
            "paragraphs": [["paragraph", FIRST], ["quote", "Druhý.", "4"]],
            "description": FIRST if number == 2 else "Popis",
            "description_is_lead": number == 2,
            "authors": ["Markéta Nová", "Jan Žák"],
            "keywords": ["kůň", "pole"],
            "published_at": NOW,
            "published_offset_minutes": 60,
            "offset_given": True,
            "section": "Domácí",
            "genre": "news",
            "language": "cs",
            "word_count": 6,
            "fetched_at": NOW,
            "method": "default",
            "confidence": 0.5,
            "sketch": bytes(256),
            "similar_to": 2 if number == 5 else None,
        }
        for number in (2, 5)
    ],
    "band": [{"article_id": number, "number": band, "value": 2**62 + band * 2**40} for number in (2, 5) for band in range(16)],
    "revision": [
        {
            "id": 7,
            "article_id": 2,
            "fetched_at": NOW,
            "headline": "Dříve",
            "lead": None,
            "paragraphs": [["paragraph", "Ž."]],
            "modified_at": None,
        },
    ],
    "frontier": [
        {
            "id": 10 + number,
            "portal_id": 1,
            "url": url,
            "url_hash": bytes([number]) * 16,
            "kind": "article",
            "why": "address",
            "priority": 1,
            "depth": 2,
            "hops": 1,
            "state": "done",
            "outcome": outcome,
            "reason": reason,
            "tries": 3,
            "fresh_links": 4,
            "barren_visits": 5,
            "found_on_id": 11 if number > 1 else None,
            "sources": 3,
            "hints": [["section", "Domácí"]],
            "found_at": NOW,
            "fetched_at": NOW,
            "round": 3,
            "article_id": article,
            "run_id": None,
        }
        for number, (url, outcome, reason, article) in enumerate(
            [
                ("http://127.0.0.1/2", "article", None, 2),
                ("http://127.0.0.1/2?again", "article", "same article as another URL", 2),
                ("http://127.0.0.1/9", "nothing", "HTTP status: 500", None),
            ],
            start=1,
        )
    ],
    "pattern": [
        {
            "id": 1,
            "portal_id": 1,
            "pattern": "/{slug}",
            "articles": 1,
            "listings": 2,
            "neither": 3,
            "fresh": 4,
            "barren": 5,
            "passed_over": 6,
        },
    ],
    "host": [
        {
            "name": "127.0.0.1",
            "slowdown": 2.0,
            "troubles": 3,
            "left_alone": True,
            "paused_because": "trouble",
            "wanted": False,
            "paused_until": NOW,
        },
    ],
    "robots": [
        {
            "origin": "http://127.0.0.1",
            "host": "127.0.0.1",
            "verdict": "rules",
            "status": 200,
            "because": "why",
            "body": b"x",
            "asked_at": NOW,
            "expires_at": NOW,
            "troubles": 1,
            "asks_seconds": 2.5,
        },
    ],
    "fetch_log": [
        {
            "id": number,
            "at": NOW,
            "host": "127.0.0.1",
            "portal": portal,
            "run_id": 1,
            "kind": "page",
            "reason": "a word of old",
            "bytes": 5,
            "milliseconds": 6,
            "gap_seconds": 7.0,
        }
        for number, portal in ((1, "zprávy"), (2, "gone"))
    ],
    "reservation": [
        {
            "id": 1,
            "portal_id": 1,
            "url_id": 11,
            "word": "noarchive",
            "said": "noarchive",
            "place": "meta robots",
            "granted": False,
            "first_said_at": NOW,
            "last_said_at": NOW,
        },
    ],
    "tdm_file": [
        {
            "origin": "http://127.0.0.1",
            "rules": [["/*", True, None]],
            "status": 200,
            "asked_at": NOW,
            "said_since": NOW,
            "expires_at": NOW,
        },
    ],
    "warc": [{"id": 1, "portal_id": 1, "path": "a.warc.gz", "began_at": NOW}],
    "page": [
        {
            "id": number,
            "portal_id": 1,
            "warc_id": 1,
            "round": 3,
            "url": "http://127.0.0.1/2",
            "url_hash": KEY,
            "fetched_at": NOW,
            "offset": 5,
            "length": 6,
            "size": 7,
            "digest": "sha1:A",
            "outcome": outcome,
            "reason": reason,
            "article_id": article,
        }
        for number, outcome, reason, article in ((1, "article", None, 2), (2, "nothing", "no body: 3 words", 999))
    ],
    "template": [
        {
            "id": 1,
            "portal_id": 1,
            "version": 1,
            "document": '{"overrides": {"headline": "css: h1"}}',
            "origin": "learned",
            "state": "in use",
            "note": "n",
            "figures": {},
            "created_at": NOW,
        },
    ],
    "night": [
        {
            "id": 1,
            "portal_id": 1,
            "round": 3,
            "template": 1,
            "figures": {"pages": 9, "override headline": 1},
            "broken": ["No date."],
            "done": "learned",
            "at": NOW,
        },
    ],
    "review": [{"id": 1, "portal_id": 1, "article_id": 2, "page_id": 1, "faults": ["date-wrong"], "note": "", "reviewed_at": NOW}],
    "watch": [{"portal": "zprávy", "since": NOW}, {"portal": "new", "since": NOW}],
    "turn": [
        {"id": 1, "portal": "new", "label": "a", "planned_at": NOW, "state": "given up", "attempts": 2, "because": "died"},
    ],
    "alert": [
        {
            "id": 1,
            "portal": "zprávy",
            "trouble": "blocked",
            "sentence": "403.",
            "began_at": NOW,
            "told": ["mail"],
            "told_over": [],
        },
    ],
    "digest": [{"day": "2026-03-01", "sent_at": NOW, "told": ["mail"]}],
    "export": [{"id": 1, "name": "all", "path": "x", "written_at": NOW, "articles": 2, "last_article_id": 5}],
}
#: Those before the tables were rebuilt.
VERSIONS = [f"{number:04}" for number in range(1, 12) if number != 10]


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same test on both, from no tables on."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite'}"
    return str(request.getfixturevalue("empty_postgresql_database"))


def old_database(url: str, revision: str, *, articles: int = 0, empty: bool = False) -> None:
    """Make a database as an earlier version left it."""
    engine = create_engine(url)
    with engine.begin() as connection:
        for version in VERSIONS[: VERSIONS.index(revision) + 1]:
            _run(connection, version)
        tables = MetaData()
        tables.reflect(connection)
        for name, rows in [] if empty else ROWS.items():
            if name in tables.tables:
                fill(connection, tables.tables[name], rows)
        if "detail" in tables.tables["frontier"].columns:
            connection.execute(text("UPDATE frontier SET reason = 'HTTP status', detail = '500' WHERE reason = 'HTTP status: 500'"))
        if "search_backlog" in tables.tables and not empty:
            for number in (2, 5):
                _index(connection, number)
        template = ROWS["article"][0]
        more = [
            template
            | {"id": 100 + n, "url": f"http://127.0.0.1/m{n}", "url_hash": (1000 + n).to_bytes(16), "text_hash": n.to_bytes(16)}
            for n in range(articles)
        ]
        if more:
            fill(connection, tables.tables["article"], more)
    engine.dispose()


def _index(connection: Connection, number: int) -> None:
    """Put an article into the full-text index, which had a column `headline` on SQLite and was a `tsvector` on PostgreSQL."""
    if connection.dialect.name == "postgresql":
        insertion = text("INSERT INTO article_search (article_id, words) VALUES (:id, to_tsvector('simple', :words))")
        connection.execute(insertion, {"id": number, "words": "titulek prvni odstavec s hacky zlutoucky kun druhy"})
        return
    values = {"id": number, "headline": "titulek", "body": "prvni odstavec s hacky zlutoucky kun druhy"}
    connection.execute(text("INSERT INTO article_search (rowid, headline, body) VALUES (:id, :headline, :body)"), values)


def fill(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    known = [{name: _stored(connection, value) for name, value in row.items() if name in table.columns} for row in rows]
    connection.execute(insert(table), known)


def _stored(connection: Connection, value: object) -> object:
    """SQLite's times are in UTC, without saying so."""
    return value.replace(tzinfo=None) if isinstance(value, datetime) and connection.dialect.name == "sqlite" else value


@pytest.mark.parametrize("revision", VERSIONS)
def test_what_an_earlier_version_stored_is_there_after_the_migration(tmp_path: Path, revision: str) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite'}"
    old_database(url, revision)

    _expect_all(url, revision)

    backup = tmp_path / "old.sqlite.before-0012"
    assert backup.stat().st_mode & 0o777 == 0o600
    with create_engine(f"sqlite:///{backup}").connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM article")).scalar() == 2


def test_what_an_earlier_version_stored_on_postgresql_is_there_after_the_migration(empty_postgresql_database: str) -> None:
    old_database(empty_postgresql_database, "0011")

    _expect_all(empty_postgresql_database, "0011")

    with open_store(empty_postgresql_database) as store, store.engine.begin() as connection:
        assert connection.execute(text("INSERT INTO author (name) VALUES ('new') RETURNING id")).scalar_one() > 2
        assert connection.execute(text("SELECT count(*) FROM newscrawler_before_0012.article")).scalar() == 2


def _expect_all(url: str, revision: str) -> None:
    indexed: list[tuple[int, int]] = []
    with open_store(url, progress=lambda done, until: indexed.append((done, until))) as store:
        assert [hit.stored.id for hit in store.search.find(parse("žluťoučký"), Selection(), order=Order.DATE)] == [5, 2]
        assert indexed != []  # the form of the index has changed since on both stores
        first, second = store.articles.stream(Selection())
        assert (first.id, second.id, second.similar_to) == (2, 5, 2)
        article = first.article
        assert (article.lead, article.description, article.body) == (FIRST, FIRST, f"{FIRST}\nDruhý.")
        assert (second.article.lead, second.article.description) == ("Jiný perex", "Popis")
        assert article.authors == ("Markéta Nová", "Jan Žák")
        assert (article.section, article.keywords) == ("Domácí", ("kůň", "pole"))
        assert (article.paragraphs[1].kind, article.paragraphs[1].post) == ("quote", 4)
        assert article.published_at == NOW
        assert article.published_at.astimezone(timezone(timedelta(hours=1))).isoformat() == article.published_at.isoformat()
        assert (article.canonical_url, second.article.canonical_url) == (article.url, "http://127.0.0.1/canonical")
        (earlier,) = store.articles.revisions(2)
        assert (earlier.title, earlier.paragraphs[0].text) == ("Dříve", "Ž.")
        (run,) = store.runs.latest("zprávy")
        assert run.ended_because == RunEnd(EndReason.ERROR, "disk full")
        assert check(store.engine) == []
        with store.engine.connect() as connection:
            ask = lambda query: [tuple(row) for row in connection.execute(text(query))]  # noqa: E731
            assert ask("SELECT reason, detail, attempts, empty_visits, redirects FROM frontier WHERE id = 13") == [
                ("HTTP status", "500", 3, 5, 1)
            ]
            assert ask("SELECT article_id, url, kind FROM article_url ORDER BY article_id") == [
                (2, "http://127.0.0.1/2?again", "duplicate"),
                (5, "http://127.0.0.1/canonical", "canonical"),
            ]
            assert ask("SELECT count(*), count(DISTINCT hash) FROM minhash_band") == [(32, 16)]
            assert store.patterns.of("zprávy") == [
                {
                    "pattern": "/{slug}",
                    "articles": 1,
                    "listings": 2,
                    "others": 3,
                    "new_articles": 4,
                    "unproductive": 5,
                    "skipped": 6,
                }
            ]
            if revision >= "0002":
                assert ask("SELECT is_suspended, failures, delay_factor FROM host") == [(True, 3, 2.0)]
                assert ask("SELECT portal_id, run_id, reason FROM request ORDER BY id") == [
                    (1, 1, "a word of old"),
                    (None, 1, "a word of old"),
                ]
                assert [kept.reservation.word for kept in store.rights.of_article(2)] == ["noarchive"]
                assert store.rights.tdm_files()[0].rules == (("/*", True, None),)
            if revision >= "0003":
                pages = ask("SELECT outcome, reason, detail, article_id FROM page ORDER BY id")
                assert pages == [("article", None, None, 2), ("nothing", "no body", "3 words", None)]
                in_use = store.templates.in_use("zprávy")
                assert in_use is not None
                assert json.loads(in_use.document) == {"overrides": {"title": "css: h1"}}
                assert ask("SELECT CAST(figures AS TEXT) FROM drift_check") == [('{"pages": 9, "override title": 1}',)]
                assert store.drift_checks.of("zprávy")[0].broken == ("No date.",)
                assert store.reviews.get(2) is not None
            if revision >= "0004":
                assert store.service.watched().keys() == {"zprávy", "new"}
                assert store.service.turns("new")[0].because == "died"
                assert store.service.open_alerts("zprávy")[0].delivered == {"mail"}
                assert store.service.digest_delivered("2026-03-01") == {"mail"}
                assert store.service.last_export("all") is not None


KILLED = """
import os, signal, sys
import newscrawler.store.schema as schema
from newscrawler.store.database import open_engine
left, lock = int(sys.argv[2]), schema._lock
def killing(connection):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    lock(connection)
schema._lock = killing
schema.upgrade(open_engine(sys.argv[1]), report=lambda _: None)
"""


def test_suspended_and_denylisted_hosts_get_words_of_their_own(database_url: str) -> None:
    with open_store(database_url) as store:
        run, frontier = store.runs.begin("p", now=NOW, version="1")
        frontier.seed([FoundUrl(url=f"http://a/{n}", kind=FrontierKind.OTHER, priority=1, depth=0) for n in range(2)], now=NOW)
        with store.engine.begin() as connection:
            drop_views(connection)
            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS))
            config.attributes["connection"] = connection
            command.downgrade(config, "0019-1")
            connection.execute(text("UPDATE frontier SET reason = 'host left alone'"))
            connection.execute(text("UPDATE frontier SET state = 'skipped' WHERE url = 'http://a/0'"))
            connection.execute(text("UPDATE run SET ended_at = started_at, end_reason = 'left alone', end_detail = 'a'"))

    with open_store(database_url) as store:
        ended = store.runs.get(run.id)
        assert ended is not None
        assert ended.ended_because == RunEnd(EndReason.HOST, "a")
        with store.engine.connect() as connection:
            reasons = connection.execute(text("SELECT reason FROM frontier ORDER BY url")).scalars().all()
        assert reasons == ["host on the denylist", "host suspended"]
        assert check(store.engine) == []


def test_a_migration_that_was_killed_goes_on_behind_the_last_batch(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite'}"
    old_database(url, "0011", articles=2500)
    copied = []

    for transactions in (7, 5, 9):
        done = subprocess.run([sys.executable, "-c", KILLED, url, str(transactions)], check=False, capture_output=True, text=True)
        assert done.returncode == -signal.SIGKILL, done.stderr
        with create_engine(url).connect() as connection:
            copied.append(connection.execute(text("SELECT count(*) FROM article")).scalar())

    assert copied == [1000, 2000, 2502]
    with open_store(url) as store:
        assert store.articles.count(Selection()) == 2502
        assert store.articles.get(2599) is not None
    assert "old_article" not in inspect(create_engine(url)).get_table_names()


def test_a_database_that_is_being_crawled_is_not_rebuilt(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite'}"
    old_database(url, "0011")
    with create_engine(url).begin() as connection:
        connection.execute(text("UPDATE run SET ended_at = NULL, heartbeat_at = :now"), {"now": str(datetime.now(UTC))[:26]})

    with pytest.raises(StoreError, match="crawls of zprávy are running"):
        open_store(url)

    assert "article" in inspect(create_engine(url)).get_table_names()
    assert not list(tmp_path.glob("*before*"))


def test_the_rebuilding_reports_what_it_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'old.sqlite'}"
    old_database(url, "0011")
    engine, said = open_engine(url), list[str]()
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM revision"))
    monkeypatch.setattr("time.monotonic", count(0, 1000).__next__)

    upgrade(engine, report=said.append)

    monkeypatch.undo()
    engine.dispose()
    assert "old.sqlite.before-0012" in said[0]
    assert "rebuilding the tables: article 2 of 5" in said or "rebuilding the tables: article 5 of 5" in said
    assert "rebuilding the tables: revision 0 of 0" in said


def described(engine: Engine) -> set[str]:
    """Everything that a database says of its tables."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            found = connection.execute(text("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'")).scalars()
            return {" ".join(str(sql).split()).replace("( ", "(").replace(" )", ")") for sql in found}
        there, found = inspect(connection), set()
        for name in there.get_table_names():
            parts = [
                there.get_columns(name),
                there.get_foreign_keys(name),
                there.get_indexes(name),
                there.get_check_constraints(name),
                there.get_unique_constraints(name),
                there.get_pk_constraint(name),
                there.get_table_comment(name),
            ]
            for part in parts:
                found |= {f"{name} {each}" for each in (part if isinstance(part, list) else [part])}
        return found


def test_a_migrated_database_has_the_schema_of_a_new_one(database_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    old_database(database_url, "0001", empty=True)
    if database_url.startswith("sqlite"):
        other = f"sqlite:///{tmp_path / 'new.sqlite'}"
    else:
        other = _another(database_url, request)

    with open_store(database_url) as migrated, open_store(other) as new:
        assert described(migrated.engine) == described(new.engine)
        with migrated.engine.connect() as connection:
            words = set(connection.execute(select(REASON.c.word)).scalars())
    assert words == {str(reason) for reason in PageReason}


def _another(url: str, request: pytest.FixtureRequest) -> str:
    from sqlalchemy import make_url

    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    name = f"{make_url(url).database}_new"
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))

    def drop() -> None:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()

    request.addfinalizer(drop)
    return make_url(url).set(database=name).render_as_string(hide_password=False)
