"""`newscrawler db`."""

from __future__ import annotations

from pathlib import Path

import click

from newscrawler.cli.group import LazyGroup
from newscrawler.cli.options import config_option, configuration_of, database_option


@click.group("db", cls=LazyGroup)
def db_group() -> None:
    """Look after the database.

    \b
    Example:
      newscrawler db upgrade
    """


@db_group.command("upgrade")
@database_option
@config_option
def upgrade(database: str | None, config: Path | None) -> None:
    """Make the database, or bring it up to date; every crawl does so by itself.

    \b
    Example:
      newscrawler db upgrade --database postgresql+psycopg://me@localhost/news
    """
    from newscrawler.store import open_store

    with open_store(configuration_of(config, database).database_url) as store:
        store.upgrade()
    click.echo("The database is up to date.")
