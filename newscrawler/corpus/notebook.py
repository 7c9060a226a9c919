"""A corpus in a notebook: selections as iterators and data frames, statistics as tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from html import escape
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, Self

from newscrawler.article import Article
from newscrawler.config import load_configuration
from newscrawler.corpus.analyses import Analysis, Measure, Tool, analyse
from newscrawler.corpus.concordance import Sorting
from newscrawler.corpus.formats.parquet import make_arrow_table
from newscrawler.corpus.recipes import make_recipe
from newscrawler.corpus.selections import combine, find_saved, read_day, read_saved
from newscrawler.errors import ConfigError, ExportError, counted, install_command
from newscrawler.politeness.rights import Purpose
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Facet, Selection
from newscrawler.store.search import parse

#: Periods of a trend are not limited.
_ALL_PERIODS = 10**6


def open(  # noqa: A001  as `newscrawler.open`, like `gzip.open`
    database: str | PathLike[str] | None = None,
    *,
    purpose: str | None = "text-analysis",
    config: str | PathLike[str] | None = None,
) -> Corpus:
    """Open a corpus for reading.

    Args:
        database: sqlite:///FILE, postgresql://…, or the path of an SQLite file; None: the database of the configuration.
        purpose: leave out the articles that their publishers reserve from this use, as `newscrawler export --purpose` does; None:
            only those that they withdrew, as commands without this option.
        config: newscrawler.toml; None: that of the current folder, if there is one.

    Raises:
        ConfigError: the purpose, the configuration or the URL is wrong.
        StoreError: the database does not exist or cannot be opened.
    """
    if purpose is not None and purpose not in set(Purpose):
        raise ConfigError(f"{purpose!r} is not a purpose. Choose among: {', '.join(Purpose)}; None is any that the corpus is for.")
    configuration = load_configuration(None if config is None else Path(config))
    reserved = configuration.reserved_for(None if purpose is None else Purpose(purpose))
    url = configuration.database_url if database is None else str(database)
    return Corpus(open_store(url if "://" in url else f"sqlite:///{url}", create=False), Selection(**reserved))


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsTable:
    """A statistic. Iterating yields a dictionary for each row; notebooks show it as a table."""

    heading: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    #: As JSON, for `newscrawler again`.
    recipe: str = ""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.heading, row, strict=True)) for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_arrow(self) -> Any:
        """Return a `pyarrow.Table`.

        Raises:
            ExportError: pyarrow is not installed.
        """
        arrow = _import_library("pyarrow", install_command("parquet"))
        return arrow.table({name: [row[place] for row in self.rows] for place, name in enumerate(self.heading)})

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame`.

        Raises:
            ExportError: pandas is not installed.
        """
        return _import_library("pandas").DataFrame(self.rows, columns=list(self.heading))

    def to_polars(self) -> Any:
        """Return a `polars.DataFrame`.

        Raises:
            ExportError: Polars is not installed.
        """
        return _import_library("polars").DataFrame(self.rows, schema=list(self.heading), orient="row")

    def _repr_html_(self) -> str:
        lines = [("th", self.heading), *(("td", row) for row in self.rows)]
        cells = ("".join(f"<{tag}>{escape(str(value))}</{tag}>" for value in line) for tag, line in lines)
        return f"<table>{''.join(f'<tr>{line}</tr>' for line in cells)}</table>"


class Corpus:
    """The articles of a selection. Iterating reads them from the database one after the other, in constant memory."""

    def __init__(self, store: Store, selection: Selection) -> None:
        self._store = store
        self._selection = selection

    def select(
        self,
        words: str | None = None,
        *,
        portal: str | None = None,
        section: str | None = None,
        author: str | None = None,
        language: str | None = None,
        genre: str | None = None,
        collection: str | None = None,
        keyword: str | None = None,
        entity: str | None = None,
        topic: str | None = None,
        saved: str | None = None,
        since: date | str | None = None,
        until: date | str | None = None,
    ) -> Corpus:
        """Return the articles that meet further conditions; a condition replaces an earlier one of the same name.

        `words` is a query, as `newscrawler search` takes it; `since` and `until` are the first and last day of publication,
        such as "2026-02-01"; `saved` is the name of a saved search, which `words` narrow; articles have exactly the other values.

        Raises:
            ConfigError: the query or a day cannot be read, or there is no such saved search.
        """
        if words is not None:
            parse(words)
        said = {
            "words": words, "portal": portal, "section": section, "author": author, "language": language, "genre": genre,
            "collection": collection, "keyword": keyword, "entity": entity, "topic": topic,
            "since": _read_day(since), "until": _read_day(until),
        }  # fmt: skip
        given: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
        chosen = self._selection
        if saved is not None:
            chosen = combine(chosen, read_saved(find_saved(self._store, saved)))
            return Corpus(self._store, combine(chosen, replace(Selection(), **given)))
        return Corpus(self._store, replace(chosen, **given))

    def __iter__(self) -> Iterator[Article]:
        return (stored.article for stored in self._store.articles.stream(self._selection))

    def __len__(self) -> int:
        return self._store.articles.count(self._selection)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Corpus: {counted(len(self), 'article')}>"

    def to_arrow(self) -> Any:
        """Return the fields of the articles, those of `newscrawler export --format parquet`, as a `pyarrow.Table`.

        Raises:
            ExportError: pyarrow is not installed.
        """
        return make_arrow_table(self._store.articles.stream(self._selection))

    def to_pandas(self) -> Any:
        """Return the same as a `pandas.DataFrame`.

        Raises:
            ExportError: pyarrow or pandas is not installed.
        """
        _import_library("pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Return the same as a `polars.DataFrame`.

        Raises:
            ExportError: pyarrow or Polars is not installed.
        """
        return _import_library("polars").from_arrow(self.to_arrow())

    def frequencies(self, *, n: int = 1, limit: int = 50) -> StatisticsTable:
        """Return the most frequent words, or `n` words in a row, as `newscrawler frequencies` does."""
        return self._analyse(Tool.FREQUENCIES, length=n, most=limit)

    def collocates(self, query: str, *, window: int = 5, least: int = 5, limit: int = 50) -> StatisticsTable:
        """Return words that occur near a query more often than by chance, as `newscrawler collocates` does."""
        return self._analyse(Tool.COLLOCATES, query, window=window, least=least, most=limit)

    def keywords(self, other: Corpus, *, least: int = 5, limit: int = 50) -> StatisticsTable:
        """Return words more frequent here (A) than in another selection (B), as `newscrawler keywords` does."""
        return self._analyse(Tool.KEYWORDS, against=other._selection, least=least, most=limit)

    def trends(self, *queries: str, period: str = "month") -> StatisticsTable:
        """Return the occurrences of each query in each year, month or day, and their number per million words."""
        return self._analyse(Tool.TRENDS, *queries, by=Facet(period), measure=Measure.OCCURRENCES, most=_ALL_PERIODS)

    def concordance(self, query: str, *, width: int = 8, sort: str = "article", limit: int = 1000) -> StatisticsTable:
        """Return each occurrence of a query with its context, as `newscrawler concordance` does."""
        return self._analyse(Tool.CONCORDANCE, query, width=width, sorting=Sorting(sort), most=limit)

    def counts(self, by: str = "portal", *, limit: int = 50) -> StatisticsTable:
        """Return the number of articles of each portal, section, author, language, genre, person, topic, year and so on."""
        return self._analyse(Tool.COUNTS, by=Facet(by), most=limit)

    def _analyse(self, tool: Tool, *queries: str, **parameters: Any) -> StatisticsTable:
        """Return the table of an analysis.

        Raises:
            ConfigError: a query cannot be read.
        """
        analysis = Analysis(tool=tool, selection=self._selection, queries=queries, **parameters)
        found = analyse(self._store, analysis)
        return StatisticsTable(heading=found.heading, rows=found.rows, recipe=make_recipe(self._store, analysis, found).encode())

    def close(self) -> None:
        """Close the database, for all selections from it."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _read_day(day: date | str | None) -> date | None:
    return read_day(day) if isinstance(day, str) else day


def _import_library(name: str, command: str | None = None) -> Any:
    """Return an optional library.

    Raises:
        ExportError: it is not installed; the message says how to install it.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise ExportError(f"this needs {name}: {command or f'pip install {name}'}") from error
