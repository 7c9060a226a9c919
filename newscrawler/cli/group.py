"""A click group that imports commands lazily and turns our errors into one sentence and an exit code."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click
from click.shell_completion import CompletionItem

from newscrawler.errors import ExportError, NewscrawlerError

INTERRUPTED = 130
#: Exit code of an internal error (EX_SOFTWARE of sysexits.h).
FAULT = 70
#: Environment variable that shows the traceback of an internal error.
TRACEBACK = "NEWSCRAWLER_TRACEBACK"
#: Garbage collection: imports and pages make many objects and hardly a cycle; a look every 700 objects takes a tenth of the time.
_SELDOM = (20_000, 20, 20)
#: The shell's exit code for a program that SIGPIPE ended.
BROKEN_PIPE = 141


class LazyGroup(click.Group):
    """Commands by name, imported when one is run, completed or asked for its help.

    Lists of commands are made from the table, which has "module:attribute" (of this package) and summary of each. `sections`: the
    names under the headings of the help.
    """

    def __init__(
        self, *args: object, lazy: Mapping[str, tuple[str, str]] | None = None,
        sections: Mapping[str, Iterable[str]] | None = None, **kwargs: object,
    ) -> None:  # fmt: skip
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.lazy = dict(lazy or {})
        self.sections = sections

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table, which is the order in which a newcomer needs them."""
        return [*self.lazy, *(name for name in super().list_commands(ctx) if name not in self.lazy)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        module, attribute = self.lazy[cmd_name][0].split(":")
        try:
            command: click.Command = getattr(import_module(f"newscrawler.cli.{module}"), attribute)
        except ModuleNotFoundError:
            if ctx.resilient_parsing:  # a completion must not print errors
                return None
            raise
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and summaries, section by section."""
        names = self.list_commands(ctx)
        column = max(map(len, names), default=0)
        width = formatter.width - 6 - column
        for heading, listed in (self.sections or {"Commands": names}).items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(column), self._summarise(ctx, name, width)) for name in listed])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin so, and the options."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        items = [CompletionItem(name, help=self._summarise(ctx, name)) for name in names]
        return items + click.Command.shell_complete(self, ctx, incomplete)

    def _summarise(self, ctx: click.Context, name: str, width: int = 45) -> str:
        listed = click.Command(name, help=self.lazy[name][1]) if name in self.lazy else super().get_command(ctx, name)
        return listed.get_short_help_str(width) if listed else ""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command, or fail with a suggestion of the one that was probably meant."""
        word = args[0]
        if self.get_command(ctx, word) is None and not word.startswith("-") and not ctx.resilient_parsing:
            synonym = _SYNONYMS.get(word.lower()) if ctx.parent is None else None
            meant = synonym or find_nearest(word, self.list_commands(ctx))
            commands = ", ".join(self.list_commands(ctx))
            hint = f"Did you mean: {ctx.command_path} {meant}" if meant else f"Its commands: {commands}."
            ctx.fail(f"{ctx.command_path} has no command {word}. {hint}")
        return super().resolve_command(ctx, args)


class MainGroup(LazyGroup):
    """The outermost group. It turns every error into one sentence and an exit code."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; report a full disk behind standard output even where only help is printed."""
        gc.set_threshold(*_SELDOM)
        atexit.register(gc.freeze)  # else Python looks for cycles in all modules at its end, which takes half a second
        _make_streams_safe()
        try:
            return super().main(*args, **kwargs)
        except BrokenPipeError:  # nobody reads the message of a usage error; `invoke` handles all others
            sys.exit(click.UsageError.exit_code)
        except OSError as error:
            _exit_unwritable(error)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except NewscrawlerError as error:
            print_error(str(error))
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            print_error("Interrupted.", word="")
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            silence(sys.stdout)
            ctx.exit(BROKEN_PIPE)
        except click.UsageError as error:
            if error.ctx is None or isinstance(error, click.exceptions.NoArgsIsHelpError):
                raise
            print_error(error.format_message())  # click says it behind the usage, where it is overlooked
            print_error(f"{error.ctx.get_usage()}\nTry '{error.ctx.command_path} --help' for help.", word="")
            ctx.exit(error.exit_code)
        except (click.ClickException, click.Abort, click.exceptions.Exit, OSError):
            raise
        except Exception as error:
            if os.environ.get(TRACEBACK):
                raise
            hint = f"Set {TRACEBACK}=1 to see the traceback, and please report it."
            what = " ".join(f"{type(error).__name__}: {error}".split())[:300].removesuffix(":")
            print_error(f"newscrawler failed unexpectedly: {what}. {hint}")
            ctx.exit(FAULT)
        return result


def print_error(sentence: str, word: str = "Error: ") -> None:
    """Write a sentence to standard error; if that fails, only the exit code reports the error."""
    try:
        click.echo(f"{word}{sentence}", err=True)
    except OSError:
        silence(sys.stderr)


def find_program() -> str:
    """Return how the program is called from here: by its name, or by its path where the shell does not find it."""
    name = "newscrawler"
    return name if shutil.which(name) or Path(sys.argv[0]).name != name else sys.argv[0]


def _exit_unwritable(error: OSError) -> NoReturn:
    if os.environ.get(TRACEBACK) and error.filename:
        raise error
    what = f"read or write {error.filename}" if error.filename else "write the output"
    print_error(f"Cannot {what}: {error.strerror or error}.")
    silence(sys.stdout)
    sys.exit(ExportError.exit_code)


def _make_streams_safe() -> None:
    """Reopen streams that the caller closed (`>&-`), and escape characters that the terminal's encoding lacks.

    The number of a closed stream would go to the next file that is opened, which may be the database.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            with contextlib.suppress(OSError):
                handle = os.open(os.devnull, os.O_RDWR)
                if handle != number:
                    os.dup2(handle, number)
                    os.close(handle)
                setattr(sys, name, open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False))  # noqa: SIM115
        elif number and hasattr(stream, "reconfigure") and "utf" not in (stream.encoding or "").lower():
            stream.reconfigure(errors="backslashreplace")


def silence(stream: TextIO) -> None:
    """Send what is still buffered for a stream to the null device, since it cannot be written; else Python exits with 120."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def interrupt_on_sigterm(ctx: click.Context) -> None:
    """Let SIGTERM, and SIGHUP as a terminal closes, interrupt as Ctrl-C does, and ignore them once the command has ended.

    After a crawl Python takes half a second to exit, and restores the system's handlers, which kill, before it does.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # nohup has it ignored
            signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
        # ignored by a handler: SIG_IGN would be inherited by programs that are started later
        ctx.call_on_close(lambda: _handle_ending(lambda *_: None))
        atexit.register(_handle_ending, signal.SIG_IGN)


def _handle_ending(handler: Any) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handler)


#: Words that other programs use for our commands.
_SYNONYMS = {
    "add": "portal add", "compare": "evaluate", "config": "portal show", "corpus": "release", "daemon": "run",
    "download": "crawl", "dump": "export", "fetch": "crawl", "find": "search", "grep": "search", "history": "runs list",
    "kwic": "concordance", "list": "articles", "ls": "articles", "migrate": "db upgrade", "ngrams": "frequencies",
    "portals": "portal list", "query": "search", "robots": "rights", "schedule": "run", "scrape": "crawl", "serve": "web",
    "server": "web", "service": "run", "spider": "crawl", "start": "run", "wrapper": "template", "update": "crawl",
    "upgrade": "db upgrade", "version": "--version",
}  # fmt: skip


def find_nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word with the most similar spelling, or None."""
    by_folded = {name.lower(): name for name in known}
    found = get_close_matches(word.lower(), by_folded, n=1)
    return by_folded[found[0]] if found else None
