"""`newscrawler init`."""

from __future__ import annotations

from pathlib import Path

import click

from newscrawler.cli.options import config_option
from newscrawler.config import CONFIGURATION_FILE
from newscrawler.config.write import create


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
    create(path, contact, data)
    missing = "" if contact else "write your contact into it, then "
    click.echo(f"{path} is written; {missing}add a portal: newscrawler portal add URL")
