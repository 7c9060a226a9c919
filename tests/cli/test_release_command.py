from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result

from newscrawler.article import Article, Paragraph
from newscrawler.store import open_store
from newscrawler.store.vocabularies import FINISHED

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def database(folder: Path) -> Path:
    path = folder / "newscrawler.sqlite"
    with open_store(f"sqlite:///{path}") as store:
        run, _ = store.runs.begin("a", now=datetime.now(UTC), version="test")
        for number in (1, 2):
            article = Article(
                title=f"Zpráva {number}", paragraphs=(Paragraph(text=f"Text {number}."),), url=f"http://127.0.0.1/{number}",
                language="cs", published_at=datetime(2026, 2, number, tzinfo=UTC), method="default", confidence=0.9,
            )  # fmt: skip
            store.articles.add("a", article)
        store.runs.end(run.id, now=datetime.now(UTC), because=FINISHED, counts={})
    return path


def create(run: Run, name: str, *more: str) -> Result:
    return run("release", "create", name, "--creator", "Eva Malá", *more)


def test_a_release_is_made_listed_checked_and_made_again(run: Run, folder: Path) -> None:
    made = create(run, "r1", "--since", "2026-02-02", "--format", "jsonl", "--format", "markdown")
    again = run("release", "again", "r1", "--output", "r1-again")

    assert made.stdout == "1 article released as r1 in r1.\n", made.stderr
    assert again.stdout == "r1-again is r1, byte for byte.\n"
    assert run("again", "r1", "--output", "r1-third").stdout == "r1-third is r1, byte for byte.\n"
    assert run("again", "r1/manifest.json").exit_code == 2
    assert run("release", "verify", "r1").stdout.endswith("files are as they were released.\n")
    (record,) = [json.loads(line) for line in run("release", "list", "--json").stdout.splitlines()]
    assert (record["name"], record["articles"], record["recipe"]["selection"]) == ("r1", 1, {"since": "2026-02-02"})
    assert run("release", "list").stdout.splitlines()[1].startswith("r1\t")
    (folder / "newscrawler.toml").write_text('[[portal]]\nname = "a"\nstart_urls = ["http://127.0.0.1:1/"]\n', "utf-8")
    assert "r1\t" in run("status").stdout
    assert json.loads(run("status", "--json").stdout)["releases"][0]["name"] == "r1"


def test_a_release_that_is_not_the_same_any_more_says_so(run: Run, database: Path) -> None:
    create(run, "r1")
    with open_store(f"sqlite:///{database}") as store:
        store.rights.purge({1: None}, now=datetime.now(UTC))

    again = run("release", "again", "r1", "--output", "r2")
    difference = run("release", "diff", "r1", "r2")

    lost = "r2 is not the same as r1: 1 article withdrawn, gone or removed since; r2/tombstones.jsonl lists them.\n"
    assert (again.exit_code, again.stdout) == (1, f"removed\thttp://127.0.0.1/1\n{lost}")
    assert (difference.stdout, difference.stderr) == ("removed\thttp://127.0.0.1/1\n", "1 removed\n")


def test_a_release_of_an_earlier_newscrawler_is_selected_anew(run: Run, database: Path) -> None:
    create(run, "r1")
    with open_store(f"sqlite:///{database}") as store, store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE release SET facts = NULL")
        connection.exec_driver_sql("DELETE FROM release_document")

    same = run("release", "again", "r1", "--output", "r2")
    with open_store(f"sqlite:///{database}") as store:
        store.rights.purge({1: None}, now=datetime.now(UTC))
    other = run("release", "again", "r1", "--output", "r3")

    assert (same.exit_code, same.stdout) == (0, "r2 is r1, byte for byte.\n")
    assert (other.exit_code, "earlier newscrawler made without keeping its articles" in other.stdout) == (1, True)
    assert "newscrawler release diff" in other.stdout


def test_texts_are_rebuilt(run: Run, folder: Path) -> None:
    create(run, "dry", "--dehydrated")

    result = run("release", "hydrate", "dry", "--output", "texts.csv")

    assert result.stdout == "2 articles written to texts.csv; 0 are not in the database, 0 have changed.\n"
    assert "Text 2." in (folder / "texts.csv").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["create", "r1"], 2, "give --creator"),
        (["create", "r1", "--creator", "E", "--format", "docx"], 2, "docx is not a format of releases"),
        (["create", "r1", "--creator", "E", "--portal", "b"], 2, "the database has no portal b; it has: a"),
        (["create", "r1", "--creator", "E", "--language", "de"], 2, "no article matches the selection"),
        (["again", "r1", "--output", "x"], 2, "the database has no release r1; it has: none"),
        (["verify", "."], 2, ". is not a release"),
        (["diff", ".", "absent"], 2, ". is not a release"),
        (["hydrate", ".", "--output", "x.jsonl"], 2, ". is not a release"),
        (["hydrate", ".", "--output", "x.pdf"], 2, "ends in no format"),
    ],
)
def test_what_cannot_be_done_is_refused(run: Run, folder: Path, arguments: list[str], code: int, message: str) -> None:
    result = run("release", *arguments)

    assert (result.exit_code, message in result.stderr) == (code, True), result.stderr
    assert {path.name.partition("-")[0] for path in folder.iterdir()} == {"newscrawler.sqlite"}


def add_article(database: Path, portal: str, day: datetime, text: str) -> None:
    with open_store(f"sqlite:///{database}") as store:
        article = Article(
            title="Same", paragraphs=(Paragraph(text=text),), url=f"http://{portal}.example/{day:%Y%m%d}", language="cs",
            published_at=day, method="default", confidence=0.9, keywords=("bridge", "flood"), section="Home",
        )  # fmt: skip
        store.articles.add(portal, article)


def test_increments_have_each_article_once_and_duplicates_of_other_months_stay(run: Run, folder: Path, database: Path) -> None:
    add_article(database, "b", datetime(2026, 3, 1, tzinfo=UTC), "The same text.")
    first = create(run, "monitor", "--increment", "--deduplicate", "exact", "--window", "month", "--output", "one")
    assert first.exit_code == 0, first.stderr
    add_article(database, "c", datetime(2026, 3, 20, tzinfo=UTC), "The same text.")
    add_article(database, "d", datetime(2026, 4, 2, tzinfo=UTC), "The same text.")
    second = create(run, "monitor", "--increment", "--deduplicate", "exact", "--window", "month", "--output", "two")
    assert second.stdout.startswith("1 article released as monitor-"), second.stderr
    documents = [json.loads(line) for line in (folder / "two" / "documents.jsonl").read_text().splitlines()]
    assert [each["date"] for each in documents] == ["2026-04-02"]  # that of March is a duplicate of one in the first increment
    (left,) = [json.loads(line) for line in (folder / "two" / "duplicates.jsonl").read_text().splitlines()]
    assert (left["article_id"], left["kept_id"]) == (4, 3)
    name = second.stdout.split()[4]
    assert run("release", "again", name, "--output", "two-again").stdout == f"two-again is {name}, byte for byte.\n"
    recipe = json.loads((folder / "one" / "manifest.json").read_text())["recipe"]
    assert (recipe["series"], recipe.get("after_id", 0), recipe["until_id"]) == ("monitor", 0, 3)
    balance = json.loads((folder / "one" / "balance.json").read_text())
    assert balance["months"] == {"a": {"2026-02": 2}, "b": {"2026-03": 1}}
    assert balance["sections"]["b"] == {"Home": 1}
    assert balance["keywords"]["2026-03-01"] == {"bridge": 1, "flood": 1}
