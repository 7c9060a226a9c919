"""`newscrawler plugins`: list the plugins of other installed packages."""

from __future__ import annotations

import click

from newscrawler.cli.screen import print_rows
from newscrawler.errors import ConfigError
from newscrawler.plugins import PluginGroup, plugins_of


@click.command("plugins")
def plugins_command() -> None:
    """List the plugins of installed packages.

    A plugin is an entry point of the group newscrawler.methods (block detection), newscrawler.exporters,
    newscrawler.notifiers or newscrawler.tokenizers. The last column says whether it can be loaded.

    \b
    Example:
      newscrawler plugins
    """
    rows = []
    for group in PluginGroup:
        for plugin in plugins_of(group).values():
            try:
                plugin.load()
                state = "works"
            except ConfigError as error:
                state = str(error).rpartition("cannot be loaded: ")[2]
            rows.append(
                (str(group).removeprefix("newscrawler."), plugin.name, f"{plugin.package} {plugin.version}", plugin.target, state)
            )
    if not rows:
        click.echo("No installed package has plugins for newscrawler.", err=True)
        return
    print_rows(rows, ("group", "name", "package", "target", "state"))
