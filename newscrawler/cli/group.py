"""A click group that loads a command when it is asked for, and turns our errors into one sentence and an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from importlib import import_module

import click

from newscrawler.errors import NewscrawlerError

INTERRUPTED = 130
#: What the shell reports of a program that SIGPIPE ended.
BROKEN_PIPE = 141


class LazyGroup(click.Group):
    """Commands by name, each "module:attribute", imported when it runs, completes or shows its help."""

    def __init__(self, *args: object, lazy: Mapping[str, str] | None = None, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.lazy = dict(lazy or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table, which is the order in which a newcomer meets them."""
        return [*self.lazy, *(name for name in super().list_commands(ctx) if name not in self.lazy)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        target = self.lazy.get(cmd_name)
        if target is None:
            return super().get_command(ctx, cmd_name)
        module, attribute = target.split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


class MainGroup(LazyGroup):
    """The outermost group, where errors end."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; whatever we raised on purpose becomes its message and its exit code."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except NewscrawlerError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            with contextlib.suppress(OSError):
                click.echo("Interrupted.", err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            silence_stdout()
            ctx.exit(BROKEN_PIPE)
        return result


def silence_stdout() -> None:
    """Let the interpreter flush into nothing when it ends: whoever read us is gone."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
