"""Trains all models from samples: the blocks of the body, the kind of the page, the expected quality, the classes of blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body import page_kind
from newscrawler.extraction.body.block_classifier import AROUND, LEARNED, NOT_WEIGHED, BlockClassifier, join_learned, look_around
from newscrawler.extraction.body.evidence import EvidenceClassifier, load_evidence_classifier
from newscrawler.extraction.body.extractor import BodyExtractor
from newscrawler.extraction.body.features import NAMES
from newscrawler.extraction.body.forest import Floats, Forest, sigmoid
from newscrawler.extraction.body.page_kind import PageClassifier, PageKind
from training.forests import average, fit
from training.samples import CLASSES, Sample
from training.wording import LinearModel, Terms, Vocabulary, train_linear

#: Of each pass: trees, and how much those count that train on all pages and copies. The others, as many, train on public pages as
#: they were: copies and pages of our own teach what public sets lack, and cost on these; the mean keeps most of both.
TREES_OF_FIRST, TREES_OF_SECOND = 120, 200
_SHARE_OF_FIRST, _SHARE_OF_SECOND = 0.5, 0.9
#: Weight of copies and pages of our own where they are trained on.
_WEIGHT_OF_COPIES, _RATE = 1.6, 0.15
TREES_OF_PAGES, TREES_OF_CLASSES = 120, 25
#: A block is taken from this probability on, tried from .2 to .5 on pages of hosts that the model had not seen.
THRESHOLD = 0.35
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
            BlockClassifier.of(self.blocks),
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


def train(samples: Sequence[Sample], known: Vocabulary, seed: int = 0) -> Models:
    """Train all models; `known`: what the hashes of words stand for."""
    blocks, likely = train_blocks(samples, known, seed)
    return Models(blocks=blocks, pages=_pages(samples, likely, seed), classes=_classes(samples, likely, seed))


def train_blocks(
    samples: Sequence[Sample], known: Vocabulary, seed: int, without: Sequence[int] = ()
) -> tuple[dict[str, Any], list[NDArray[np.float64]]]:
    """Train the models of blocks; the columns `without` say nothing to them.

    Returns the models as plain values, and of each sample the probabilities of its blocks by models that saw no page of its host.
    """
    part_of = [fold_of(sample.host, INNER_FOLDS, seed + 1000) for sample in samples]
    linear, columns = zip(*(_learn_words(samples, terms, part_of, seed) for terms in (_get_names, _get_words)), strict=True)
    rows = [
        np.hstack([sample.features.rows, join_learned(sample.features, names, words)])
        for sample, names, words in zip(samples, *columns, strict=True)
    ]
    first, chances = _train_pass(samples, rows, (*NAMES, *LEARNED), part_of, seed, without, TREES_OF_FIRST, _SHARE_OF_FIRST)
    rows = [
        np.hstack([row, look_around(sample.features.tree, chance)])
        for sample, row, chance in zip(samples, rows, chances, strict=True)
    ]
    second, likely = _train_pass(
        samples, rows, (*NAMES, *LEARNED, *AROUND), part_of, seed, without, TREES_OF_SECOND, _SHARE_OF_SECOND
    )
    names, words = (model.as_data(known) for model in linear)
    return {"threshold": THRESHOLD, "names": names, "words": words, "first": first, "second": second}, likely


def _get_names(sample: Sample) -> Terms:
    return sample.names


def _get_words(sample: Sample) -> Terms:
    return sample.words


def _learn_words(
    samples: Sequence[Sample], terms: Callable[[Sample], Terms], part_of: Sequence[int], seed: int
) -> tuple[LinearModel, list[NDArray[np.float64]]]:
    """Return a model of words, and of each sample the log-odds of its blocks by one that saw no page of its host."""
    models = [
        train_linear([sample for sample, other in zip(samples, part_of, strict=True) if other != part], terms, seed)
        for part in range(INNER_FOLDS)
    ]
    columns = [terms(sample).sum_up(models[part]) for sample, part in zip(samples, part_of, strict=True)]
    return train_linear(samples, terms, seed), columns


def _train_pass(
    samples: Sequence[Sample],
    rows: Sequence[Floats],
    names: Sequence[str],
    part_of: Sequence[int],
    seed: int,
    without: Sequence[int],
    trees: int,
    share: float,
) -> tuple[dict[str, Any], list[NDArray[np.float64]]]:
    """Return a forest, and of each sample the probabilities of its blocks by one that saw no page of its host."""

    def fit_half(left_out: int, *, is_public: bool) -> dict[str, Any]:
        tables, labels, weights = [], [], []
        for sample, row, part in zip(samples, rows, part_of, strict=True):
            is_ours = sample.disturbed or sample.dataset == "own"
            if part == left_out or (is_public and is_ours):
                continue
            kept = sample.features.weighed & (sample.weight > 0)
            tables.append(row[kept])
            labels.append(sample.share[kept] > 0.5)
            weights.append(sample.weight[kept] * (_WEIGHT_OF_COPIES if is_ours else 1.0))
        table = np.concatenate(tables)
        table[:, list(without)] = 0.0
        return fit(
            table, np.concatenate(labels), np.concatenate(weights), names, trees=trees // 2, seed=seed, learning_rate=_RATE
        )  # fmt: skip

    def fit_forest(left_out: int) -> dict[str, Any]:
        return average(fit_half(left_out, is_public=False), fit_half(left_out, is_public=True), share)

    forests = [Forest.of(fit_forest(part)) for part in range(INNER_FOLDS)]
    found = []
    for sample, row, part in zip(samples, rows, part_of, strict=True):
        weighed = sample.features.weighed
        likely = np.full(len(weighed), NOT_WEIGHED)
        if weighed.any():
            chosen = row[weighed]
            chosen[:, list(without)] = 0.0
            likely[weighed] = sigmoid(forests[part].log_odds(chosen))
        found.append(likely)
    return fit_forest(-1), found


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
