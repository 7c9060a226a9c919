"""What the words of a block, and the names of the boxes around it, say by themselves: two linear models over words.

A publisher's class names and a language's turns of phrase are too many to list. The models learned of each word how far it speaks
for or against the article (log-odds), and give one number a block each; of words also the vectors that the network reads.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body.forest import Floats
from newscrawler.page import Block, split_name

#: Boxes around a block whose names are read, from its own outwards.
LEVELS = 7
#: Words at the beginning and at the end, among the first ones those that are paired, and those of a beginning.
_FIRST, _LAST, PAIRED, BEGINNING = 10, 6, 5, 3
#: Characters at the beginning, and at the end, of a text in which its first and last words are looked for.
_HEAD, _TAIL = 110, 70
#: Scripts that part no words by blanks: pairs of signs stand for words there.
_UNPARTED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_WORDS = re.compile(r"\w+")
#: Lines of so many characters of which it is remembered how much they weigh: many stand on other pages of a site, too.
_LINES_KEPT, _LINE = 2048, 60
#: Numbers of words that nothing is known of; bits that the length of a text has at most.
_NONE, _MOST_BITS = repeat(-1), 64

Scores = NDArray[np.float64]
#: Weight of each word, by the part of a text or the level of a box at which it stands.
Weights = Mapping[str, Mapping[str, float]]


def list_name_words(tag: str, classes: str, identifier: str) -> dict[str, None]:
    """Return the words of the names of a box, each once; its tag as "<tag>"."""
    return dict.fromkeys((f"<{tag}>", *split_name(classes), *split_name(identifier)))


def split_text(text: str) -> tuple[list[str], list[str]]:
    """Return the first and the last words of a text in small letters."""
    head = text[:_HEAD].lower()
    split = _WORDS.findall if head.isascii() or not _UNPARTED.search(head) else _split_unparted
    first = split(head)
    last = first if len(text) <= _HEAD else split(text[-_TAIL:].lower())
    return first[:_FIRST], last[-_LAST:]


def _split_unparted(text: str) -> list[str]:
    found = []
    for run in _WORDS.findall(text):
        found += [run[i : i + 2] for i in range(max(1, len(run) - 1))] if _UNPARTED.search(run) else [run]
    return found


class NameModel:
    """Log-odds of blocks by the names of the boxes around them."""

    def __init__(self, base: float, weights: Weights) -> None:
        levels = [weights.get(str(level), {}) for level in range(LEVELS)]
        self._base = base
        #: Number of each word, and shape (words, levels): their weights; the first row is that of all others.
        self._number = {word: number for number, word in enumerate(sorted(set().union(*levels)), 1)}
        self._weights = np.zeros((len(self._number) + 1, LEVELS))
        for level, known in enumerate(levels):
            self._weights[list(map(self._number.__getitem__, known)), level] = list(known.values())

    def score(self, names: Sequence[tuple[str, str, str]], name: NDArray[Any], parent: NDArray[Any], box: NDArray[Any]) -> Scores:
        """Return the log-odds of each block.

        `names`: tag, class and id that boxes have; `name` and `parent` of each box (the outermost: itself); `box` of each block.
        """
        numbers: list[int] = []
        starts = []
        for each in names:
            starts.append(len(numbers))
            numbers += map(self._number.get, list_name_words(*each), repeat(0))
        weights = np.add.reduceat(self._weights[numbers], starts)[name]
        found = np.full(len(box), self._base)
        inside = np.ones(len(box), dtype=bool)
        for level in range(LEVELS):
            found += weights[box, level] * inside
            inside &= box > 0
            box = parent[box]
        return found


class WordModel:
    """Log-odds of blocks by their words, and the vectors of these.

    `rows`: number of each word, by the part of a text at which it stands; `weights`: of each number; `vectors`: of the first ones.
    """

    def __init__(self, base: float, rows: Mapping[str, Mapping[str, int]], weights: Floats, vectors: Floats) -> None:
        self._base = base
        #: A row a word, the last one of all others: its weight, whether it has a vector, its vector.
        self._table = np.zeros((len(weights) + 1, 2 + vectors.shape[1]), dtype=np.float32)
        self._table[:-1, 0] = weights
        self._table[: len(vectors), 1] = 1
        self._table[: len(vectors), 2:] = vectors
        first, last, pair, beginning, length, end = (
            rows.get(part, {}).get for part in ("first", "last", "pair", "beginning", "length", "end")
        )

        lengths = [length(str(bits), -1) for bits in range(_MOST_BITS)]

        def find(text: str, bits: int) -> list[int]:
            head, tail = split_text(text)
            pairs = [f"{one} {other}" for one, other in pairwise(head[:PAIRED])]
            begun = [*head[:1], *pairs[:1], *[f"{pairs[0]} {word}" for word in head[2:BEGINNING]]]
            said = (map(first, head, _NONE), map(last, tail, _NONE), map(pair, pairs, _NONE), map(beginning, begun, _NONE))
            return [lengths[bits], end(text[-1], -1), *chain.from_iterable(said)]

        self._find, self._find_line = find, lru_cache(maxsize=_LINES_KEPT)(find)

    def score(self, blocks: Sequence[Block]) -> tuple[Floats, Floats]:
        """Return the log-odds of each block, and the sum of the vectors of its words over the root of their number."""
        numbers: list[int] = []
        starts = []
        for block in blocks:
            starts.append(len(numbers))
            numbers += (self._find_line if len(block.text) <= _LINE else self._find)(block.text, block.size.bit_length())
        if not starts:
            return np.zeros(0, dtype=np.float32), np.zeros((0, self._table.shape[1] - 2), dtype=np.float32)
        sums = np.add.reduceat(self._table.take(numbers, axis=0), starts)
        vectors: Floats = (sums[:, 2:] / np.sqrt(np.maximum(sums[:, 1:2], 1))).astype(np.float32)
        return sums[:, 0] + np.float32(self._base), vectors
