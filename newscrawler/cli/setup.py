"""`newscrawler init`, `plugins` and `completion`: set the program up."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import get_completion_class

from newscrawler.cli.options import config_option
from newscrawler.cli.screen import print_rows
from newscrawler.config import CONFIGURATION_FILE, create_configuration
from newscrawler.errors import ConfigError
from newscrawler.plugins import PluginGroup, find_plugins


@click.command("init")
@click.option("--contact", metavar="ADDRESS", help="E-mail or web address at which the operator of a portal reaches you.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder for the database and kept pages; by default the current folder of each command.",
)
@config_option
def init_command(contact: str | None, data: Path | None, config: Path | None) -> None:
    """Write a first newscrawler.toml.

    \b
    Example:
      newscrawler init --contact you@your.domain
      newscrawler init --contact you@your.domain --data /var/lib/newscrawler --config /etc/newscrawler/newscrawler.toml
    """
    path = config or Path(CONFIGURATION_FILE)
    create_configuration(path, contact, data)
    missing = "" if contact else "write your contact into it, then "
    click.echo(f"{path} is written; {missing}add a portal: newscrawler portal add URL")


@click.command("plugins")
def plugins_command() -> None:
    """List the plugins of installed packages.

    A plugin is an entry point of the group newscrawler.methods (block detection), newscrawler.exporters,
    newscrawler.notifiers, newscrawler.tokenizers or newscrawler.sources (of URLs). The last column
    says whether it can be loaded.

    \b
    Example:
      newscrawler plugins
    """
    rows = []
    for group in PluginGroup:
        for plugin in find_plugins(group).values():
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


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> None:
    """Print a completion script for a shell.

    With it, SHELL completes commands, options, formats, and the names of portals and methods.

    \b
    Example:
      newscrawler completion bash >> ~/.bashrc
      newscrawler completion zsh >> ~/.zshrc
      newscrawler completion fish > ~/.config/fish/completions/newscrawler.fish
    """
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"{shell} is not known")
    root = ctx.find_root()
    click.echo(found(root.command, {}, "newscrawler", "_NEWSCRAWLER_COMPLETE").source())
