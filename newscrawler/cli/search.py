"""`newscrawler search`: find articles by their words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.numbers import MOST, Whole
from newscrawler.cli.options import config_option, configuration_of, database_option, known_selection, selection_options
from newscrawler.cli.screen import harmless
from newscrawler.corpus import Piece, snippet
from newscrawler.store import open_store
from newscrawler.store.articles import Selection
from newscrawler.store.search import Hit, Node, Order, parse


@click.command("search")
@click.argument("query")
@selection_options
@click.option(
    "--order", type=click.Choice(["relevance", "date"]), default="relevance", show_default=True, help="Order of the results."
)
@click.option("--limit", type=Whole(1, MOST), default=10, show_default=True, metavar="N", help="List at most N.")
@click.option("--offset", type=Whole(0, MOST), default=0, metavar="N", help="Skip the first N.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one article per line.")
@database_option
@config_option
def search_command(
    *,
    query: str,
    selection: Selection,
    order: str,
    limit: int,
    offset: int,
    as_json: bool,
    database: str | None,
    config: Path | None,
) -> None:
    """Find articles by the words of their titles and bodies, in any case, with or without accents.

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
    with open_store(configuration_of(config, database).database_url, create=False) as store:
        known_selection(store, selection)
        hits = store.search.find(node, selection, order=Order(order), limit=limit, offset=offset)
        if as_json:
            _print_json(hits, node)
            return
        total = store.search.count(node, selection)
    for hit in hits:
        _print(hit, snippet(hit.stored.article, node))
    more = f"; showing {offset + 1} to {offset + len(hits)}" if hits and total > len(hits) else ""
    click.echo(f"{total} article{'' if total == 1 else 's'} found{more}.", err=True)


def _print(hit: Hit, pieces: tuple[Piece, ...]) -> None:
    article = hit.stored.article
    facts = "  ".join(filter(None, (str(article.date or ""), article.portal, article.language, article.section)))
    click.echo(f"{hit.stored.id}  {click.style(harmless(article.title), bold=True)}  {harmless(facts)}")
    click.echo(
        "    " + "".join(click.style(harmless(each.text), reverse=True) if each.is_hit else harmless(each.text) for each in pieces)
    )


def _print_json(hits: list[Hit], node: Node) -> None:
    for hit in hits:
        article = hit.stored.article
        record: dict[str, Any] = {
            "id": hit.stored.id,
            "score": round(hit.score, 4),
            "portal": article.portal,
            "date": article.date.isoformat() if article.date else None,
            "title": article.title,
            "url": article.url,
            "snippet": [[piece.text, piece.is_hit] for piece in snippet(article, node)],
        }
        click.echo(encode(record), nl=False)
