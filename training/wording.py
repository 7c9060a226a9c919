"""Trains the two linear models over words: of the text of blocks, and of the names of the boxes around them.

Both learn from public pages as they were, not from copies and not from pages of our own: these bear the same class names again and
again, and teach the names of one generator. A word counts from a number of hosts on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body.wording import BEGINNING, LEVELS, PAIRED, list_name_words, split_text
from newscrawler.page import Block, Layout

if TYPE_CHECKING:
    from training.samples import Sample

#: Hosts on whose pages a word must stand.
FEWEST_HOSTS = 3
#: The same for words of which the network learns a vector.
_FEWEST_OF_VECTORS = 8
#: Weights below it go: they change no answer, and fill the file.
LEAST_WEIGHT = 0.05
_EPOCHS, _ROWS, _RATE, _DAMPING = 6, 2048, 0.1, 1e-6

Ids = NDArray[np.uint32]
#: Part and word of each hash.
Vocabulary = dict[int, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Terms:
    """Hashed words of the rows of a page: those of row i lie from `starts[i]` on; shape (rows + 1)."""

    ids: Ids
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, rows: Iterator[Sequence[tuple[str, str]]], known: Vocabulary) -> Terms:
        """Hash the words of rows, and note them in a vocabulary."""
        ids: list[int] = []
        starts = [0]
        for row in rows:
            for term in row:
                number = crc32(f"{term[0]} {term[1]}".encode("utf-8", "replace"))
                known.setdefault(number, term)
                ids.append(number)
            starts.append(len(ids))
        return cls(np.array(ids, dtype=np.uint32), np.array(starts))

    def select(self, kept: NDArray[np.bool_]) -> tuple[Ids, NDArray[np.int64]]:
        """Return the words of some rows, and how many each has."""
        counts = np.diff(self.starts)
        return self.ids[np.repeat(kept, counts)], counts[kept]

    def sum_up(self, model: LinearModel) -> NDArray[np.float64]:
        """Return the log-odds of each row."""
        place = np.minimum(np.searchsorted(model.ids, self.ids), len(model.ids) - 1)
        weights = np.where(model.ids[place] == self.ids, model.weights[place], 0.0)
        sums = np.concatenate([[0.0], np.cumsum(weights)])
        found: NDArray[np.float64] = model.base + sums[self.starts[1:]] - sums[self.starts[:-1]]
        return found


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Weights of hashed words, by rising hash."""

    ids: Ids
    weights: NDArray[np.float64]
    base: float
    #: On the pages of how many hosts each word stands.
    hosts: NDArray[np.int64]

    def choose_vocabulary(self, known: Vocabulary) -> Ids:
        """Return the words that get a vector: those of enough hosts, no pairs."""
        return np.array(
            [each for each in self.ids[self.hosts >= _FEWEST_OF_VECTORS].tolist() if known[each][0] != "pair"], dtype=np.uint32
        )

    def number(self, vocabulary: Ids, known: Vocabulary) -> tuple[dict[str, Any], NDArray[np.float64]]:
        """Return the numbers of the words by their part, those with a vector first, and the weight of each number."""
        weight = dict(zip(self.ids.tolist(), self.weights.tolist(), strict=True))
        first = dict.fromkeys(vocabulary.tolist())
        words = [*first, *(each for each in weight if abs(weight[each]) >= LEAST_WEIGHT and each not in first)]
        rows: dict[str, dict[str, int]] = {}
        for number, each in enumerate(words):
            part, word = known[each]
            rows.setdefault(part, {})[word] = number
        return {"base": round(self.base, 4), "rows": rows}, np.array([weight[each] for each in words])

    def as_data(self, known: Vocabulary) -> dict[str, Any]:
        """Return the weights of the words by their part, as the program reads them."""
        found: dict[str, dict[str, float]] = {}
        for number, weight in zip(self.ids.tolist(), self.weights.tolist(), strict=True):
            if abs(weight) >= LEAST_WEIGHT:
                part, word = known[number]
                found.setdefault(part, {})[word] = round(weight, 2)
        return {
            "base": round(self.base, 4),
            "weights": {part: dict(sorted(words.items())) for part, words in sorted(found.items())},
        }


def read_name_terms(layout: Layout, weighed: NDArray[np.bool_]) -> Iterator[Sequence[tuple[str, str]]]:
    """Yield of each block the words of the names of its boxes, each with how many boxes further out it stands."""
    words = [list_name_words(box.tag, box.element.get("class", ""), box.element.get("id", "")) for box in layout.boxes]
    for block, counts in zip(layout.blocks, weighed.tolist(), strict=True):
        boxes = list(layout.outer(block.box))[:LEVELS] if counts else ()
        yield [(str(level), word) for level, box in enumerate(boxes) for word in words[box.index]]


def read_word_terms(layout: Layout, weighed: NDArray[np.bool_]) -> Iterator[Sequence[tuple[str, str]]]:
    """Yield of each block its words, none of blocks that are not weighed."""
    for block, counts in zip(layout.blocks, weighed.tolist(), strict=True):
        yield list(_read_words(block)) if counts else ()


def _read_words(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the words of a block, each with its part: first and last words, pairs, beginning, length, last sign."""
    first, last = split_text(block.text)
    for word in first:
        yield "first", word
    for word in last:
        yield "last", word
    for one, other in pairwise(first[:PAIRED]):
        yield "pair", f"{one} {other}"
    for count in range(1, min(len(first), BEGINNING) + 1):
        yield "beginning", " ".join(first[:count])
    yield "length", str(block.size.bit_length())
    yield "end", block.text[-1]


def train_linear(samples: Sequence[Sample], terms: Callable[[Sample], Terms], seed: int) -> LinearModel:
    """Fit the weights of words by logistic regression (AdaGrad, the mean of the last epochs)."""
    pages = [sample for sample in samples if not sample.disturbed and sample.dataset != "own" and sample.other_kind is None]
    parts, counts, labels, weights, hosts = [], [], [], [], []
    number = {host: place for place, host in enumerate(dict.fromkeys(page.host for page in pages))}
    for page in pages:
        kept = page.features.weighed & (page.weight > 0)
        ids, lengths = terms(page).select(kept)
        parts.append(ids)
        counts.append(lengths)
        labels.append(page.share[kept] > 0.5)
        weights.append(page.weight[kept])
        hosts.append(np.full(len(ids), number[page.host]))
    ids, place = np.unique(np.concatenate(parts), return_inverse=True)
    pairs = np.unique(place * len(number) + np.concatenate(hosts))
    spread = np.bincount(pairs // len(number), minlength=len(ids))
    known = spread >= FEWEST_HOSTS
    model, base = _fit(
        place,
        np.concatenate(counts),
        np.concatenate(labels).astype(float),
        np.concatenate(weights),
        known,
        np.random.default_rng(seed),
    )
    return LinearModel(ids[known], model[known], base, spread[known])


def _fit(
    place: NDArray[Any],
    counts: NDArray[Any],
    label: NDArray[Any],
    weight: NDArray[Any],
    known: NDArray[np.bool_],
    dice: np.random.Generator,
) -> tuple[NDArray[np.float64], float]:
    rows = len(counts)
    weight = weight / weight.mean()
    order = dice.permutation(rows)
    starts = np.concatenate([[0], np.cumsum(counts)])
    shuffled = np.concatenate([[0], np.cumsum(counts[order])])
    place = place[np.repeat(starts[order] - shuffled[:-1], counts[order]) + np.arange(shuffled[-1])]
    label, weight, counts = label[order], weight[order], counts[order]
    weights, squares, base = np.zeros(len(known)), np.full(len(known), 1e-3), 0.0
    means, mean_base = np.zeros(len(known)), 0.0
    batches = dice.permutation(-(-rows // _ROWS))
    kept = 0
    for epoch in range(_EPOCHS):
        for batch in batches:
            first, last = batch * _ROWS, min(rows, (batch + 1) * _ROWS)
            part = place[shuffled[first] : shuffled[last]]
            row = np.repeat(np.arange(last - first), counts[first:last])
            score = np.bincount(row, weights[part], last - first) + base
            error = (1 / (1 + np.exp(-score)) - label[first:last]) * weight[first:last]
            touched, local = np.unique(part, return_inverse=True)
            step = np.bincount(local, error[row]) / (last - first) * 50 + _DAMPING * weights[touched]
            step[~known[touched]] = 0.0
            squares[touched] += step * step
            weights[touched] -= _RATE * step / np.sqrt(squares[touched])
            base -= _RATE * float(error.mean())
        if epoch >= _EPOCHS // 2:
            means, mean_base, kept = means + weights, mean_base + base, kept + 1
    return means / kept, mean_base / kept
