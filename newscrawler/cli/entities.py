"""`newscrawler entities`: persons, organisations, places and topics of the articles in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from newscrawler.cli.options import (
    MOST,
    Whole,
    add_configuration_options,
    add_selection_options,
    json_option,
    restrict_selection,
)
from newscrawler.cli.screen import make_articles_progress, note_more, print_listing
from newscrawler.corpus import recognise_entities
from newscrawler.errors import ConfigError, counted
from newscrawler.store import open_store
from newscrawler.store.articles import ENTITIES, Facet, Selection

if TYPE_CHECKING:
    from newscrawler.config import Configuration


@click.group("entities")
def entities_group() -> None:
    """Find persons, places and topics of articles, and list them.

    They narrow every selection (--entity, --topic), are counted by pages and notebooks, drawn by `newscrawler trends
    "entity:NAME"`, and written by `newscrawler export --entities`. The key `recognisers` of newscrawler.toml finds them after each
    crawl.

    \b
    Example:
      newscrawler entities find --by ontea
      newscrawler entities list --kind person --since 2026-01-01
      newscrawler articles --entity "Eva Malá"
    """


@entities_group.command("find")
@click.option(
    "--by", "name", default="ontea", show_default=True, metavar="NAME",
    help="ontea, ontea:FILE of known individuals, spacy:MODEL, a plugin, or MODULE:FUNCTION.",
)  # fmt: skip
@add_selection_options
@add_configuration_options
def find_command(*, name: str, selection: Selection, configuration: Configuration) -> None:
    """Find the entities of articles that are new or corrected since the last time.

    ontea finds them by patterns, titles and forms of companies, and the individuals of a file: label, class (Person, Organization,
    Place) and address, with tabs between. spaCy finds better ones where it has a model of the language; the categories of its
    model are topics. Several recognisers can read the same articles.

    \b
    Example:
      newscrawler entities find
      newscrawler entities find --by spacy:de_core_news_lg --language de
    """
    with open_store(configuration.database_url, create=False) as store:
        chosen = restrict_selection(store, selection, configuration)
        done = recognise_entities(store, name, chosen, progress=make_articles_progress() or (lambda _number: None))
    for number, why in done.failed[:3]:
        click.echo(f"Article {number} cannot be read by {name}: {why}", err=True)
    if done.failed:
        click.echo(f"{counted(len(done.failed), 'article')} failed; they are read again the next time.", err=True)
    click.echo(f"{counted(done.articles, 'article')} read by {name}." if done.articles else "Nothing is new.", err=True)


@entities_group.command("list")
@click.option("--kind", type=click.Choice(list(map(str, ENTITIES))), default="person", show_default=True, help="Their kind.")
@click.option("--limit", type=Whole(1, MOST), default=30, show_default=True, metavar="N", help="List at most N.")
@add_selection_options
@json_option
@add_configuration_options
def list_command(*, kind: str, limit: int, selection: Selection, as_json: bool, configuration: Configuration) -> None:
    """List the entities that most articles mention.

    \b
    Example:
      newscrawler entities list --kind place --portal example
    """
    with open_store(configuration.database_url, create=False) as store:
        chosen = restrict_selection(store, selection, configuration)
        found = store.facets.counts(chosen, Facet(kind), limit=limit + 1)
        read = store.entities.recognisers()
    lines = found[:limit]
    records = ({"kind": kind, "name": line.name, "articles": line.articles} for line in lines)
    print_listing(records, ((line.name, line.articles) for line in lines), (kind, "articles"), as_json=as_json)
    note_more(limit, len(found))
    if not read:
        click.echo("No recogniser has read the articles yet: `newscrawler entities find`.", err=True)
    elif not as_json:
        click.echo("Found by " + ", ".join(f"{each.name} ({counted(each.articles, 'article')})" for each in read) + ".", err=True)


@entities_group.command("forget")
@click.argument("name")
@add_configuration_options
def forget_command(name: str, *, configuration: Configuration) -> None:
    """Remove all that a recogniser has found.

    \b
    Example:
      newscrawler entities forget ontea
    """
    with open_store(configuration.database_url, create=False) as store:
        known = [each.name for each in store.entities.recognisers()]
        if name not in known:
            raise ConfigError(f"{name} has found nothing here; there are: {', '.join(known) or 'none'}")
        number = store.entities.forget(name)
    click.echo(f"Removed: the entities that {name} found in {counted(number, 'article')}.", err=True)
