"""Our measures, written from the published definitions, against those of the benchmark, on the development pages."""

from __future__ import annotations

import statistics
from pathlib import Path
from types import ModuleType

import pytest
from loading import module_of

from newscrawler.research.evaluation import Cache, TestPage, candidates, evaluate, read_data, summarise

BENCH = Path(__file__).resolve().parents[4] / "shared" / "bench"

pytestmark = pytest.mark.skipif(not (BENCH / "data").exists(), reason="no development pages here")


@pytest.fixture(scope="module")
def metrics() -> ModuleType:
    return module_of(BENCH / "metrics.py")


def test_shingles_and_rouge_agree_with_the_benchmark(metrics: ModuleType) -> None:
    pages = [page for page in read_data(str(BENCH / "data" / "fe.jsonl.gz")) if isinstance(page, TestPage)][::3]
    found = evaluate(pages, candidates(["mss", "modified_ttr"]), Cache(None), processes=1)

    for row in summarise(found).rows:
        results = [result for result in found.results if result.candidate.name == row.method]
        shingles, rouge = [], []
        for result in results:
            texts, text = pages[result.page].gold.texts, result.answer.text
            shingles.append(max((metrics.shingle_page(gold, text) for gold in texts), key=lambda page: page["f1"]))
            rouge.append(max(metrics.rouge_page(gold.split("\n"), text)["f1"] for gold in texts))

        assert len(results) == len(pages) == 19
        assert row.f1 == pytest.approx(metrics.shingle_total(shingles)["f1"], abs=1e-9)
        # ours ends a sentence at every line break and keeps letters beyond a to z
        assert row.rouge_f1 == pytest.approx(statistics.fmean(rouge), abs=0.01)
