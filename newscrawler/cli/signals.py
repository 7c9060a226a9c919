"""Commands that receive a signal say so and end with a code of their own, whenever the signal comes."""

from __future__ import annotations

import atexit
import signal
import threading

import click

_ENDING = (signal.SIGINT, signal.SIGTERM)


def interrupt_on_sigterm(ctx: click.Context) -> None:
    """Let SIGTERM interrupt as Ctrl-C does, and neither of them change anything once the command has ended.

    Python takes half a second to end after a crawl, and puts back the handlers of the system, which kill, before it does.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        ctx.call_on_close(_let_pass)
        atexit.register(_ignore)


def _let_pass() -> None:
    """With a handler, not by ignoring: programs that are started later would inherit that."""
    for number in _ENDING:
        signal.signal(number, lambda *_: None)


def _ignore() -> None:
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)
