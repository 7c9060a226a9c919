"""Each published method reaches the figure that an independent reading has, on the development pages where they are present.

Those figures are of the whole datasets (181 and 80 pages), of which the development half has 82 and 55: a mean over so few pages
moves by a few hundredths with the choice of pages, which explains the wider margins.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from loading import module_of
from stopwatch import untraced

from newscrawler.plugins import load_methods
from newscrawler.research.methods.mss import MaximumSubsequenceSegmentation
from newscrawler.research.methods.node_energy import NodeEnergy
from newscrawler.research.site_methods import SITE_METHODS

ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.skipif(not (ROOT.parent / "shared" / "bench" / "data").exists(), reason="no development pages here")

MARGIN = 0.03
#: Of aeb and fe; None: there is none.
FIGURES = {
    "portal_crawler": (0.741, 0.614),
    "mss": (0.890, 0.892),
    "mss at -2": (0.907, 0.910),
    "modified_ttr": (0.878, 0.850),
    "pagelet": (0.858, 0.850),
    "node_energy": (0.784, None),
    "node_energy at 7": (0.806, None),
    "ttr_lines": (0.728, 0.692),
    "mdr": (0.453, 0.311),
    "tag_path_clustering": (0.866, 0.844),
    "link_position": (0.840, 0.820),
}
#: What the methods themselves answer on all pages of fe, by independent readings.
SITE_FIGURES = {"dom_comparison": 0.834, "trinity": 0.809, "road_runner": 0.816, "fivatech": 0.773}
#: Differences that were looked into.
WIDER = {
    # 5 of the 82 pages give nothing at all (comments, a form and a footer hold more headings than the article), the author's 5 %
    ("pagelet", "aeb"): 0.045,
    # 21 of the 55 pages give no article, mostly because the h1 is not in the title; within most of the 11 (of 16) publishers
    # results are mixed, so that a mean over so few of them moves widely
    ("portal_crawler", "fe"): 0.095,
    # a second implementation from the document gives the same texts (test_independent.py): the other half of the pages differs
    ("node_energy", "aeb"): 0.05,
    # the same
    ("modified_ttr", "fe"): 0.055,
    # a second implementation gives the same texts on nine pages of ten, and .429 on fe, too
    ("mdr", "fe"): 0.13,
    # a second implementation takes the same clusters; which of them is the article is open, and by the gold it would be .927
    ("tag_path_clustering", "aeb"): 0.05,
}


@pytest.fixture(autouse=True)
def at_full_speed() -> Iterator[None]:
    with untraced():
        yield


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return module_of(ROOT / "tools" / "measure_methods.py")


@pytest.mark.parametrize("dataset", ["aeb", "fe"])
def test_published_methods_reach_their_figures_within_a_second_a_page(tool: ModuleType, dataset: str) -> None:
    # one of each class, as variants take as long, and those with a figure
    classes = {type(method): name for name, method in reversed(list(load_methods().items()))}
    methods = {name: load_methods()[name] for name in load_methods() if name in FIGURES or name in classes.values()}
    methods |= {"mss at -2": MaximumSubsequenceSegmentation(tag_cost=2), "node_energy at 7": NodeEnergy(dissipation=7)}

    scores = tool.measure(dataset, methods)

    expected = {name: figures[dataset == "fe"] for name, figures in FIGURES.items() if figures[dataset == "fe"] is not None}
    missed = {
        name: (round(scores[name].f1, 3), figure)
        for name, figure in expected.items()
        if abs(scores[name].f1 - figure) > WIDER.get((name, dataset), MARGIN)
    }
    assert not missed
    assert {name: score.worst_ms for name, score in scores.items() if score.worst_ms > 1000} == {}


def test_templates_learned_from_a_sites_other_pages_reach_their_figures(tool: ModuleType) -> None:
    # the portal wrapper is measured by tools/leave_one_out.py, in tests/wrappers
    names = (*SITE_FIGURES, "trinity_article", "trinity_strict", "modified_ttr_wrapper_classes")
    scores = tool.measure_sites("fe", {name: SITE_METHODS[name] for name in names})

    missed = {
        name: (round(scores[name].f1, 3), figure) for name, figure in SITE_FIGURES.items() if abs(scores[name].f1 - figure) > 0.05
    }
    assert not missed
    assert abs(scores["trinity_article"].f1 - 0.860) <= MARGIN
    assert scores["trinity_strict"].f1 < scores["trinity"].f1
    assert scores["trinity"].f1 < scores["trinity_article"].f1
    assert scores["modified_ttr_wrapper_classes"].f1 > 0.773
    assert {name: score.worst_ms for name, score in scores.items() if score.worst_ms > 1000} == {}
