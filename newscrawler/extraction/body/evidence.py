"""How likely each block is part of the body, given what other pages of its portal show of blocks like it.

Forests move the log-odds that the page itself gives: by labels of other pages at the same place, and by lines that recur on
other pages. A block of which they show nothing keeps its probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body.forest import Floats, Forest, Probabilities, read_model, sigmoid

#: The log-odds by the page itself; then evidence from the block's place on labelled pages (amounts of text that was part of the
#: body and that was not, and their balance), from less and less specific places, by how much more of it was text than the block
#: model expected; then of its line; then what kind of block it is.
NAMES = (
    "own",
    "labelled pages", "right", "wrong", "balance", "right near", "wrong near", "balance near", "balance around", "balance of tag",
    "surprise", "surprise near", "line pages", "size", "heading", "item",
)  # fmt: skip
#: Columns that the forest of the lines rests on; that of the places rests on all.
OF_LINES = range(12, len(NAMES))
_LABELLED, _LINE_PAGES = NAMES.index("labelled pages"), NAMES.index("line pages")
#: No page is surer of a block than this by itself.
_LEAST_LIKELY = 0.02


@dataclass(frozen=True, slots=True)
class EvidenceClassifier:
    """Two forests: one lowers the log-odds of lines that recur; one moves them by the labels of the block's place."""

    lines: Forest
    places: Forest

    def amended(self, probabilities: Probabilities, evidence: Mapping[int, Sequence[float]]) -> Probabilities:
        """Return the probabilities of all blocks, those with evidence moved by it."""
        rows = lowered(self.lines, rows_of(probabilities, evidence))
        known = has_place(rows)
        if known.any():
            rows[:, 0] += np.where(known, self.places.log_odds(rows), 0.0)
        found = probabilities.copy()
        found[list(evidence)] = sigmoid(rows[:, 0])
        return found


def rows_of(probabilities: Probabilities, evidence: Mapping[int, Sequence[float]]) -> Floats:
    """Return the rows of the blocks with evidence, in the order of `NAMES`."""
    likely = np.clip(probabilities[list(evidence)], _LEAST_LIKELY, 1 - _LEAST_LIKELY)
    rows = np.empty((len(evidence), len(NAMES)), dtype=np.float32)
    rows[:, 0] = np.log(likely / (1 - likely))
    rows[:, 1:] = list(evidence.values())
    return rows


def lowered(lines: Forest, rows: Floats) -> Floats:
    """Return the rows with the log-odds of lines that recur lowered; that a line recurs never speaks for it."""
    found = rows.copy()
    found[:, 0] += np.where(has_line(rows), np.minimum(lines.log_odds(rows[:, OF_LINES]), 0.0), 0.0)
    return found


def has_line(rows: Floats) -> NDArray[np.bool_]:
    """Tell of each row whether its line is known from other pages."""
    found: NDArray[np.bool_] = rows[:, _LINE_PAGES] > 0
    return found


def has_place(rows: Floats) -> NDArray[np.bool_]:
    """Tell of each row whether its place is known from labelled pages."""
    found: NDArray[np.bool_] = rows[:, _LABELLED] > 0
    return found


@cache
def load_evidence_classifier() -> EvidenceClassifier:
    """Return the classifier that ships with the program."""
    model = read_model("evidence")
    return EvidenceClassifier(Forest.of(model["lines"]), Forest.of(model["places"]))
