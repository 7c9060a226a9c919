"""How likely each block is part of the body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from newscrawler.extraction.body.features import BlockFeatures
from newscrawler.extraction.body.forest import Forest

Probabilities = NDArray[np.float64]

#: Probability of a block that is nothing but a short link.
NOT_WEIGHED = 0.005
#: Where no block reaches the threshold, those are taken that have this share of the likeliest one's probability, and this at least.
_OF_LIKELIEST, _LEAST_LIKELY = 0.6, 0.02


@dataclass(frozen=True, slots=True)
class BlockClassifier:
    """A forest over the features of blocks."""

    forest: Forest
    #: Probability from which on a block is taken.
    threshold: float

    def probabilities(self, features: BlockFeatures) -> Probabilities:
        """Return the probability of each block that it is part of the body."""
        likely = np.full(len(features.rows), NOT_WEIGHED)
        if features.weighed.any():
            likely[features.weighed] = sigmoid(self.forest.log_odds(features.rows[features.weighed]))
        return likely

    def threshold_of(self, probabilities: Probabilities) -> float:
        """Return from which probability on the blocks of a page are taken: lower where no block of the page is likely."""
        return min(self.threshold, max(_OF_LIKELIEST * float(probabilities.max()), _LEAST_LIKELY))


def sigmoid(log_odds: NDArray[Any]) -> Probabilities:
    """Return log-odds as probabilities."""
    found: Probabilities = 1.0 / (1.0 + np.exp(-np.clip(log_odds.astype(np.float64), -30, 30)))
    return found


def read_model(name: str) -> dict[str, Any]:
    """Return the plain lists of a model file that ships with the program."""
    found: dict[str, Any] = orjson.loads(files(__package__).joinpath("models", f"{name}.json").read_bytes())
    return found


@cache
def block_classifier() -> BlockClassifier:
    """Return the classifier that ships with the program."""
    model = read_model("blocks")
    return BlockClassifier(Forest.of(model["forest"]), float(model["threshold"]))
