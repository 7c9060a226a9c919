"""Boosted trees on arrays: the probability that a block is part of the body, or that a candidate for a field is the right one.

Every tree looks at every row at once, without a walk from node to node. Each inner node whose test fails strikes out the leaves
below its left branch; the first leaf that is left is the tree's answer (QuickScorer, Lucchese et al. 2015). A tree has at most
sixteen leaves, so that what it strikes out fits into sixteen bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

#: Leaves of a tree, and its inner nodes.
LEAVES = 16
NODES = LEAVES - 1
_ROWS_AT_ONCE, _FEW_ROWS = 128, 16

Floats = NDArray[np.float32]


#: The number of the lowest bit that is set, for each number of sixteen bits.
_NUMBERS = np.arange(1 << LEAVES)
_FIRST_BIT = np.rint(np.log2(np.maximum(_NUMBERS & -_NUMBERS, 1))).astype(np.uint8)


class Contribution(NamedTuple):
    """How far one feature moves the log-odds of a row."""

    moved: float
    #: The value lies above the thresholds that moved it most.
    above: bool


@dataclass(frozen=True, slots=True)
class Forest:
    """The sum of boosted trees, as arrays of shape (nodes, trees) and (trees, leaves)."""

    features: tuple[str, ...]
    base: float
    column: NDArray[np.intp]
    threshold: Floats
    #: Which leaves are left where the test `value <= threshold` fails.
    left: NDArray[np.uint16]
    value: Floats

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Forest:
        """Make a forest of plain lists, as training writes them.

        Raises:
            ValueError: the lists are of other shapes.
        """
        trees = len(data["value"])
        return cls(
            features=tuple(data["features"]),
            base=float(data["base"]),
            column=_sort_by_node(data["column"], np.intp, trees),
            threshold=_sort_by_node(data["threshold"], np.float32, trees),
            left=_sort_by_node(data["left"], np.uint16, trees),
            value=np.array(data["value"], dtype=np.float32).reshape(trees, LEAVES),
        )

    def log_odds(self, rows: Floats) -> Floats:
        """Return the log-odds of each row; `rows` has the shape (rows, features)."""
        if len(rows) > _ROWS_AT_ONCE:
            parts = [self.log_odds(rows[start : start + _ROWS_AT_ONCE]) for start in range(0, len(rows), _ROWS_AT_ONCE)]
            return np.concatenate(parts)
        values = self.value.ravel()[self._find_leaves(rows) + np.arange(0, self.value.size, LEAVES)]
        found: Floats = np.ascontiguousarray(values.T).sum(axis=0) + np.float32(self.base)
        return found

    def compute_contributions(self, rows: Floats) -> list[dict[str, Contribution]]:
        """Return how far each feature moves the log-odds of each row away from those of all rows.

        The value of a branch is the mean over the rows that reach it, of a single row the mean of its leaves; what a test changes
        it by counts for the feature that it tests (Saabas 2014). The log-odds of a row are what all its features move plus a
        number that is the same for all rows.
        """
        sides: list[dict[str, list[float]]] = [{} for _ in rows]
        values, leaves = rows.tolist(), self._find_leaves(rows)
        for tree in range(len(self.value)):
            counts = np.bincount(leaves[:, tree], minlength=LEAVES) if len(rows) > 1 else np.ones(LEAVES)
            branches = _Branches(self, tree, counts.tolist())
            for row, moved in zip(values, sides, strict=True):
                for name, is_above, change in branches.path(row):
                    moved.setdefault(name, [0.0, 0.0])[is_above] += change
        return [
            {name: Contribution(below + above, abs(above) > abs(below)) for name, (below, above) in moved.items()}
            for moved in sides
        ]

    def _find_leaves(self, rows: Floats) -> NDArray[np.uint8]:
        """Return the leaf that each row ends in, shape (rows, trees)."""
        if len(rows) < _FEW_ROWS:  # a loop over a few numbers costs as much as over many: the inner one is that over the trees
            struck = np.bitwise_or.reduce((np.take(rows, self.column, axis=1) > self.threshold) * ~self.left, axis=1)
        else:
            fails = np.take(np.ascontiguousarray(rows.T), self.column, axis=0) > self.threshold[:, :, None]
            struck = np.bitwise_or.reduce(fails * ~self.left[:, :, None], axis=0).T
        found: NDArray[np.uint8] = _FIRST_BIT[~struck]
        return found


def _sort_by_node(rows: Any, kind: type[np.generic], trees: int) -> NDArray[Any]:
    """Return the numbers of the nodes of trees, turned to the shape (nodes, trees)."""
    return np.ascontiguousarray(np.array(rows, dtype=kind).reshape(trees, NODES).T)


class _Branches:
    """One tree to be walked from node to node.

    Nodes stand in the order in which a walk meets them, left branches first. A branch of k leaves has k - 1 nodes.
    """

    def __init__(self, forest: Forest, tree: int, counts: Sequence[float]) -> None:
        self.column = forest.column[:, tree].tolist()
        self.names = [forest.features[column] for column in self.column]
        self.threshold = forest.threshold[:, tree].tolist()
        #: Leaves of the left branch of each node; 0 where the tree has no such node.
        self.left = [LEAVES - left.bit_count() for left in forest.left[:, tree].tolist()]
        self.leaves = sum(map(bool, self.left)) + 1
        values = forest.value[tree].tolist()
        self.sums = [0.0, *accumulate(value * count for value, count in zip(values, counts, strict=True))]
        self.counts = [0.0, *accumulate(counts)]

    def path(self, row: Sequence[float]) -> Iterator[tuple[str, bool, float]]:
        """Yield of each test on the way of a row: the feature, whether its value lies above, by how much the mean changes."""
        node, first, last = 0, 0, self.leaves
        mean = self._compute_mean(first, last)
        while last - first > 1:
            name, is_above = self.names[node], row[self.column[node]] > self.threshold[node]
            middle = first + self.left[node]
            node, first, last = (node + self.left[node], middle, last) if is_above else (node + 1, first, middle)
            before, mean = mean, self._compute_mean(first, last)
            yield name, is_above, mean - before

    def _compute_mean(self, first: int, last: int) -> float:
        mean: float = (self.sums[last] - self.sums[first]) / (self.counts[last] - self.counts[first])
        return mean


Probabilities = NDArray[np.float64]


def sigmoid(log_odds: NDArray[Any]) -> Probabilities:
    """Return log-odds as probabilities."""
    found: Probabilities = 1.0 / (1.0 + np.exp(-np.clip(log_odds.astype(np.float64), -30, 30)))
    return found


def read_model(name: str) -> dict[str, Any]:
    """Return the plain lists of a model file that ships with the program."""
    found: dict[str, Any] = orjson.loads(files(__package__).joinpath("models", f"{name}.json").read_bytes())
    return found


def read_arrays(name: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a model file that ships with the program."""
    with files(__package__).joinpath("models", f"{name}.npz").open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return dict(arrays)


#: The features of candidates, one list each.
Rows = Sequence[Sequence[float]]


def probabilities(forest: Forest, rows: Rows) -> list[float]:
    """Return the probability of each candidate; `rows` are their features."""
    found: list[float] = sigmoid(forest.log_odds(np.array(rows, dtype=np.float32))).tolist()
    return found


@cache
def load_field_forest(field: str) -> Forest:
    """Return the forest of a field that ships with the program."""
    return Forest.of(read_model(field))
