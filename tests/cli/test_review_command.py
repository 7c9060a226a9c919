"""`newscrawler review`, and `newscrawler evaluate portal:NAME` on what people found."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import Result
from kept_pages import NOON, Archive
from portal_server import address, story

from newscrawler.cli.review import FAULTS
from newscrawler.store.archive import ArchiveLimits, clean_up
from newscrawler.store.articles import Fault

Run = Callable[..., Result]


@pytest.fixture
def archive(folder: Path) -> Archive:
    """Twelve articles in three sections."""
    made = Archive(folder)
    sections = ("zpravy", "sport", "kultura")
    made.night(
        [
            (f"https://example.org/{sections[number % 3]}/{number}{address(number).replace('/', '-')}", story(number))
            for number in range(1, 13)
        ]
    )
    return made


def drawn(run: Run, *options: object) -> list[int]:
    return [json.loads(line)["id"] for line in run("review", "sample", "portal", "--json", *options).stdout.splitlines()]


def test_the_words_for_faults_are_those_of_the_store() -> None:
    assert list(FAULTS) == [str(fault) for fault in Fault]


def test_a_seed_draws_the_same_articles_of_every_section(run: Run, archive: Archive) -> None:
    assert archive
    lines = [json.loads(line) for line in run("review", "sample", "portal", "--json", "-n", 6, "--seed", 3).stdout.splitlines()]

    assert sorted(line["section"] for line in lines) == ["kultura"] * 2 + ["sport"] * 2 + ["zpravy"] * 2
    assert drawn(run, "-n", 6, "--seed", 3) == [line["id"] for line in lines]
    assert set(drawn(run, "-n", 3, "--seed", 3)) <= set(drawn(run, "-n", 6, "--seed", 3))
    assert drawn(run, "-n", 6, "--seed", 4) != drawn(run, "-n", 6, "--seed", 3)


def test_methods_are_held_against_what_people_found(run: Run, archive: Archive, folder: Path) -> None:
    assert archive
    run("review", "judge", 1, "--right")
    run("review", "judge", 2, "--fault", "lead-missing")
    gold = json.loads(run("review", "show", 3, "--json").stdout)
    gold["title"] = "Něco docela jiného"
    (folder / "3.json").write_text(json.dumps(gold), "utf-8")
    run("review", "judge", 3, "--fault", "title-wrong", "--correct", "3.json", "--note", "titulek")
    run("review", "judge", 4, "--fault", "no-article")
    result = run("evaluate", "portal:portal", "--methods", "default", "--csv", "--no-cache", "--processes", 1)

    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["id"] for row in rows] == ["portal:1", "portal:2", "portal:3", "portal:4"]
    assert [row["title"] for row in rows][:3] == ["1", "", "0"]
    assert float(rows[0]["f1"]) == 1
    assert rows[0]["verdict"] == "right"
    assert [line.split("\t")[4] for line in run("review", "list").stdout.splitlines()[1:]] == [
        "right",
        "lead-missing",
        "title-wrong",
        "no-article",
    ]


def test_what_is_judged_faulty_and_not_corrected_counts_as_faulty(run: Run, archive: Archive) -> None:
    assert archive
    for number in (1, 2, 3):
        run("review", "judge", number, "--right")
    run("review", "judge", 4, "--fault", "part-missing", "--fault", "date-wrong")
    run("review", "judge", 5, "--fault", "authors-wrong")

    result = run("evaluate", "portal:portal", "--methods", "default,all_text", "--csv", "--no-cache", "--processes", 1)

    rows = list(csv.DictReader(result.stdout.splitlines()))
    said = {(row["method"], row["id"]): row["verdict"] for row in rows}
    assert [said["default", f"portal:{number}"] for number in range(1, 6)] == ["right", "right", "right", "part missing", "right"]
    assert said["all_text", "portal:4"] == ""  # another answer than the one that was judged


def test_table_1_is_what_people_found_of_a_portal(run: Run, archive: Archive) -> None:
    assert archive
    run("review", "judge", 1, "--right")
    run("review", "judge", 2, "--fault", "lead-missing", "--fault", "foreign-text")
    run("review", "judge", 3, "--fault", "no-article")

    lines = run("evaluate", "portal:portal", "--table", "000.1").stdout.splitlines()

    assert lines[0] == "000 table 1: accuracy by portal, judged by people"
    assert lines[2].split("\t") == ["portal", "12", "3", "1", "1", "1", "0", "0", "33.3 %"]


def test_table_2_counts_the_stored_articles_of_a_portal(run: Run, archive: Archive) -> None:
    assert archive

    (row,) = run("evaluate", "portal:portal", "--table", "004.2").stdout.splitlines()[2:]

    assert row.split("\t")[3:] == ["12", "0", "no"]


def test_a_later_verdict_stands_in_place_of_the_earlier_one(run: Run, archive: Archive) -> None:
    assert archive
    run("review", "judge", 1, "--fault", "date-wrong")
    run("review", "judge", 1, "--right")
    assert run("review", "list").stdout.count("\n") == 2
    run("review", "remove", 1)
    assert run("review", "list").stdout.count("\n") == 1
    assert run("review", "remove", 1).exit_code == 2


def test_reviewed_pages_outlive_the_others(run: Run, archive: Archive) -> None:
    run("review", "judge", 1, "--right")
    run("review", "judge", 5, "--right")
    with archive.open() as store:
        clean_up(store.pages, archive.pages, archive.portal, ArchiveLimits(days=1, megabytes=1), now=NOON + timedelta(days=400))
        assert [(file.pages, file.reviewed) for file in store.pages.files()] == [(2, True)]
    result = run("evaluate", "portal:portal", "--methods", "default", "--csv", "--no-cache", "--processes", 1)

    assert len(list(csv.DictReader(result.stdout.splitlines()))) == 2
    assert run("review", "show", 2).exit_code == 5


def test_one_goes_through_a_sample_at_the_terminal(run: Run, archive: Archive) -> None:
    assert archive
    first, second, third = drawn(run, "-n", 3)
    result = run("review", "start", "portal", "-n", 3, stdin="x\nr\n2, authors-wrong\ns\n")

    assert "1 of 3" in result.stdout
    found = {line.split("\t")[0]: line.split("\t")[4] for line in run("review", "list").stdout.splitlines()[1:]}
    assert found == {str(first): "right", str(second): "lead-missing, authors-wrong"}
    assert "1 of 1" in run("review", "start", "portal", "-n", 3, stdin="q\n").stdout
    assert str(third) not in found


def test_a_table_of_templates_is_made_of_all_kept_pages_without_a_review(run: Run, archive: Archive) -> None:
    assert archive
    found = run("evaluate", "portal:portal", "--table", "004.3", "--selector", "title=h1", "--json")

    (row,) = json.loads(found.stdout)["rows"]
    assert (row["portal"], row["articles"], row["learned"], row["fields"]) == ("portal", 12, 2, "title")


def test_page_and_article_stand_side_by_side_and_load_nothing(run: Run, archive: Archive, folder: Path) -> None:
    assert archive
    run("review", "show", 1, "--html", "1.html")
    text = (folder / "1.html").read_text("utf-8")

    assert "default-src 'none'" in text
    assert 'sandbox=""' in text
    assert "newscrawler review judge 1 --right" in text


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["review", "judge", "1"], 2, "say --right"),
        (["review", "judge", "1", "--right", "--fault", "other"], 2, "say --right"),
        (["review", "judge", "1", "--fault", "ugly"], 2, "ugly"),
        (["review", "judge", "99", "--right"], 2, "no article 99"),
        (["review", "judge", "1", "--fault", "other", "--correct", "none.json"], 2, "none.json cannot be read"),
        (["review", "sample", "nobody"], 2, "no portal nobody"),
        (["evaluate", "portal:portal"], 2, "no article of portal has been reviewed yet"),
        (["evaluate", "portal:nobody"], 2, "no portal nobody"),
    ],
)
def test_what_cannot_be_is_told(run: Run, archive: Archive, arguments: list[str], code: int, said: str) -> None:
    assert archive
    result = run(*arguments)

    assert result.exit_code == code
    assert said in result.stderr
