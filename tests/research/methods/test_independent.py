"""Methods against a second implementation of each, written from the documents alone: page by page, on the development pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any

import pytest
from independent_methods import METHODS
from loading import module_of
from lxml import etree

from newscrawler.article import Body, Paragraph
from newscrawler.page import Document
from newscrawler.plugins import load_methods

ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.skipif(not (ROOT.parent / "shared" / "bench" / "data").exists(), reason="no development pages here")

#: Farthest that the two figures may be apart, and the share of pages whose letters and digits have to be the same.
MARGIN, LEAST_SAME = 0.01, 0.9
#: Ours bound their work (comparisons; paths), and the eigenvectors are approximate, so that another region or cluster may win.
WIDER = {"mdr": (0.03, 0.8), "tag_path_clustering": (0.06, 0.6)}
#: A sample of the development pages that ends soon.
STEP = 5


class Independent:
    """A second implementation as a page method."""

    def __init__(self, name: str) -> None:
        self._read = METHODS[name]

    def __call__(self, page: Document) -> Body | None:
        root: etree._Element = page.root
        text = self._read(root)
        return Body(paragraphs=(Paragraph(text=text),), elements=(), confidence=1.0) if text else None


@cache
def tool() -> ModuleType:
    return module_of(ROOT / "tools" / "measure_methods.py")


@cache
def sample(dataset: str) -> list[tuple[Document, list[str]]]:
    measures = tool().metrics()
    rows: list[dict[str, Any]] = list(tool().rows(dataset))[::STEP]
    return [(Document.parse(row["html"], row["url"]), tool().gold_texts(row["gold"], measures)) for row in rows]


def letters(text: str) -> str:
    """Lines without any are no paragraphs for us."""
    return "".join(filter(str.isalnum, text))


@pytest.mark.parametrize("dataset", ["aeb", "fe"])
@pytest.mark.parametrize("name", METHODS)
def test_two_readings_of_a_document_give_the_same_texts(name: str, dataset: str) -> None:
    measures = tool().metrics()
    scores: list[tuple[float, float]] = []
    same = 0
    for page, wanted in sample(dataset):
        found = [method(page) for method in (load_methods()[name], Independent(name))]
        texts = [body.text if body else "" for body in found]
        ours, theirs = (max(measures.shingle_page(gold, text)["f1"] for gold in wanted) for text in texts)
        scores.append((ours, theirs))
        same += letters(texts[0]) == letters(texts[1])

    margin, least_same = WIDER.get(name, (MARGIN, LEAST_SAME))
    assert abs(fmean(ours for ours, _ in scores) - fmean(theirs for _, theirs in scores)) <= margin
    assert same >= least_same * len(scores)
