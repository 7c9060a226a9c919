"""The database as people see it who write SQL: plans of what is often asked, views, comments, the page of the schema."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, exc, text

from newscrawler.article import Article, DatePrecision, Paragraph, ParagraphKind
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Selection
from newscrawler.store.frontier import FoundUrl, PageOutcome
from newscrawler.store.tables import METADATA
from newscrawler.store.tables.views import VIEWS
from newscrawler.store.vocabularies import EndReason, RunEnd
from tools.schema_queries import QUERIES
from tools.write_schema_page import PAGE, TOPICS, page

NOW = datetime(2026, 2, 2, 12, 0, tzinfo=UTC)
LEAD = "Markéta hrála poprvé za první tým."


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        run, frontier = opened.runs.begin("example", now=NOW, version="1")
        urls = [f"https://www.example.org/sport/match-{number}.html" for number in (1, 2)]
        found = [FoundUrl(url=url, kind="article", priority=1, depth=1) for url in (*urls, f"{urls[0]}?print")]
        frontier.seed(found, now=NOW)
        articles = {url: _article(number, url) for number, url in enumerate(urls, start=1)}
        for claimed in frontier.lease(9, now=NOW):
            article = articles.get(claimed.url) or _article(1, claimed.url)
            frontier.commit(
                [PageOutcome(url_id=claimed.id, state="done", outcome="article", article=article, fetched_at=NOW, http_status=200)]
            )
        counts = {"requests": 4, "pages": 3, "new_articles": 2, "bytes": 9}
        opened.runs.end(run.id, now=NOW + timedelta(seconds=90), because=RunEnd(EndReason.BUDGET, "pages"), counts=counts)
        yield opened


def _article(number: int, url: str) -> Article:
    return Article(
        title=f"Zápas „{number}“",
        paragraphs=(Paragraph(text=LEAD), Paragraph(text=f"Citát {number}", kind=ParagraphKind.QUOTE)),
        lead=LEAD,
        url=url,
        canonical_url=f"{url.partition('?')[0]}#c",
        published_at=datetime(2026, 2, 1, 23, 30, tzinfo=timezone(timedelta(hours=-3, minutes=-30))),
        published_precision=DatePrecision.MINUTE,
        authors=("Markéta Nová", "Jan Žák", "Markéta Nová"),
        keywords=("fotbal",),
        section="Sport",
        language="cs",
        fetched_at=NOW,
        method="default",
        confidence=0.5,
    )


def ask(store: Store, query: str) -> list[dict[str, Any]]:
    with store.engine.connect().execution_options(reading=True) as connection:
        return [dict(row._mapping) for row in connection.execute(text(query.replace(":", "\\:")))]


def test_an_article_is_read_whole_from_one_view(store: Store) -> None:
    first, second = ask(store, "SELECT * FROM v_article ORDER BY id")

    assert first["body"] == f"{LEAD}\nCitát 1"
    assert (first["portal"], first["section"], first["lead"]) == ("example", "Sport", LEAD)
    assert (first["authors"], first["keywords"]) == ("Markéta Nová; Jan Žák; Markéta Nová", "fotbal")
    assert (str(first["day"]), first["published_local"]) == ("2026-02-01", "2026-02-01 23:30-03:30")
    assert second["title"] == "Zápas „2“"


def test_all_urls_of_an_article_lead_to_it(store: Store) -> None:
    found = ask(store, "SELECT url, kind FROM v_article_url WHERE article_id = 1 ORDER BY kind")

    address = "https://www.example.org/sport/match-1.html"
    assert [(row["url"], row["kind"]) for row in found] == [
        (f"{address}#c", "canonical"), (address, "current"), (f"{address}?print", "duplicate"),
    ]  # fmt: skip


def test_runs_and_coverage_are_views(store: Store) -> None:
    (run,) = ask(store, "SELECT * FROM v_run")
    (coverage,) = ask(store, "SELECT * FROM v_coverage")

    assert (run["portal"], run["seconds"], run["end_reason"], run["end_detail"]) == ("example", 90, "budget", "pages")
    assert (run["new_articles"], run["requests"], run["bytes"]) == (2, 4, 9)
    assert (str(coverage["found_on"]), coverage["urls"], coverage["stored"], coverage["waiting"]) == ("2026-02-02", 3, 3, 0)


def test_the_examples_of_the_page_run(store: Store) -> None:
    found = [ask(store, query.text(store.engine.dialect.name).rstrip(";")) for query in QUERIES]

    assert len(found) == 10
    assert [number for number, rows in enumerate(found) if not rows] == [7, 8]  # nothing was corrected, nothing is missing


def test_what_stands_in_json_is_found_as_it_is_written(store: Store) -> None:
    (row,) = ask(store, "SELECT count(*) AS found FROM article WHERE CAST(paragraphs AS text) LIKE '%Markéta hrála%' AND id = 1")

    assert row["found"] == 1


def test_what_does_not_belong_in_a_column_is_refused(store: Store) -> None:
    for change, constraint in (
        ("UPDATE frontier SET state = 'lost'", "ck_frontier_state"),
        ("UPDATE frontier SET reason = 'because'", ""),
        ("UPDATE run SET end_reason = 'tired'", "ck_run_end_reason"),
        ("UPDATE article SET section_id = 99", ""),
        ("UPDATE frontier SET article_id = 99", ""),
    ):
        with store.engine.connect() as connection, pytest.raises(exc.IntegrityError, match=constraint or "(?i)foreign key"):
            connection.execute(text(change))


#: What commands and people ask most, and the index that answers it.
PLANS = {
    "SELECT * FROM article WHERE url = 'x'": "ix_article_url",
    "SELECT * FROM v_article WHERE url = 'x'": "ix_article_url",
    "SELECT article_id FROM v_article_url WHERE url = 'x'": "ix_article_url_url",
    "SELECT id, title, authors, body FROM v_article ORDER BY dated_at DESC, id DESC LIMIT 20": "ix_article_dated",
    "SELECT id, title FROM v_article WHERE portal = 'a' AND day = '2026-02-01'": "ix_article_day",
    "SELECT id, title FROM v_article WHERE portal = 'a' AND day >= '2026-02-01' ORDER BY day": "ix_article_day",
    "SELECT id FROM v_article WHERE language = 'cs' ORDER BY dated_at DESC LIMIT 20": "ix_article_language",
    "SELECT article_id FROM author JOIN article_author ON author_id = author.id WHERE name = 'x' ORDER BY article_id DESC":
        "ix_article_author_author",
    "SELECT * FROM frontier WHERE portal_id = 1 AND state = 'waiting' ORDER BY priority, id LIMIT 9": "ix_frontier_next",
    "SELECT * FROM request WHERE portal_id = 1 ORDER BY sent_at DESC, id DESC LIMIT 9": "ix_request_portal",
    "SELECT * FROM v_run WHERE portal = 'a' ORDER BY id DESC LIMIT 1": "ix_run_portal",
}  # fmt: skip


def test_what_is_asked_most_neither_scans_nor_sorts(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'x.sqlite'}") as store:
        for query, index in PLANS.items():
            _expect_index([row["detail"] for row in ask(store, f"EXPLAIN QUERY PLAN {query}")], index)


def _expect_index(plan: list[str], index: str) -> None:
    steps = [step for step in plan if "VIRTUAL TABLE" not in step and not step.startswith("SCAN (subquery")]
    assert any(index in step for step in steps), plan
    assert not [step for step in steps if "TEMP B-TREE" in step], plan
    # a scan along an index is the order that was asked for
    assert not [step for step in steps if step.startswith("SCAN") and "USING INDEX" not in step and step != "SCAN u"], plan


@pytest.mark.parametrize(
    ("selection", "index"),
    [
        (Selection(newest_first=True, limit=20), "ix_article_dated"),
        (Selection(portal="example", since=NOW.date(), until=NOW.date()), "ix_article_day"),
        (Selection(language="cs", newest_first=True, limit=5), "ix_article_language"),
    ],
)
def test_selections_of_the_commands_use_the_indices(tmp_path: Path, selection: Selection, index: str) -> None:
    with open_store(f"sqlite:///{tmp_path / 'x.sqlite'}") as store:
        asked: list[tuple[str, Any]] = []
        event.listen(store.engine, "before_cursor_execute", lambda *given: asked.append((given[2], given[3])))
        list(store.articles.stream(selection))
        statement, values = next(pair for pair in asked if pair[0].startswith("SELECT"))
        with store.engine.connect().execution_options(reading=True) as connection:
            plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]

    assert any(index in step for step in plan), plan
    if selection.newest_first:
        assert not [step for step in plan if "TEMP B-TREE" in step], plan


def test_every_table_and_column_is_described_once_for_the_page_and_for_postgresql(empty_postgresql_database: str) -> None:
    for table in METADATA.sorted_tables:
        assert table.comment, table.name
        assert all(column.comment for column in table.columns), table.name
    assert {name for names in TOPICS.values() for name in names} <= METADATA.tables.keys()
    with open_store(empty_postgresql_database) as store:
        found = ask(
            store,
            'SELECT c.relname AS name, a.attname AS "column", col_description(a.attrelid, a.attnum) AS comment '
            "FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid "
            "WHERE a.attnum > 0 AND c.relnamespace = to_regnamespace('public') AND c.relkind IN ('r', 'v')",
        )
    said = {(row["name"], row["column"]): row["comment"] for row in found}
    written = {(table.name, column.name): column.comment for table in METADATA.sorted_tables for column in table.columns}
    written |= {(view.name, name): comment for view in VIEWS for name, _, comment in view.columns}
    assert {key: said.get(key) for key in written} == written


def test_the_page_of_the_schema_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run tools/write_schema_page.py"
