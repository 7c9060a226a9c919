"""What the words of a block, and the names of the boxes around it, say by themselves: two linear models over words.

A publisher's class names and a language's turns of phrase are too many to list. The models learned of each word how far it speaks
for or against the article (log-odds), and give one number a block each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newscrawler.page import Block, Layout

#: Boxes around a block whose names are read, from its own outwards.
LEVELS = 7
_PARTS = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
_MOST_PARTS, _LONGEST_NAME = 24, 300
_FIRST, _LAST, _PAIRED, _BEGINNING = 10, 6, 5, 3
#: Characters at either end of a text in which its first and last words are looked for.
_END = 160
#: Scripts that part no words by blanks: pairs of signs stand for words there.
_UNPARTED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_WORDS = re.compile(r"\w+")
#: Names, and lines of so many characters, of which it is remembered how much they weigh: many stand on other pages of a site, too.
_NAMES_KEPT, _LINES_KEPT, _LINE = 2048, 2048, 60

Scores = NDArray[np.float64]
#: Weight of each word, by the part of a text or the level of a box at which it stands.
Weights = Mapping[str, Mapping[str, float]]


def split_name(tag: str, name: str) -> tuple[str, ...]:
    """Return the words of an element's tag, classes and id, split at capitals, digits and signs; the tag as "<tag>"."""
    parts = dict.fromkeys(part.lower() for part in _PARTS.findall(name[:_LONGEST_NAME])[:_MOST_PARTS])
    return (f"<{tag}>", *parts)


def read_names(layout: Layout) -> list[tuple[str, ...]]:
    """Return the words of the names of each box."""
    found = []
    for box in layout.boxes:
        get = box.element.get
        found.append(split_name(box.tag, f"{get('class', '')} {get('id', '')}"))
    return found


def split_text(text: str) -> tuple[list[str], list[str]]:
    """Return the first and the last words of a text in small letters."""
    head = text[:_END].lower()
    split = _split_unparted if _UNPARTED.search(head) else _WORDS.findall
    first = split(head)
    last = first if len(text) <= _END else split(text[-_END:].lower())
    return first[:_FIRST], last[-_LAST:]


def _split_unparted(text: str) -> list[str]:
    found = []
    for run in _WORDS.findall(text):
        found += [run[i : i + 2] for i in range(max(1, len(run) - 1))] if _UNPARTED.search(run) else [run]
    return found


def read_words(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the words of a block, each with its part: first and last words, pairs, beginning, length, last sign."""
    first, last = split_text(block.text)
    for word in first:
        yield "first", word
    for word in last:
        yield "last", word
    for one, other in pairwise(first[:_PAIRED]):
        yield "pair", f"{one} {other}"
    for count in range(1, min(len(first), _BEGINNING) + 1):
        yield "beginning", " ".join(first[:count])
    yield "length", str(block.size.bit_length())
    yield "end", block.text[-1]


class NameModel:
    """Log-odds of blocks by the names of the boxes around them."""

    def __init__(self, base: float, weights: Weights) -> None:
        levels = [weights.get(str(level), {}) for level in range(LEVELS)]

        @lru_cache(maxsize=_NAMES_KEPT)
        def weigh(tag: str, classes: str, identifier: str) -> NDArray[np.float64]:
            words = split_name(tag, f"{classes} {identifier}")
            return np.array([sum(level.get(word, 0.0) for word in words) for level in levels])

        self._weigh, self._base = weigh, base

    def score(self, layout: Layout, parent: NDArray[Any], box: NDArray[Any]) -> Scores:
        """Return the log-odds of each block; `parent` of each box (the outermost: itself), `box` of each block."""
        weigh = self._weigh
        weights = np.array([weigh(each.tag, (get := each.element.get)("class", ""), get("id", "")) for each in layout.boxes])
        found = np.full(len(box), self._base)
        inside = np.ones(len(box), dtype=bool)
        for level in range(LEVELS):
            found += weights[box, level] * inside
            inside &= box > 0
            box = parent[box]
        return found


class WordModel:
    """Log-odds of blocks by their words."""

    def __init__(self, base: float, weights: Weights) -> None:
        first, last, pair, beginning, length, end = (
            weights.get(part, {}).get for part in ("first", "last", "pair", "beginning", "length", "end")
        )

        def weigh(text: str, bits: int) -> float:
            head, tail = split_text(text)
            found = base + length(str(bits), 0.0) + end(text[-1], 0.0)
            for word in head:
                found += first(word, 0.0)
            for word in tail:
                found += last(word, 0.0)
            for one, other in pairwise(head[:_PAIRED]):
                found += pair(f"{one} {other}", 0.0)
            for count in range(1, min(len(head), _BEGINNING) + 1):
                found += beginning(" ".join(head[:count]), 0.0)
            return found

        self._weigh, self._weigh_line = weigh, lru_cache(maxsize=_LINES_KEPT)(weigh)

    def score(self, blocks: Sequence[Block]) -> list[float]:
        """Return the log-odds of each block."""
        return [
            (self._weigh_line if len(block.text) <= _LINE else self._weigh)(block.text, block.size.bit_length()) for block in blocks
        ]
