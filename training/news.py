"""Trains the detector of news pages in a mixed set: the page-kind model, and beside it what the keyword method looks at.

Both are cross-validated by host: the page-kind model says of each page what it says without the page's host, and so does the
small model on top of it. The keyword collections hold the keywords of `KNOWN` news pages of other hosts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from newscrawler.corpus import KnownKeywords
from newscrawler.page import Document
from newscrawler.research.detection import NAMES, PageEvidence, build_news_features, gather_evidence
from newscrawler.research.evaluation.detection_tables import MOST_KNOWN, part_of
from training.models import train_blocks
from training.page_kinds import PageSamples
from training.pages import load
from training.samples import collect

FOLDS = 5
#: Data sets with pages of all kinds, and those of news alone.
MIXED, NEWS = ("wcxb",), ("fundus", "fe", "aeb")
_SHRINKAGE, _ROUNDS = 1.0, 25


def unseen_log_odds(root: Path, datasets: Sequence[str], seed: int = 0) -> dict[tuple[str, str], float]:
    """Return what page-kind models that saw no page of its host say of each page, by data set and id."""
    collected, known = collect(root, datasets, processes=1)
    samples = [sample for sample in collected if not sample.disturbed]
    *_, likely = train_blocks(samples, known, seed)
    found = PageSamples(samples, likely, seed)
    return {(page.dataset, page.id): value for page, value in zip(found.pages, found.find_unseen_log_odds().tolist(), strict=True)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """The weights of the small model."""

    weights: NDArray[np.float64]
    bias: float

    def probabilities(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of each row that its page is news."""
        found: NDArray[np.float64] = 1 / (1 + np.exp(-(rows @ self.weights + self.bias)))
        return found

    def as_dict(self) -> dict[str, object]:
        """Return the model as its file holds it."""
        return {"weights": dict(zip(NAMES, np.round(self.weights, 4).tolist(), strict=True)), "bias": round(self.bias, 4)}


def train_news(root: Path, target: Path) -> None:
    """Train the model of the default detector, and write it."""
    pages, known = _evidence(root)
    model = fit_weights(*_rows(pages, known))
    target.write_text(json.dumps(model.as_dict(), indent=1) + "\n", encoding="utf-8")


def validate_news(root: Path) -> dict[str, dict[str, float]]:
    """Return the two-by-two tables of the default detector on `MIXED`, each page by a model that saw no page of its host.

    For comparison, that of the page-kind model alone.
    """
    pages, known = _evidence(root)
    alone = [(page, page.evidence.article or 0.0) for page in pages if page.dataset in MIXED]
    figures = {"page-kind model alone": _counted(alone)}
    for name, collections_known in (("at the start", ()), ("with known news", known)):
        judged: list[tuple[_Labelled, float]] = []
        for part in range(FOLDS):
            train_on = [page for page in pages if part_of(page.host) != part]
            measured = [page for page in pages if part_of(page.host) == part and page.dataset in MIXED]
            model = fit_weights(*_rows(train_on, known))
            collections = _collections(part, collections_known)
            rows = np.array([build_news_features(page.evidence, collections) for page in measured])
            judged += zip(measured, model.probabilities(rows).tolist(), strict=True)
        figures[name] = _counted(judged)
    return figures


def _counted(judged: Sequence[tuple[_Labelled, float]]) -> dict[str, float]:
    """Return the two-by-two table of pages, each with the probability that it is news."""
    counts = dict.fromkeys(("news found", "other found", "news left", "other left"), 0.0)
    for page, probability in judged:
        counts[f"{'news' if page.is_news else 'other'} {'found' if probability >= 0.5 else 'left'}"] += 1
    right = (counts["news found"] + counts["other left"]) / sum(counts.values())
    return counts | {"right": round(right, 4)}


def fit_weights(rows: NDArray[np.float64], is_news: NDArray[np.float64]) -> Trained:
    """Fit a logistic regression by Newton's method, with a little shrinkage of the weights."""
    table = np.hstack([rows, np.ones((len(rows), 1))])
    shrinkage = np.diag([_SHRINKAGE] * rows.shape[1] + [0.0])
    weights = np.zeros(table.shape[1])
    for _ in range(_ROUNDS):
        expected = 1 / (1 + np.exp(-(table @ weights)))
        slope = table.T @ (is_news - expected) - shrinkage @ weights
        curvature = (table * (expected * (1 - expected))[:, None]).T @ table + shrinkage
        weights += np.linalg.solve(curvature, slope)
    return Trained(weights=weights[:-1], bias=float(weights[-1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Labelled:
    evidence: PageEvidence
    is_news: bool
    host: str
    dataset: str


def _evidence(root: Path) -> tuple[list[_Labelled], list[_Labelled]]:
    """Return all pages with their evidence, and those that are known news."""
    datasets = (*MIXED, *NEWS)
    odds = unseen_log_odds(root, datasets)
    found = []
    for dataset in datasets:
        for page in load(root, dataset):
            said = odds.get((dataset, page.id))
            if said is None:  # it shows no text
                continue
            evidence = gather_evidence(Document.parse(page.html, page.address), article=1 / (1 + exp(-said)))
            found.append(_Labelled(evidence=evidence, is_news=page.other_kind is None, host=page.host, dataset=dataset))
    return found, [page for page in found if page.dataset in NEWS and page.evidence.declares_news]


def _rows(chosen: Sequence[_Labelled], known: Sequence[_Labelled]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return features and labels of pages, each once without known keywords and once with those of other hosts."""
    rows, labels = [], []
    for part in range(FOLDS):
        for collections in (KnownKeywords(), _collections(part, known)):
            for page in chosen:
                if part_of(page.host) == part:
                    rows.append(build_news_features(page.evidence, collections))
                    labels.append(float(page.is_news))
    return np.array(rows), np.array(labels)


def _collections(part: int, known: Sequence[_Labelled]) -> KnownKeywords:
    """Return the keywords of 100 pages of known news of other hosts."""
    collections = KnownKeywords()
    for page in [page for page in known if part_of(page.host) != part][:MOST_KNOWN]:
        collections.add(page.evidence.language, page.evidence.keywords)
    return collections
