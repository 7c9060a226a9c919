"""How likely each block is part of the body: one pass over its own features, another that also sees the blocks around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from newscrawler.extraction.features import BlockFeatures
from newscrawler.extraction.forest import Forest

Probabilities = NDArray[np.float64]

#: What the second pass sees beside the features: the probability of the block by the first pass, and the mean of its boxes.
CONTEXT = ("likely", "likely box", "likely parent", "likely grandparent", "likely alike")
#: Probability of a block that is nothing but a short link.
NOT_WEIGHED = 0.005
#: Where no block reaches the threshold, those are taken that have this share of the likeliest one's probability, and this at least.
_OF_LIKELIEST, _LEAST_LIKELY = 0.6, 0.02


@dataclass(frozen=True, slots=True)
class BlockClassifier:
    """Two forests, the second of which reads what the first one says of all blocks."""

    first: Forest
    second: Forest
    #: Probability from which on a block is taken.
    threshold: float

    def probabilities(self, features: BlockFeatures) -> Probabilities:
        """Return the probability of each block that it is part of the body."""
        rows, weighed = features.rows, features.weighed
        likely = np.full(len(rows), NOT_WEIGHED)
        if not weighed.any():
            return likely
        likely[weighed] = sigmoid(self.first.log_odds(rows[weighed]))
        both = np.hstack([rows[weighed], context_of(features, likely)[weighed]])
        final = np.full(len(rows), NOT_WEIGHED)
        final[weighed] = sigmoid(self.second.log_odds(both))
        return final


    def threshold_of(self, probabilities: Probabilities) -> float:
        """Return from which probability on the blocks of a page are taken: lower where no block of the page is likely."""
        return min(self.threshold, max(_OF_LIKELIEST * float(probabilities.max()), _LEAST_LIKELY))


def sigmoid(log_odds: NDArray[Any]) -> Probabilities:
    """Return log-odds as probabilities."""
    found: Probabilities = 1.0 / (1.0 + np.exp(-np.clip(log_odds.astype(np.float64), -30, 30)))
    return found


def context_of(features: BlockFeatures, likely: Probabilities) -> NDArray[np.float32]:
    """Return the columns of `CONTEXT`: long blocks weigh more in a mean, by the root of their length."""
    weight = np.sqrt(features.rows[:, 0])
    sums, weights = (np.concatenate([[0.0], np.cumsum(values)]) for values in (likely * weight, weight))
    first, last = features.first, features.last
    mean = (sums[last] - sums[first]) / np.maximum(weights[last] - weights[first], 1e-6)
    alike = np.bincount(features.signs, likely * weight) / np.maximum(np.bincount(features.signs, weight), 1e-6)
    columns = [likely, *(mean[box] for box in features.boxes), alike[features.signs]]
    return np.stack(columns, axis=1).astype(np.float32)


def read_model(name: str) -> dict[str, Any]:
    """Return the plain lists of a model file that ships with the program."""
    found: dict[str, Any] = orjson.loads(files(__package__).joinpath("models", f"{name}.json").read_bytes())
    return found


@cache
def block_classifier() -> BlockClassifier:
    """Return the classifier that ships with the program."""
    model = read_model("blocks")
    return BlockClassifier(Forest.of(model["first"]), Forest.of(model["second"]), float(model["threshold"]))
