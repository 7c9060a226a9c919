"""`newscrawler frequencies`, `collocates`, `trends` and `keywords`: statistics of words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.options import (
    SelectionText,
    Whole,
    add_configuration_options,
    add_selection_options,
    require_known_selection,
)
from newscrawler.cli.screen import note_more, print_rows, sanitize
from newscrawler.corpus import (
    Annotator,
    Grouping,
    Series,
    WordReader,
    count_frequencies,
    count_trends,
    draw_bars,
    draw_lines,
    find_annotator,
    find_collocates,
    find_distinctive_words,
    open_target,
)
from newscrawler.corpus.formats import write_table
from newscrawler.errors import ConfigError, counted
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Facet, Selection
from newscrawler.store.search import parse

if TYPE_CHECKING:
    from newscrawler.config import Configuration

R = TypeVar("R")
_SELECTION = SelectionText()

_annotate = click.option(
    "--annotate", metavar="TAGGER", help="Count lemmas: spacy:MODEL, stanza:LANGUAGE, udpipe:FILE or MODULE:FUNCTION."
)
_most = click.option("--limit", type=Whole(1, 10_000), default=50, show_default=True, metavar="N", help="At most N rows.")
_duplicates = click.option("--with-duplicates", is_flag=True, help="Count near-duplicates of earlier articles, too.")
_least = click.option("--least", type=Whole(1), default=5, show_default=True, metavar="N", help="Minimum number of occurrences.")


def _check_ending(context: click.Context, _parameter: click.Parameter, output: Path | None) -> Path | None:
    """Refuse a file that cannot be written before anything is counted."""
    endings = {".csv", ".svg"} if context.command.name == "trends" else {".csv"}
    if output is not None and output.suffix.lower() not in endings:
        raise ConfigError(f"{output} does not end in {' or '.join(sorted(endings))}; name a file that does")
    return output


def _add_table_options(command: Callable[..., R]) -> Callable[..., R]:
    for option in (
        add_configuration_options,
        click.option("--json", "as_json", is_flag=True, help="Print JSON, one row per line."),
        click.option(
            "--output", type=click.Path(path_type=Path), callback=_check_ending, metavar="FILE.csv", help="Write a table instead."
        ),
    ):
        command = option(command)
    return command


@click.command("frequencies")
@add_selection_options
@click.option("--n", "length", type=Whole(1, 8), default=1, show_default=True, metavar="N", help="Words in a row.")
@click.option("--by", type=click.Choice(["portal", "month"]), multiple=True, help="Count separately by this; may be given twice.")
@_most
@_annotate
@_duplicates
@_add_table_options
def frequencies_command(
    *,
    selection: Selection,
    length: int,
    by: tuple[str, ...],
    limit: int,
    annotate: str | None,
    with_duplicates: bool,
    output: Path | None,
    as_json: bool,
    configuration: Configuration,
) -> None:
    """List the most frequent words, or words in a row.

    Words are those of Unicode (UAX 29), in small letters.

    \b
    Example:
      newscrawler frequencies --portal example --limit 100
      newscrawler frequencies --n 3 --by portal --by month --output trigrams.csv
    """
    annotator = _find_annotator(annotate)
    with open_store(configuration.database_url, create=False) as store:
        reader = WordReader(store, _choose_articles(store, selection, with_duplicates=with_duplicates), annotate=annotator)
        found = count_frequencies(reader, length=length, by=[Grouping(each) for each in by], most=limit if by else limit + 1)
    rows = [(*each.group, each.words, each.count, round(each.per_million, 2)) for each in found]
    _print_table((*by, "words", "count", "per million"), rows, output, as_json=as_json, limit=None if by else limit)


@click.command("collocates")
@click.argument("query")
@add_selection_options
@click.option("--window", type=Whole(1, 25), default=5, show_default=True, metavar="N", help="Words on each side.")
@_least
@_most
@_annotate
@_duplicates
@_add_table_options
def collocates_command(
    *,
    query: str,
    selection: Selection,
    window: int,
    least: int,
    limit: int,
    annotate: str | None,
    with_duplicates: bool,
    output: Path | None,
    as_json: bool,
    configuration: Configuration,
) -> None:
    """List words that occur near a query more often than by chance.

    Ordered by logDice (Rychlý 2008); log-likelihood is Dunning's G². Both are computed within the selection.

    \b
    Example:
      newscrawler collocates climate --language en --window 4
    """
    parse(query)
    annotator = _find_annotator(annotate)
    with open_store(configuration.database_url, create=False) as store:
        reader = WordReader(store, _choose_articles(store, selection, with_duplicates=with_duplicates), annotate=annotator)
        found = find_collocates(reader, query, window=window, least=least, most=limit + 1)
    rows = [(each.word, each.together, each.count, round(each.log_dice, 2), round(each.log_likelihood, 2)) for each in found]
    _print_table(("word", "together", "count", "logDice", "log-likelihood"), rows, output, as_json=as_json, limit=limit)


@click.command("trends")
@click.argument("query")
@add_selection_options
@click.option(
    "--period", type=click.Choice(["year", "month", "day"]), default="month", show_default=True, help="Period of a point."
)
@_duplicates
@_add_table_options
def trends_command(
    *, query: str, selection: Selection, period: str, with_duplicates: bool, output: Path | None, as_json: bool,
    configuration: Configuration,
) -> None:  # fmt: skip
    """Show how often a query occurs over time, per million words.

    The words are those of all articles of the selection.
    --output takes FILE.svg as well, for a chart.

    \b
    Example:
      newscrawler trends "climate change" --since 2025-01-01 --output climate.svg
    """
    parse(query)
    with open_store(configuration.database_url, create=False) as store:
        selection = _choose_articles(store, selection, with_duplicates=with_duplicates)
        sizes = store.facets.sizes(selection, Facet(period))
        totals = {name: number for name, (_, number) in sizes.items()}
        found = count_trends(WordReader(store, selection), totals, query, by=Facet(period))
    points = [(each.period, each.per_million) for each in found]
    if output is not None and output.suffix.lower() == ".svg":
        series = Series(name="per million words", values=[value for _, value in points])
        chart = draw_lines([name for name, _ in points], [series], label=query, heading=query)
        _write(output, chart.encode("utf-8", "replace"), bool(points))
    elif output is None and not as_json:
        for line in draw_bars(points):
            click.echo(sanitize(line))
    else:
        rows = [(each.period, each.articles, each.hits, each.words, round(each.per_million, 2)) for each in found]
        _print_table((period, "articles", "hits", "words", "per million"), rows, output, as_json=as_json)


@click.command("keywords")
@click.argument("here", metavar="A", type=_SELECTION)
@click.argument("there", metavar="B", type=_SELECTION)
@_least
@_most
@_annotate
@_duplicates
@_add_table_options
def keywords_command(
    *,
    here: Selection,
    there: Selection,
    least: int,
    limit: int,
    annotate: str | None,
    with_duplicates: bool,
    output: Path | None,
    as_json: bool,
    configuration: Configuration,
) -> None:
    """List words more frequent in articles A than in B (keyness).

    A and B are conditions separated by commas: portal, section, author, language, genre, since, until. Ordered by
    log-likelihood. The log ratio shows how much more frequent a word is: 1 is twice, 2 four times.

    \b
    Example:
      newscrawler keywords portal=one,since=2026-01-01 portal=two,since=2026-01-01
    """
    annotator = _find_annotator(annotate)
    with open_store(configuration.database_url, create=False) as store:
        here, there = (_choose_articles(store, each, with_duplicates=with_duplicates) for each in (here, there))
        for selection in (here, there):
            if not store.articles.count(selection):
                raise ConfigError(
                    "one of the two selections holds no article; widen it (`newscrawler articles` lists what there is)"
                )
        reader = WordReader(store, here, annotate=annotator)
        found = find_distinctive_words(reader, reader.select(there), least=least, most=limit + 1)
    rows = [(each.word, each.here, each.there, round(each.log_likelihood, 2), round(each.log_ratio, 2)) for each in found]
    _print_table(("word", "A", "B", "log-likelihood", "log ratio"), rows, output, as_json=as_json, limit=limit)


def _choose_articles(store: Store, selection: Selection, *, with_duplicates: bool) -> Selection:
    """Return the selection, if its names are known, without near-duplicates unless these are wanted."""
    distinct = replace(require_known_selection(store, selection), distinct=not with_duplicates)
    if number := store.articles.count(selection) - store.articles.count(distinct):
        click.echo(f"Left out: {counted(number, 'near-duplicate')}; --with-duplicates counts them, too.", err=True)
    return distinct


def _find_annotator(name: str | None) -> Annotator | None:
    return find_annotator(name) if name else None


def _print_table(
    heading: Sequence[str], rows: Sequence[Sequence[Any]], output: Path | None, *, as_json: bool, limit: int | None = None
) -> None:
    """Print or write a table of at most `limit` rows, of which one more was read."""
    number = len(rows)
    rows = rows[:limit]
    if output is not None:
        _write(output, _write_csv(heading, rows), bool(rows))
    elif as_json:
        for row in rows:
            click.echo(encode(dict(zip(heading, row, strict=True))), nl=False)
    else:
        print_rows(rows, heading)
        if not rows:
            click.echo("Nothing to count: no article matches, or no word is frequent enough (--least).", err=True)
    note_more(limit, number)


def _write_csv(heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    stream = BytesIO()
    write_table(heading, rows, stream)
    return stream.getvalue()


def _write(output: Path, content: bytes, there: bool) -> None:
    if not there:
        raise ConfigError("there is nothing to count: no article matches the selection; no file is written")
    with open_target(output) as stream:
        stream.write(content)
    click.echo(f"Written to {output}.", err=True)
