"""`newscrawler saved`: named selections, which are the saved searches of the web application."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from newscrawler.cli.options import add_configuration_options, add_selection_options, json_option, require_known_selection
from newscrawler.cli.screen import format_day, print_listing
from newscrawler.corpus import LOCAL, find_saved, read_saved, write_filters
from newscrawler.errors import ConfigError, counted
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Selection
from newscrawler.store.search import SavedSearch

if TYPE_CHECKING:
    from newscrawler.config import Configuration

#: Characters of the name of a search.
_LONGEST_NAME = 100


@click.group("saved")
def saved_group() -> None:
    """Name selections of articles, for --saved of all commands.

    They are the saved searches of the web application. A fixed one keeps to the articles that there are when it is saved: a
    sub-corpus with its date.

    \b
    Example:
      newscrawler saved add floods --words "flood* OR dam" --since 2026-01-01 --fixed
      newscrawler frequencies --saved floods
      newscrawler keywords saved=floods language=en
    """


@saved_group.command("add")
@click.argument("name")
@add_selection_options
@click.option("--fixed", is_flag=True, help="Keep to the articles that are stored now.")
@add_configuration_options
def add_command(name: str, *, selection: Selection, fixed: bool, configuration: Configuration) -> None:
    """Save the selection of the options under a name; replace an earlier one of this name.

    \b
    Example:
      newscrawler saved add opinion --genre opinion --language cs
    """
    name = " ".join(name.split())
    if not 0 < len(name) <= _LONGEST_NAME:
        raise click.UsageError(f"the name of a search has 1 to {_LONGEST_NAME} characters; this one has {len(name)}")
    with open_store(configuration.database_url, create=False) as store:
        require_known_selection(store, selection)
        chosen = selection if not fixed else selection.end_at(store.articles.newest_id())
        number = store.articles.count(store.articles.restrict(chosen, configuration.reserved_for()))
        store.saved_searches.save(LOCAL, name, write_filters(chosen), now=datetime.now(UTC))
    click.echo(f"{name}: {counted(number, 'article')}{', and no later ones' if fixed else ' today'}.", err=True)


@saved_group.command("list")
@json_option
@add_configuration_options
def list_command(*, as_json: bool, configuration: Configuration) -> None:
    """List saved searches with their conditions, date and number of articles.

    \b
    Example:
      newscrawler saved list
    """
    with open_store(configuration.database_url, create=False) as store:
        every = store.saved_searches.of(None)
        numbers = {each.id: _count(store, each, configuration) for each in every}
    names = {each.id: each.name if each.owner == LOCAL else f"{each.owner}/{each.name}" for each in every}
    records = (
        {"name": names[each.id], "query": each.query, "saved_at": each.saved_at.isoformat(), "articles": numbers[each.id]}
        for each in every
    )
    rows = ((names[each.id], format_day(each.saved_at), numbers[each.id], each.query) for each in every)
    print_listing(records, rows, ("name", "saved", "articles", "conditions"), as_json=as_json)


def _count(store: Store, search: SavedSearch, configuration: Configuration) -> int | None:
    """Return the number of articles of a saved search; None, and say why, if it cannot be read any more."""
    try:
        return store.articles.count(store.articles.restrict(read_saved(search), configuration.reserved_for()))
    except ConfigError as error:
        click.echo(f"Note: {error}", err=True)
        return None


@saved_group.command("remove")
@click.argument("name")
@add_configuration_options
def remove_command(name: str, *, configuration: Configuration) -> None:
    """Remove a saved search; its articles stay.

    \b
    Example:
      newscrawler saved remove opinion
    """
    with open_store(configuration.database_url, create=False) as store:
        found = find_saved(store, name)
        store.saved_searches.remove(found.owner, found.id)
    click.echo(f"{name} is removed.", err=True)
