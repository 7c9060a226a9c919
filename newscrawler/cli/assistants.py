"""`newscrawler mcp`: tools for assistants, over standard input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from newscrawler.cli.options import add_configuration_options
from newscrawler.errors import ConfigError, install_command
from newscrawler.store import open_store

if TYPE_CHECKING:
    from newscrawler.config import Configuration


@click.command("mcp")
@click.option("--purpose", default="", metavar="TEXT", help="Purpose of the assistant, for the audit log.")
@add_configuration_options
def mcp_command(*, purpose: str, configuration: Configuration) -> None:
    """Let an assistant search the corpus (Model Context Protocol).

    A client of the protocol starts this command and speaks with it over standard input and output. Its tools only read. Of an
    article whose publisher reserves it from AI models, or whose portal has no `licence` in the configuration, they return metadata,
    counts and the link, never text. Each call is in the audit log. It needs newscrawler[assistants].

    \b
    Example:
      newscrawler mcp --purpose "questions about floods"
    """
    try:
        from newscrawler.web import make_assistant_server
    except ImportError as error:
        raise ConfigError(f"this needs the SDK of the protocol: {install_command('assistants')}") from error
    with open_store(configuration.database_url, create=False) as store:
        make_assistant_server(store, configuration, purpose).run()
