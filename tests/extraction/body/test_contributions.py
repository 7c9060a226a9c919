"""What `Forest.compute_contributions` says is what a plain walk from node to node says."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from newscrawler.extraction.body.block_class import load_class_forests
from newscrawler.extraction.body.forest import Forest, as_data, load_block_classifier
from newscrawler.extraction.body.page_kind import load_page_classifier

FEATURES = ("a", "b", "c", "d")


def grown(rng: random.Random, leaves: int) -> dict[str, Any]:
    """A random tree with so many leaves."""
    if leaves == 1:
        return {"value": round(rng.uniform(-1, 1), 5)}
    left = rng.randint(1, leaves - 1)
    return {
        "feature": rng.randrange(len(FEATURES)),
        "threshold": float(np.float32(rng.uniform(-1, 1))),
        "left": grown(rng, left),
        "right": grown(rng, leaves - left),
    }


def leaves_of(node: Mapping[str, Any]) -> list[float]:
    return [node["value"]] if "value" in node else leaves_of(node["left"]) + leaves_of(node["right"])


def reached(node: Mapping[str, Any], row: np.ndarray) -> float:
    while "value" not in node:
        node = node["right"] if row[node["feature"]] > node["threshold"] else node["left"]
    return float(node["value"])


def walked(node: Mapping[str, Any], row: np.ndarray, rows: np.ndarray) -> dict[str, float]:
    """What each feature moves in one tree: the change of the mean over the rows that reach a node, or over its leaves."""
    moved: dict[str, float] = {}
    by_leaves = len(rows) == 1

    def mean(branch: Mapping[str, Any], reaching: np.ndarray) -> float:
        return float(np.mean(leaves_of(branch) if by_leaves else [reached(branch, other) for other in reaching]))

    while "value" not in node:
        column = node["feature"]
        is_above = row[column] > node["threshold"]
        child, kept = node["right" if is_above else "left"], rows[(rows[:, column] > node["threshold"]) == is_above]
        moved[FEATURES[column]] = moved.get(FEATURES[column], 0.0) + mean(child, kept) - mean(node, rows)
        node, rows = child, kept
    return moved


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("count", [1, 2, 30])
def test_contributions_are_those_of_a_walk_from_node_to_node(seed: int, count: int) -> None:
    rng = random.Random(seed)
    trees = [grown(rng, rng.randint(1, 16)) for _ in range(6)]
    rows = np.array([[rng.uniform(-1.2, 1.2) for _ in FEATURES] for _ in range(count)], dtype=np.float32)

    found = Forest.of(as_data(trees, FEATURES)).compute_contributions(rows)

    for row, moved in zip(rows, found, strict=True):
        expected: dict[str, float] = {}
        for tree in trees:
            for name, change in walked(tree, row, rows).items():
                expected[name] = expected.get(name, 0.0) + change
        assert moved.keys() == expected.keys()
        assert all(moved[name].moved == pytest.approx(expected[name], abs=1e-4) for name in expected)


@pytest.mark.parametrize("forest", [load_block_classifier().forest, load_page_classifier().article, *load_class_forests().values()])
def test_contributions_add_up_to_what_parts_the_rows(forest: Forest) -> None:
    rng = np.random.default_rng(7)
    rows = (rng.normal(size=(40, len(forest.features))) * rng.choice([0.3, 3.0, 200.0], size=len(forest.features))).astype(
        np.float32
    )

    sums = np.array([sum(moved for moved, _ in row.values()) for row in forest.compute_contributions(rows)])

    assert np.ptp(forest.log_odds(rows)) > 0.1
    assert np.allclose(forest.log_odds(rows) - sums, np.mean(forest.log_odds(rows)), atol=1e-3)


def test_the_side_of_the_tests_that_moved_most_is_told() -> None:
    tree = {"feature": 0, "threshold": 0.5, "left": {"value": -1.0}, "right": {"value": 1.0}}
    forest = Forest.of(as_data([tree], FEATURES))

    (high,) = forest.compute_contributions(np.array([[0.9, 0, 0, 0]], dtype=np.float32))
    (low,) = forest.compute_contributions(np.array([[0.1, 0, 0, 0]], dtype=np.float32))

    assert high["a"] == (1.0, True)
    assert low["a"] == (-1.0, False)
