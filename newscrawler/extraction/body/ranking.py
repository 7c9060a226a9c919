"""How likely each candidate for a field is the right one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from newscrawler.extraction.body.classifier import read_model, sigmoid
from newscrawler.extraction.body.forest import Forest

#: The features of candidates, one list each.
Rows = Sequence[Sequence[float]]


def probabilities(forest: Forest, rows: Rows) -> list[float]:
    """Return the probability of each candidate; `rows` are their features."""
    found: list[float] = sigmoid(forest.log_odds(np.array(rows, dtype=np.float32))).tolist()
    return found


@cache
def field_forest(field: str) -> Forest:
    """Return the forest of a field that ships with the program."""
    return Forest.of(read_model(field))
