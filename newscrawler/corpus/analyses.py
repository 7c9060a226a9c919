"""Analyses of a selection as tables, for commands, notebooks, pages, the API and jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import StrEnum
from itertools import islice, product
from typing import Any

from newscrawler.corpus.annotation import find_annotator
from newscrawler.corpus.charts import Series
from newscrawler.corpus.concordance import ConcordanceLine, Sorting, find_lines, sort_lines
from newscrawler.corpus.statistics import Grouping, count_frequencies, count_trends, find_collocates, find_distinctive_words
from newscrawler.corpus.word_chunks import WordReader
from newscrawler.store import Store
from newscrawler.store.articles import PERIODS, Facet, Selection, StoredArticle
from newscrawler.store.search import parse

#: Articles loaded at a time.
_AT_ONCE = 100
#: Most concordance lines sorted if not all articles are read: each costs as much as a text.
_MOST_LINES = 200
_PER = 1_000
#: Portals that a chart shows side by side.
MOST_PORTALS = 6


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
    #: Those of a trend may be entity:NAME or topic:NAME, as recognisers found them.
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
    #: Frequencies are counted separately by these.
    groups: tuple[Grouping, ...] = ()
    #: The tagger whose lemmas statistics of words count; None: forms.
    annotate: str | None = None

    def choose(self, selection: Selection) -> Selection:
        """Return the articles of a selection that this analysis counts: statistics of words leave near-duplicates out."""
        return replace(selection, distinct=True) if self.tool in _OF_WORDS and not self.with_duplicates else selection

    def restrict(self, store: Store, reserved: Mapping[str, Any]) -> Analysis:
        """Return the analysis without articles that are reserved: fields of `Selection`, as of `Configuration.reserved_for`."""
        chosen, against = (store.articles.restrict(each, reserved) for each in (self.selection, self.against))
        return replace(self, selection=chosen, against=against)


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
    #: It reads the articles published last, at most so many; None: all, in the order of storing.
    latest: int | None = None


def analyse(
    store: Store, analysis: Analysis, *, most: int | None = None, progress: Callable[[int], None] | None = None
) -> AnalysisResult:
    """Return the table of an analysis; `most`: most articles of which a concordance reads the texts; `progress` gets their number.

    Raises:
        ConfigError: a query cannot be read.
    """
    selection, against = map(analysis.choose, (analysis.selection, analysis.against))
    analysis = replace(analysis, selection=selection, against=against)
    if analysis.tool is Tool.CONCORDANCE:
        return _concordance(store, analysis, most, progress)
    annotator = find_annotator(analysis.annotate) if analysis.annotate else None
    return _TOOLS[analysis.tool](store, analysis, WordReader(store, selection, annotate=annotator, progress=progress))


def _concordance(store: Store, analysis: Analysis, most: int | None, progress: Callable[[int], None] | None) -> AnalysisResult:
    (query,) = analysis.queries
    found = analysis.selection.narrow(query)
    of = store.articles.count(found)
    most = None if most is None or of <= most else most  # of few articles the lines are those of a command
    articles = store.articles.stream(found) if most is None else _read_latest(store, found, most)
    lines = find_lines(_count_read(articles, progress), parse(query), width=analysis.width)
    chosen = sort_lines(lines if most is None else islice(lines, _MOST_LINES), analysis.sorting, analysis.most)
    rows = [(each.article_id, each.portal, each.date, str(each.zone), each.left, each.hit, each.right) for each in chosen]
    heading = ("article", "portal", "date", "zone", "left", "hit", "right")
    return AnalysisResult(
        heading=heading, rows=rows, read=of if most is None else min(of, most), of=of, lines=tuple(chosen), latest=most
    )


def _read_latest(store: Store, selection: Selection, most: int) -> Iterator[StoredArticle]:
    numbers = store.facets.latest(selection, limit=most)
    for start in range(0, len(numbers), _AT_ONCE):
        yield from store.articles.stream(Selection(ids=tuple(numbers[start : start + _AT_ONCE]), newest_first=True))


def _count_read(articles: Iterable[StoredArticle], progress: Callable[[int], None] | None) -> Iterator[StoredArticle]:
    for number, each in enumerate(articles, 1):
        if progress is not None and number % _AT_ONCE == 0:
            progress(number)
        yield each


def _trends(store: Store, analysis: Analysis, reader: WordReader) -> AnalysisResult:
    columns: list[Mapping[str, tuple[int, float | None]]] = []
    of, names, whole = 0, [], store.facets.sizes(analysis.selection, analysis.by)
    for query, portal in product(analysis.queries, analysis.selection.portals if analysis.by_portal else ("",)):
        part = replace(analysis.selection, portals=(portal,)) if portal else analysis.selection
        sizes = store.facets.sizes(part, analysis.by) if portal else whole
        names.append(f"{query}, {portal}" if portal else query)
        field, name = split_entity(query)
        found, is_topic = part if field else part.narrow(query), field == "topic"
        counts = store.facets.sizes(found, analysis.by, entity=name, is_topic=is_topic)
        of += sum(articles for articles, _ in counts.values())
        if analysis.measure is Measure.ARTICLES:
            rates = _shares(counts, sizes)
        elif field:
            mentions = store.entities.mentions(part, name, analysis.by, is_topic=is_topic)
            rates = {each: (number, round(_PER**2 * number / max(1, sizes[each][1]), 2)) for each, number in mentions.items()}
        else:
            rates = _count_hits(reader.select(part), query, sizes, analysis.by)
        columns.append(dict.fromkeys(sizes, (0, 0.0)) | rates)
    rate = "per million words" if analysis.measure is Measure.OCCURRENCES else "per 1,000 articles"
    heading = (str(analysis.by), "articles", "words", *(name for each in names for name in (each, f"{each}, {rate}")))
    rows = [
        (period, *whole.get(period, (0, 0)), *(value for column in columns for value in column.get(period, (0, None))))
        for period in list_periods(whole, analysis.by)[-analysis.most :]
    ]
    return AnalysisResult(heading=heading, rows=rows, read=of, of=of)


def split_entity(query: str) -> tuple[str, str]:
    """Return "entity" or "topic" and the name, if a line of a trend is written as entity:NAME or topic:NAME; else empty strings."""
    field, _, name = query.partition(":")
    name = name.strip().strip('"').strip()
    return (field, name) if field in {"entity", "topic"} and name else ("", "")


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


def _count_hits(reader: WordReader, query: str, sizes: Mapping[str, tuple[int, int]], by: Facet) -> dict[str, tuple[int, float]]:
    """Return the number of hits in each period, and the number per million words."""
    totals = {period: words for period, (_, words) in sizes.items()}
    return {each.period: (each.hits, round(each.per_million, 2)) for each in count_trends(reader, totals, query, by=by)}


def _frequencies(store: Store, analysis: Analysis, reader: WordReader) -> AnalysisResult:
    counted = count_frequencies(reader, length=analysis.length, by=analysis.groups, most=analysis.most)
    of = store.articles.count(analysis.selection)
    rows = [(*each.group, each.words, each.count, round(each.per_million, 2)) for each in counted]
    heading = (*map(str, analysis.groups), "words", "count", "per million")
    return AnalysisResult(heading=heading, rows=rows, read=of, of=of)


def _collocates(store: Store, analysis: Analysis, reader: WordReader) -> AnalysisResult:
    (query,) = analysis.queries
    of = store.articles.count(analysis.selection.narrow(query))
    counted = find_collocates(reader, query, window=analysis.window, least=analysis.least, most=analysis.most)
    rows = [(each.word, each.together, each.count, round(each.log_dice, 2), round(each.log_likelihood, 2)) for each in counted]
    heading = ("word", "together", "count", "logDice", "log-likelihood")
    return AnalysisResult(heading=heading, rows=rows, read=of, of=of)


def _keywords(store: Store, analysis: Analysis, reader: WordReader) -> AnalysisResult:
    counted = find_distinctive_words(reader, reader.select(analysis.against), least=analysis.least, most=analysis.most)
    of = store.articles.count(analysis.selection) + store.articles.count(analysis.against)
    rows = [(each.word, each.here, each.there, round(each.log_likelihood, 2), round(each.log_ratio, 2)) for each in counted]
    heading = ("word", "A", "B", "log-likelihood", "log ratio")
    return AnalysisResult(heading=heading, rows=rows, read=of, of=of)


def _coverage(store: Store, analysis: Analysis, _reader: WordReader) -> AnalysisResult:
    found = store.facets.coverage(analysis.selection, analysis.by, limit=analysis.most)
    periods = list_periods({period for _, period in found}, analysis.by)[-analysis.most :]
    rows = [(name, *(found.get((name, period), 0) for period in periods)) for name in sorted({name for name, _ in found})]
    return AnalysisResult(heading=("portal", *periods), rows=rows, read=0, of=0)


def _counts(store: Store, analysis: Analysis, _reader: WordReader) -> AnalysisResult:
    found = {each.name: each.articles for each in store.facets.counts(analysis.selection, analysis.by, limit=analysis.most)}
    names = list_periods(found, analysis.by)[-analysis.most :] if analysis.by in PERIODS else found
    rows = [(name, found.get(name, 0)) for name in names]
    return AnalysisResult(heading=(str(analysis.by), "articles"), rows=rows, read=0, of=0)


_TOOLS: Mapping[Tool, Callable[[Store, Analysis, WordReader], AnalysisResult]] = {
    Tool.TRENDS: _trends, Tool.FREQUENCIES: _frequencies, Tool.COLLOCATES: _collocates,
    Tool.KEYWORDS: _keywords, Tool.COVERAGE: _coverage, Tool.COUNTS: _counts,
}  # fmt: skip


def list_series(result: AnalysisResult, analysis: Analysis) -> tuple[Sequence[str], list[Series]]:
    """Return the periods and the lines of counts over time; no lines for other analyses, or for a single period."""
    if analysis.tool is Tool.COVERAGE:
        periods: Sequence[str] = result.heading[1:]
        series = [Series(name=row[0], values=row[1:]) for row in result.rows[:MOST_PORTALS]]
        if len(result.rows) > MOST_PORTALS:
            totals = [sum(row[place] for row in result.rows) for place in range(1, len(result.heading))]
            series = [Series(name="articles of all portals", values=totals)]
    else:
        periods = tuple(str(row[0]) for row in result.rows)
        is_timed = analysis.tool is Tool.COUNTS and analysis.by in PERIODS
        places = [*range(4, len(result.heading), 2)] if analysis.tool is Tool.TRENDS else [1] if is_timed else []
        series = [Series(name=result.heading[place], values=[row[place] for row in result.rows]) for place in places]
    return periods, series if len(periods) > 1 else []


def place_periods(periods: Sequence[str]) -> list[float]:
    """Return the first day of each period as days since 1970, so that time is linear."""
    epoch = date(1970, 1, 1).toordinal()
    return [float(date.fromisoformat((period + "-01-01")[:10]).toordinal() - epoch) for period in periods]
