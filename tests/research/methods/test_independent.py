"""Methods against a second implementation of each, written from the documents alone: page by page, on the development pages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import pytest
from independent_methods import METHODS, SITE_METHODS, link_position, node_energy
from loading import module_of
from lxml import etree

from newscrawler.article import Body, Paragraph
from newscrawler.page import Document
from newscrawler.plugins import load_methods
from newscrawler.research import site_methods
from newscrawler.research.methods.link_position import LinkPosition
from newscrawler.research.methods.node_energy import NodeEnergy

ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.skipif(not (ROOT.parent / "shared" / "bench" / "data").exists(), reason="no development pages here")

#: Farthest that the two figures may be apart, and the share of pages whose letters and digits have to be the same.
MARGIN, LEAST_SAME = 0.01, 0.9
#: Ours bound their work (comparisons; paths), and the eigenvectors are approximate, so that another region or cluster may win. What
#: is a line, and what is beside a link, is left to the reader.
WIDER = {"mdr": (0.03, 0.8), "tag_path_clustering": (0.06, 0.6), "ttr_lines": (0.03, 0.2), "link_position": (0.05, 0.6)}
#: The farthest that figures on all development pages may be apart, or the sentence that decides must be on the page of the method.
WHOLE_MARGIN = 0.03
#: A sample of the development pages that ends soon, and of their sites.
STEP, SITES = 5, 3


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


def total(texts: Iterable[tuple[list[str], str | None]]) -> float:
    """Return F1 of mean precision and mean recall."""
    measures = tool().metrics()
    scored = [
        max((measures.shingle_page(gold, text or "") for gold in wanted), key=lambda one: one["f1"]) for wanted, text in texts
    ]
    return float(measures.shingle_total(scored)["f1"])


def pages(dataset: str) -> list[tuple[Document, list[str]]]:
    measures = tool().metrics()
    return [(Document.parse(row["html"], row["url"]), tool().gold_texts(row["gold"], measures)) for row in tool().rows(dataset)]


@pytest.mark.parametrize("dataset", ["aeb", "fe"])
def test_figures_on_the_same_pages_are_equal_with_other_parameters_too(dataset: str) -> None:
    known = pages(dataset)
    for ours, theirs in (
        (NodeEnergy(dissipation=8), lambda root: node_energy(root, 8)),
        (NodeEnergy(dissipation=12), lambda root: node_energy(root, 12)),
        (LinkPosition(), link_position),
        (LinkPosition(tolerance=0), lambda root: link_position(root, 0)),
    ):
        figures = (
            total((wanted, body.text if (body := ours(page)) else None) for page, wanted in known),
            total((wanted, theirs(page.root)) for page, wanted in known),
        )
        assert abs(figures[0] - figures[1]) <= WHOLE_MARGIN, (ours, figures)


@pytest.mark.parametrize("name", SITE_METHODS)
def test_what_learns_from_the_same_pages_reaches_the_same_figure(name: str) -> None:
    sites: dict[str, list[tuple[Document, list[str]]]] = {}
    for page, wanted in pages("fe"):
        sites.setdefault(urlsplit(page.url or "").hostname or "", []).append((page, wanted))
    ours: list[tuple[list[str], str | None]] = []
    theirs: list[tuple[list[str], str | None]] = []
    for site in list(sites.values())[:SITES]:
        for page, wanted in site:
            others = [other for other, _ in site if other is not page]
            body = site_methods.SITE_METHODS[name].learn(others)(page)
            ours.append((wanted, body.text if body else None))
            theirs.append((wanted, SITE_METHODS[name]([other.root for other in others])(page.root)))

    assert abs(total(ours) - total(theirs)) <= WHOLE_MARGIN
