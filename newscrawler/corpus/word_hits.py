"""Finds the occurrences of a query in words that are numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import lazy_loader

from newscrawler.store.articles import StoredWords
from newscrawler.store.search import FIRST_ID, UNALIGNED, And, Near, Node, Not, Or, Phrase, Zone

if TYPE_CHECKING:
    from numpy.typing import NDArray

np: Any = lazy_loader.load("numpy")

_Spans = tuple["NDArray[Any]", "NDArray[Any]"]


class HitFinder:
    """Finds the same as `spans` in the texts. A word of the vocabulary may be several of the index ("l'eau"), or none."""

    def __init__(self, words: StoredWords, node: Node) -> None:
        self._leaves = list(_list_leaves(node))
        phrases = [phrase for leaf in self._leaves for phrase in _list_phrases(leaf)]
        self._terms = {
            term: number for number, term in enumerate(dict.fromkeys(term for each in phrases for term in _list_terms(each)))
        }
        is_single = all(isinstance(leaf, Phrase) and len(leaf.words) == 1 for leaf in self._leaves)
        size = self._size = words.largest_id() + 1
        #: Of each id, the row of its first word in the table of the terms that it is, and how many words it is.
        self._rows, self._lengths = np.zeros(size + 1, np.int32), np.ones(size + 1, np.int32)
        table = [[False] * len(self._terms)]
        for number, folded in words.folded({word for word, _ in self._terms}, compounds=not is_single):
            parts = folded.split()
            if number < size and not self._rows[number]:
                self._rows[number], self._lengths[number] = len(table), len(parts)
                table += [[word == part or (begins and part.startswith(word)) for word, begins in self._terms] for part in parts]
        self._table = np.array(table, bool)
        self._rows = self._rows.astype(np.min_scalar_type(len(table)))  # small enough for a processor's cache
        self._has_compounds = bool((self._lengths != 1).any())

    @staticmethod
    def is_aligned(ids: NDArray[Any]) -> bool:
        """Return whether the folded words of all paragraphs are those of their words."""
        return not (ids == UNALIGNED).any()

    def find(self, ids: NDArray[Any]) -> _Spans:
        """Return the places of the first and last word of each occurrence, in order; of two that overlap, the first."""
        rows, owners = self._rows.take(ids, mode="clip"), None
        if self._has_compounds and ((lengths := self._lengths.take(ids, mode="clip")) != 1).any():
            owners = np.repeat(np.arange(len(ids)), lengths)
            rows = rows[owners] + (np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths))
        marked = np.flatnonzero(rows)
        found = [self._find_leaf(leaf, rows, marked, ids, owners) for leaf in self._leaves]
        if len(found) == 1 and isinstance(self._leaves[0], Phrase):  # in order already
            firsts, lasts = found[0]
        else:
            every = np.unique(np.concatenate([firsts << 32 | lasts for firsts, lasts in found] or [np.zeros(0, np.int64)]))
            firsts, lasts = every >> 32, every & 0xFFFF_FFFF
        if (firsts[1:] <= lasts[:-1]).any():
            firsts, lasts = _drop_overlapping(firsts, lasts)
        return (firsts, lasts) if owners is None else (owners[firsts], owners[lasts])

    def _find_leaf(
        self, leaf: Phrase | Near, rows: NDArray[Any], marked: NDArray[Any], ids: NDArray[Any], owners: NDArray[Any] | None
    ) -> _Spans:
        if isinstance(leaf, Phrase):
            return self._find_phrase(leaf, rows, marked)
        left, right = (self._find_phrase(each, rows, marked) for each in (leaf.left, leaf.right))
        reach, width = leaf.distance, len(leaf.right.words)
        begins = np.searchsorted(right[0], left[0] - reach - width)
        numbers = np.searchsorted(right[0], left[1] + reach + 1, "right") - begins
        lefts = np.repeat(np.arange(len(begins)), numbers)
        rights = np.arange(len(lefts)) - np.repeat(np.cumsum(numbers) - numbers, numbers) + np.repeat(begins, numbers)
        pair = left[0][lefts], left[1][lefts], right[0][rights], right[1][rights]
        marks = np.flatnonzero(ids < FIRST_ID)
        marks = marks if owners is None else np.searchsorted(owners, marks)
        is_near = np.maximum(pair[0], pair[2]) - np.minimum(pair[1], pair[3]) - 1 <= reach
        is_near &= np.searchsorted(marks, pair[0]) == np.searchsorted(marks, pair[2])
        return np.minimum(pair[0], pair[2])[is_near], np.maximum(pair[1], pair[3])[is_near]

    def _find_phrase(self, phrase: Phrase, rows: NDArray[Any], marked: NDArray[Any]) -> _Spans:
        first, *others = (self._terms[term] for term in _list_terms(phrase))
        places = marked[self._table[rows[marked], first]]
        for distance, term in enumerate(others, 1):
            places = places[places + distance < len(rows)]
            places = places[self._table[rows[places + distance], term]]
        return places, places + len(others)


def _drop_overlapping(firsts: NDArray[Any], lasts: NDArray[Any]) -> _Spans:
    chosen, end = [], -1
    for number, (first, last) in enumerate(zip(firsts.tolist(), lasts.tolist(), strict=True)):
        if first > end:
            chosen.append(number)
            end = last
    return firsts[chosen], lasts[chosen]


def _list_leaves(node: Node) -> Iterator[Phrase | Near]:
    """Yield the phrases and pairs that a query wants in the body."""
    match node:
        case Phrase():
            if node.zone in {None, Zone.BODY}:
                yield node
        case Near():
            if {node.left.zone, node.right.zone} <= {None, Zone.BODY}:
                yield node
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _list_leaves(part)
        case Not(wanted=wanted):
            yield from _list_leaves(wanted)


def _list_phrases(leaf: Phrase | Near) -> tuple[Phrase, ...]:
    return (leaf,) if isinstance(leaf, Phrase) else (leaf.left, leaf.right)


def _list_terms(phrase: Phrase) -> list[tuple[str, bool]]:
    *whole, last = phrase.words
    return [*((word, False) for word in whole), (last, phrase.prefix)]
