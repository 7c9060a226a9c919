"""The commands that read the database: articles, show, export, runs, db; and classify."""

from __future__ import annotations

import csv
import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from newscrawler.article import Article, Paragraph
from newscrawler.store import open_store
from newscrawler.store.articles import store_article
from newscrawler.store.vocabularies import FINISHED

Run = Callable[..., Result]

FIRST = datetime(2026, 2, 1, 10, tzinfo=UTC)


def article(number: int, **changes: Any) -> Article:
    made = Article(
        title=f"Žluťoučký kůň číslo {number}",
        paragraphs=(Paragraph(text=f"Úvod zprávy {number}."), Paragraph(text="=Druhý odstavec.")),
        url=f"https://example.org/zprava-{number}",
        published_at=FIRST + timedelta(days=number),
        fetched_at=datetime(2026, 3, 1, tzinfo=UTC),
        language="cs",
        method="default",
        confidence=0.9,
    )
    return replace(made, **changes)


@pytest.fixture
def database(folder: Path) -> Path:
    """Two portals in newscrawler.sqlite: three Czech articles of a, one Polish one of b."""
    path = folder / "newscrawler.sqlite"
    fill(path, {"a": [article(n) for n in range(3)], "b": [article(7, language="pl", title="Zażółć gęślą jaźń")]})
    return path


def fill(path: Path, portals: dict[str, list[Article]]) -> None:
    with open_store(f"sqlite:///{path}") as store:
        for name, articles in portals.items():
            run, _ = store.runs.begin(name, now=datetime.now(UTC), version="test")
            with store.engine.begin() as connection:
                portal_id = connection.exec_driver_sql("select id from portal where name = ?", (name,)).scalar_one()
                for each in articles:
                    store_article(connection, portal_id, each)
            store.runs.end(run.id, now=datetime.now(UTC), because=FINISHED, counts={"pages": 9, "new_articles": len(articles)})


def titles(result: Result) -> list[str]:
    assert result.exit_code == 0, result.stderr
    return [line.split("\t")[-1] for line in result.stdout.splitlines()[1:]]


@pytest.mark.usefixtures("database")
def test_articles_are_listed_newest_first(run: Run) -> None:
    heading, *lines = run("articles").stdout.splitlines()

    assert heading == "id\tday\tportal\tlanguage\tsince then\ttitle"
    assert lines[0] == "4\t2026-02-08\tb\tpl\t\tZażółć gęślą jaźń"
    assert [line.split("\t")[1] for line in lines[1:]] == ["2026-02-03", "2026-02-02", "2026-02-01"]


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        (["--portal", "a"], [2, 1, 0]),
        (["--language", "cs", "--limit", "2"], [2, 1]),
        (["--limit", "0", "--portal", "a"], [2, 1, 0]),
        (["--since", "2026-02-02", "--until", "2026-02-02"], [1]),
        (["--until", "2026-02-02"], [1, 0]),
        (["--title", "číslo 2"], [2]),
        (["--title", "100%"], []),
    ],
)
def test_articles_are_filtered(run: Run, arguments: list[str], numbers: list[int]) -> None:
    assert titles(run("articles", *arguments)) == [f"Žluťoučký kůň číslo {number}" for number in numbers]


@pytest.mark.usefixtures("database")
def test_articles_for_scripts_are_json_lines(run: Run) -> None:
    records = [json.loads(line) for line in run("articles", "--json", "--portal", "a").stdout.splitlines()]

    assert [record["id"] for record in records] == [3, 2, 1]
    assert records[0]["body"] == "Úvod zprávy 2.\n=Druhý odstavec."


@pytest.mark.usefixtures("database")
def test_an_article_is_shown_by_its_number(run: Run) -> None:
    shown = run("show", 4)

    assert shown.output.splitlines()[0] == "Zażółć gęślą jaźń"
    assert "portal      b" in shown.output
    assert "=Druhý odstavec." in shown.output
    assert json.loads(run("show", 4, "--json").output)["title"] == "Zażółć gęślą jaźń"


@pytest.mark.usefixtures("database")
def test_a_number_without_an_article_is_told(run: Run) -> None:
    result = run("show", 99)

    assert result.exit_code == 2
    assert "there is no article 99" in result.stderr


@pytest.mark.usefixtures("database")
def test_an_unknown_portal_does_not_look_like_an_empty_one(run: Run) -> None:
    for command in ("articles", "export"):
        result = run(command, "--portal", "c")

        assert result.exit_code == 2
        assert "the database has no portal c; it has: a, b" in result.stderr


@pytest.mark.usefixtures("database")
def test_an_export_is_told_by_the_name_of_its_file(run: Run, folder: Path) -> None:
    result = run("export", "--output", "articles.csv", "--portal", "a")

    rows = list(csv.DictReader((folder / "articles.csv").read_text("utf-8-sig").splitlines(keepends=True)))
    assert result.exit_code == 0
    assert "3 articles written to articles.csv" in result.stderr
    assert [row["title"] for row in rows] == [f"Žluťoučký kůň číslo {n}" for n in range(3)]
    assert rows[0]["body"] == "Úvod zprávy 0.\n'=Druhý odstavec."


@pytest.mark.usefixtures("database")
def test_an_export_goes_to_standard_output(run: Run) -> None:
    assert len(run("export").stdout.splitlines()) == 4
    assert len(json.loads(run("export", "--format", "json", "--output", "-").stdout)) == 4
    assert len(run("export", "--language", "pl").stdout.splitlines()) == 1
    assert len(run("export", "--since", "2026-02-02", "--until", "2026-02-03").stdout.splitlines()) == 2


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--output", "absent/a.csv"], 4, "its folder does not exist"),
        (["--output", "."], 4, ". is a folder; name a file in it"),
        (["--output", "/dev/full"], 4, "/dev/full cannot be written: No space left on device"),
        (["--format", "xls"], 2, "There is no xls. Did you mean xlsx? Choose one of: jsonl, json, csv, xlsx, txt"),
        (["--output", "articles.xls"], 2, "articles.xls ends in no format that newscrawler writes; end it in one of .jsonl"),
        (["--format", "txt"], 2, "txt is written as one file for each article. Name a folder"),
        (["--format", "csv", "--output", "texts/"], 2, "csv is written as one file; name a file that ends in .csv"),
        (["--language", "xx", "--output", "a.csv"], 2, "no article matches the selection, and nothing is written"),
        (["--delimiter", "ab", "--format", "csv"], 2, "the delimiter is a single character"),
        (["--delimiter", ";", "--output", "a.xlsx"], 2, "--delimiter goes with csv; xlsx has no use for it"),
        (["--no-header", "--output", "a.jsonl"], 2, "--no-header goes with txt, markdown; jsonl has no use for it"),
        (["--annotate", "spacy:none", "--format", "conllu"], 2, "pip install spacy"),
        (["--since", "yesterday"], 2, "yesterday is not a date. Use YYYY-MM-DD, for example 2026-02-01."),
        (["--database", "absent.sqlite"], 3, "there is no database absent.sqlite"),
    ],
)
def test_an_export_that_cannot_be_made_is_told(run: Run, arguments: list[str], code: int, message: str) -> None:
    result = run("export", *arguments)

    assert result.exit_code == code
    assert message in result.stderr


def test_a_file_that_is_no_database_is_told(run: Run, folder: Path) -> None:
    (folder / "newscrawler.sqlite").write_text("This is not a database, only a text that is long enough." * 20)

    for command in (["articles"], ["export"], ["runs"], ["db", "upgrade"]):
        result = run(*command)

        assert result.exit_code == 3, (command, result.output)
        assert "newscrawler.sqlite" in result.stderr


def test_a_database_of_a_newer_version_is_told_and_left_alone(run: Run, database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
        connection.execute("update schema_writers set oldest = '9999'")
    connection.close()

    result = run("articles")

    assert result.exit_code == 3
    assert "newer" in result.stderr


@pytest.mark.parametrize("command", [["web", "--address", "127.0.0.1:0"], ["articles"]])
def test_a_database_of_an_earlier_version_is_not_migrated(
    run: Run, database: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setattr("newscrawler.store.schema.HEAD", "9999")
    before = database.read_bytes()

    result = run(*command)

    assert result.exit_code == 3
    assert "was written by an earlier newscrawler" in result.stderr
    assert "bring it up to date with `newscrawler db upgrade`" in result.stderr
    assert database.read_bytes() == before


def test_a_database_made_before_the_first_version_is_refused_unchanged(run: Run, database: Path) -> None:
    """Commands say how to carry its articles over; it can still be backed up."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("update alembic_version set version_num = '0032'")
        connection.commit()
    before = database.read_bytes()

    for command in (["articles"], ["export"], ["runs"], ["show", "1"], ["db", "check"], ["db", "upgrade"]):
        result = run(*command)
        assert result.exit_code == 3, command
        assert "newscrawler.sqlite was made before newscrawler 0.1.0" in result.stderr
        assert "`newscrawler collect pages.warc.gz`" in result.stderr
    assert run("db", "backup", "before.sqlite").exit_code == 0
    assert database.read_bytes() == before


@pytest.mark.usefixtures("database")
def test_runs_are_listed_newest_first(run: Run) -> None:
    rows = [line.split("\t") for line in run("runs").stdout.splitlines()[1:]]

    assert [(row[1], row[4], row[5], row[6]) for row in rows] == [("b", "9", "1", "finished"), ("a", "9", "3", "finished")]
    assert json.loads(run("runs", "--portal", "a", "--json").stdout)["counts"] == {"pages": 9, "new_articles": 3}


def test_a_database_is_made_by_upgrade(run: Run, folder: Path) -> None:
    assert run("db", "upgrade").output == "The database is new; its tables were created.\n"
    assert run("db", "upgrade").output == "The database is up to date.\n"
    assert (folder / "newscrawler.sqlite").exists()
    assert titles(run("articles")) == []


def test_the_configured_database_is_used_and_the_command_line_goes_first(run: Run, folder: Path) -> None:
    (folder / "newscrawler.toml").write_text('[crawler]\ndatabase = "sqlite:///configured.sqlite"\n', "utf-8")

    run("db", "upgrade")
    run("db", "upgrade", "--database", "other.sqlite")

    assert {path.name for path in folder.glob("*.sqlite")} == {"configured.sqlite", "other.sqlite"}


@pytest.fixture
def many(folder: Path) -> Path:
    """Articles that fill more than a pipe takes."""
    path = folder / "newscrawler.sqlite"
    text = "slovo " * 2000
    fill(path, {"a": [article(n, paragraphs=(Paragraph(text=f"{n} {text}"),)) for n in range(200)]})
    return path


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("command", ["export", "articles --json --limit 0"])
def test_a_reader_that_stops_reading_is_no_error(command: str) -> None:
    arguments = [sys.executable, "-m", "newscrawler", *command.split()]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout
        assert child.stderr
        child.stdout.readline()
        child.stdout.close()

        assert child.stderr.read() == b""
        assert child.wait(30) == 141


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_export_that_is_stopped_leaves_nothing(folder: Path, number: signal.Signals, code: int) -> None:
    # The store is made slow in the middle, so that the signal comes there.
    program = (
        "import time, sys\n"
        "from newscrawler.store.articles.articles import Articles\n"
        "stream = Articles.stream\n"
        "def slow(self, selection, **options):\n"
        "    for count, each in enumerate(stream(self, selection, **options)):\n"
        "        if count == 100:\n"
        "            print('half', flush=True)\n"
        "            time.sleep(30)\n"
        "        yield each\n"
        "Articles.stream = slow\n"
        "from newscrawler.cli import main\n"
        "main(['export', '--output', 'articles.csv'], prog_name='newscrawler')\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout
        assert child.stderr
        assert child.stdout.readline() == b"half\n"
        assert any(path.suffix == ".part" for path in folder.iterdir())
        child.send_signal(number)

        assert child.wait(20) == code
        assert b"Traceback" not in child.stderr.read()
    assert {path.name.partition("-")[0] for path in folder.iterdir()} == {"newscrawler.sqlite"}


def test_links_are_judged_one_a_line(run: Run) -> None:
    questions = [
        {"id": 1, "page_url": "https://example.org/", "href": "/2026/02/01/zprava.html", "anchor": "Zpráva", "where": "main"},
        {"id": 2, "page_url": "https://example.org/", "href": ""},
        {"id": 3, "page_url": "https://example.org/", "href": "http://[::1"},
        {"id": 4, "page_url": 3, "href": "/a"},
    ]

    result = run("classify", "--jsonl", "--rule", "documents", stdin="".join(json.dumps(q) + "\n" for q in questions))

    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2, 3, 4]
    assert answers[0]["label"] == "article"
    assert {"score", "why"} <= answers[0].keys()
    assert [("error" in answer) for answer in answers] == [False, True, True, True]


def test_an_unknown_rule_is_told(run: Run) -> None:
    assert "There is no magic. Choose one of: default, documents" in run("classify", "--jsonl", "--rule", "magic").stderr


@pytest.mark.usefixtures("database")
def test_a_file_an_article_goes_into_a_folder_and_can_be_gone_on_with(run: Run, folder: Path) -> None:
    first = run("export", "--format", "txt", "--output", "texts/", "--portal", "a", "--no-header")
    names = sorted(path.name for path in (folder / "texts").iterdir())
    (folder / "texts" / names[0]).write_text("kept")
    again = run("export", "--format", "txt", "--output", "texts/")
    resumed = run("export", "--format", "txt", "--output", "texts/", "--resume")

    assert first.exit_code == resumed.exit_code == 0
    assert names == [f"a_2026-02-0{n + 1}_00000000{n + 1}.txt" for n in range(3)]
    assert (again.exit_code, "continue with --resume" in again.stderr) == (2, True)
    assert len(list((folder / "texts").iterdir())) == 4
    assert (folder / "texts" / names[0]).read_text() == "kept"


def test_duplicates_are_left_out_and_listed(run: Run, folder: Path) -> None:
    same = {"title": "Táž zpráva"}
    agency = Paragraph(text="Tuto zprávu převzala redakce od agentury beze změny.")
    articles = [article(1, **same), article(3, paragraphs=(agency,)), article(4, paragraphs=(agency, Paragraph(text="Vlastní.")))]
    fill(folder / "newscrawler.sqlite", {"a": articles, "b": [article(1, **same), article(5, paragraphs=(agency,))]})

    result = run("export", "--deduplicate", "exact", "--recurring", "3", "--duplicates", "left-out.jsonl")

    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(record["id"], record["body"]) for record in records[1:]] == [(2, agency.text), (3, "Vlastní.")]
    left = [json.loads(line) for line in (folder / "left-out.jsonl").read_text("utf-8").splitlines()]
    assert [(each["kind"], each["article_id"], each["kept_id"]) for each in left] == [
        ("same title and body", 4, 1),
        ("paragraph of another article", 3, 2),
        ("paragraph of another article", 5, 2),
    ]
    assert "Left out: 2 of paragraph of another article." in result.stderr
    assert "Nothing was left out as a duplicate." in run("export", "--recurring", "9").stderr
    assert "left out" not in run("export").stderr
