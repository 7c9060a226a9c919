from __future__ import annotations

import csv
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result

import newscrawler
from newscrawler.article import Article, Paragraph
from newscrawler.store import open_store
from newscrawler.store.vocabularies import FINISHED

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def database(folder: Path) -> Path:
    path = folder / "newscrawler.sqlite"
    with open_store(f"sqlite:///{path}") as store:
        for number in range(1, 7):
            portal = "ab"[number % 2]
            body = Paragraph(text=f"=Heavy flood hit {'Prague' if number % 2 else 'Brno'} again.")
            store.articles.add(
                portal,
                Article(
                    title=f"News {number}", paragraphs=(body,), url=f"http://127.0.0.1/{number}", language="en", confidence=0.9,
                    published_at=datetime(2026, number, 10, tzinfo=UTC), method="default",
                ),
            )  # fmt: skip
        for portal in "ab":
            run, _ = store.runs.begin(portal, now=datetime.now(UTC), version="test")
            store.runs.end(run.id, now=datetime.now(UTC), because=FINISHED, counts={})
    return path


def test_a_concordance_is_printed_or_written(run: Run, folder: Path) -> None:
    printed = run("concordance", "flood", "--width", "1", "--portal", "b", "--sort", "right")
    assert run("concordance", "flood", "--output", "kwic.csv").stderr == "6 occurrences written to kwic.csv.\n"
    run("concordance", "flood", "--output", "kwic.html")

    assert printed.stdout.splitlines()[1] == "1\tb\t2026-01-10\tHeavy\tflood\thit"
    assert printed.stderr == "3 occurrences.\n"
    assert run("concordance", "flood", "--limit", "6").stderr == "6 occurrences.\n"
    assert run("concordance", "flood", "--limit", "5").stderr == "The first 5 occurrences; there are more (--limit).\n"
    rows = list(csv.DictReader((folder / "kwic.csv").read_text("utf-8-sig").splitlines()))
    assert [row["hit"] for row in rows] == ["flood"] * 6
    assert (folder / "kwic.html").read_text("utf-8").count('<td class="h"') == 6


def test_statistics_are_printed(run: Run) -> None:
    counted = run("frequencies", "--n", "2", "--limit", "1", "--by", "portal", "--json").stdout
    frequencies = [json.loads(line) for line in counted.splitlines()]

    assert frequencies == [
        {"portal": "a", "words": "brno again", "count": 3, "per million": 200_000.0},
        {"portal": "b", "words": "flood hit", "count": 3, "per million": 200_000.0},
    ]
    assert run("collocates", "flood", "--window", "1").stdout.splitlines()[1].startswith("hit\t6\t6\t14.0\t")
    assert run("keywords", "portal=b", "portal=a", "--least", "1").stdout.splitlines()[1].split("\t")[:3] == ["prague", "3", "0"]
    assert len(run("trends", "flood").stdout.splitlines()) == 6


def test_a_trend_is_a_chart_or_a_table(run: Run, folder: Path) -> None:
    run("trends", "prague", "--output", "t.svg")
    run("trends", "prague", "--period", "year", "--output", "t.csv")

    assert (folder / "t.svg").read_text().count("<circle") == 6
    assert (folder / "t.csv").read_text("utf-8-sig").splitlines() == [
        'year,articles,words,prague,"prague, per million words"',
        "2026,6,30,3,100000.0",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["concordance", "flood", "--output", "x.pdf"], "x.pdf ends neither in .csv nor in .html"),
        (["concordance", "absent", "--output", "x.csv"], "nothing matches 'absent'; no file is written"),
        (["frequencies", "--output", "x.pdf"], "x.pdf does not end in .csv; name"),
        (["trends", "flood", "--output", "x.pdf"], "x.pdf does not end in .csv or .svg; name"),
        (["frequencies", "--language", "xx", "--output", "x.csv"], "no article matches the selection; no file is written"),
        (["frequencies", "--annotate", "spacy:none"], "pip install spacy"),
        (["keywords", "portal=a", "language=xx"], "one of the two selections has no article"),
        (["keywords", "portal=a", "colour=red"], "colour=red is not a condition; write NAME=VALUE"),
        (["trends", "(flood"], "a parenthesis is not closed"),
    ],
)
def test_what_cannot_be_counted_is_refused_and_nothing_written(run: Run, folder: Path, arguments: list[str], message: str) -> None:
    before = set(folder.iterdir())

    result = run(*arguments)

    assert result.exit_code == 2
    assert message in result.stderr
    assert {path.suffix for path in set(folder.iterdir()) - before} <= {".sqlite-wal", ".sqlite-shm"}


def test_near_duplicates_are_left_out_unless_they_are_wanted(run: Run, folder: Path) -> None:
    with open_store(f"sqlite:///{folder}/newscrawler.sqlite") as store:
        for number, portal in enumerate("aab", 20):
            body = (Paragraph(text=f"A ferry, the ferry, and a ferry until {number} May."),)
            ferry = Article(
                title=f"Ferry {number}", paragraphs=body, url=f"http://127.0.0.1/{number}", language="fi", confidence=0.9,
                published_at=datetime(2026, 9, 1, tzinfo=UTC), method="default",
            )  # fmt: skip
            store.articles.add(portal, ferry)
        with store.engine.begin() as connection:  # the third is like the second, which is like the first
            connection.exec_driver_sql("UPDATE article SET similar_to_id = id - 1 WHERE id IN (8, 9)")

    def count(*arguments: str) -> int:
        rows = [json.loads(line) for line in run("frequencies", "--language", "fi", "--json", *arguments).stdout.splitlines()]
        return next(row["count"] for row in rows if row["words"] == "ferry")

    assert (count(), count("--portal", "b"), count("--with-duplicates")) == (3, 3, 9)
    said = run("frequencies", "--language", "fi").stderr
    assert "Left out: 2 near-duplicates; --with-duplicates counts them, too." in said
    trend = json.loads(run("trends", "ferry", "--language", "fi", "--json").stdout)
    assert (trend["articles"], trend["ferry"]) == (1, 3)


def test_a_list_that_is_cut_says_so(run: Run) -> None:
    assert run("frequencies", "--limit", "2").stderr == "The first 2 are listed; --limit N lists more.\n"
    assert run("articles", "--limit", "4").stderr == "4 of 6 are listed; --limit N lists more.\n"
    assert run("articles", "--limit", "6").stderr == run("articles", "--limit", "0").stderr == ""
    assert run("runs", "--limit", "1").stderr == "The first 1 are listed; --limit N lists more.\n"


def test_statistics_in_a_notebook_are_those_of_the_commands(run: Run, database: Path) -> None:
    def read(*words: str) -> list[dict[str, object]]:
        return [json.loads(line) for line in run(*words, "--json").stdout.splitlines()]

    with newscrawler.open(database) as corpus:
        assert list(corpus.frequencies(n=2)) == read("frequencies", "--n", "2")
        assert list(corpus.collocates("flood", window=2, least=1)) == read("collocates", "flood", "--window", "2", "--least", "1")
        found = corpus.select(portal="b").keywords(corpus.select(portal="a"), least=1)
        assert list(found) == read("keywords", "portal=b", "portal=a", "--least", "1")
        assert list(corpus.trends("prague", "brno")) == read("trends", "prague", "brno")
        assert [row["hit"] for row in corpus.concordance("flood")] == [row["hit"] for row in read("concordance", "flood")]


def test_a_figure_is_made_again_from_the_file_itself(run: Run, folder: Path) -> None:
    run("trends", "flood", "--output", "t.svg")
    run("frequencies", "--language", "en", "--limit", "3", "--output", "f.csv")
    run("export", "--output", "a.jsonl")
    for name in ("t.svg", "f.csv", "f.csv.recipe.json", "a.jsonl"):
        assert run("again", name).exit_code == 0
    printed = run("again", "f.csv", "--output", "again.csv").stdout.splitlines()
    assert printed[0] == "Frequencies (length 1). Selection: language en."
    assert printed[2:] == ["6 articles, with the same texts.", "The result is the same."]
    assert (folder / "again.csv").read_bytes() == (folder / "f.csv").read_bytes()
    assert run("again", "a.jsonl", "--output", "b.jsonl").exit_code == 0

    with open_store(f"sqlite:///{folder}/newscrawler.sqlite") as store:
        flood = Article(
            title="New", paragraphs=(Paragraph(text="A flood, a flood."),), url="http://127.0.0.1/9", language="en", confidence=0.9,
            published_at=datetime(2026, 6, 11, tzinfo=UTC), method="default",
        )  # fmt: skip
        store.articles.add("a", flood)
    changed = run("again", "t.svg")
    assert changed.exit_code == 1
    assert changed.stdout.splitlines()[2:] == [
        "7 articles, then 6: 1 added, 0 removed.", "The result differs.", "2026-06: 1, 5, 1, 200000.0 → 2, 9, 3, 333333.33",
    ]  # fmt: skip
    told = json.loads(run("again", "t.svg", "--json").stdout)
    assert (told["added"], told["is_same"], told["now"]["articles"]["count"]) == (1, False, 7)


def test_a_recipe_runs_no_code_that_its_reader_did_not_name(run: Run, folder: Path) -> None:
    run("frequencies", "--output", "f.csv")
    recipe = json.loads((folder / "f.csv.recipe.json").read_text())
    recipe["parameters"]["annotate"] = "os:system"
    (folder / "f.csv.recipe.json").write_text(json.dumps(recipe))

    refused = run("again", "f.csv")

    assert refused.exit_code == 2
    assert "the recipe names os:system; if you trust it, repeat the name: --annotate os:system" in refused.stderr
    assert run("again", "absent.svg").exit_code == 2
