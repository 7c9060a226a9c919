from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from newscrawler.corpus.reviews import list_variants, read_gold
from newscrawler.errors import ConfigError
from newscrawler.research.evaluation import DataProblem, TestPage, read_data


def test_broken_lines_are_named_and_gone_past(write_rows, make_row) -> None:
    rows = [make_row(1), '{"id": ', "[]", {"id": "x", "html": ""}, {"id": "y", "html": "<p>a</p>", "gold": {}}, make_row(2)]

    found = list(read_data(str(write_rows(rows))))

    assert [item.id for item in found if isinstance(item, TestPage)] == ["page-1", "page-2"]
    assert [item.where for item in found if isinstance(item, DataProblem)] == [
        f"data.jsonl, line {number}" for number in (2, 3, 4, 5)
    ]


def test_bytes_that_are_no_text_are_a_problem_of_their_line(tmp_path: Path, make_row) -> None:
    path = tmp_path / "data.jsonl"
    path.write_bytes(b"\xff\xfe\x00\n" + json.dumps(make_row(1)).encode() + b"\n")

    problem, page = read_data(str(path))

    assert isinstance(problem, DataProblem)
    assert isinstance(page, TestPage)


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nothing.jsonl"
    path.touch()

    assert list(read_data(str(path))) == [DataProblem(where="nothing.jsonl", what="the file is empty")]


def test_a_truncated_archive_gives_the_pages_before_the_break(tmp_path: Path, make_row) -> None:
    path = tmp_path / "data.jsonl.gz"
    whole = gzip.compress("".join(json.dumps(make_row(number)) + "\n" for number in range(40)).encode())
    path.write_bytes(whole[: len(whole) // 2])

    *pages, last = read_data(str(path))

    assert isinstance(last, DataProblem)
    assert "cannot be read further" in last.what
    assert 0 < len(pages) < 40


def test_a_folder_of_pages_has_expectations_beside_them(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text("<p>text</p>", "utf-8")
    (tmp_path / "one.json").write_text('{"body": "some text", "url": "https://www.one.example/a/1"}', "utf-8")
    (tmp_path / "two.html").write_text("<p>text</p>", "utf-8")

    page, problem = read_data(str(tmp_path))

    assert isinstance(page, TestPage)
    assert (page.portal, page.section, page.gold.texts) == ("one.example", "a", ("some text",))
    assert isinstance(problem, DataProblem)
    assert "two.json" in problem.what


@pytest.mark.parametrize("source", ["nowhere.jsonl", "no/folder"])
def test_what_cannot_be_evaluated_is_refused_with_a_way_out(source: str) -> None:
    with pytest.raises(ConfigError, match=source):
        list(read_data(source))


def test_the_body_may_leave_the_lead_out() -> None:
    with_lead = read_gold({"lead": "The lead.", "body": "The lead.\nRest"})
    without = read_gold({"lead": "The lead.", "body": "Rest"})

    assert not isinstance(with_lead, str)
    assert not isinstance(without, str)
    assert with_lead.texts == without.texts == ("The lead.\nRest",)


def test_paragraphs_in_brackets_may_be_there_or_not() -> None:
    found = set(list_variants(("a", "[b]", "[c]")))

    assert found == {("a",), ("a", "b"), ("a", "c"), ("a", "b", "c")}


def test_an_expectation_that_expects_nothing_is_refused() -> None:
    assert isinstance(read_gold({"authors": ["Jana Nováková"]}), str)
    assert isinstance(read_gold({"body": " – "}), str)
