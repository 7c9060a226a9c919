"""The floor of the portal wrapper, where the bench is present: learned from the other pages of each publisher."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from loading import module_of
from stopwatch import untraced

TOOL = Path(__file__).resolve().parents[2] / "tools" / "leave_one_out.py"


@pytest.fixture(autouse=True)
def at_full_speed() -> Iterator[None]:
    with untraced():
        yield


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    module = module_of(TOOL)
    if not module.BENCH.exists():
        pytest.skip("the benchmark is not here")
    return module


def test_on_fe_it_reaches_its_figure_and_more_than_page_by_page(tool: ModuleType) -> None:
    tally = tool.measure("fe", None, None, tool.bench_module("metrics"))

    learned, alone = tally.figures("wrapper")["f1"], tally.figures("page-level")["f1"]
    assert learned >= 0.983
    assert learned > alone
    assert tally.used >= 50
    assert [page for page, before, after in tally.changed if after < before - 0.005] == []


@pytest.mark.parametrize("number", [1, 2, 3])
def test_learned_from_few_pages_it_makes_no_page_of_fe_worse(tool: ModuleType, number: int) -> None:
    tally = tool.measure("fe", number, None, tool.bench_module("metrics"))

    assert [page for page, before, after in tally.changed if after < before] == []
    assert tally.used >= 40


def test_on_fundus_whose_pages_have_changed_their_layouts_it_does_no_harm(tool: ModuleType) -> None:
    tally = tool.measure("fundus", None, None, tool.bench_module("metrics"))

    learned, alone = tally.figures("wrapper"), tally.figures("page-level")
    assert [name for name in ("body_f1", "title", "date", "authors") if learned[name] < alone[name]] == []
