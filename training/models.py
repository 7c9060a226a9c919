"""Trains all models from samples: the blocks of the body, the kind of the page, the expected quality, the classes of blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body import page_kind
from newscrawler.extraction.body.evidence import EvidenceClassifier, load_evidence_classifier
from newscrawler.extraction.body.extractor import BodyExtractor
from newscrawler.extraction.body.features import NAMES
from newscrawler.extraction.body.forest import BlockClassifier, Forest, sigmoid
from newscrawler.extraction.body.page_kind import PageClassifier, PageKind
from training.forests import fit
from training.samples import CLASSES, Sample

TREES, TREES_OF_PAGES, TREES_OF_CLASSES = 170, 120, 25
#: A block is taken from this probability on, tried from .2 to .5 on pages of hosts that the model had not seen.
THRESHOLD = 0.3
#: Folds within the training pages, from which the models of pages learn how sure that of blocks is of what it has not seen.
INNER_FOLDS = 3
#: Share of the articles that each threshold may refuse, by what led to a page.
REFUSED = {"FEED": 0.0005, "LINK": 0.002, "UNKNOWN": 0.002, "START": 0.05}
KINDS = {
    "front": "FRONT", "section": "LISTING", "archive": "LISTING", "listing": "LISTING", "tag": "TOPIC", "author": "TOPIC",
    "search": "SEARCH", "product": "PRODUCT", "collection": "PRODUCT", "forum": "FORUM", "video": "MEDIA", "gallery": "MEDIA",
    "error": "ERROR", "login": "WALL", "wall": "WALL",
}  # fmt: skip
#: Other pages of public data sets teach more than those that we made.
_WEIGHT_OF_OWN, _WEIGHT_OF_OTHERS = 0.5, 2.0
#: The forest of the quality predicts the logarithm of 1 - F1, so that small errors count as well; points of its calibration.
_LEAST_ERROR, _POINTS = 0.003, 20
_QUALITY = {"objective": "regression", "learning_rate": 0.06, "min_data_in_leaf": 30}


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The trained models as plain lists, as they are written to files."""

    blocks: dict[str, Any]
    pages: dict[str, Any]
    classes: dict[str, Any]

    def extractor(self, evidence: EvidenceClassifier | None = None) -> BodyExtractor:
        """Return an extractor that uses these models; of evidence from other pages, by default, the one that ships."""
        pages = self.pages
        return BodyExtractor(
            BlockClassifier(Forest.of(self.blocks["forest"]), self.blocks["threshold"]),
            PageClassifier(
                article=Forest.of(pages["article"]),
                kinds={name: Forest.of(forest) for name, forest in pages["kinds"].items()},
                quality=Forest.of(pages["quality"]),
                curve=np.array(pages["curve"]),
                thresholds=pages["thresholds"],
            ),
            evidence or load_evidence_classifier(),
        )


def fold_of(host: str, folds: int, seed: int) -> int:
    """Return the fold of a host, by its name alone."""
    return int(hashlib.md5(f"{seed}:{host}".encode(), usedforsecurity=False).hexdigest(), 16) % folds


def train(samples: Sequence[Sample], seed: int = 0) -> Models:
    """Train all models."""
    fold = [fold_of(sample.host, INNER_FOLDS, seed + 1000) for sample in samples]
    likely: list[NDArray[np.float64]] = [np.zeros(0)] * len(samples)
    for part in range(INNER_FOLDS):
        forest = Forest.of(train_blocks([sample for sample, number in zip(samples, fold, strict=True) if number != part], seed))
        for number, sample in enumerate(samples):
            if fold[number] == part:
                likely[number] = BlockClassifier(forest, THRESHOLD).probabilities(sample.features)
    blocks = {"threshold": THRESHOLD, "forest": train_blocks(samples, seed)}
    return Models(blocks=blocks, pages=_pages(samples, likely, seed), classes=_classes(samples, likely, seed))


def train_blocks(samples: Sequence[Sample], seed: int, without: Sequence[int] = ()) -> dict[str, Any]:
    """Train the forest of the blocks; the columns `without` say nothing to it."""
    rows, labels, weights = [], [], []
    for sample in samples:
        kept = sample.features.weighed & (sample.weight > 0)
        rows.append(sample.features.rows[kept])
        labels.append(sample.share[kept] > 0.5)
        weights.append(sample.weight[kept])
    table = np.concatenate(rows)
    table[:, list(without)] = 0.0
    return fit(table, np.concatenate(labels), np.concatenate(weights), NAMES, trees=TREES, seed=seed)


def _pages(samples: Sequence[Sample], likely: Sequence[NDArray[np.float64]], seed: int) -> dict[str, Any]:
    pages = [(s, probability) for s, probability in zip(samples, likely, strict=True) if not (s.disturbed or s.unnamed)]
    rows = np.array([[*page_kind.compute_likely_features(s.features, p), *s.of_page] for s, p in pages], dtype=np.float32)
    names = page_kind.NAMES
    article = np.array([sample.other_kind is None for sample, _ in pages])
    own = np.array([sample.dataset == "own" for sample, _ in pages])
    weight = np.where(own, _WEIGHT_OF_OWN, np.where(article, 1.0, _WEIGHT_OF_OTHERS))
    options = {"min_data_in_leaf": 30, "lambda_l2": 5.0, "learning_rate": 0.06}
    forest = fit(rows, article, weight, names, trees=TREES_OF_PAGES, seed=seed, **options)
    fold = [fold_of(sample.host, INNER_FOLDS, seed + 2000) for sample, _ in pages]
    unseen = np.zeros(len(pages))
    for part in range(INNER_FOLDS):
        seen = np.array([number != part for number in fold])
        model = fit(rows[seen], article[seen], weight[seen], names, trees=TREES_OF_PAGES, seed=seed, **options)
        unseen[~seen] = sigmoid(Forest.of(model).log_odds(rows[~seen]))
    kinds = {}
    for name in sorted(set(KINDS.values())):
        label = np.array([KINDS.get(sample.other_kind or "") == name for sample, _ in pages])[~article]
        kinds[name] = fit(rows[~article], label, weight[~article], names, trees=TREES_OF_CLASSES, seed=seed, min_data_in_leaf=10)
    known = np.array([sample.gold_size > 0 for sample, _ in pages])
    quality = np.array([f1_of_blocks(sample, probability) for sample, probability in pages])
    error = np.log(np.maximum(1 - quality, _LEAST_ERROR))

    def fit_quality(chosen: NDArray[np.bool_]) -> dict[str, Any]:
        return fit(rows[chosen], error[chosen], weight[chosen], names, trees=TREES_OF_PAGES, seed=seed, **_QUALITY)

    expected = np.zeros(len(pages))
    for part in range(INNER_FOLDS):
        seen = np.array([number != part for number in fold])
        expected[~seen] = Forest.of(fit_quality(known & seen)).log_odds(rows[~seen])
    model = fit_quality(known)
    curve = _calibrate(expected[known & ~own], quality[known & ~own])
    public = unseen[article & ~own]
    thresholds = {name: round(float(np.quantile(public, share)), 4) for name, share in REFUSED.items()}
    assert set(kinds) <= {kind.name for kind in PageKind}
    return {"article": forest, "kinds": kinds, "quality": model, "curve": curve, "thresholds": thresholds}


def _calibrate(expected: NDArray[np.float64], quality: NDArray[np.float64]) -> list[list[float]]:
    """Return points of a rising line from what the forest says to the F1 that pages of unseen hosts had in the mean."""
    order = np.argsort(expected)[::-1]
    parts = np.array_split(order, _POINTS)
    means = np.maximum.accumulate([float(quality[part].mean()) for part in parts])
    points = [[float(expected[part].mean()), float(mean)] for part, mean in zip(parts, means, strict=True)]
    return [[round(value, 4) for value in point] for point in reversed(points)]


def f1_of_blocks(sample: Sample, likely: NDArray[np.float64]) -> float:
    """Return the F1 of the blocks that are likely enough, by characters."""
    taken = likely >= THRESHOLD
    hit = float((sample.size * sample.share)[taken].sum())
    found, gold = float(sample.size[taken].sum()), max(sample.gold_size, 1.0)
    return min(1.0, 2 * hit / max(found + gold, 1.0))


def _classes(samples: Sequence[Sample], likely: Sequence[NDArray[np.float64]], seed: int) -> dict[str, Any]:
    """Train what a block that is no text is called, from the pages whose texts are labelled by class."""
    rows, labels = [], []
    for sample, probability in zip(samples, likely, strict=True):
        kept = sample.classes >= 0
        if kept.any():
            rows.append(np.hstack([sample.features.rows[kept], probability[kept, None]]))
            labels.append(sample.classes[kept])
    table, label = np.concatenate(rows), np.concatenate(labels)
    names, options = (*NAMES, "likely"), {"min_data_in_leaf": 20, "monotone_constraints": None}
    return {
        name: fit(table, label == number, np.ones(len(label)), names, trees=TREES_OF_CLASSES, seed=seed, **options)
        for number, name in enumerate(CLASSES)
        if (label == number).any()
    }
