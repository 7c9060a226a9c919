from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from newscrawler.cli.main import main
from newscrawler.research.evaluation import Cache, TestPage, candidates, evaluate, parse_sweep, read_data, summarise
from newscrawler.research.evaluation.report import report, side_by_side


@pytest.fixture
def data(write_rows: Callable[..., Path], make_row: Callable[..., Any]) -> Path:
    rows = [make_row(number, portal=f"p{number % 4}.example", section="sport" if number % 3 else "news") for number in range(12)]
    return write_rows([*rows[:6], "{broken", *rows[6:]])


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["evaluate", *map(str, arguments), "--no-cache", "--processes", "1"])


def test_the_table_has_a_line_a_method_and_problems_are_named(data: Path) -> None:
    found = run(data, "--methods", "mss,all_text")

    assert found.exit_code == 0, found.output
    assert [line.split("\t")[:2] for line in found.stdout.splitlines()][1:] == [["mss", "12"], ["all_text", "12"]]
    assert "skipped: data.jsonl, line 7: no JSON" in found.stderr


def test_json_holds_everything(data: Path) -> None:
    found = json.loads(run(data, "--methods", "mss,all_text", "--json").stdout)

    assert (found["pages"], len(found["problems"]), len(found["results"])) == (12, 1, 24)
    assert {row["method"]: row["verdicts"] for row in found["methods"]}["all_text"] == {"ads or captions": 12}
    assert {row["group"] for row in found["portals"]} == {f"p{number}.example" for number in range(4)}
    assert found["differences"][0]["versus"] in {"mss", "all_text"}


def test_csv_has_one_line_a_page_and_method(data: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run(data, "--methods", "mss,all_text", "--csv").stdout)))

    assert len(rows) == 24
    assert {row["verdict"] for row in rows if row["method"] == "all_text"} == {"ads or captions"}
    assert all(0 <= float(row["f1"]) <= 1 for row in rows)


def test_a_sample_is_the_same_for_the_same_seed(data: Path) -> None:
    def ids(*more: object) -> list[str]:
        found = run(data, "--methods", "mss", "--sample", 2, "--stratify", "section", "--csv", *more)
        return [row["id"] for row in csv.DictReader(io.StringIO(found.stdout))]

    assert len(ids()) == 8
    assert ids("--seed", 3) == ids("--seed", 3)
    assert len({tuple(ids("--seed", seed)) for seed in range(4)}) > 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--methods", "nothing"], "there is no method 'nothing'"),
        (["--sweep", "mss.tag_cost"], "is not a sweep"),
        (["--stratify", "section"], "--sample"),
        (["--json", "--csv"], "not both"),
    ],
)
def test_wrong_use_is_told_and_nothing_starts(data: Path, arguments: list[str], said: str) -> None:
    found = run(data, *arguments)

    assert found.exit_code == 2
    assert said in found.stderr


def test_the_data_are_never_overwritten(data: Path) -> None:
    before = data.read_bytes()

    found = run(data, "--methods", "mss", "--html", data)

    assert found.exit_code == 2
    assert data.read_bytes() == before


def test_nothing_to_evaluate_on_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()

    found = run(tmp_path / "empty.jsonl")

    assert found.exit_code == 2
    assert "the file is empty" in found.stderr


class Page(HTMLParser):
    """Collects what a page would fetch, and whether its elements are closed in order."""

    VOID = frozenset({"meta", "line", "rect", "circle", "path", "polyline", "polygon", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.fetched += [
            value or "" for name, value in attrs if name in {"src", "srcset", "data"} or (name == "href" and tag != "a")
        ]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def written(text: str) -> Page:
    page = Page()
    page.feed(text)
    page.close()
    return page


def test_the_report_is_one_file_that_fetches_nothing(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"

    found = run(data, "--methods", "default,mss,all_text,trinity", "--sweep", "mss.tag_cost=1:7:1", "--html", path)

    assert found.exit_code == 0, found.output
    text = path.read_text("utf-8")
    page = written(text)
    assert page.fetched == []
    assert page.open == []
    assert "script" not in page.tags
    assert not re.search(r"@import|url\(", text)
    assert text.count("<svg") == 7
    for title in ("mss at several values of tag_cost", "Precision against recall", "Accuracy by portal", "Where methods disagree"):
        assert title in text


def test_text_of_strangers_is_only_text_in_the_report(write_rows: Callable[..., Path], make_row: Callable[..., Any]) -> None:
    row = make_row(1, body="<script>alert(1)</script> and more words than the page has")
    row |= {"id": "<img src=x>", "url": 'javascript:alert("1")', "portal": "<b>portal</b>"}
    pages = [page for page in read_data(str(write_rows([row, make_row(2)]))) if isinstance(page, TestPage)]
    found = evaluate(pages, candidates(["mss", "all_text"]), Cache(None), processes=1)

    text = report(found, summarise(found))

    page = written(text)
    assert not page.tags & {"script", "img"}
    assert "<b>portal" not in text
    assert 'href="javascript' not in text


@pytest.mark.parametrize("gold", [{"date": "2026-02-05"}, {"article": False}, {"with": ["bridge"], "without": ["Sport"]}])
def test_a_report_can_be_made_of_every_kind_of_expectation(
    gold: dict[str, Any], write_rows: Callable[..., Path], make_row: Callable[..., Any]
) -> None:
    rows = [make_row(number) | {"gold": gold} for number in range(3)]
    pages = [page for page in read_data(str(write_rows(rows))) if isinstance(page, TestPage)]
    sweep = parse_sweep("mss.tag_cost=2,3")
    found = evaluate(pages, [*candidates(["mss"]), *sweep.candidates], Cache(None), processes=1)

    text = report(found, summarise(found), (), [sweep])

    assert written(text).open == []


def test_missing_and_foreign_words_are_marked_and_the_rest_is_kept_short() -> None:
    same = "\n".join(f"Paragraph {number} has words that both of the texts have." for number in range(8))

    left, right = side_by_side(f"{same}\nThe last one is only expected.", f"Share this & that on all networks.\n{same}")

    assert left.endswith('<p><mark class="missing">The last one is only expected.</mark></p>')
    assert right.startswith('<p><mark class="foreign">Share this &amp; that on all networks.</mark></p>')
    assert "6 paragraphs that both have" in left
    assert "6 paragraphs that both have" in right


def test_the_command_starts_without_heavy_imports() -> None:
    code = (
        "import sys; from newscrawler.cli.main import main; main(['evaluate', '--help'], standalone_mode=False);"
        "print([name for name in ('scrapy', 'sqlalchemy', 'dateparser', 'newscrawler.research.evaluation') if name in sys.modules])"
    )

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.splitlines()[-1] == "[]"
