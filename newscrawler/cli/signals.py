"""Handle signals: a command reports the interruption and ends with its own exit code at any time."""

from __future__ import annotations

import atexit
import signal
import threading

import click

_ENDING = (signal.SIGINT, signal.SIGTERM)


def interrupt_on_sigterm(ctx: click.Context) -> None:
    """Let SIGTERM interrupt as Ctrl-C does, and ignore both once the command has ended.

    After a crawl Python takes half a second to exit, and restores the system's handlers, which kill, before it does.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        ctx.call_on_close(_let_pass)
        atexit.register(_ignore)


def _let_pass() -> None:
    """Ignore a signal by a handler. SIG_IGN would be inherited by programs that are started later."""
    for number in _ENDING:
        signal.signal(number, lambda *_: None)


def _ignore() -> None:
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)
