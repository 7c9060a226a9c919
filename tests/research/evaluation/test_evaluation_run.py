from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from newscrawler.errors import ConfigError
from newscrawler.plugins import load_methods
from newscrawler.research.evaluation import Cache, TestPage, candidates, evaluate, parse_sweep, read_data, summarise
from newscrawler.research.evaluation import run as run_module
from newscrawler.research.evaluation.cache import source_hash, stable, version_of
from newscrawler.research.evaluation.candidates import MethodCandidate
from newscrawler.research.evaluation.judgement import AnswerVerdict
from newscrawler.research.evaluation.run import folds

NOWHERE = Cache(None)
#: The module; the package has a function of the same name.
TABLES = sys.modules["newscrawler.research.evaluation.candidates"]


@pytest.fixture
def pages(write_rows, make_row) -> list[TestPage]:
    rows = [make_row(number, portal=f"{'one' if number < 6 else 'two'}.example", date="2026-02-05") for number in range(8)]
    return [page for page in read_data(str(write_rows(rows))) if isinstance(page, TestPage)]


def test_results_are_those_of_the_method_itself(pages: list[TestPage]) -> None:
    found = evaluate(pages, candidates(["mss", "all_text"]), NOWHERE, processes=1)

    assert len(found.results) == 16
    assert {result.candidate.name for result in found.results} == {"mss", "all_text"}
    by_method = {row.method: row for row in summarise(found).rows}
    mss, everything = by_method["mss"], by_method["all_text"]
    assert (mss.page_f1 or 0) > (everything.page_f1 or 0) > 0.5
    assert everything.recall == 1.0
    assert everything.verdicts == {AnswerVerdict.FOREIGN: 8}


def test_several_processes_find_what_one_finds(pages: list[TestPage]) -> None:
    one = evaluate(pages, candidates(["mss"]), NOWHERE, processes=1)
    two = evaluate(pages, candidates(["mss"]), NOWHERE, processes=2)

    assert [result.score for result in one.results] == [result.score for result in two.results]


def test_what_is_known_is_not_measured_again(pages: list[TestPage], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")
    first = evaluate(pages, candidates(["mss", "trinity"]), cache, processes=1)
    monkeypatch.setattr(run_module, "answer", lambda *_args, **_more: pytest.fail("measured again"))

    again = evaluate(pages, candidates(["mss", "trinity"]), cache, processes=1)

    assert all(result.cached for result in again.results)
    assert [(r.answer, r.score) for r in again.results] == [(r.answer, r.score) for r in first.results]


def test_a_new_expectation_is_scored_without_measuring(pages: list[TestPage], tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    evaluate(pages, candidates(["mss"]), cache, processes=1)
    other = [replace(page, gold=replace(page.gold, texts=("Quite another text than before.",))) for page in pages]

    again = evaluate(other, candidates(["mss"]), cache, processes=1)

    assert all(result.cached and result.score.f1 == 0 for result in again.results)


def test_other_parameters_and_broken_files_are_measured(pages: list[TestPage], tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    evaluate(pages, candidates(["mss"]), cache, processes=1)
    cheaper = parse_sweep("mss.tag_cost=2").candidates

    assert not any(result.cached for result in evaluate(pages, cheaper, cache, processes=1).results)

    for file in (tmp_path / "cache").rglob("*.json"):
        file.write_text("{", "utf-8")
    assert not any(result.cached for result in evaluate(pages, cheaper, cache, processes=1).results)


@dataclass(frozen=True, slots=True)
class Failing:
    """Raises on every page."""

    def __call__(self, _page: object, /) -> None:
        raise RuntimeError("no good")


#: In a process of its own, without threads and tracing, which do not go well with a fork.
DYING = """
import multiprocessing, os, sys
from pathlib import Path
from newscrawler.plugins import load_methods
from newscrawler.research.evaluation import Cache, TestPage, evaluate, read_data, summarise
from newscrawler.research.evaluation import run
from newscrawler.research.evaluation import run as run_module
from newscrawler.research.evaluation.candidates import MethodCandidate

parent = os.getpid()

def dying(page, /):
    if os.getpid() != parent:
        os._exit(9)

if __name__ == "__main__":
    sys.modules["newscrawler.research.evaluation.candidates"].PAGE_METHODS = {**load_methods(), "dying": dying}
    run.get_context = lambda _kind: multiprocessing.get_context("fork")
    pages = [page for page in read_data(sys.argv[1]) if isinstance(page, TestPage)][:2]
    found = evaluate(pages, [MethodCandidate(method="dying"), MethodCandidate(method="mss")], Cache(None), processes=2)
    for row in summarise(found).rows:
        print(row.faults, row.pages)
"""


def test_a_method_that_raises_fails_on_that_page_only(pages: list[TestPage], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TABLES, "PAGE_METHODS", {**load_methods(), "failing": Failing()})

    found = evaluate(pages, [MethodCandidate(method="failing"), MethodCandidate(method="mss")], NOWHERE, processes=1)

    failing, mss = summarise(found).rows
    assert failing.verdicts == {AnswerVerdict.FAULT: 8}
    assert failing.faults == 8
    assert mss.faults == 0
    assert found.results[0].answer.fault == "RuntimeError: no good"


def test_a_method_that_kills_its_process_does_not_end_the_evaluation(write_rows, make_row, tmp_path: Path) -> None:
    rows = write_rows([make_row(number, portal="one.example", date="2026-02-05") for number in range(2)])
    script = tmp_path / "dying.py"
    script.write_text(DYING, "utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}

    done = subprocess.run([sys.executable, script, rows], capture_output=True, text=True, timeout=120, check=False, env=environment)

    assert done.stdout.splitlines() == ["2 2", "0 2"], done.stderr


def test_a_site_method_never_reads_a_page_that_it_learned_from() -> None:
    numbered: Sequence[Any] = [(number, f"page {number}") for number in range(23)]

    read: list[Any] = []
    for learned, reads in folds(numbered):
        read += reads
        assert not set(learned) & set(reads)
        assert len(learned) >= 4

    assert sorted(read) == sorted(numbered)


def test_small_portals_are_not_measured_for_site_methods(pages: list[TestPage]) -> None:
    found = summarise(evaluate(pages, candidates(["dom_comparison", "mss"]), NOWHERE, processes=1))

    assert [(row.pages, row.not_measured) for row in found.rows] == [(6, 2), (8, 0)]
    assert [difference.pages for difference in found.differences] == [6]


def test_headline_and_date_are_read_with_the_body_of_the_method(write_rows, make_row: Callable[..., Any]) -> None:
    row = make_row(1, date="2026-02-05")
    row["html"] = row["html"].replace("</h1>", "</h1><time datetime='2026-02-05T10:00:00+01:00'>5 Feb</time>")
    (page,) = read_data(str(write_rows([row])))
    assert isinstance(page, TestPage)

    (result,) = evaluate([page], candidates(["mss"]), NOWHERE, processes=1).results

    assert (result.score.title, result.score.date) == (True, True)


def test_progress_ends_with_everything_done(pages: list[TestPage]) -> None:
    told: list[tuple[int, int]] = []

    evaluate(
        pages, candidates(["mss", "trinity"]), NOWHERE, processes=1, on_progress=lambda done, total: told.append((done, total))
    )

    assert told[0] == (0, 14)
    assert told[-1] == (14, 14)


def test_a_range_holds_both_ends() -> None:
    assert parse_sweep("mss.tag_cost=1:7:0.25").values == [1 + number / 4 for number in range(25)]
    assert parse_sweep("portal_crawler.least_body=100,280").values == [100, 280]
    assert parse_sweep("trinity.strict=true,false").values == [True, False]


@pytest.mark.parametrize(
    "told",
    ["mss", "mss.tag_cost", "mss.tag_cost=", "mss.nothing=1", "nothing.tag_cost=1", "mss.tag_cost=7:1:1", "mss.tag_cost=1:2:0",
     "mss.tag_cost=a", "portal_crawler.least_body=1.5", "trinity.strict=perhaps", "mss.tag_cost=0:1:0.001", "mss.tag_cost=1:inf:1"],
)  # fmt: skip
def test_a_sweep_that_means_nothing_is_refused(told: str) -> None:
    with pytest.raises(ConfigError):
        parse_sweep(told)


def test_the_version_of_a_method_follows_its_source_and_parameters() -> None:
    plain, cheap = MethodCandidate(method="mss"), MethodCandidate(method="mss", changes=(("tag_cost", 2.0),))

    assert version_of(plain) != version_of(cheap)
    assert version_of(plain) != version_of(MethodCandidate(method="pagelet"))
    assert source_hash("newscrawler.research.methods.mss") != source_hash("newscrawler.research.methods.pagelet")


def test_parameters_are_written_the_same_in_every_process() -> None:
    assert stable(frozenset({"b", "a"})) == "{'a', 'b'}"
    assert "0x" not in "".join(stable(method) for method in load_methods().values())
