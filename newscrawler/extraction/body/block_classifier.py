"""Probability of each block that it is part of the body, in two passes over the page.

The first pass reads the features of a block, its words, and the names around it. The second one reads the
probabilities around it as well: of its neighbours, of the boxes that it is in, of the blocks of the same make, of the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body.features import HEADINGS, NAMES, BlockFeatures, Tree
from newscrawler.extraction.body.forest import Contribution, Floats, Forest, Probabilities, read_model, sigmoid
from newscrawler.extraction.body.wording import NameModel, WordModel

#: Names of the columns behind those of `features.NAMES`: of the words, and in the second pass of the blocks around.
LEARNED = ("learned names", "learned words", "words before", "words after", "words of heading")
AROUND = (
    "chance", "chance before", "chance two before", "chance after", "chance two after",
    "likely in box", "likely in parent", "likely in grandparent", "likely in fourth",
    "of likely in box", "of likely in parent", "of likely in grandparent", "of likely in fourth",
    "likely alike", "of likely alike", "likely before", "likely after", "likely amount", "best chance", "page doubt",
    "since likely", "until likely",
)  # fmt: skip
#: Probability of a block that is nothing but a short link; log-odds of its words.
NOT_WEIGHED, _NO_WORDS = 0.005, -3.0
#: Where no block reaches the threshold, those are taken that have this share of the likeliest one's probability, and this at least.
_OF_LIKELIEST, _LEAST_LIKELY = 0.6, 0.02
_EVEN, _FAR, _CERTAIN = 0.5, 30.0, 1e-4
_KIND = NAMES.index("kind")


@dataclass(frozen=True, slots=True)
class BlockClassifier:
    """Two forests over the features of blocks, and two linear models over words."""

    names: NameModel
    words: WordModel
    first: Forest
    second: Forest
    #: Probability from which on a block is taken.
    threshold: float

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Make a classifier of plain values, as the training writes them."""
        names, words = NameModel(**data["names"]), WordModel(**data["words"])
        return cls(names, words, Forest.of(data["first"]), Forest.of(data["second"]), float(data["threshold"]))

    def probabilities(self, features: BlockFeatures) -> Probabilities:
        """Return the probability of each block that it is part of the body."""
        return self._look(features)[2]

    def compute_contributions(self, features: BlockFeatures) -> list[dict[str, Contribution]]:
        """Return how far each feature moves the log-odds of each weighed block; see `Forest.compute_contributions`.

        The weight of the first chance in the second pass is divided among the features that made it.
        """
        first, second, _ = self._look(features)
        found = self.second.compute_contributions(second)
        for moved, reasons in zip(found, self.first.compute_contributions(first), strict=True):
            own = moved.pop(AROUND[0], Contribution(0.0, above=False)).moved
            whole = sum(reason.moved for reason in reasons.values())
            share = min(max(own / whole, 0.0), 1.0) if whole else 0.0
            for name, reason in reasons.items():
                known = moved.get(name, Contribution(0.0, reason.above))
                stronger = known if abs(known.moved) > abs(share * reason.moved) else reason
                moved[name] = Contribution(known.moved + share * reason.moved, stronger.above)
        return found

    def find_threshold(self, probabilities: Probabilities) -> float:
        """Return from which probability on the blocks of a page are taken: lower where no block of the page is likely."""
        return min(self.threshold, max(_OF_LIKELIEST * float(probabilities.max()), _LEAST_LIKELY))

    def _look(self, features: BlockFeatures) -> tuple[Floats, Floats, Probabilities]:
        """Return the rows of both passes, of the blocks that are weighed, and the probabilities of all blocks."""
        weighed, tree = features.weighed, features.tree
        names = self.names.score(features.names, tree.name, tree.parent, tree.outer[0])
        words = np.full(len(weighed), _NO_WORDS)
        words[weighed] = self.words.score([features.layout.blocks[index] for index in weighed.nonzero()[0].tolist()])
        first = np.hstack([features.rows, join_learned(features, names, words)])[weighed]
        chance = np.full(len(weighed), NOT_WEIGHED)
        if not weighed.any():
            return first, np.zeros((0, first.shape[1] + len(AROUND)), dtype=np.float32), chance
        chance[weighed] = sigmoid(self.first.log_odds(first))
        second = np.hstack([first, look_around(tree, chance)[weighed]])
        likely = np.full(len(weighed), NOT_WEIGHED)
        likely[weighed] = sigmoid(self.second.log_odds(second))
        return first, second, likely


def join_learned(features: BlockFeatures, names: NDArray[Any], words: NDArray[Any]) -> Floats:
    """Return the columns `LEARNED` of each block, from the log-odds of its names and words."""
    words = np.where(features.weighed, words, _NO_WORDS)
    index = np.arange(len(words))
    is_heading = (features.rows[:, _KIND] >= HEADINGS) & features.weighed
    last = np.concatenate([[-1], np.maximum.accumulate(np.where(is_heading, index, -1))[:-1]])
    above = np.where(last >= 0, words[last], 0.0)
    columns = (names, words, np.concatenate([[0.0], words[:-1]]), np.concatenate([words[1:], [0.0]]), above)
    return np.array(columns, dtype=np.float32).T


def look_around(tree: Tree, likely: Probabilities) -> Floats:
    """Return the probabilities around each block, shape (blocks, numbers), in the order of `AROUND`."""
    size, n = tree.size, len(tree.size)
    text = size * likely
    amount = max(float(text.sum()), 1.0)
    sums, sums_size = np.concatenate([[0.0], np.cumsum(text)]), np.concatenate([[0.0], np.cumsum(size)])
    in_box, size_in_box = sums[tree.last] - sums[tree.first], sums_size[tree.last] - sums_size[tree.first]
    share, of_all = in_box / np.maximum(size_in_box, 1.0), in_box / amount
    padded = np.concatenate([[0.0, 0.0], likely, [0.0, 0.0]])
    alike, alike_size = np.bincount(tree.make, text), np.bincount(tree.make, size)
    index, over = np.arange(n), likely > _EVEN
    before = np.concatenate([[-_FAR], np.maximum.accumulate(np.where(over, index, -_FAR))[:-1]])
    after = np.concatenate([np.minimum.accumulate(np.where(over, index, n + _FAR)[::-1])[::-1][1:], [n + _FAR]])
    odds = np.clip(likely, _CERTAIN, 1 - _CERTAIN)
    whole = (np.log2(amount), float(likely.max()), float((text * (1 - likely)).sum()) / amount)
    columns = (
        np.log(odds / (1 - odds)), padded[1:-3], padded[:-4], padded[3:-1], padded[4:], *share[tree.outer], *of_all[tree.outer],
        (alike / np.maximum(alike_size, 1.0))[tree.make], (alike / amount)[tree.make], sums[:-1] / amount,
        (sums[-1] - sums[1:]) / amount, *np.full((n, 3), whole).T,
        np.minimum(index - before, _FAR), np.minimum(after - index, _FAR),
    )  # fmt: skip
    return np.array(columns, dtype=np.float32).T


@cache
def load_block_classifier() -> BlockClassifier:
    """Return the classifier that ships with the program."""
    return BlockClassifier.of(read_model("blocks"))
