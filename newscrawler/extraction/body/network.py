"""A small network over the blocks of a page: the features and words of each, mixed in two rounds with those of the blocks around.

Forests look at one block at a time and read of the others only sums and means. The network carries whole vectors (message
passing, Gilmer et al. 2017): of the two blocks before and after, the four innermost boxes, the blocks of the same make, the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body.features import Tree
from newscrawler.extraction.body.forest import Floats

#: Boxes around a block, and vectors that a round joins: its own, of four neighbours, the boxes, blocks of the same make, the page.
BOXES = 4
JOINED = 1 + 4 + BOXES + 2
#: A standardised feature counts as no larger than this.
MOST = 4.0
#: Products of numbers up to which OpenBLAS multiplies matrices on one thread.
_MOST_PRODUCTS = 1 << 18

Index = NDArray[np.intp]


class Neighbourhood(NamedTuple):
    """Which of the weighed blocks of a page stand around each of them."""

    #: Shape (BOXES, blocks): the blocks of each box lie from `first` up to, not including, `last`.
    first: Index
    last: Index
    #: Number of the make of each block, from 0.
    make: Index
    #: Share of each block in the mean of the page.
    share: Floats

    @classmethod
    def of(cls, tree: Tree, weighed: NDArray[np.bool_]) -> Self:
        """Find the surroundings of the weighed blocks; a box around no other block than the one within counts as that one."""
        before = np.concatenate([[0], np.cumsum(weighed)])
        first, last = before[tree.first], before[tree.last]
        wider = _find_wider(first, last, tree.parent)
        box = tree.outer[0][weighed]
        boxes = [np.where(last[box] - first[box] > 1, box, wider[box])]
        for _ in range(BOXES - 1):
            boxes.append(wider[boxes[-1]])
        chosen = np.array(boxes)
        amount = np.sqrt(tree.size[weighed])
        share = (amount / max(amount.sum(), 1.0)).astype(np.float32)
        return cls(first[chosen], last[chosen], np.unique(tree.make[weighed], return_inverse=True)[1], share)


def _find_wider(first: Index, last: Index, parent: Index) -> Index:
    """Return of each box the innermost one around it with more blocks; where none does, the outermost one."""
    found = parent
    while True:  # each look doubles the reach
        same = (first[found] == first) & (last[found] == last) & (found > 0)
        if not same.any():
            return found
        found = np.where(same, found[found], found)


def squash(rows: Floats) -> Floats:
    """Return features on a scale on which large counts lie no further apart than small ones."""
    found: Floats = np.copysign(np.log1p(np.abs(rows)), rows)
    return found


@dataclass(frozen=True, slots=True)
class BlockNetwork:
    """The weights of the network, as matrices of shape (inputs, outputs); biases have the shape (outputs,)."""

    #: Mean and reciprocal deviation of the squashed features.
    center: Floats
    scale: Floats
    enter: Floats
    words: Floats
    bias: Floats
    #: Weights and bias of each round.
    rounds: Sequence[tuple[Floats, Floats]]
    hidden: Floats
    hidden_bias: Floats
    out: Floats
    out_bias: float

    @classmethod
    def of(cls, data: Mapping[str, Floats]) -> Self:
        """Make a network of matrices, as training writes them."""
        rounds = list(zip(data["mix"], data["mix_bias"], strict=True))
        others = {name: values for name, values in data.items() if name not in {"mix", "mix_bias", "out_bias"}}
        return cls(**others, rounds=rounds, out_bias=float(data["out_bias"]))

    def log_odds(self, rows: Floats, words: Floats, around: Neighbourhood) -> Floats:
        """Return the log-odds of each weighed block of a page.

        Args:
            rows: of shape (blocks, features).
            words: sums of the vectors of the words of each block over the root of their number, shape (blocks, numbers).
            around: of the same blocks.
        """
        features = np.clip((squash(rows) - self.center) * self.scale, -MOST, MOST)
        state = np.maximum(_multiply(features, self.enter) + _multiply(words, self.words) + self.bias, 0.0)
        states = [state]
        join = _Join(around)
        for weights, bias in self.rounds:
            state = np.maximum(state + _multiply(join(state), weights) + bias, 0.0)
            states.append(state)
        hidden = np.maximum(_multiply(np.hstack(states), self.hidden) + self.hidden_bias, 0.0)
        found: Floats = (hidden * self.out).sum(axis=1) + self.out_bias
        return found


def _multiply(rows: Floats, weights: Floats) -> Floats:
    """Multiply matrices, a few rows at a time: BLAS's threads wait longer for work as small as this than they do it."""
    step = max(_MOST_PRODUCTS // weights.size, 1)
    found = np.empty((len(rows), weights.shape[1]), dtype=np.float32)
    for start in range(0, len(rows), step):
        np.matmul(rows[start : start + step], weights, out=found[start : start + step])
    return found


class _Join:
    """Joins the vectors around each block of a page with its own; prepared once, called in each round."""

    def __init__(self, around: Neighbourhood) -> None:
        self._first, self._last, self._share, self._make = around.first, around.last, around.share, around.make
        self._of_box = (1 / (around.last - around.first)).astype(np.float32)[:, :, None]
        self._order = np.argsort(around.make, kind="stable")
        number = np.bincount(around.make)
        self._starts, self._of_make = np.cumsum(number) - number, (1 / number).astype(np.float32)[:, None]

    def __call__(self, state: Floats) -> Floats:
        """Return them as one row a block, shape (blocks, JOINED * width)."""
        blocks, width = state.shape
        found = np.zeros((blocks, JOINED, width), dtype=np.float32)
        found[:, 0] = state
        found[1:, 1], found[:-1, 2], found[2:, 3], found[:-2, 4] = state[:-1], state[1:], state[:-2], state[2:]
        sums = np.zeros((blocks + 1, width), dtype=np.float32)
        state.cumsum(axis=0, out=sums[1:])
        of_boxes = (sums[self._last] - sums[self._first]) * self._of_box
        for box, mean in enumerate(of_boxes, 5):
            found[:, box] = mean
        found[:, -2] = (np.add.reduceat(state[self._order], self._starts) * self._of_make)[self._make]
        found[:, -1] = (state * self._share[:, None]).sum(axis=0)
        return found.reshape(blocks, -1)
