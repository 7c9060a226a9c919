"""`newscrawler search` and `newscrawler concordance`: articles by their words, and each occurrence with the words around it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.options import (
    MOST,
    Whole,
    add_configuration_options,
    add_selection_options,
    restrict_selection,
)
from newscrawler.cli.screen import print_rows, sanitize
from newscrawler.corpus import (
    Analysis,
    ConcordanceLine,
    SnippetPart,
    Sorting,
    Tool,
    analyse,
    find_snippet,
    make_recipe,
    write_figure,
)
from newscrawler.errors import ConfigError, counted
from newscrawler.store import open_store
from newscrawler.store.articles import Selection
from newscrawler.store.search import Hit, Node, Order, parse

if TYPE_CHECKING:
    from newscrawler.config import Configuration


@click.command("search")
@click.argument("query")
@add_selection_options
@click.option(
    "--order", type=click.Choice(["relevance", "date"]), default="relevance", show_default=True, help="Order of the results."
)
@click.option("--limit", type=Whole(1, MOST), default=10, show_default=True, metavar="N", help="List at most N.")
@click.option("--offset", type=Whole(0, MOST), default=0, metavar="N", help="Skip the first N.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one article per line.")
@add_configuration_options
def search_command(
    *, query: str, selection: Selection, order: str, limit: int, offset: int, as_json: bool, configuration: Configuration
) -> None:
    """Find articles by the words of their titles and bodies.

    Letters match in any case, with or without accents.

    \b
    Queries:
      climate change          both words
      "climate change"        one after the other
      clima*                  words that begin with clima
      flood OR drought        either
      flood NOT insurance     the first without the second
      NEAR(flood dam, 5)      both with at most 5 words between
      title:flood             in the title; body: in the text
      (flood OR drought) dam  parentheses group

    Relevance ranks the 1,000 matches stored last, and --order date sorts the 10,000 stored last. NOT needs another word before
    it.

    \b
    Example:
      newscrawler search "climate change" --since 2026-01-01
      newscrawler search '"public transport" NOT strike' --portal example --order date
    """
    node = parse(query)
    with open_store(configuration.database_url, create=False) as store:
        selection = restrict_selection(store, selection, configuration)
        hits = store.search.find(node, selection, order=Order(order), limit=limit, offset=offset)
        if as_json:
            _print_hits_as_json(hits, node)
            return
        total = store.search.count(node, selection)
    for hit in hits:
        _print_hit(hit, find_snippet(hit.stored.article, node))
    more = f"; showing {offset + 1} to {offset + len(hits)}" if hits and total > len(hits) else ""
    click.echo(f"{counted(total, 'article')} found{more}.", err=True)


def _print_hit(hit: Hit, pieces: tuple[SnippetPart, ...]) -> None:
    article = hit.stored.article
    facts = "  ".join(filter(None, (str(article.date or ""), article.portal, article.language, article.section)))
    click.echo(f"{hit.stored.id}  {click.style(sanitize(article.title), bold=True)}  {sanitize(facts)}")
    click.echo(
        "    " + "".join(click.style(sanitize(each.text), reverse=True) if each.is_hit else sanitize(each.text) for each in pieces)
    )


def _print_hits_as_json(hits: list[Hit], node: Node) -> None:
    for hit in hits:
        article = hit.stored.article
        record: dict[str, Any] = {
            "id": hit.stored.id,
            "score": round(hit.score, 4),
            "portal": article.portal,
            "date": article.date.isoformat() if article.date else None,
            "title": article.title,
            "url": article.url,
            "snippet": [[piece.text, piece.is_hit] for piece in find_snippet(article, node)],
        }
        click.echo(encode(record), nl=False)


#: Columns of the context on each side in a terminal, in a narrow one at least, and of the number with its gaps.
_COLUMNS, _LEAST_COLUMNS, _NUMBER_COLUMNS = 44, 6, 14


@click.command("concordance")
@click.argument("query")
@add_selection_options
@click.option("--width", type=Whole(0, 50), default=8, show_default=True, metavar="N", help="Words on each side.")
@click.option(
    "--sort",
    type=click.Choice(["article", "left", "right"]),
    default="article",
    show_default=True,
    help="Order as stored, or by the words on the left (from the hit outwards) or right.",
)
@click.option("--limit", type=Whole(1, 100_000), default=1000, show_default=True, metavar="N", help="At most N lines.")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write a table instead: FILE.csv or FILE.html.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line an occurrence.")
@add_configuration_options
def concordance_command(
    *, query: str, selection: Selection, width: int, sort: str, limit: int, output: Path | None, as_json: bool,
    configuration: Configuration,
) -> None:  # fmt: skip
    """List each occurrence of a query with its context (KWIC).

    Queries are those of `newscrawler search`.

    \b
    Example:
      newscrawler concordance "climat*" --width 6 --sort right
      newscrawler concordance povodeň --portal example --output floods.csv
    """
    parse(query)
    if output is not None and output.suffix.lower() not in {".csv", ".html"}:
        raise ConfigError(f"{output} ends neither in .csv nor in .html; name a file that does")
    analysis = Analysis(tool=Tool.CONCORDANCE, queries=(query,), width=width, sorting=Sorting(sort), most=limit)
    with open_store(configuration.database_url, create=False) as store:
        analysis = replace(analysis, selection=restrict_selection(store, selection, configuration))
        result = analyse(store, replace(analysis, most=limit + 1))
        are_more = len(result.lines) > limit
        result = replace(result, rows=result.rows[:limit], lines=result.lines[:limit])
        lines = result.lines
        if output is not None and not lines:
            raise ConfigError(f"nothing matches {query!r}; no file is written")
        if output is not None:
            write_figure(analysis, result, make_recipe(store, analysis, result), output)
    if output is None and as_json:
        for line in lines:
            click.echo(encode(asdict(line)), nl=False)
    elif output is None:
        _print_lines(lines)
    number = counted(len(lines), "occurrence")
    if output is not None:
        number += f" written to {output}"
    click.echo(f"The first {number}; there are more (--limit)." if are_more else f"{number}.", err=True)


def _print_lines(lines: Iterable[ConcordanceLine]) -> None:
    if not sys.stdout.isatty():
        rows = ((each.article_id, each.portal, each.date, each.left, each.hit, each.right) for each in lines)
        print_rows(rows, ("article", "portal", "date", "left", "hit", "right"))
        return
    width = shutil.get_terminal_size().columns
    for line in lines:
        hit = sanitize(line.hit)
        columns = min(_COLUMNS, max(_LEAST_COLUMNS, (width - _NUMBER_COLUMNS - len(hit)) // 2))
        left, right = _align_left_context(sanitize(line.left), columns), sanitize(line.right)
        click.echo(f"{line.article_id:>8}  {left}  {click.style(hit, reverse=True)}  {right[:columns]}")


def _align_left_context(text: str, most: int = _COLUMNS) -> str:
    """Return the end of a text in a fixed number of columns. Chinese characters take two, combining marks none."""
    from rich.cells import cell_len

    columns, start = 0, len(text)
    while start > 0 and columns + cell_len(text[start - 1]) <= most:
        start -= 1
        columns += cell_len(text[start])
    return " " * (most - columns) + text[start:]
