"""Fits the forests: LightGBM trains, `newscrawler.extraction.body.forest` reads."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body.forest import LEAVES
from training.trees import as_data

#: A block is taken from this probability on, tried from .2 to .5 on pages of hosts that the model had not seen.
THRESHOLD = 0.35
#: Names that may only lower the probability of a block.
_FALLING = frozenset(
    f"{place} {name}"
    for place in ("branch named", "within")
    for name in (
        "navigation", "footer", "aside", "related", "promotion", "social", "comment", "caption", "byline", "tags", "popup",
        "widget", "hidden", "form", "figure", "consent",
    )
)  # fmt: skip
_RISING = frozenset({"likely"})
_SETTINGS = {
    "num_leaves": LEAVES, "learning_rate": 0.1, "min_data_in_leaf": 100, "lambda_l2": 10.0, "feature_fraction": 0.4,
    "bagging_fraction": 0.8, "bagging_freq": 1, "min_sum_hessian_in_leaf": 1e-2, "max_bin": 127, "verbose": -1, "num_threads": 1,
    "deterministic": True, "force_row_wise": True,
}  # fmt: skip


def fold_of(host: str, folds: int, seed: int) -> int:
    """Return the fold of a host, by its name alone."""
    return int(hashlib.md5(f"{seed}:{host}".encode(), usedforsecurity=False).hexdigest(), 16) % folds


def fit(
    rows: NDArray[Any],
    labels: NDArray[Any],
    weights: NDArray[Any],
    names: Sequence[str],
    *,
    trees: int,
    seed: int,
    **settings: Any,
) -> dict[str, Any]:
    """Fit one forest, and return it as the plain lists that `Forest.of` reads.

    Args:
        rows: of shape (rows, features).
        labels: of the rows.
        weights: of the rows.
        names: of the features.
        trees: how many.
        seed: of the draws.
        settings: of LightGBM, in place of the usual ones; "start": log-odds that the forest is to be added to.
    """
    signs = [-1 if name in _FALLING else 1 if name in _RISING else 0 for name in names]
    labelled = {"weight": weights / weights.mean(), "init_score": settings.pop("start", None)}
    data = lightgbm.Dataset(rows, labels, feature_name=[f"f{i}" for i in range(len(names))], **labelled)
    options = {"objective": "binary", **_SETTINGS, "monotone_constraints": signs, "seed": seed, **settings}
    model = lightgbm.train(options, data, trees)
    # LightGBM folds the base score into the first tree
    nested = [_node(tree["tree_structure"]) for tree in model.dump_model()["tree_info"]]
    return as_data(nested, names)


def average(one: dict[str, Any], other: dict[str, Any], share: float) -> dict[str, Any]:
    """Return the forest whose log-odds are the mean of those of two forests over the same features; `share`: of the first."""
    joined = {name: one[name] + other[name] for name in ("column", "threshold", "left")}
    values = [
        [round(leaf * part, 5) for leaf in leaves]
        for forest, part in ((one, share), (other, 1 - share))
        for leaves in forest["value"]
    ]
    base = share * one["base"] + (1 - share) * other["base"]
    return {"features": one["features"], "base": base, **joined, "value": values}


def _node(node: dict[str, Any]) -> dict[str, Any]:
    if "leaf_value" in node:
        return {"value": node["leaf_value"]}
    return {
        "feature": node["split_feature"],
        "threshold": _between(node["threshold"]),
        "left": _node(node["left_child"]),
        "right": _node(node["right_child"]),
    }


def _between(threshold: float) -> float:
    """Round a threshold to the numbers that features are, downwards, so that the same values stay below it."""
    rounded = np.float32(threshold)
    return float(np.nextafter(rounded, np.float32(-np.inf)) if rounded > threshold else rounded)
