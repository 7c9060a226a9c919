"""`newscrawler frequencies`, `collocates`, `trends` and `keywords`: statistics of words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.options import (
    SelectionText,
    Whole,
    add_configuration_options,
    add_selection_options,
    restrict_selection,
)
from newscrawler.cli.screen import note_more, print_rows, sanitize
from newscrawler.corpus import Analysis, Grouping, Measure, Tool, analyse, draw_bars, make_recipe, split_entity, write_figure
from newscrawler.errors import ConfigError, counted
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Facet, Selection
from newscrawler.store.search import parse

if TYPE_CHECKING:
    from newscrawler.config import Configuration

R = TypeVar("R")
_SELECTION = SelectionText()
#: Periods of a trend are not limited.
_ALL_PERIODS = 10**6

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
    *, selection: Selection, length: int, by: tuple[str, ...], limit: int, annotate: str | None, with_duplicates: bool,
    output: Path | None, as_json: bool, configuration: Configuration,
) -> None:  # fmt: skip
    """List the most frequent words, or words in a row.

    Words are those of Unicode (UAX 29), in small letters.

    \b
    Example:
      newscrawler frequencies --portal example --limit 100
      newscrawler frequencies --n 3 --by portal --by month --output trigrams.csv
    """
    _analyse(
        Analysis(
            tool=Tool.FREQUENCIES, selection=selection, length=length, groups=tuple(map(Grouping, by)), most=limit,
            annotate=annotate, with_duplicates=with_duplicates,
        ),
        configuration, output, as_json=as_json,
    )  # fmt: skip


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
    *, query: str, selection: Selection, window: int, least: int, limit: int, annotate: str | None, with_duplicates: bool,
    output: Path | None, as_json: bool, configuration: Configuration,
) -> None:  # fmt: skip
    """List words that occur near a query more often than by chance.

    Ordered by logDice (Rychlý 2008); log-likelihood is Dunning's G². Both are computed within the selection.

    \b
    Example:
      newscrawler collocates climate --language en --window 4
    """
    _analyse(
        Analysis(
            tool=Tool.COLLOCATES, selection=selection, queries=(query,), window=window, least=least, most=limit, annotate=annotate,
            with_duplicates=with_duplicates,
        ),
        configuration, output, as_json=as_json,
    )  # fmt: skip


@click.command("trends")
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...")
@add_selection_options
@click.option(
    "--period", type=click.Choice(["year", "month", "day"]), default="month", show_default=True, help="Period of a point."
)
@_duplicates
@_add_table_options
def trends_command(
    *, queries: tuple[str, ...], selection: Selection, period: str, with_duplicates: bool, output: Path | None, as_json: bool,
    configuration: Configuration,
) -> None:  # fmt: skip
    """Show how often queries occur over time, per million words.

    The words are those of all articles of the selection. A query can be entity:NAME or topic:NAME (`newscrawler entities`).
    --output takes FILE.svg as well, for a chart.

    \b
    Example:
      newscrawler trends "climate change" --since 2025-01-01 --output climate.svg
      newscrawler trends "entity:Eva Malá" "entity:Jan Novák" --period year
    """
    _analyse(
        Analysis(
            tool=Tool.TRENDS, selection=selection, queries=queries, by=Facet(period), measure=Measure.OCCURRENCES,
            most=_ALL_PERIODS, with_duplicates=with_duplicates,
        ),
        configuration, output, as_json=as_json,
    )  # fmt: skip


@click.command("keywords")
@click.argument("here", metavar="A", type=_SELECTION)
@click.argument("there", metavar="B", type=_SELECTION)
@_least
@_most
@_annotate
@_duplicates
@_add_table_options
def keywords_command(
    *, here: Selection, there: Selection, least: int, limit: int, annotate: str | None, with_duplicates: bool,
    output: Path | None, as_json: bool, configuration: Configuration,
) -> None:  # fmt: skip
    """List words more frequent in articles A than in B (keyness).

    A and B are conditions separated by commas: portal, section, author, language, genre, since, until. Ordered by
    log-likelihood. The log ratio shows how much more frequent a word is: 1 is twice, 2 four times.

    \b
    Example:
      newscrawler keywords portal=one,since=2026-01-01 portal=two,since=2026-01-01
    """
    _analyse(
        Analysis(
            tool=Tool.KEYWORDS, selection=here, against=there, least=least, most=limit, annotate=annotate,
            with_duplicates=with_duplicates,
        ),
        configuration, output, as_json=as_json,
    )  # fmt: skip


def _analyse(analysis: Analysis, configuration: Configuration, output: Path | None, *, as_json: bool) -> None:
    """Print the table of an analysis, or write it with its recipe."""
    for query in analysis.queries:
        if not (analysis.tool is Tool.TRENDS and split_entity(query)[0]):
            parse(query)
    is_cut = analysis.tool is not Tool.TRENDS and not analysis.groups
    with open_store(configuration.database_url, create=False) as store:
        analysis = _check_selections(store, analysis, configuration)
        result = analyse(store, replace(analysis, most=analysis.most + 1) if is_cut else analysis)
        number = len(result.rows)
        if is_cut:
            result = replace(result, rows=result.rows[: analysis.most])
        if output is not None and not number:
            raise ConfigError("there is nothing to count: no article matches the selection; no file is written")
        if output is not None:
            write_figure(analysis, result, make_recipe(store, analysis, result), output)
            click.echo(f"Written to {output}.", err=True)
    for query, place in zip(analysis.queries, range(3, len(result.heading), 2), strict=False):  # columns of a trend
        if analysis.tool is Tool.TRENDS and split_entity(query)[0] and not any(row[place] for row in result.rows):
            click.echo(f"No article has {query}; `newscrawler entities list` shows the names that were found.", err=True)
    if output is None and as_json:
        for row in result.rows:
            click.echo(encode(dict(zip(result.heading, row, strict=True))), nl=False)
    elif output is None and analysis.tool is Tool.TRENDS and len(analysis.queries) == 1:
        for line in draw_bars([(row[0], row[-1] or 0) for row in result.rows]):
            click.echo(sanitize(line))
    elif output is None:
        print_rows(result.rows, result.heading)
        if not result.rows:
            click.echo("Nothing to count: no article matches, or no word is frequent enough (--least).", err=True)
    note_more(analysis.most if is_cut else None, number)


def _check_selections(store: Store, analysis: Analysis, configuration: Configuration) -> Analysis:
    """Refuse unknown names and empty selections, say how many articles are left out, and return the analysis without them."""
    names = ("selection", "against") if analysis.tool is Tool.KEYWORDS else ("selection",)
    chosen = {name: restrict_selection(store, getattr(analysis, name), configuration) for name in names}
    for selection in chosen.values():
        every = store.articles.count(selection)
        if not every and analysis.tool is Tool.KEYWORDS:
            raise ConfigError("one of the two selections has no article; widen it (`newscrawler articles` lists the articles)")
        if number := every - store.articles.count(analysis.choose(selection)):
            click.echo(f"Left out: {counted(number, 'near-duplicate')}; --with-duplicates counts them, too.", err=True)
    return replace(analysis, selection=chosen["selection"], against=chosen.get("against", analysis.against))
