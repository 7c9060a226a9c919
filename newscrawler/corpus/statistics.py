"""Statistics of a corpus: frequencies, collocates, trends, keywords; texts are streamed, so memory is bounded."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, groupby
from operator import itemgetter

from newscrawler.corpus.annotation import Annotator
from newscrawler.corpus.duplicates import SpilledCounter
from newscrawler.store.articles import ArticleText, StoredArticle
from newscrawler.store.search import Node, Zone, list_forms, spans, tokens

_MILLION = 1_000_000
#: Most different words in memory for each of two selections.
_KEYS_OF_EACH = 50_000
#: Generous length of a word with its space.
_LONGEST_WORD = 24
#: Separates the group from the words of a key.
_GROUP = "\x1f"
#: Divides a paragraph into the units to count.
Unit = Callable[[str], list[str]]


class Grouping(StrEnum):
    """What frequencies are grouped by."""

    PORTAL = "portal"
    MONTH = "month"


def make_lemma_lister(annotate: Annotator) -> Unit:
    """Return the unit that counts lemmas, and forms if the tagger has none."""

    def lemmas(text: str) -> list[str]:
        found = ((text[word.start : word.end], word) for sentence in annotate(text) for word in sentence if word.upos != "PUNCT")
        return [(word.lemma or form).casefold() for form, word in found if any(map(str.isalnum, form))]

    return lemmas


@dataclass(frozen=True, slots=True, kw_only=True)
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


def count_frequencies(
    texts: Iterable[ArticleText], *, unit: Unit = list_forms, length: int = 1, by: Iterable[Grouping] = (), most: int = 100
) -> list[Frequency]:
    """Return the most frequent words, or n-grams of that length, of each group; n-grams do not cross paragraphs."""
    groupings, totals = tuple(by), Counter[str]()
    with SpilledCounter() as counter:
        for text in texts:
            group = "\t".join(_choose_group(text, each) for each in groupings)
            runs = [_split_units(text, unit)] if length == 1 else [unit(each) for each in text.paragraphs]
            totals[group] += sum(map(len, runs))
            prefix = f"{group}{_GROUP}"
            for found in runs:
                said = _count_in_a_row(found, length)
                counter.add([prefix + each for each in said] if groupings else said)
        keys = ((key if groupings else _GROUP + key, count) for key, count in counter.items())
        rows = ((*key.partition(_GROUP)[::2], count) for key, count in keys)
        return [
            Frequency(
                group=tuple(group.split("\t")) if groupings else (), words=said, count=count,
                per_million=_MILLION * count / totals[group],
            )
            for group, of_group in groupby(rows, key=itemgetter(0))
            for _, said, count in heapq.nsmallest(most, of_group, key=lambda row: (-row[2], row[1]))
        ]  # fmt: skip


def _split_units(text: ArticleText, unit: Unit) -> list[str]:
    """Return the units of all paragraphs."""
    return list(chain.from_iterable(map(unit, text.paragraphs)))


def _choose_group(text: ArticleText, by: Grouping) -> str:
    if by is Grouping.PORTAL:
        return text.portal
    return text.day.isoformat()[:7] if text.day else "undated"


def _count_in_a_row(found: list[str], length: int) -> Iterable[str]:
    if length == 1:
        return found
    return map(" ".join, zip(*(found[start:] for start in range(length)), strict=False))


def find_collocates(
    matching: Iterable[StoredArticle],
    whole: Callable[[], Iterable[ArticleText]],
    query: Node,
    *,
    unit: Unit = list_forms,
    window: int = 5,
    least: int = 5,
    most: int = 100,
) -> list[Collocate]:
    """Return the words that occur within a window around a query more often than by chance, strongest first (logDice).

    A hit counts each word of its window once, and a word counts with at most as many hits as it has occurrences, so that logDice
    is at most 14. `whole` yields all texts of the selection, the matching ones among them, for the expected frequencies.
    """
    hits = near = 0
    with SpilledCounter() as counter:
        for stored in matching:
            for around in _list_neighbours(stored, query, unit, window):
                hits, near = hits + 1, near + len(around)
                counter.add(set(around))
        together = {word: count for word, count in counter.items() if count >= least}
    counts, size = _count_units(together, whole(), unit)
    found = (_make_collocate(word, number, counts[word], hits, near, size) for word, number in together.items() if counts[word])
    return heapq.nlargest(most, found, key=lambda each: (each.log_dice, each.log_likelihood, each.word))


def _list_neighbours(stored: StoredArticle, query: Node, unit: Unit, window: int) -> Iterator[list[str]]:
    for paragraph in stored.article.paragraphs:
        found = list(tokens(paragraph.text))
        for hit in spans(query, found, Zone.BODY):
            before, behind = paragraph.text[: found[hit.first].start], paragraph.text[found[hit.last].end :]
            if unit is list_forms:  # a tagger needs whole sentences
                before, behind = before[-_LONGEST_WORD * (window + 1) :], behind[: _LONGEST_WORD * (window + 1)]
            yield unit(before)[-window:] + unit(behind)[:window]


def _count_units(known: Mapping[str, int], texts: Iterable[ArticleText], unit: Unit) -> tuple[Counter[str], int]:
    counts, size = Counter[str](), 0
    for text in texts:
        found = _split_units(text, unit)
        size += len(found)
        counts.update(filter(known.__contains__, found))
    return counts, size


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


def count_trends(
    matching: Iterable[StoredArticle], totals: Mapping[str, int], query: Node, *, period_of: Callable[[str], str]
) -> list[Trend]:
    """Return the frequency of a query in each period, including those without an occurrence; `totals`: all words of each period."""
    articles, hits = Counter[str](), Counter[str]()
    for stored in matching:
        day = stored.article.date or (stored.article.fetched_at.date() if stored.article.fetched_at else None)
        period = period_of(day.isoformat()) if day else "undated"
        articles[period] += 1
        hits[period] += sum(len(spans(query, list(tokens(each.text)), Zone.BODY)) for each in stored.article.paragraphs)
    return [
        Trend(period=period, articles=articles[period], hits=hits[period], words=number)
        for period, number in sorted(totals.items())
    ]


def find_distinctive_words(
    here: Iterable[ArticleText], there: Iterable[ArticleText], *, unit: Unit = list_forms, least: int = 5, most: int = 100
) -> list[DistinctiveWord]:
    """Return the words that are more frequent in one selection than in the other, by log-likelihood, strongest first."""
    with SpilledCounter(most_keys=_KEYS_OF_EACH) as left, SpilledCounter(most_keys=_KEYS_OF_EACH) as right:
        size_here, size_there = _fill(left, here, unit), _fill(right, there, unit)
        both = heapq.merge(
            ((word, count, 0) for word, count in left.items()),
            ((word, 0, count) for word, count in right.items()),
            key=itemgetter(0),
        )
        found = _compare_counts(both, size_here, size_there, least)
        return heapq.nlargest(most, found, key=lambda each: (each.log_likelihood, each.word))


def _fill(counter: SpilledCounter, texts: Iterable[ArticleText], unit: Unit) -> int:
    size = 0
    for text in texts:
        found = _split_units(text, unit)
        size += len(found)
        counter.add(found)
    return size


def _compare_counts(rows: Iterator[tuple[str, int, int]], size_here: int, size_there: int, least: int) -> Iterator[DistinctiveWord]:
    for word, group in groupby(rows, key=itemgetter(0)):
        counts = list(group)
        here, there = sum(count for _, count, _ in counts), sum(count for _, _, count in counts)
        if here < least or not size_there or here * size_there <= there * size_here:
            continue
        ratio = (here / size_here) / (max(there, 0.5) / size_there)  # half an occurrence if there is none
        likelihood = log_likelihood(here, size_here, there, size_there)
        yield DistinctiveWord(word=word, here=here, there=there, log_likelihood=likelihood, log_ratio=math.log2(ratio))


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
