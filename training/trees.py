"""Writes trees as the plain lists of a model file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from newscrawler.extraction.body.forest import LEAVES, NODES

_ALL = (1 << LEAVES) - 1


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
