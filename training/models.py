"""Trains all models from samples: the blocks of the body, the kind of the page, the expected quality, the classes of blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import orjson
from numpy.typing import NDArray

from newscrawler.extraction.body.block_classifier import (
    AROUND,
    LEARNED,
    NOT_WEIGHED,
    BlockClassifier,
    EvidenceClassifier,
    is_judged,
    join_learned,
    load_evidence_classifier,
    look_around,
)
from newscrawler.extraction.body.extractor import BodyExtractor
from newscrawler.extraction.body.features import NAMES
from newscrawler.extraction.body.forest import Floats, Forest, sigmoid
from newscrawler.extraction.body.page_kind import PageClassifier
from training.forests import THRESHOLD, average, fit, fold_of
from training.network import Predictor, train_network
from training.page_kinds import train_pages
from training.samples import CLASSES, Sample
from training.wording import Ids, LinearModel, Terms, Vocabulary, train_linear

#: Of each pass: trees, and how much those count that train on all pages and copies. The others, as many, train on public pages as
#: they were: copies and pages of our own teach what public sets lack, and cost on these; the mean keeps most of both.
TREES_OF_FIRST, TREES_OF_SECOND = 120, 200
_SHARE_OF_FIRST, _SHARE_OF_SECOND = 0.5, 0.9
#: Share of the network in the second pass.
SHARE_OF_NETWORK = 0.4
#: Weight of copies and pages of our own where they are trained on.
_WEIGHT_OF_COPIES, _RATE = 1.6, 0.15
_TREES_OF_CLASSES = 25
#: Folds within the training pages, from which the models of pages learn how sure that of blocks is of what it has not seen.
INNER_FOLDS = 3
_FILES = ("blocks", "pages", "classes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The trained models as plain lists and arrays, as they are written to files."""

    blocks: dict[str, Any]
    arrays: dict[str, NDArray[Any]]
    pages: dict[str, Any]
    classes: dict[str, Any]

    def write(self, folder: Path) -> None:
        """Write the models to files."""
        for name in _FILES:
            (folder / f"{name}.json").write_bytes(orjson.dumps(getattr(self, name)) + b"\n")
        np.savez(folder / "blocks.npz", allow_pickle=False, **self.arrays)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the models from files."""
        with np.load(folder / "blocks.npz", allow_pickle=False) as arrays:
            return cls(arrays=dict(arrays), **{name: orjson.loads((folder / f"{name}.json").read_bytes()) for name in _FILES})

    def keep_forests(self, older: Models) -> Models:
        """Return these models with the forests of blocks and the weights of words and names of older ones."""
        weights = older.arrays["weights"].tolist()
        vectors = len(self.arrays["vectors"])
        rows = {
            part: {word: number for word, number in words.items() if number < vectors}
            for part, words in self.blocks["words"]["rows"].items()
        }
        kept = [0.0] * vectors
        for part, words in older.blocks["words"]["rows"].items():
            numbers = rows.setdefault(part, {})
            for word, number in words.items():
                if word in numbers:
                    kept[numbers[word]] = weights[number]
                elif weights[number]:
                    numbers[word] = len(kept)
                    kept.append(weights[number])
        blocks = {**older.blocks, "words": {"base": older.blocks["words"]["base"], "rows": rows}}
        return replace(self, blocks=blocks, arrays={**self.arrays, "weights": np.array(kept, dtype=np.float16)})

    def extractor(self, evidence: EvidenceClassifier | None = None) -> BodyExtractor:
        """Return an extractor that uses these models; of evidence from other pages, by default, the one that ships."""
        return BodyExtractor(
            BlockClassifier.of(self.blocks, self.arrays),
            PageClassifier.of(self.pages),
            evidence or load_evidence_classifier(),
        )


def train(samples: Sequence[Sample], known: Vocabulary, seed: int = 0) -> Models:
    """Train all models; `known`: what the hashes of words stand for."""
    blocks, arrays, likely = train_blocks(samples, known, seed)
    return Models(blocks=blocks, arrays=arrays, pages=train_pages(samples, likely, seed), classes=_classes(samples, likely, seed))


class Forests(NamedTuple):
    """The forests of both passes and the weights of words, and of each sample the rows and log-odds of the second pass."""

    names: LinearModel
    words: LinearModel
    first: dict[str, Any]
    second: dict[str, Any]
    rows: list[Floats]
    #: Of the weighed blocks, by models that saw no page of the sample's host.
    odds: list[Floats]


def train_forests(samples: Sequence[Sample], part_of: Sequence[int], seed: int, without: Sequence[int] = ()) -> Forests:
    """Train the forests of blocks; `part_of`: fold of each sample; the columns `without` say nothing to them."""
    linear, columns = zip(*(_learn_words(samples, terms, part_of, seed) for terms in (_get_names, _get_words)), strict=True)
    rows = [
        np.hstack([sample.features.rows, join_learned(sample.features, names, words)])
        for sample, names, words in zip(samples, *columns, strict=True)
    ]
    for row in rows:
        row[:, list(without)] = 0.0
    first, odds = _train_pass(samples, rows, (*NAMES, *LEARNED), part_of, seed, TREES_OF_FIRST, _SHARE_OF_FIRST)
    chances = find_probabilities(samples, odds)
    rows = [
        np.hstack([row, look_around(sample.features.tree, chance)])
        for sample, row, chance in zip(samples, rows, chances, strict=True)
    ]
    second, odds = _train_pass(samples, rows, (*NAMES, *LEARNED, *AROUND), part_of, seed, TREES_OF_SECOND, _SHARE_OF_SECOND)
    return Forests(linear[0], linear[1], first, second, rows, odds)


def train_blocks(
    samples: Sequence[Sample], known: Vocabulary, seed: int
) -> tuple[dict[str, Any], dict[str, NDArray[Any]], list[NDArray[np.float64]]]:
    """Train the models of blocks.

    Returns the models as plain values and as arrays, and of each sample the probabilities of its blocks by models that saw no page
    of its host.
    """
    part_of = list_folds(samples, seed)
    forests = train_forests(samples, part_of, seed)
    vocabulary = forests.words.choose_vocabulary(known)
    network, odds_of_network = _train_network(samples, forests.rows, vocabulary, part_of, seed)
    mixed = [
        one + SHARE_OF_NETWORK * np.where(is_judged(row[sample.features.weighed]), other - one, 0)
        for sample, row, one, other in zip(samples, forests.rows, forests.odds, odds_of_network, strict=True)
    ]
    words, weights = forests.words.number(vocabulary, known)
    data = {
        "threshold": THRESHOLD, "share": SHARE_OF_NETWORK, "names": forests.names.as_data(known), "words": words,
        "first": forests.first, "second": forests.second,
    }  # fmt: skip
    return data, {"weights": weights.astype(np.float16), **network}, find_probabilities(samples, mixed)


def list_folds(samples: Sequence[Sample], seed: int) -> list[int]:
    """Return the inner fold of each sample, by its host."""
    return [fold_of(sample.host, INNER_FOLDS, seed + 1000) for sample in samples]


def find_probabilities(samples: Sequence[Sample], odds: Sequence[NDArray[Any]]) -> list[NDArray[np.float64]]:
    """Return the probabilities of all blocks of samples, from the log-odds of those that are weighed."""
    found = []
    for sample, each in zip(samples, odds, strict=True):
        likely = np.full(len(sample.features.weighed), NOT_WEIGHED)
        likely[sample.features.weighed] = sigmoid(each)
        found.append(likely)
    return found


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
    trees: int,
    share: float,
) -> tuple[dict[str, Any], list[Floats]]:
    """Return a forest, and of each sample the log-odds of its weighed blocks by one that saw no page of its host."""

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
        return fit(
            np.concatenate(tables), np.concatenate(labels), np.concatenate(weights), names, trees=trees // 2, seed=seed,
            learning_rate=_RATE,
        )  # fmt: skip

    def fit_forest(left_out: int) -> dict[str, Any]:
        return average(fit_half(left_out, is_public=False), fit_half(left_out, is_public=True), share)

    forests = [Forest.of(fit_forest(part)) for part in range(INNER_FOLDS)]
    found = [forests[part].log_odds(row[sample.features.weighed]) for sample, row, part in zip(samples, rows, part_of, strict=True)]
    return fit_forest(-1), found


def _train_network(
    samples: Sequence[Sample], rows: Sequence[Floats], vocabulary: Ids, part_of: Sequence[int], seed: int
) -> tuple[dict[str, NDArray[Any]], list[Floats]]:
    """Return the network's arrays, and of each sample the log-odds of its weighed blocks by one that saw no page of its host."""

    def fit_network(left_out: int) -> dict[str, NDArray[Any]]:
        kept = [i for i, part in enumerate(part_of) if part != left_out]
        return train_network([samples[i] for i in kept], [rows[i] for i in kept], vocabulary, seed)

    networks = [Predictor(fit_network(part), vocabulary) for part in range(INNER_FOLDS)]
    found = [networks[part].log_odds(sample, row) for sample, row, part in zip(samples, rows, part_of, strict=True)]
    return fit_network(-1), found


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
