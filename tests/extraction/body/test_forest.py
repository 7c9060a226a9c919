"""Forests as arrays give what a walk from node to node gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawler.extraction.body.forest import LEAVES, Forest, as_data

FEATURES = ("size", "links", "depth", "share")
#: Few values, so that thresholds are often met exactly.
NUMBERS = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e6, 1e6, width=32))
LEAF = st.floats(-2, 2).map(lambda value: {"value": round(value, 5)})


def _nodes(most: int) -> st.SearchStrategy[dict[str, Any]]:
    """Trees of at most so many leaves, of any shape."""
    if most < 2:
        return LEAF
    inner = st.integers(1, most - 1).flatmap(
        lambda left: st.fixed_dictionaries(
            {"feature": st.integers(0, len(FEATURES) - 1), "threshold": NUMBERS, "left": _nodes(left), "right": _nodes(most - left)}
        )
    )
    return st.one_of(LEAF, inner, inner, inner)


TREES = st.lists(_nodes(LEAVES), min_size=1, max_size=4)
ROWS = st.lists(st.lists(NUMBERS, min_size=len(FEATURES), max_size=len(FEATURES)), min_size=1, max_size=20)


def walked(trees: list[dict[str, Any]], row: list[float], base: float = 0.0) -> float:
    """Return the sum of the leaves that a row reaches, walking from node to node."""
    total = base
    for tree in trees:
        node = tree
        while "value" not in node:
            above = np.float32(row[node["feature"]]) > np.float32(node["threshold"])
            node = node["right" if above else "left"]
        total += node["value"]
    return total


def comb(leaves: int, *, side: str) -> dict[str, Any]:
    """Return a tree of so many leaves that grows to one side only; the value of a leaf is its number from the left."""
    numbers = range(leaves) if side == "left" else range(leaves - 1, -1, -1)
    values = [{"value": float(number)} for number in numbers]
    node: dict[str, Any] = values[0]
    for place, leaf in enumerate(values[1:], 1):
        pair = (node, leaf) if side == "left" else (leaf, node)
        threshold = float(place if side == "left" else leaves - place)
        node = {"feature": 0, "threshold": threshold, "left": pair[0], "right": pair[1]}
    return node


@given(TREES, ROWS, st.floats(-3, 3))
@settings(max_examples=150, deadline=None)
def test_a_forest_answers_as_a_walk_over_its_trees(trees: list[dict[str, Any]], rows: list[list[float]], base: float) -> None:
    forest = Forest.of(as_data(trees, FEATURES, base))

    found = forest.log_odds(np.array(rows, dtype=np.float32))

    assert found == pytest.approx([walked(trees, row, base) for row in rows], abs=1e-4)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("leaves", [1, 2, 9, LEAVES])
def test_every_leaf_of_a_lopsided_tree_is_reached(side: str, leaves: int) -> None:
    forest = Forest.of(as_data([comb(leaves, side=side)], FEATURES))

    rows = np.zeros((leaves, len(FEATURES)), dtype=np.float32)
    rows[:, 0] = np.arange(leaves) + 0.5

    assert forest.log_odds(rows).tolist() == list(range(leaves))


def test_a_tree_of_more_leaves_is_refused() -> None:
    with pytest.raises(ValueError, match=f"{LEAVES + 1} leaves; at most {LEAVES}"):
        as_data([comb(LEAVES + 1, side="left")], FEATURES)


def test_a_value_that_is_exactly_the_threshold_goes_to_the_left() -> None:
    tree = {"feature": 0, "threshold": 0.1, "left": {"value": -1.0}, "right": {"value": 1.0}}
    forest = Forest.of(as_data([tree], FEATURES))

    rows = np.array([[0.1, 0, 0, 0], [np.nextafter(np.float32(0.1), np.float32(1)), 0, 0, 0]], dtype=np.float32)

    assert forest.log_odds(rows).tolist() == [-1.0, 1.0]


def test_many_rows_are_answered_as_few_are() -> None:
    rng = np.random.default_rng(17)
    rows = rng.normal(0, 8, (1500, len(FEATURES))).astype(np.float32)
    forest = Forest.of(as_data([comb(LEAVES, side="left"), comb(5, side="right")], FEATURES, 0.25))

    assert forest.log_odds(rows).tolist() == [float(forest.log_odds(row.reshape(1, -1))[0]) for row in rows]
    assert forest.log_odds(rows[:0]).shape == (0,)


@given(TREES, ROWS)
@settings(max_examples=50, deadline=None)
def test_contributions_name_only_features_that_the_trees_ask_for_and_lead_to_the_answer(
    trees: list[dict[str, Any]], rows: list[list[float]]
) -> None:
    forest = Forest.of(as_data(trees, FEATURES))
    start = sum(float(np.mean(_leaves(tree))) for tree in trees)

    for row in rows[:3]:
        (found,) = forest.compute_contributions(np.array([row], dtype=np.float32))
        assert set(found) <= set(FEATURES)
        assert start + sum(moved for moved, _ in found.values()) == pytest.approx(walked(trees, row), abs=1e-3)


def _leaves(node: dict[str, Any]) -> list[float]:
    return [node["value"]] if "value" in node else _leaves(node["left"]) + _leaves(node["right"])


def test_lists_of_another_shape_are_refused() -> None:
    data = as_data([comb(3, side="left")], FEATURES)

    with pytest.raises(ValueError, match="reshape"):
        Forest.of(data | {"left": data["left"][0][:5]})
