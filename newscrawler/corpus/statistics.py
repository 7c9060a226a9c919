"""Statistics of a corpus: frequencies, collocates, trends, keywords; words are read in chunks, so that memory is bounded."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import lazy_loader

from newscrawler.corpus.word_chunks import WordChunk, WordReader
from newscrawler.store.articles import Facet
from newscrawler.store.search import FIRST_ID

if TYPE_CHECKING:
    from numpy.typing import NDArray

np: Any = lazy_loader.load("numpy")

_MILLION = 1_000_000
#: Words of a group whose n-grams are counted at once; those of more words are counted in buckets first, by so many bits.
_AT_ONCE, _BITS = 3_000_000, 22
#: Words of a group that are counted by sorting.
_SORTED = 100_000
#: Likelihoods that numpy computes may differ from ours by so much.
_ROUNDING = 1e-9


class Grouping(StrEnum):
    """What frequencies are grouped by."""

    PORTAL = "portal"
    MONTH = "month"


@dataclass(slots=True)  # not frozen, which takes twice as long: there are a hundred for each of thousands of groups
class Frequency:
    """The frequency of a word or n-gram in a group of articles."""

    group: tuple[str, ...]
    words: str
    count: int
    per_million: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Collocate:
    """A word that occurs near the query more often than by chance."""

    word: str
    #: Occurrences near the query, and in the whole selection.
    together: int
    count: int
    log_likelihood: float
    log_dice: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """The frequency of a query in the texts of a period."""

    period: str
    articles: int
    hits: int
    #: Words of all articles of the selection.
    words: int

    @property
    def per_million(self) -> float:
        """Return the number of occurrences per million words."""
        return _MILLION * self.hits / self.words if self.words else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DistinctiveWord:
    """A word that is more frequent in one selection than in the other."""

    word: str
    here: int
    there: int
    log_likelihood: float
    #: Binary logarithm of the ratio of both relative frequencies.
    log_ratio: float


def count_frequencies(reader: WordReader, *, length: int = 1, by: Iterable[Grouping] = (), most: int = 100) -> list[Frequency]:
    """Return the most frequent words, or n-grams of that length, of each group; n-grams do not cross paragraphs."""
    facets = [Facet(each) for each in by]
    if not facets:
        return _list_most_frequent(reader, (), reader.read, length, most)
    found: dict[str, list[Frequency]] = {}
    for group, chunks in groupby(reader.read(facets, undated=True), key=attrgetter("group")):
        kept = chunks if length == 1 else list(chunks)  # noqa: B031  used once
        found["\t".join(group)] = _list_most_frequent(reader, group, partial(iter, kept), length, most)
    return [each for group in sorted(found) for each in found[group]]


def _list_most_frequent(
    reader: WordReader, group: tuple[str, ...], read: Callable[[], Iterator[WordChunk]], length: int, most: int
) -> list[Frequency]:
    if length == 1:
        numbers, frequencies = _count_different(read())
        total, chosen = int(frequencies.sum()), frequencies >= _find_nth(frequencies, most)
        rows, frequencies = numbers[chosen][:, None], frequencies[chosen]
    else:
        rows, frequencies, total = _count_rows(read, length, most)
    forms = reader.forms(np.unique(rows).tolist())
    columns = [[forms[number] for number in column] for column in rows.T.tolist()]
    named = sorted(zip((-frequencies).tolist(), map(" ".join, zip(*columns, strict=True)), strict=True))[:most]
    return [Frequency(group, words, -count, _MILLION * -count / total) for count, words in named]


def _find_nth(values: NDArray[Any], most: int) -> Any:
    """Return the value of this rank; 0: there are fewer."""
    return np.sort(values)[len(values) - most] if most < len(values) else 0  # faster than np.partition where many are the same


def _count_words(chunks: Iterable[WordChunk]) -> NDArray[Any]:
    """Return the number of occurrences of each id."""
    total: NDArray[Any] = np.zeros(FIRST_ID, np.uint32)
    for chunk in chunks:
        total = _add_words(total, chunk.ids)
    total[:FIRST_ID] = 0
    return total.astype(np.int64)


def _count_different(chunks: Iterable[WordChunk]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the ids that occur, and the number of occurrences of each; those of few words are sorted."""
    kept, size = [np.zeros(0, np.uint32)], 0
    remaining = iter(chunks)
    for chunk in remaining:
        kept.append(chunk.ids[chunk.ids >= FIRST_ID])
        size += len(kept[-1])
        if size > _SORTED:
            counts = _count_words(chain((WordChunk(group=(), articles=0, ids=ids) for ids in kept), remaining))
            (numbers,) = np.nonzero(counts)
            return numbers, counts[numbers]
    ids = np.sort(np.concatenate(kept))
    (begins,) = np.nonzero(np.diff(ids, prepend=0))
    return ids[begins], np.diff(begins, append=len(ids))


def _add_words(total: NDArray[Any], ids: NDArray[Any]) -> NDArray[Any]:
    if (largest := int(ids.max(initial=0))) >= len(total):
        total = np.pad(total, (0, largest + largest // 4 + 1 - len(total)))
    np.add.at(total, ids, np.uint32(1))
    return total


def _count_rows(read: Callable[[], Iterator[WordChunk]], length: int, most: int) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Return the ids of the most frequent n-grams, a row each, their counts, and the number of words.

    Of many words, the hashes of n-grams are counted in buckets; those of the fullest buckets are then counted one by one. No n-gram
    of another bucket can be more frequent than the fullest of those buckets, or else more buckets are looked into.
    """
    kept, size, chunks = list[Any](), 0, iter(read())
    for chunk in chunks:
        kept.append(chunk.ids)
        size += len(chunk.ids)
        if size > _AT_ONCE:
            break
    else:
        ids = np.concatenate(kept) if kept else np.zeros(0, np.uint32)
        keys, places = _hash_rows(ids, length)
        rows, counts = _merge_rows([_list_rows(keys, places, ids, length)])
        chosen = counts >= max(1, _find_nth(counts, most))
        return rows[chosen], counts[chosen], int((ids >= FIRST_ID).sum())
    buckets, total, shift = np.zeros(1 << _BITS, np.uint32), 0, np.uint64(64 - _BITS)
    for ids in chain(kept, (chunk.ids for chunk in chunks)):
        keys, _ = _hash_rows(ids, length)
        np.add.at(buckets, keys >> shift, np.uint32(1))
        total += int(np.count_nonzero(ids >= FIRST_ID))
    del kept
    looked_into = 2_000 + 4 * most
    while True:
        least = max(1, _find_nth(buckets, looked_into))
        parts, full = [], buckets >= least
        for chunk in read():
            keys, places = _hash_rows(chunk.ids, length)
            is_full = full[keys >> shift]
            parts.append(_list_rows(keys[is_full], places[is_full], chunk.ids, length))
        rows, counts = _merge_rows(parts)
        nth = _find_nth(counts, most)
        if nth >= least or least == 1:
            chosen = counts >= max(1, nth)
            return rows[chosen], counts[chosen], total
        looked_into *= 16


def _hash_rows(ids: NDArray[Any], length: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the hashes, of 64 bits, of the n-grams within paragraphs, and their places."""
    number = max(0, len(ids) - length + 1)
    wide, is_word = ids.astype(np.uint64), ids >= FIRST_ID
    keys, is_whole = wide[:number].copy(), is_word[:number].copy()
    for place in range(1, length):
        keys *= np.uint64(_FACTORS[place])
        keys += wide[place : place + number]
        is_whole &= is_word[place : place + number]
    places = np.flatnonzero(is_whole)
    keys = keys[places]
    keys ^= keys >> np.uint64(32)
    keys *= np.uint64(_FACTORS[-1])
    return keys, places


#: Odd numbers of 64 bits without a pattern.
_FACTORS = (
    0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F, 0xE7037ED1A0B428DB,
    0x8EBC6AF09C88C6E3, 0x589965CC75374CC3, 0x1D8E4E27C47D124F,
)  # fmt: skip
_Rows = tuple["NDArray[Any]", "NDArray[Any]", "NDArray[Any]"]


def _list_rows(keys: NDArray[Any], places: NDArray[Any], ids: NDArray[Any], length: int) -> _Rows:
    """Return the different hashes, the ids of the n-gram of each, and how often it occurs."""
    different, firsts, counts = np.unique(keys, return_index=True, return_counts=True)
    return different, ids[places[firsts][:, None] + np.arange(length)], counts


def _merge_rows(parts: Sequence[_Rows]) -> tuple[NDArray[Any], NDArray[Any]]:
    keys, rows, counts = (np.concatenate(each) for each in zip(*parts, strict=True))
    different, firsts, numbers = np.unique(keys, return_index=True, return_inverse=True)
    return rows[firsts], np.bincount(numbers, counts, len(different)).astype(np.int64)


def find_collocates(reader: WordReader, query: str, *, window: int = 5, least: int = 5, most: int = 100) -> list[Collocate]:
    """Return the words that occur within a window around a query more often than by chance, strongest first (logDice).

    A hit counts each word of its window once, and a word counts with at most as many hits as it has occurrences, so that logDice
    is at most 14. A word of which only a part matches belongs to the hit as a whole.
    """
    hits, near, together, counts = 0, 0, np.zeros(FIRST_ID, np.uint32), np.zeros(FIRST_ID, np.uint32)
    for chunk in reader.read(query=query, others=True):
        counts = _add_words(counts, chunk.ids)
        if chunk.firsts is not None:
            neighbours = _list_neighbours(chunk, window)
            hits, near = hits + len(chunk.firsts), near + np.count_nonzero(neighbours)
            neighbours.sort(axis=1)
            neighbours[:, 1:][neighbours[:, 1:] == neighbours[:, :-1]] = 0
            together = _add_words(together, neighbours.ravel())
    counts[:FIRST_ID] = 0
    counts, together = counts.astype(np.int64), np.pad(together.astype(np.int64), (0, max(0, len(counts) - len(together))))
    size, together = int(counts.sum()), together[: len(counts)]
    together[:FIRST_ID] = 0
    (chosen,) = np.nonzero((together >= least) & (counts > 0))
    share = np.minimum(together[chosen], counts[chosen]) / (hits + counts[chosen])  # of which logDice is the logarithm
    chosen = chosen[share >= _find_nth(share, most) * (1 - _ROUNDING)]
    found = [
        (_make_collocate("", number, of_word, hits, near, size), word)
        for word, number, of_word in zip(chosen.tolist(), together[chosen].tolist(), counts[chosen].tolist(), strict=True)
    ]
    return _name_best(reader, found, most, lambda each: (each.log_dice, each.log_likelihood))


def _list_neighbours(chunk: WordChunk, window: int) -> NDArray[Any]:
    """Return the ids of the words near each hit in its paragraph, a row for each hit; 0: there is none."""
    steps = np.arange(window)
    places = np.concatenate([chunk.firsts[:, None] - 1 - steps, chunk.lasts[:, None] + 1 + steps], axis=1)
    places[(places < 0) | (places >= len(chunk.ids))] = 0  # where a paragraph begins
    found: NDArray[Any] = chunk.ids[places]
    for side in (slice(window), slice(window, None)):
        found[:, side] *= np.logical_and.accumulate(found[:, side] >= FIRST_ID, axis=1)
    return found


def _name_best(
    reader: WordReader, found: Sequence[tuple[Any, int]], most: int, rank: Callable[[Any], tuple[float, ...]]
) -> list[Any]:
    """Return the first records in the order of ranks and words, the largest first, with their words."""
    if len(found) > most:
        least = heapq.nlargest(most, (rank(each) for each, _ in found))[-1]
        found = [row for row in found if rank(row[0]) >= least]
    forms = reader.forms(number for _, number in found)
    named = (replace(each, word=forms[number]) for each, number in found)
    return heapq.nlargest(most, named, key=lambda each: (*rank(each), each.word))


def _make_collocate(word: str, together: int, count: int, hits: int, near: int, size: int) -> Collocate:
    together = min(together, count)
    return Collocate(
        word=word, together=together, count=count,
        log_likelihood=log_likelihood(together, near, max(0, count - together), max(1, size - near)),
        log_dice=14 + math.log2(2 * together / (hits + count)),
    )  # fmt: skip


def log_likelihood(here: int, size_here: int, there: int, size_there: int) -> float:
    """Return Dunning's G² (1993) of a word that occurs `here` of `size_here` and `there` of `size_there` times."""
    cells = ((here, size_here), (there, size_there))
    share = (here + there) / (size_here + size_there)
    total = 0.0
    for count, size in cells:
        for seen, expected in ((count, size * share), (size - count, size * (1 - share))):
            if seen > 0 and expected > 0:
                total += seen * math.log(seen / expected)
    return 2 * total


def count_trends(reader: WordReader, totals: Mapping[str, int], query: str, *, by: Facet) -> list[Trend]:
    """Return the frequency of a query in each period, including those without an occurrence; `totals`: all words of each period."""
    articles, hits = Counter[str](), Counter[str]()
    for chunk in reader.read([by], query=query):
        (period,) = chunk.group
        articles[period] += chunk.articles
        hits[period] += len(chunk.firsts)
    return [
        Trend(period=period, articles=articles[period], hits=hits[period], words=number)
        for period, number in sorted(totals.items())
    ]


def find_distinctive_words(here: WordReader, there: WordReader, *, least: int = 5, most: int = 100) -> list[DistinctiveWord]:
    """Return the words that are more frequent in one selection than in the other, by log-likelihood, strongest first.

    `there` is of `here.select`, so that words have the same numbers.
    """
    left, right = _count_words(here.read()), _count_words(there.read())
    length = max(len(left), len(right))
    left, right = np.pad(left, (0, length - len(left))), np.pad(right, (0, length - len(right)))
    size_here, size_there = int(left.sum()), int(right.sum())
    if not size_here or not size_there:
        return []
    (chosen,) = np.nonzero((left >= least) & (left * size_there > right * size_here))
    strength = _estimate_likelihoods(left[chosen], size_here, right[chosen], size_there)
    chosen = chosen[strength >= _find_nth(strength, most) * (1 - _ROUNDING)]
    found = [
        (_compare_counts(number_here, number_there, size_here, size_there), word)
        for word, number_here, number_there in zip(chosen.tolist(), left[chosen].tolist(), right[chosen].tolist(), strict=True)
    ]
    return _name_best(here, found, most, lambda each: (each.log_likelihood,))


def _estimate_likelihoods(here: NDArray[Any], size_here: int, there: NDArray[Any], size_there: int) -> NDArray[Any]:
    """Return the log-likelihoods, up to rounding."""
    share: NDArray[Any] = (here + there) / (size_here + size_there)
    total: NDArray[Any] = np.zeros(len(here))
    for count, size in ((here, size_here), (there, size_there)):
        for seen, expected in ((count, size * share), (size - count, size * (1 - share))):
            total += seen * np.log(np.where(seen > 0, seen, 1) / np.where(seen > 0, expected, 1))
    return 2 * total


def _compare_counts(here: int, there: int, size_here: int, size_there: int) -> DistinctiveWord:
    ratio = (here / size_here) / (max(there, 0.5) / size_there)  # half an occurrence if there is none
    likelihood = log_likelihood(here, size_here, there, size_there)
    return DistinctiveWord(word="", here=here, there=there, log_likelihood=likelihood, log_ratio=math.log2(ratio))


_EIGHTHS = " ▏▎▍▌▋▊▉"


def draw_bars(points: Sequence[tuple[str, float]], *, width: int = 50) -> list[str]:
    """Return one line per point: its name, its bar and its value."""
    highest = max((value for _, value in points), default=0.0) or 1.0
    longest = max((len(name) for name, _ in points), default=0)
    lines = []
    for name, value in points:
        eighths = round(8 * width * value / highest)
        bar = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
        lines.append(f"{name:<{longest}}  {bar} {value:.1f}")
    return lines
