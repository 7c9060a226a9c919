"""The words of one selection as numbers, in chunks, and the occurrences of a query in them: all that statistics read."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import lazy_loader

from newscrawler.corpus.annotation import Annotator
from newscrawler.store import Store
from newscrawler.store.articles import ArticleText, Facet, Selection, StoredWords
from newscrawler.store.search import (
    FIRST_ID,
    PARAGRAPH,
    UNALIGNED,
    And,
    Near,
    Node,
    Not,
    Or,
    Phrase,
    Zone,
    parse,
    spans,
    tokens,
    unpack_ids,
    words,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

np: Any = lazy_loader.load("numpy")

_Spans = tuple["NDArray[Any]", "NDArray[Any]"]


class HitFinder:
    """Finds the same as `spans` in the texts. A word of the vocabulary may be several of the index ("l'eau"), or none."""

    def __init__(self, words: StoredWords, node: Node) -> None:
        self._leaves = list(_list_leaves(node))
        phrases = [phrase for leaf in self._leaves for phrase in ((leaf.left, leaf.right) if isinstance(leaf, Near) else (leaf,))]
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


def _list_terms(phrase: Phrase) -> list[tuple[str, bool]]:
    *whole, last = phrase.words
    return [*((word, False) for word in whole), (last, phrase.prefix)]


#: Articles whose texts are in memory at a time.
_TEXTS = 100
#: Lists the words of a text, each with its start and end.
PlacedWords = list[tuple[str, int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordChunk:
    """The words of some articles of a group."""

    group: tuple[str, ...]
    articles: int
    #: Before the words of each paragraph a number below `FIRST_ID`.
    ids: NDArray[Any]
    #: Places of the first and last word of each occurrence of the query, in order.
    firsts: Any = None
    lasts: Any = None


class WordReader:
    """Reads the words of a selection: its forms as they are stored, or lemmas, for which the texts are read and annotated."""

    def __init__(
        self,
        store: Store,
        selection: Selection,
        *,
        annotate: Annotator | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self._store, self.selection, self._annotate, self._progress = store, selection, annotate, progress
        self._lemmas: dict[str, int] = {}
        self._forms: dict[int, str] = {}

    def select(self, selection: Selection) -> WordReader:
        """Return a reader of another selection, with the same numbers for words."""
        other = WordReader(self._store, selection, annotate=self._annotate, progress=self._progress)
        other._lemmas = self._lemmas
        return other

    def read(
        self, by: Sequence[Facet] = (), *, undated: bool = False, query: str | None = None, others: bool = False
    ) -> Iterator[WordChunk]:
        """Yield the words of the selection; groups follow each other as `StoredWords.stream` yields them.

        `query`: of articles that it matches; `others`: and of the others, without occurrences.
        """
        node, read = parse(query) if query is not None else None, 0
        finder = HitFinder(self._store.words, node) if node is not None and self._annotate is None else None
        selection = self.selection if others or query is None else self.selection.narrow(query)
        flag = query if others else None
        for group, articles, values, matches in self._store.words.stream(selection, by, undated=undated, query=flag):
            is_searched = query is not None and (matches or not others)
            if self._annotate is not None:
                yield from self._read_texts(group, articles, node if is_searched else None)
            else:
                ids = unpack_ids(values)
                if finder is None or not is_searched:
                    yield WordChunk(group=group, articles=len(articles), ids=ids)
                elif finder.is_aligned(ids):
                    firsts, lasts = finder.find(ids)
                    yield WordChunk(group=group, articles=len(articles), ids=ids, firsts=firsts, lasts=lasts)
                else:
                    yield from self._read_mixed(group, articles, finder, node)
            read += len(articles)
            if self._progress is not None:
                self._progress(read)

    def forms(self, ids: Iterable[int]) -> dict[int, str]:
        """Return the words with these ids."""
        chosen = [int(number) for number in ids]
        if self._annotate is None:
            if missing := [number for number in chosen if number not in self._forms]:
                self._forms |= self._store.words.forms(missing)
            return self._forms
        every = {number: lemma for lemma, number in self._lemmas.items()}
        return {number: every[number] for number in chosen}

    def _read_mixed(self, group: tuple[str, ...], articles: list[int], finder: HitFinder, node: Node | None) -> Iterator[WordChunk]:
        """Yield the words of articles, of which some have paragraphs where the index has other words: their texts are read."""
        stored = {number: unpack_ids(value) for number, value in self._store.words.values(articles).items()}
        aligned = [ids for ids in stored.values() if finder.is_aligned(ids)]
        if aligned:
            firsts, lasts = finder.find(joined := np.concatenate(aligned))
            yield WordChunk(group=group, articles=len(aligned), ids=joined, firsts=firsts, lasts=lasts)
        yield from self._read_texts(group, [number for number, ids in stored.items() if not finder.is_aligned(ids)], node)

    def _read_texts(self, group: tuple[str, ...], articles: list[int], node: Node | None) -> Iterator[WordChunk]:
        for start in range(0, len(articles), _TEXTS):
            texts = list(self._store.articles.texts(Selection(ids=tuple(articles[start : start + _TEXTS]))))
            placed = [[self._place(each) for each in text.paragraphs] for text in texts]
            numbers = self._number({form for text in placed for paragraph in text for form, _, _ in paragraph})
            ids, firsts, lasts = list[int](), list[int](), list[int]()
            for text, of_text in zip(texts, placed, strict=True):
                _add_text(text, of_text, numbers, node, (ids, firsts, lasts))
            yield WordChunk(
                group=group, articles=len(texts), ids=np.array(ids, np.uint32),
                firsts=np.array(firsts, np.int64), lasts=np.array(lasts, np.int64),
            )  # fmt: skip

    def _place(self, text: str) -> PlacedWords:
        if self._annotate is None:
            return [(text[start:end].casefold(), start, end) for start, end, is_word in words(text) if is_word]
        return [
            ((word.lemma or form).casefold(), word.start, word.end)
            for sentence in self._annotate(text)
            for word in sentence
            if word.upos != "PUNCT" and any(map(str.isalnum, form := text[word.start : word.end]))
        ]

    def _number(self, forms: Iterable[str]) -> dict[str, int]:
        if self._annotate is None:
            return self._store.words.ids(list(forms))
        for form in forms:
            self._lemmas.setdefault(form, FIRST_ID + len(self._lemmas))
        return self._lemmas


def _add_text(
    text: ArticleText, placed: list[PlacedWords], numbers: dict[str, int], node: Node | None, into: tuple[list[int], ...]
) -> None:
    ids, firsts, lasts = into
    for paragraph, found in zip(text.paragraphs, placed, strict=True):
        ids.append(PARAGRAPH)
        base = len(ids)
        ids += [numbers.get(form, PARAGRAPH) for form, _, _ in found]
        if node is None:
            continue
        folded = list(tokens(paragraph))
        starts, ends = [start for _, start, _ in found], [end for _, _, end in found]
        for hit in spans(node, folded, Zone.BODY):
            firsts.append(base + bisect_right(ends, folded[hit.first].start))
            lasts.append(base + bisect_left(starts, folded[hit.last].end) - 1)
