"""Probability of each block that it is part of the body, in two passes over the page.

The first pass reads the features of a block, its words, and the names around it. The second one reads the
probabilities around it as well: of its neighbours, of the boxes that it is in, of the blocks of the same make, of the page.
It is a forest and a network, whose log-odds are averaged.

Other pages of its portal move them: labels of blocks at the same place, and lines that recur. A block of which they show nothing
keeps its probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body.features import HEADINGS, KINDS, NAMES, BlockFeatures, Tree
from newscrawler.extraction.body.forest import Contribution, Floats, Forest, Probabilities, read_arrays, read_model, sigmoid
from newscrawler.extraction.body.network import BlockNetwork, Neighbourhood
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
#: Name of the network's share among the contributions.
NETWORK = "network"
#: Probability of a block that is nothing but a short link; log-odds of its words.
NOT_WEIGHED, _NO_WORDS = 0.005, -3.0
_EVEN, _FAR, _CERTAIN = 0.5, 30.0, 1e-4
_KIND, _NAMED, _OWN_ARTICLE = (NAMES.index(name) for name in ("kind", "kinds named", "own article"))
#: Kinds of content that the markup of a page must name for the network to count: almost all real pages name as many.
_FEWEST_NAMED = 4


class _Look(NamedTuple):
    """The rows of both passes, of the blocks that are weighed, and their log-odds."""

    first: Floats
    second: Floats
    log_odds: Floats


@dataclass(frozen=True, slots=True)
class BlockClassifier:
    """Two forests and a network over the features of blocks, and two linear models over words."""

    names: NameModel
    words: WordModel
    first: Forest
    second: Forest
    network: BlockNetwork
    #: Share of the network in the log-odds of the second pass.
    share: float
    #: Probability from which on a block is taken.
    threshold: float

    @classmethod
    def of(cls, data: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make a classifier of plain values and of arrays, as the training writes them."""
        matrices = {name: values.astype(np.float32) for name, values in arrays.items()}
        words = WordModel(**data["words"], weights=matrices.pop("weights"), vectors=matrices.pop("vectors"))
        return cls(
            names=NameModel(**data["names"]), words=words, first=Forest.of(data["first"]), second=Forest.of(data["second"]),
            network=BlockNetwork.of(matrices), share=float(data["share"]), threshold=float(data["threshold"]),
        )  # fmt: skip

    def probabilities(self, features: BlockFeatures) -> Probabilities:
        """Return the probability of each block that it is part of the body."""
        found = np.full(len(features.weighed), NOT_WEIGHED)
        found[features.weighed] = sigmoid(self._look(features).log_odds)
        return found

    def compute_contributions(self, features: BlockFeatures) -> list[dict[str, Contribution]]:
        """Return how far each feature moves the log-odds of each weighed block; see `Forest.compute_contributions`.

        The weight of the first chance in the second pass is divided among the features that made it; the network's difference
        from the second forest is one more.
        """
        look = self._look(features)
        found = self.second.compute_contributions(look.second)
        added = (look.log_odds - self.second.log_odds(look.second)).tolist() if found else []
        for moved, reasons, more in zip(found, self.first.compute_contributions(look.first), added, strict=True):
            moved[NETWORK] = Contribution(more, above=more > 0)
            own = moved.pop(AROUND[0], Contribution(0.0, above=False)).moved
            whole = sum(reason.moved for reason in reasons.values())
            share = min(max(own / whole, 0.0), 1.0) if whole else 0.0
            for name, reason in reasons.items():
                known = moved.get(name, Contribution(0.0, reason.above))
                stronger = known if abs(known.moved) > abs(share * reason.moved) else reason
                moved[name] = Contribution(known.moved + share * reason.moved, stronger.above)
        return found

    def find_threshold(self, probabilities: Probabilities) -> float:
        """Return from which probability on blocks are taken; where none reaches it, 0.6 of the likeliest one's, at least 0.02."""
        return min(self.threshold, max(0.6 * float(probabilities.max()), 0.02))

    def _look(self, features: BlockFeatures) -> _Look:
        """Look at the blocks that are weighed, in both passes."""
        weighed, tree = features.weighed, features.tree
        names = self.names.score(features.names, tree.name, tree.parent, tree.outer[0])
        words = np.full(len(weighed), _NO_WORDS)
        words[weighed], vectors = self.words.score([features.layout.blocks[index] for index in weighed.nonzero()[0].tolist()])
        first = np.hstack([features.rows, join_learned(features, names, words)])[weighed]
        if not weighed.any():
            return _Look(first, np.zeros((0, first.shape[1] + len(AROUND)), dtype=np.float32), np.zeros(0, dtype=np.float32))
        chance = np.full(len(weighed), NOT_WEIGHED)
        chance[weighed] = sigmoid(self.first.log_odds(first))
        second = np.hstack([first, look_around(tree, chance)[weighed]])
        odds = self.second.log_odds(second)
        judged = is_judged(second)
        if judged.any():
            by_network = self.network.log_odds(second, vectors, Neighbourhood.of(tree, weighed))
            odds += self.share * np.where(judged, by_network - odds, 0)
        return _Look(first, second, odds)


def is_judged(rows: Floats) -> NDArray[np.bool_]:
    """Tell which blocks the network judges: of pages whose markup names something, no quotations, nothing of other articles.

    The rest is rare in labelled pages, or labelled now so and now so: the network learns nothing sure of it.
    """
    found: NDArray[np.bool_] = (
        (rows[:, _NAMED] >= _FEWEST_NAMED) & (rows[:, _KIND] != KINDS["blockquote"]) & (rows[:, _OWN_ARTICLE] >= 0)
    )
    return found


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
    return BlockClassifier.of(read_model("blocks"), read_arrays("blocks"))


#: The log-odds by the page itself; then evidence from the block's place on labelled pages (amounts of text that was part of the
#: body and that was not, and their balance), from less and less specific places, by how much more of it was text than the block
#: model expected; then of its line; then what kind of block it is.
EVIDENCE = (
    "own",
    "labelled pages", "right", "wrong", "balance", "right near", "wrong near", "balance near", "balance around", "balance of tag",
    "surprise", "surprise near", "line pages", "size", "heading", "item",
)  # fmt: skip
#: Columns that the forest of the lines rests on; that of the places rests on all.
OF_LINES = range(12, len(EVIDENCE))
#: Columns above 0 in rows of known places, and of known lines.
PLACE_PAGES, LINE_PAGES = EVIDENCE.index("labelled pages"), EVIDENCE.index("line pages")


@dataclass(frozen=True, slots=True)
class EvidenceClassifier:
    """Two forests: one lowers the log-odds of lines that recur; one moves them by the labels of the block's place."""

    lines: Forest
    places: Forest

    def amended(self, probabilities: Probabilities, evidence: Mapping[int, Sequence[float]]) -> Probabilities:
        """Return the probabilities of all blocks, those with evidence moved by it."""
        rows = lowered(self.lines, rows_of(probabilities, evidence))
        known = rows[:, PLACE_PAGES] > 0
        if known.any():
            rows[:, 0] += np.where(known, self.places.log_odds(rows), 0.0)
        found = probabilities.copy()
        found[list(evidence)] = sigmoid(rows[:, 0])
        return found


def rows_of(probabilities: Probabilities, evidence: Mapping[int, Sequence[float]]) -> Floats:
    """Return the rows of the blocks with evidence, in the order of `EVIDENCE`."""
    likely = np.clip(probabilities[list(evidence)], 0.02, 0.98)  # no page is surer of a block by itself
    rows = np.empty((len(evidence), len(EVIDENCE)), dtype=np.float32)
    rows[:, 0] = np.log(likely / (1 - likely))
    rows[:, 1:] = list(evidence.values())
    return rows


def lowered(lines: Forest, rows: Floats) -> Floats:
    """Return the rows with the log-odds of lines that recur lowered; that a line recurs never speaks for it."""
    found = rows.copy()
    found[:, 0] += np.where(rows[:, LINE_PAGES] > 0, np.minimum(lines.log_odds(rows[:, OF_LINES]), 0.0), 0.0)
    return found


@cache
def load_evidence_classifier() -> EvidenceClassifier:
    """Return the classifier that ships with the program."""
    model = read_model("evidence")
    return EvidenceClassifier(Forest.of(model["lines"]), Forest.of(model["places"]))
