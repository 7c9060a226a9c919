"""`newscrawler collection`: collections, their keywords, and the keywords learned from news."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from newscrawler.cli.options import MOST, Whole, add_configuration_options, json_option, open_known, require_known_selection
from newscrawler.cli.screen import format_day, note_more, print_listing
from newscrawler.corpus import FALLBACK_LANGUAGE, fold_keyword
from newscrawler.errors import ConfigError, StoreError
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Selection

if TYPE_CHECKING:
    from newscrawler.config import Configuration


@click.group("collection")
def collection_group() -> None:
    """Show collections, their keywords, and keywords learned.

    To list, search or export the articles of a collection, use --collection and --keyword of `newscrawler articles`, `search`,
    `export` and the other commands that select articles.

    \b
    Example:
      newscrawler collection list
      newscrawler export --collection floods --keyword dam --output dam.xlsx
    """


@collection_group.command("list")
@json_option
@add_configuration_options
def list_command(*, as_json: bool, configuration: Configuration) -> None:
    """List the collections in newscrawler.toml and in the database.

    \b
    Example:
      newscrawler collection list
    """
    schedules = {each.name: "paused" if each.paused else each.schedule for each in configuration.collections}
    try:
        with open_store(configuration.database_url, create=False) as store:
            stored = {line.name: line for line in store.collections.list()}
    except StoreError:
        if not schedules:
            raise
        stored = {}
    names = sorted({*schedules, *stored})
    counts = {name: stored[name].articles if name in stored else 0 for name in names}
    records = ({"name": name, "articles": counts[name], "schedule": schedules.get(name)} for name in names)
    began = {name: format_day(line.created_at) for name, line in stored.items()}
    rows = ((name, counts[name], began.get(name, ""), schedules.get(name, "by hand")) for name in names)
    print_listing(records, rows, ("collection", "articles", "since", "schedule"), as_json=as_json)


@collection_group.command("show")
@click.argument("name")
@click.option("--limit", type=Whole(1, MOST), default=30, show_default=True, metavar="N", help="List at most N keywords.")
@json_option
@add_configuration_options
def show_command(name: str, *, limit: int, as_json: bool, configuration: Configuration) -> None:
    """List the keywords of a collection, the most frequent first.

    \b
    Example:
      newscrawler collection show floods
      newscrawler articles --collection floods --keyword dam
    """
    with open_known(configuration, Selection(collection=name)) as store:
        every = store.collections.keywords(name, most=limit + 1)
    lines = every[:limit]
    records = ({"keyword": line.name, "source": str(line.source), "articles": line.articles} for line in lines)
    rows = ((line.name, line.articles, line.source) for line in lines)
    print_listing(records, rows, ("keyword", "articles", "from"), as_json=as_json)
    note_more(limit, len(every))


@collection_group.command("keywords")
@click.option("--language", metavar="CODE", help="Only of this language.")
@click.option("--limit", type=Whole(1, MOST), metavar="N", help="List the N most frequent of each language; by default all.")
@click.option(
    "--learn",
    "portals",
    multiple=True,
    metavar="PORTAL",
    help="Add the keywords that the articles of this portal declare, which are known to be news; may be repeated.",
)
@click.option("--reset", is_flag=True, help="Remove them.")
@json_option
@add_configuration_options
def keywords_command(
    *, language: str | None, limit: int | None, portals: tuple[str, ...], reset: bool, as_json: bool, configuration: Configuration
) -> None:
    """List, add or remove the keywords learned from news, by language.

    `newscrawler collect` adds the keywords of each page that it classifies as news, and compares other pages with them.

    \b
    Example:
      newscrawler collection keywords --language en --limit 20
      newscrawler collection keywords --json > keywords.jsonl
      newscrawler collection keywords --learn example
      newscrawler collection keywords --reset
    """
    if reset and portals:
        raise click.UsageError("--reset and --learn exclude each other; run the command twice")
    with open_store(configuration.database_url, create=False) as store:
        for portal in portals:
            click.echo(_learn(store, portal), err=True)
        if portals:
            return
        if reset:
            click.echo(f"{store.collections.forget_known_keywords(language)} keywords were removed.", err=True)
            return
        known = store.collections.known_keywords()
    if language is not None and language not in known:
        raise ConfigError(
            f"No keywords of the language {language} are known. Languages with keywords: {', '.join(known) or 'none'}."
        )
    chosen = {language: known[language]} if language is not None else known
    rows = [
        (code, word, pages)
        for code, words in chosen.items()
        for word, pages in sorted(words.items(), key=lambda each: (-each[1], each[0]))[:limit]
    ]
    heading = ("language", "keyword", "pages")
    print_listing((dict(zip(heading, row, strict=True)) for row in rows), rows, heading, as_json=as_json)


def _learn(store: Store, portal: str) -> str:
    """Add the keywords of a portal's articles to those known from news, and return what was added."""
    require_known_selection(store, Selection(portal=portal))
    counts: dict[str, Counter[str]] = {}
    for language, keyword, articles in store.collections.declared_keywords(portal):
        counts.setdefault(language or FALLBACK_LANGUAGE, Counter())[fold_keyword(keyword)] += articles
    store.collections.add_known_keywords(counts, counted_again=True)
    return f"{portal}: {sum(map(len, counts.values()))} keywords of {len(counts)} languages are known."
