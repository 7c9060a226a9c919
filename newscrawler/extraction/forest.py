"""Boosted trees on arrays: every tree looks at every row at once, without a walk from node to node.

Each inner node whose test fails strikes out the leaves below its left branch; the first leaf that is left is the tree's answer
(QuickScorer, Lucchese et al. 2015). A tree has at most sixteen leaves, so that what it strikes out fits into sixteen bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Leaves of a tree, and its inner nodes.
LEAVES = 16
NODES = LEAVES - 1
_ALL = (1 << LEAVES) - 1
_ROWS_AT_ONCE = 512

Floats = NDArray[np.float32]


def _first_bits() -> NDArray[np.uint8]:
    """The number of the lowest bit that is set, for each number of sixteen bits."""
    numbers = np.arange(_ALL + 1)
    found = np.zeros(_ALL + 1, dtype=np.uint8)
    for bit in reversed(range(LEAVES)):
        found[numbers & (1 << bit) != 0] = bit
    return found


_FIRST_BIT = _first_bits()


@dataclass(frozen=True, slots=True)
class Forest:
    """The sum of boosted trees, as arrays of shape (trees, nodes) and (trees, leaves)."""

    features: tuple[str, ...]
    base: float
    column: NDArray[np.intp]
    threshold: Floats
    #: Which leaves are left where the test `value <= threshold` fails.
    left: NDArray[np.uint16]
    value: Floats

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Forest:
        """Make a forest of plain lists, as `as_data` gives them.

        Raises:
            ValueError: the lists are of other shapes.
        """
        trees = len(data["value"])
        return cls(
            features=tuple(data["features"]),
            base=float(data["base"]),
            column=np.array(data["column"], dtype=np.intp).reshape(trees * NODES),
            threshold=np.array(data["threshold"], dtype=np.float32).reshape(trees * NODES, 1),
            left=np.array(data["left"], dtype=np.uint16).reshape(trees * NODES, 1),
            value=np.array(data["value"], dtype=np.float32).reshape(trees, LEAVES),
        )

    def log_odds(self, rows: Floats) -> Floats:
        """Return the log-odds of each row; `rows` has the shape (rows, features)."""
        if len(rows) > _ROWS_AT_ONCE:
            parts = [self.log_odds(rows[start : start + _ROWS_AT_ONCE]) for start in range(0, len(rows), _ROWS_AT_ONCE)]
            return np.concatenate(parts)
        trees = len(self.value)
        fails = np.take(np.ascontiguousarray(rows.T), self.column, axis=0) > self.threshold
        struck = (fails * ~self.left).reshape(trees, NODES, len(rows))
        leaf = _FIRST_BIT[~np.bitwise_or.reduce(struck, axis=1)]
        first_leaves = np.arange(0, trees * LEAVES, LEAVES)[:, None]
        found: Floats = self.value.ravel()[leaf + first_leaves].sum(axis=0) + np.float32(self.base)
        return found

    def contributions(self, row: Floats) -> dict[str, float]:
        """Return by how much each feature moves the log-odds of one row: the change of the trees' mean answer along their paths."""
        moved: dict[str, float] = {}
        for tree in range(len(self.value)):
            self._walk(tree, row, moved)
        return moved

    def _walk(self, tree: int, row: Floats, moved: dict[str, float]) -> None:
        values, remaining = self.value[tree], _ALL
        nodes = [node for node in range(tree * NODES, (tree + 1) * NODES) if int(self.left[node, 0]) != _ALL]
        mean = float(values[: len(nodes) + 1].mean())
        for node in nodes:  # outer ones come before inner ones
            below = ~int(self.left[node, 0]) & _ALL
            if not below & remaining:
                continue  # beside the path
            name = self.features[self.column[node]]
            remaining &= ~below if row[self.column[node]] > self.threshold[node, 0] else below
            now = [float(values[leaf]) for leaf in range(len(nodes) + 1) if remaining >> leaf & 1]
            after = sum(now) / len(now)
            moved[name] = moved.get(name, 0.0) + after - mean
            mean = after


def as_data(trees: Sequence[Mapping[str, Any]], features: Sequence[str], base: float = 0.0) -> dict[str, Any]:
    """Turn trees of nested nodes into plain lists that `Forest.of` reads.

    A node is `{"feature", "threshold", "left", "right"}`, a leaf `{"value"}`; where the value of the feature is not above the
    threshold, the left branch is taken.

    Raises:
        ValueError: a tree has more than sixteen leaves.
    """
    column, threshold, left, value = [], [], [], []
    for tree in trees:
        nodes: list[tuple[int, float, int]] = []
        leaves: list[float] = []
        _flatten(tree, nodes, leaves)
        if len(leaves) > LEAVES:
            raise ValueError(f"a tree has {len(leaves)} leaves; at most {LEAVES} fit")
        nodes += [(0, 0.0, _ALL)] * (NODES - len(nodes))
        column.append([node[0] for node in nodes])
        threshold.append([float(np.float32(node[1])) for node in nodes])
        left.append([node[2] for node in nodes])
        value.append([round(leaf, 5) for leaf in leaves] + [0.0] * (LEAVES - len(leaves)))
    return {"features": list(features), "base": base, "column": column, "threshold": threshold, "left": left, "value": value}


def _flatten(node: Mapping[str, Any], nodes: list[tuple[int, float, int]], leaves: list[float]) -> None:
    if "value" in node:
        leaves.append(float(node["value"]))
        return
    place, first = len(nodes), len(leaves)
    nodes.append((0, 0.0, 0))
    _flatten(node["left"], nodes, leaves)
    struck = ((1 << len(leaves)) - 1) & ~((1 << first) - 1)
    nodes[place] = int(node["feature"]), float(node["threshold"]), _ALL & ~struck
    _flatten(node["right"], nodes, leaves)
