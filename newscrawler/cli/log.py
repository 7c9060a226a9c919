"""What Scrapy and our own packages log while a crawl runs: warnings, one line each, on standard error."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from newscrawler.cli.group import TRACEBACK, complain
from newscrawler.cli.screen import harmless

#: Longer ones say the rest in the database.
_LONGEST = 500


class OneLine(logging.Handler):
    """Writes a record's message without the traceback, which nobody who crawls can use."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write the first line, and what was raised."""
        text = record.getMessage().strip().partition("\n")[0]
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            text += f": {type(error).__name__}: {error}".partition("\n")[0]
        complain(harmless(text)[:_LONGEST], word="Warning: ")


def _is_news(record: logging.LogRecord) -> bool:
    """What Scrapy merely warns of becomes the outcome of a URL, which is reported as such."""
    return record.levelno >= logging.ERROR or record.name.startswith("newscrawler")


@contextmanager
def faults_in_one_line() -> Iterator[None]:
    """Show warnings and errors that are logged meanwhile; with NEWSCRAWLER_TRACEBACK also where they arose."""
    root = logging.getLogger()
    handler = logging.StreamHandler() if os.environ.get(TRACEBACK) else OneLine()
    handler.setLevel(logging.WARNING)
    handler.addFilter(_is_news)
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
