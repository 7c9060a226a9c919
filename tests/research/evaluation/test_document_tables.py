"""`newscrawler evaluate --table`: the tables of the source documents."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from newscrawler.cli.evaluate import TABLES
from newscrawler.cli.main import main
from newscrawler.cli.screen import split_blocks
from newscrawler.research.evaluation.document_table import NOT_COMPARABLE, DocumentTable
from newscrawler.research.evaluation.template_tables import Learning, exponent

Rows = Callable[..., dict[str, Any]]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["evaluate", *map(str, arguments), "--no-cache", "--processes", "1"])


def table(found: Result, number: int = 0) -> list[list[str]]:
    """The rows of one of the tables that were printed."""
    assert found.exit_code == 0, found.output
    return [line.split("\t") for line in found.stdout.split("\n\n")[number].splitlines()[2:]]


@pytest.fixture
def data(write_rows: Callable[..., Path], make_row: Rows) -> Path:
    return write_rows([make_row(number, portal=f"p{number % 2}.example", date=f"{2020 + number}-05-01") for number in range(8)])


def test_the_command_knows_every_table_and_why_it_is_not_comparable() -> None:
    assert list(TABLES) == [str(name) for name in DocumentTable]
    assert list(NOT_COMPARABLE) == list(DocumentTable)


def test_what_cannot_be_compared_is_printed_beside_the_table_and_given_as_json(data: Path) -> None:
    reason = NOT_COMPARABLE[DocumentTable.COLLECTED]

    assert reason in " ".join(run(data, "--table", "004.2").stderr.split())
    assert json.loads(run(data, "--table", "004.2", "--json").stdout)["not_comparable"] == reason


def test_table_1_counts_kinds_of_errors_by_portal_with_mean_and_deviation(data: Path) -> None:
    found = run(data, "--table", "000.1", "--methods", "all_text,pagelet[least_share=0.35]")

    assert table(found)[:3] == [
        ["p0.example", "4", "4", "0", "0", "0", "0", "4", "0.0 %"],
        ["p1.example", "4", "4", "0", "0", "0", "0", "4", "0.0 %"],
        ["total", "8", "8", "0", "0", "0", "0", "8", "0.0 %"],
    ]
    assert [row[-1] for row in table(found, 3)[2:]] == ["100.0 %", "100.0 %", "0.0 %"]
    assert [row[1] for row in table(found, 4)] == ["100.0 %", "100.0 %"]
    assert table(found, 2)[2][:3] == ["ads or captions", "8", "100.0 %"]


def test_a_page_on_which_only_the_other_is_right_is_counted_so(data: Path) -> None:
    found = run(data, "--table", "000.4.2", "--versus", "all_text", "--methods", "pagelet,all_text")

    assert table(found) == [["pagelet", "8", "0.0 %", "0.0 %", "0.0 %", "100.0 %", "0.0 %"]]


def test_the_subsequence_is_measured_at_the_documents_value_and_at_others(data: Path) -> None:
    rows = table(run(data, "--table", "001"))
    alone = table(run(data, "--table", "001", "--methods", "mss"))

    assert [row[0] for row in rows] == [f"mss[tag_cost={cost}]" for cost in (1.0, 2.0, 3.25, 5.0, 7.0)]
    assert {row[1] for row in rows} == {"8"}
    assert all(0 < float(value) <= 1 for row in rows for value in row[2:])
    assert alone == [["mss", *rows[2][1:]]]


def test_the_first_and_the_last_year_are_those_of_the_gold(data: Path) -> None:
    assert table(run(data, "--table", "004.2")) == [
        ["p0.example", "2020", "2026", "4", "0", "no"],
        ["p1.example", "2021", "2027", "4", "0", "no"],
    ]


@pytest.mark.parametrize(
    "html",
    [
        "<html lang=en-GB>",
        "<html lang=cs><link rel=alternate hreflang=en href=/en/>",
        "<html lang=cs><a hreflang=EN href=/en/>x</a>",
    ],
)
def test_an_english_version_is_one_that_a_page_is_or_names(write_rows: Callable[..., Path], make_row: Rows, html: str) -> None:
    row = make_row(1, date="2020-05-01")
    row["html"] = html + row["html"].replace("<html>", "").replace("<html lang=en>", "")

    assert table(run(write_rows([row]), "--table", "004.2"))[0][-1] == "yes"


def test_the_wrapper_is_marked_by_hand_and_learned_and_an_advertisement_is_over_extraction(
    write_rows: Callable[..., Path], make_row: Rows
) -> None:
    rows = [make_row(number, date="2026-02-05") for number in range(4)]
    for row in rows:
        row["html"] = row["html"].replace("<div class='story'>", "<p class=date>2026-02-05</p><div class='story'>")
    rows[0]["html"] = rows[0]["html"].replace("</p></div>", "</p><p>Buy our new summer tyres at half the price today.</p></div>")
    found = table(run(write_rows(rows), "--table", "002.4.2"))

    assert [line[:10] for line in found] == [
        [portal, way, "3", "1", "0", "0", "0", "4", "0", "0"]
        for portal in ("one.example", "total")
        for way in ("manual", "automatic")
    ]
    assert [line[11] for line in found] == ["1.000"] * 4


def test_dates_are_not_counted_where_the_gold_has_none(write_rows: Callable[..., Path], make_row: Rows) -> None:
    rows = [make_row(number) for number in range(3)]
    for row in rows:
        row["gold"].pop("date", None)

    found = table(run(write_rows(rows), "--table", "002.4.2"))

    assert {tuple(line[7:10]) for line in found} == {("–", "–", "–")}


def test_pages_of_another_layout_do_not_match_and_a_wrong_headline_is_counted(
    write_rows: Callable[..., Path], make_row: Rows
) -> None:
    rows = [make_row(number, date=f"2026-02-{number + 1:02}") for number in range(6)]
    rows[2]["html"] = "<html><body><table><tr><td>Something else</td></tr></table></body></html>"
    rows[3]["gold"]["title"] = "Another headline"

    (row,) = table(run(write_rows(rows), "--table", "004.3"))

    assert row[0] == "one.example"
    assert row[2:] == ["6", "2", "16.7 %", "0.0 %", "16.7 %", "title"]


def test_a_selector_written_by_hand_takes_the_place_of_gold(data: Path) -> None:
    found = run(data, "--table", "004.3", "--selector", "title=h1", "--json")

    assert [row["wrong"] for row in json.loads(found.stdout)["rows"]] == ["0.0 %", "0.0 %"]


def test_the_methods_that_learn_need_two_pages(data: Path) -> None:
    rows = table(run(data, "--table", "004.1"))

    assert [row[:2] for row in rows] == [[name, "2 or more"] for name in ("road_runner", "fivatech", "trinity")]
    assert all(row[3].startswith("n^") for row in rows)


def test_growth_is_the_power_within_portals() -> None:
    portals = [[Learning(size, factor * size**2) for size in (10, 20, 40)] for factor in (1.0, 1000.0)]

    assert math.isclose(exponent(portals) or 0, 2)
    assert exponent([[Learning(10, 1.0)]]) is None


@pytest.mark.parametrize("width", [80, 60])
def test_wide_tables_fit_the_terminal_and_lose_no_figure(width: int) -> None:
    heading = ["portal", *(f"column {number}" for number in range(15))]
    rows = [
        ["a-very-long-name-of-a-portal-in-the-north.example", *(f"{number}.{number:05}" for number in range(15))],
        ["b", *["–"] * 15],
    ]

    printed: Sequence[str] = [line for block in split_blocks(rows, heading, width) for line in block]

    assert max(map(cell_len, printed)) <= width
    assert all(any(figure in line.split() for line in printed) for figure in rows[0][1:])
    assert "a-very-long-name-of-a-portal-in-the-north.example"[:28] in {line.split()[0] for line in printed}


def test_every_part_of_a_wide_table_has_the_words_that_name_its_rows() -> None:
    heading = ["portal", "wrapper", *(f"column {number}" for number in range(9)), "fields"]
    rows = [["one.example", way, *["1.000"] * 9, "title"] for way in ("manual", "automatic")]

    parts = list(split_blocks(rows, heading, 80))

    assert len(parts) > 1
    assert [[line.split()[:2] for line in part[1:]] for part in parts] == [[row[:2] for row in rows]] * len(parts)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--table", "004.3", "--csv"], "no --csv"),
        (["--selector", "title=h1"], "are for a --table"),
        (["--table", "004.3", "--selector", "title"], "FIELD=SELECTOR"),
        (["--table", "004.3", "--selector", "weather=h1"], "weather is not a field"),
        (["--table", "000.4.2", "--methods", "default"], "nothing to compare default with"),
    ],
)
def test_wrong_use_of_tables_is_refused(data: Path, arguments: list[str], said: str) -> None:
    found = run(data, *arguments)

    assert found.exit_code == 2
    assert said in found.stderr
