"""Trains all models from samples: the blocks of the body, the kind of the page, the expected quality, the classes of blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body.block_classifier import AROUND, LEARNED, NOT_WEIGHED, BlockClassifier, join_learned, look_around
from newscrawler.extraction.body.evidence import EvidenceClassifier, load_evidence_classifier
from newscrawler.extraction.body.extractor import BodyExtractor
from newscrawler.extraction.body.features import NAMES
from newscrawler.extraction.body.forest import Floats, Forest, sigmoid
from newscrawler.extraction.body.page_kind import PageClassifier
from training.forests import THRESHOLD, average, fit, fold_of
from training.page_kinds import train_pages
from training.samples import CLASSES, Sample
from training.wording import LinearModel, Terms, Vocabulary, train_linear

#: Of each pass: trees, and how much those count that train on all pages and copies. The others, as many, train on public pages as
#: they were: copies and pages of our own teach what public sets lack, and cost on these; the mean keeps most of both.
TREES_OF_FIRST, TREES_OF_SECOND = 120, 200
_SHARE_OF_FIRST, _SHARE_OF_SECOND = 0.5, 0.9
#: Weight of copies and pages of our own where they are trained on.
_WEIGHT_OF_COPIES, _RATE = 1.6, 0.15
_TREES_OF_CLASSES = 25
#: Folds within the training pages, from which the models of pages learn how sure that of blocks is of what it has not seen.
INNER_FOLDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The trained models as plain lists, as they are written to files."""

    blocks: dict[str, Any]
    pages: dict[str, Any]
    classes: dict[str, Any]

    def extractor(self, evidence: EvidenceClassifier | None = None) -> BodyExtractor:
        """Return an extractor that uses these models; of evidence from other pages, by default, the one that ships."""
        return BodyExtractor(
            BlockClassifier.of(self.blocks),
            PageClassifier.of(self.pages),
            evidence or load_evidence_classifier(),
        )


def train(samples: Sequence[Sample], known: Vocabulary, seed: int = 0) -> Models:
    """Train all models; `known`: what the hashes of words stand for."""
    blocks, likely = train_blocks(samples, known, seed)
    return Models(blocks=blocks, pages=train_pages(samples, likely, seed), classes=_classes(samples, likely, seed))


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
        name: fit(table, label == number, np.ones(len(label)), names, trees=_TREES_OF_CLASSES, seed=seed, **options)
        for number, name in enumerate(CLASSES)
        if (label == number).any()
    }
