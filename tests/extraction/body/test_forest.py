"""Forests as arrays give what a walk from node to node gives: probabilities, and contributions of features."""

from __future__ import annotations

import random
from collections.abc import Mapping
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kurier import LANGUAGES, SECTIONS, headline, page, paragraphs, teasers
from own_pages import layouts, pages_of

from newscrawler.extraction.body.block_class import load_class_forests
from newscrawler.extraction.body.block_classifier import load_block_classifier
from newscrawler.extraction.body.features import block_features
from newscrawler.extraction.body.forest import LEAVES, Forest, sigmoid
from newscrawler.extraction.body.page_kind import load_page_classifier
from newscrawler.page import Document
from training.trees import as_data

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


def probabilities(document: Document) -> dict[str, float]:
    found = load_block_classifier().probabilities(block_features(document))
    return {block.text: float(found[block.index]) for block in document.layout.blocks}


def test_log_odds_become_probabilities_however_large_they_are() -> None:
    assert sigmoid(np.array([0.0, 1e9, -1e9, 1.0], dtype=np.float32)) == pytest.approx([0.5, 1.0, 0.0, 0.7310586])


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_is_likelier_than_menus_and_teasers(language: str) -> None:
    found = probabilities(page(language, f"<h1>{headline(language)}</h1>{paragraphs(language)}"))
    text = [value for said, value in found.items() if f"<p>{said}</p>" in paragraphs(language)]
    others = [value for said, value in found.items() if said in SECTIONS or said.endswith("2026")]

    assert min(text) > 0.5
    assert max(others) < 0.2


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_page_of_links_only_nothing_is_likely(language: str) -> None:
    links = "".join(f"<li><a href=/{number}.html>{name}</a></li>" for number, name in enumerate(SECTIONS * 5))

    found = probabilities(page(language, f"<ul>{links}</ul>{teasers(language, 30)}", title="Kurier", path="/"))

    assert 0 <= min(found.values()) <= max(found.values()) < 0.4


def test_where_nothing_is_worth_weighing_every_block_is_unlikely() -> None:
    found = probabilities(Document.parse("<ul><li><a href=/1>One</a></li><li><a href=/2>Two</a></li></ul>"))

    assert set(found) == {"One", "Two"}
    assert max(found.values()) < 0.01


@pytest.mark.parametrize("layout", layouts())
def test_of_whole_pages_what_is_wanted_is_likelier_than_what_is_not(layout: str) -> None:
    wanted, unwanted = [], []
    for own in pages_of(layout):
        if own.gold.article:
            for said, value in probabilities(Document.parse(own.html, own.given_url)).items():
                if any(said in text for text in own.gold.texts):
                    wanted.append(value)
                elif said in own.gold.unwanted_pieces:
                    unwanted.append(value)

    assert fmean(wanted) > 0.6
    assert not unwanted or fmean(wanted) - fmean(unwanted) > 0.3


FEATURES_OF_TREES = ("a", "b", "c", "d")


def grown(rng: random.Random, leaves: int) -> dict[str, Any]:
    """A random tree with so many leaves."""
    if leaves == 1:
        return {"value": round(rng.uniform(-1, 1), 5)}
    left = rng.randint(1, leaves - 1)
    return {
        "feature": rng.randrange(len(FEATURES_OF_TREES)),
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


def walked_by_nodes(node: Mapping[str, Any], row: np.ndarray, rows: np.ndarray) -> dict[str, float]:
    """What each feature moves in one tree: the change of the mean over the rows that reach a node, or over its leaves."""
    moved: dict[str, float] = {}
    by_leaves = len(rows) == 1

    def mean(branch: Mapping[str, Any], reaching: np.ndarray) -> float:
        return float(np.mean(leaves_of(branch) if by_leaves else [reached(branch, other) for other in reaching]))

    while "value" not in node:
        column = node["feature"]
        is_above = row[column] > node["threshold"]
        child, kept = node["right" if is_above else "left"], rows[(rows[:, column] > node["threshold"]) == is_above]
        moved[FEATURES_OF_TREES[column]] = moved.get(FEATURES_OF_TREES[column], 0.0) + mean(child, kept) - mean(node, rows)
        node, rows = child, kept
    return moved


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("count", [1, 2, 30])
def test_contributions_are_those_of_a_walk_from_node_to_node(seed: int, count: int) -> None:
    rng = random.Random(seed)
    trees = [grown(rng, rng.randint(1, 16)) for _ in range(6)]
    rows = np.array([[rng.uniform(-1.2, 1.2) for _ in FEATURES_OF_TREES] for _ in range(count)], dtype=np.float32)

    found = Forest.of(as_data(trees, FEATURES_OF_TREES)).compute_contributions(rows)

    for row, moved in zip(rows, found, strict=True):
        expected: dict[str, float] = {}
        for tree in trees:
            for name, change in walked_by_nodes(tree, row, rows).items():
                expected[name] = expected.get(name, 0.0) + change
        assert moved.keys() == expected.keys()
        assert all(moved[name].moved == pytest.approx(expected[name], abs=1e-4) for name in expected)


@pytest.mark.parametrize(
    "forest",
    [load_block_classifier().first, load_block_classifier().second, load_page_classifier().article, *load_class_forests().values()],
)
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
    forest = Forest.of(as_data([tree], FEATURES_OF_TREES))

    (high,) = forest.compute_contributions(np.array([[0.9, 0, 0, 0]], dtype=np.float32))
    (low,) = forest.compute_contributions(np.array([[0.1, 0, 0, 0]], dtype=np.float32))

    assert high["a"] == (1.0, True)
    assert low["a"] == (-1.0, False)
