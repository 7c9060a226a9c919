"""Analyses of a selection as tables, for the explore pages and for jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import StrEnum
from itertools import islice, product
from typing import Any, TypeVar

from newscrawler.corpus.concordance import ConcordanceLine, Sorting, find_lines, sort_lines
from newscrawler.corpus.export import read_selection, write_selection
from newscrawler.corpus.statistics import count_frequencies, count_trends, find_collocates, find_distinctive_words
from newscrawler.store import Store
from newscrawler.store.articles import PERIODS, ArticleText, Facet, Selection, StoredArticle
from newscrawler.store.search import parse

R = TypeVar("R")
#: Articles loaded at a time.
_AT_ONCE = 100
#: Most concordance lines sorted if not all articles are read: each costs as much as a text.
_MOST_LINES = 200
_PER = 1_000


class Tool(StrEnum):
    """The kind of analysis."""

    TRENDS = "trends"
    CONCORDANCE = "concordance"
    FREQUENCIES = "frequencies"
    COLLOCATES = "collocates"
    KEYWORDS = "keywords"
    COVERAGE = "coverage"
    COUNTS = "counts"


#: Tools that leave near-duplicates out.
_OF_WORDS = frozenset({Tool.TRENDS, Tool.FREQUENCIES, Tool.COLLOCATES, Tool.KEYWORDS})


class Measure(StrEnum):
    """The quantity that a trend counts."""

    ARTICLES = "articles"
    OCCURRENCES = "occurrences"


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The parameters of an analysis; each tool reads those that it needs."""

    tool: Tool
    selection: Selection = field(default_factory=Selection)
    #: The reference selection, for keywords.
    against: Selection = field(default_factory=Selection)
    queries: tuple[str, ...] = ()
    by: Facet = Facet.MONTH
    measure: Measure = Measure.ARTICLES
    sorting: Sorting = Sorting.ARTICLE
    #: Words on each side of a hit.
    width: int = 8
    #: Length of the counted n-grams, in words.
    length: int = 1
    #: Words on each side that are searched for collocates.
    window: int = 5
    #: Least number of occurrences.
    least: int = 5
    #: Most rows.
    most: int = 100
    #: A trend has a line for each of the portals of the selection.
    by_portal: bool = False
    #: Statistics of words count near-duplicates of earlier articles, too.
    with_duplicates: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the analysis as JSON writes it."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in {"selection", "against"}}
        selections = {name: write_selection(getattr(self, name)) for name in ("selection", "against")}
        return plain | selections | {"queries": list(self.queries)}

    @classmethod
    def from_dict(cls, said: Mapping[str, Any]) -> Analysis:
        """Return the analysis written by `as_dict`."""
        enums: dict[str, type[StrEnum]] = {"tool": Tool, "by": Facet, "measure": Measure, "sorting": Sorting}
        values = {name: enums[name](value) if name in enums else value for name, value in said.items()}
        selections = {name: read_selection(said[name]) for name in ("selection", "against")}
        return cls(**values | selections | {"queries": tuple(said["queries"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisResult:
    """A table, and the number of articles counted."""

    heading: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    #: Numbers of articles read and in total; equal if all were read, or if the database counted.
    read: int
    of: int
    #: Only for a concordance.
    lines: tuple[ConcordanceLine, ...] = ()


class Reader:
    """Reads the articles of selections: all of them, or the latest published."""

    def __init__(self, store: Store, most: int | None, progress: Callable[[int], None] | None = None) -> None:
        """Create a reader of at most so many articles of each selection; None: all."""
        self._store = store
        self._most = most
        self._progress = progress
        self._read = 0

    def articles(self, selection: Selection) -> Iterator[StoredArticle]:
        """Yield articles."""
        return self._counted(self._chosen(selection, self._store.articles.stream))

    def texts(self, selection: Selection) -> Iterator[ArticleText]:
        """Yield the texts of articles."""
        return self._counted(self._chosen(selection, self._store.articles.texts))

    def _counted(self, read: Iterator[R]) -> Iterator[R]:
        for each in read:
            self._read += 1
            if self._progress is not None and self._read % _AT_ONCE == 0:
                self._progress(self._read)
            yield each

    @property
    def is_whole(self) -> bool:
        """Return whether all articles are read."""
        return self._most is None

    def counts(self, selection: Selection) -> tuple[int, int]:
        """Return the numbers of articles read and in total."""
        of = self._store.articles.count(selection)
        return self.most_of(of), of

    def most_of(self, number: int) -> int:
        """Return how many of a number of articles are read."""
        return number if self._most is None else min(number, self._most)

    def _chosen(self, selection: Selection, stream: Callable[[Selection], Iterator[R]]) -> Iterator[R]:
        if self._most is None:
            yield from stream(selection)
            return
        numbers = self._store.facets.latest(selection, limit=self._most)
        for start in range(0, len(numbers), _AT_ONCE):
            chosen = Selection(ids=tuple(numbers[start : start + _AT_ONCE]), newest_first=True)
            yield from stream(chosen)


def analyse(
    store: Store, analysis: Analysis, *, most: int | None = None, progress: Callable[[int], None] | None = None
) -> AnalysisResult:
    """Return the table of an analysis; `most`: most articles whose texts are read; `progress` gets the number of articles read.

    Raises:
        ConfigError: a query cannot be read.
    """
    if analysis.tool in _OF_WORDS and not analysis.with_duplicates:
        selection, against = (replace(each, distinct=True) for each in (analysis.selection, analysis.against))
        analysis = replace(analysis, selection=selection, against=against)
    return _TOOLS[analysis.tool](store, analysis, Reader(store, most, progress))


def _found(analysis: Analysis, query: str) -> Selection:
    return replace(analysis.selection, words=query)


def _concordance(_store: Store, analysis: Analysis, reader: Reader) -> AnalysisResult:
    (query,) = analysis.queries
    found = _found(analysis, query)
    lines = find_lines(reader.articles(found), parse(query), width=analysis.width)
    chosen = sort_lines(lines if reader.is_whole else islice(lines, _MOST_LINES), analysis.sorting, analysis.most)
    read, of = reader.counts(found)
    rows = [(each.article_id, each.portal, each.date, str(each.zone), each.left, each.hit, each.right) for each in chosen]
    heading = ("article", "portal", "date", "zone", "left", "hit", "right")
    return AnalysisResult(heading=heading, rows=rows, read=read, of=of, lines=tuple(chosen))


def _trends(store: Store, analysis: Analysis, reader: Reader) -> AnalysisResult:
    columns: list[Mapping[str, tuple[int, float | None]]] = []
    read, of, names = 0, 0, []
    for query, portal in product(analysis.queries, analysis.selection.portals if analysis.by_portal else ("",)):
        part = replace(analysis.selection, portals=(portal,)) if portal else analysis.selection
        found, sizes = replace(part, words=query), store.facets.sizes(part, analysis.by)
        names.append(f"{query}, {portal}" if portal else query)
        counts = store.facets.sizes(found, analysis.by)
        every = sum(articles for articles, _ in counts.values())
        some = reader.most_of(every)
        read, of = read + some, of + every
        by_words = analysis.measure is Measure.OCCURRENCES and some == every
        rates = _hits(reader, found, sizes, analysis.by) if by_words else _shares(counts, sizes)
        columns.append(dict.fromkeys(sizes, (0, 0.0)) | rates)
    if analysis.measure is Measure.ARTICLES:
        read = of
    rate = "per million words" if analysis.measure is Measure.OCCURRENCES and read == of else "per 1,000 articles"
    heading = (str(analysis.by), "articles", "words", *(name for each in names for name in (each, f"{each}, {rate}")))
    sizes = store.facets.sizes(analysis.selection, analysis.by)
    rows = [
        (period, *sizes.get(period, (0, 0)), *(value for column in columns for value in column.get(period, (0, None))))
        for period in list_periods(sizes, analysis.by)[-analysis.most :]
    ]
    return AnalysisResult(heading=heading, rows=rows, read=read, of=of)


def list_periods(names: Iterable[str], by: Facet) -> list[str]:
    """Return every period from the first to the last of these, those without an article among them."""
    known = sorted(names)
    if not known:
        return []
    day, last, found = date.fromisoformat((known[0] + "-01-01")[:10]), known[-1], []
    while (name := day.isoformat()[: PERIODS[by]]) <= last:
        found.append(name)
        step = {Facet.DAY: 1, Facet.MONTH: 32 - day.day, Facet.YEAR: 366}[by]
        day = date.fromisoformat(((day + timedelta(days=step)).isoformat()[: PERIODS[by]] + "-01-01")[:10])
    return found


def _shares(counts: Mapping[str, tuple[int, int]], sizes: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, float]]:
    """Return the number of articles with a match in each period, and the number per thousand."""
    return {period: (articles, round(_PER * articles / sizes[period][0], 2)) for period, (articles, _) in counts.items()}


def _hits(reader: Reader, found: Selection, sizes: Mapping[str, tuple[int, int]], by: Facet) -> dict[str, tuple[int, float]]:
    """Return the number of hits in each period, and the number per million words."""
    totals = {period: words for period, (_, words) in sizes.items()}
    counted = count_trends(reader.articles(found), totals, parse(found.words or ""), period_of=lambda day: day[: PERIODS[by]])
    return {each.period: (each.hits, round(each.per_million, 2)) for each in counted}


def _frequencies(_store: Store, analysis: Analysis, reader: Reader) -> AnalysisResult:
    counted = count_frequencies(reader.texts(analysis.selection), length=analysis.length, most=analysis.most)
    read, of = reader.counts(analysis.selection)
    rows = [(each.words, each.count, round(each.per_million, 2)) for each in counted]
    return AnalysisResult(heading=("words", "count", "per million"), rows=rows, read=read, of=of)


def _collocates(store: Store, analysis: Analysis, reader: Reader) -> AnalysisResult:
    (query,) = analysis.queries
    found, whole = _found(analysis, query), analysis.selection
    read, of = reader.counts(found)
    if not reader.is_whole:  # pairs and frequencies come from the same articles
        found = whole = Selection(ids=tuple(store.facets.latest(found, limit=read)) or (-1,))
    counted = find_collocates(
        reader.articles(found), lambda: reader.texts(whole), parse(query), window=analysis.window, least=analysis.least,
        most=analysis.most,
    )  # fmt: skip
    rows = [(each.word, each.together, each.count, round(each.log_dice, 2), round(each.log_likelihood, 2)) for each in counted]
    heading = ("word", "together", "count", "logDice", "log-likelihood")
    return AnalysisResult(heading=heading, rows=rows, read=read, of=of)


def _keywords(_store: Store, analysis: Analysis, reader: Reader) -> AnalysisResult:
    counted = find_distinctive_words(
        reader.texts(analysis.selection), reader.texts(analysis.against), least=analysis.least, most=analysis.most
    )
    (read, of), (read_there, of_there) = reader.counts(analysis.selection), reader.counts(analysis.against)
    rows = [(each.word, each.here, each.there, round(each.log_likelihood, 2), round(each.log_ratio, 2)) for each in counted]
    heading = ("word", "A", "B", "log-likelihood", "log ratio")
    return AnalysisResult(heading=heading, rows=rows, read=read + read_there, of=of + of_there)


def _coverage(store: Store, analysis: Analysis, _reader: Reader) -> AnalysisResult:
    found = store.facets.coverage(analysis.selection, analysis.by, limit=analysis.most)
    periods = list_periods({period for _, period in found}, analysis.by)[-analysis.most :]
    rows = [(name, *(found.get((name, period), 0) for period in periods)) for name in sorted({name for name, _ in found})]
    return AnalysisResult(heading=("portal", *periods), rows=rows, read=0, of=0)


def _counts(store: Store, analysis: Analysis, _reader: Reader) -> AnalysisResult:
    found = {each.name: each.articles for each in store.facets.counts(analysis.selection, analysis.by, limit=analysis.most)}
    names = list_periods(found, analysis.by)[-analysis.most :] if analysis.by in PERIODS else found
    rows = [(name, found.get(name, 0)) for name in names]
    return AnalysisResult(heading=(str(analysis.by), "articles"), rows=rows, read=0, of=0)


_TOOLS: Mapping[Tool, Callable[[Store, Analysis, Reader], AnalysisResult]] = {
    Tool.CONCORDANCE: _concordance, Tool.TRENDS: _trends, Tool.FREQUENCIES: _frequencies, Tool.COLLOCATES: _collocates,
    Tool.KEYWORDS: _keywords, Tool.COVERAGE: _coverage, Tool.COUNTS: _counts,
}  # fmt: skip
