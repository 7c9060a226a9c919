"""What templates bring, where the bench is present: learned from the other pages of each host."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from loading import module_of
from stopwatch import untraced

TOOL = Path(__file__).resolve().parents[3] / "tools" / "leave_one_out.py"
#: Pages that a host must have; of the few that fundus has of a publisher, two.
LEAST = {"fe": 4, "l3s": 4, "fundus": 2}
Measure = Callable[[str, int], Any]


@pytest.fixture(scope="module")
def measure() -> Measure:
    tool = module_of(TOOL)
    if not tool.BENCH.exists():
        pytest.skip("the benchmark is not here")
    metrics = tool.bench_module("metrics")

    @cache
    def measured(dataset: str, pages: int) -> Any:
        with untraced():
            return tool.measure(dataset, pages, LEAST[dataset], metrics)

    return measured


@pytest.mark.parametrize("pages", [2, 10])
def test_no_page_of_fe_gets_worse(measure: Measure, pages: int) -> None:
    tally = measure("fe", pages)

    assert [page for page, before, after in tally.changed if after < before] == []
    assert sum(explained.explained for explained in tally.explained) >= 40


@pytest.mark.parametrize("dataset", LEAST)
def test_no_host_gets_worse_by_more_than_a_hundredth(measure: Measure, dataset: str) -> None:
    tally = measure(dataset, 10)

    assert {host: gain for host, gain in tally.gains().items() if gain < -0.01} == {}
    for name in ("title", "date", "authors") if dataset == "fundus" else ():
        assert tally.figure(name, learned=True) >= tally.figure(name, learned=False)


@pytest.mark.parametrize("dataset", ["fe", "l3s"])
def test_body_and_learned_places_agree_on_pages_of_one_layout(measure: Measure, dataset: str) -> None:
    agreement = [explained.agreement for explained in measure(dataset, 10).explained if explained.explained]

    assert sum(agreement) / len(agreement) > 0.97
