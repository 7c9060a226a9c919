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


@pytest.fixture
def database(folder: Path) -> Path:
    path = folder / "newscrawler.sqlite"
    with open_store(f"sqlite:///{path}") as store:
        for number, text in enumerate(("Povodeň zasáhla město. " + "Voda stoupá. " * 40, "Město slaví."), 1):
            article = Article(
                title=f"Zpráva {number}", paragraphs=(Paragraph(text=text),), url=f"http://127.0.0.1/{number}", language="cs",
                published_at=datetime(2026, 2, number, 10, tzinfo=UTC), method="default", confidence=0.9, authors=("Eva Malá",),
            )  # fmt: skip
            run, _ = store.runs.begin("a", now=datetime.now(UTC), version="test")
            store.articles.add("a", article)
            store.runs.end(run.id, now=datetime.now(UTC), because=FINISHED, counts={})
    return path


@pytest.mark.usefixtures("database")
def test_a_search_lists_articles_with_the_passage_that_was_found(run: Run) -> None:
    result = run("search", "povoden mesto", "--author", "Eva Malá")

    assert result.stdout.startswith("1  Zpráva 1  2026-02-01  a  cs\n    Povodeň zasáhla město. Voda")
    assert result.stdout.endswith("…\n")
    assert result.stderr == "1 article found.\n"


@pytest.mark.usefixtures("database")
def test_a_search_for_scripts_marks_the_hits(run: Run) -> None:
    (record,) = [json.loads(line) for line in run("search", "slavi", "--json", "--since", "2026-02-02").stdout.splitlines()]

    assert (record["id"], record["date"], record["portal"]) == (2, "2026-02-02", "a")
    assert record["snippet"] == [["Město ", False], ["slaví", True], [".", False]]


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mesto AND"], "the query 'mesto AND' cannot be read"),
        (["mesto", "--portal", "x"], "the database has no portal x; it has: a"),
    ],
)
def test_a_search_that_cannot_be_made_is_refused_in_a_sentence(run: Run, arguments: list[str], message: str) -> None:
    result = run("search", *arguments)

    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.usefixtures("database")
def test_a_search_without_a_hit_says_so(run: Run) -> None:
    result = run("search", "nic")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "0 articles found.\n")
