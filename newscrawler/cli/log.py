"""Print the warnings that Scrapy and our own packages log during a crawl, one line each, to standard error."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from newscrawler.cli.group import TRACEBACK, complain
from newscrawler.cli.screen import harmless

#: Longer messages are cut; the database has the rest.
_LONGEST = 500


class OneLine(logging.Handler):
    """Writes a record's message without the traceback, which does not help the user."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write the first line of the message, and the exception."""
        text = record.getMessage().strip().partition("\n")[0]
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            text += f": {type(error).__name__}: {error}".partition("\n")[0]
        complain(harmless(text)[:_LONGEST], word="Warning: ")


def _is_reported(record: logging.LogRecord) -> bool:
    """Return whether to report a record. Mere warnings of Scrapy are reported as outcomes of URLs."""
    return record.levelno >= logging.ERROR or record.name.startswith("newscrawler")


@contextmanager
def faults_in_one_line() -> Iterator[None]:
    """Show warnings and errors that are logged meanwhile, with NEWSCRAWLER_TRACEBACK also their tracebacks."""
    root = logging.getLogger()
    handler = logging.StreamHandler() if os.environ.get(TRACEBACK) else OneLine()
    handler.setLevel(logging.WARNING)
    handler.addFilter(_is_reported)
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
