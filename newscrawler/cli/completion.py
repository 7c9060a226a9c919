"""`newscrawler completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


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
