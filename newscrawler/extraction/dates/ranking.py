"""Which day is that of publication, and which that of the last change: forests over the features of days."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body.classifier import read_model, sigmoid
from newscrawler.extraction.body.forest import Forest
from newscrawler.extraction.dates.days import Days


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRanker:
    """Two forests over the same features, and what they were worth on hosts that they had not seen."""

    published: Forest
    modified: Forest
    #: Points of a rising line from the probability of the best day to how often it was right.
    curve: NDArray[np.float64]
    #: Probability from which on a day is that of publication, and that of the last change.
    least: float
    least_change: float
    #: Probability of a day by what is declared from which on the text of a page need not be read.
    enough: float

    def published_probabilities(self, days: Days) -> NDArray[np.float64]:
        """Return the probability of each day to be that of publication."""
        return sigmoid(self.published.log_odds(days.rows))

    def modified_probabilities(self, days: Days) -> NDArray[np.float64]:
        """Return the probability of each day to be that of the last change."""
        return sigmoid(self.modified.log_odds(days.rows))

    def confidence(self, probability: float) -> float:
        """Return how often the best day was right where it had this probability."""
        return float(np.interp(probability, self.curve[:, 0], self.curve[:, 1]))


def ranker_of(model: Mapping[str, Any]) -> DayRanker:
    """Make a ranker of the plain lists of a model file."""
    return DayRanker(
        published=Forest.of(model["published"]),
        modified=Forest.of(model["modified"]),
        curve=np.array(model["curve"]),
        **{name: float(model[name]) for name in ("least", "least_change", "enough")},
    )


@cache
def day_ranker() -> DayRanker:
    """Return the ranker that ships with the program."""
    return ranker_of(read_model("dates"))
