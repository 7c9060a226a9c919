"""Where a crawl shows its progress."""

from __future__ import annotations

import os
import signal
import sys

from rich.console import Console

from newscrawler.cli.group import silence_stdout

#: Files and pipes have no width; the summary would be cut at 80 columns.
_PIPE_COLUMNS = 160


class CrawlConsole(Console):
    """Standard output; a reader that leaves (`| head`) ends the crawl as Ctrl-C does.

    Rich would raise SystemExit, which is lost in the reactor's callbacks, and the crawl would hang.
    """

    def __init__(self) -> None:
        super().__init__(width=None if sys.stdout.isatty() else _PIPE_COLUMNS)
        #: Whoever read us is gone.
        self.abandoned = False

    def on_broken_pipe(self) -> None:
        """Fall silent, and ask the crawl to end after the pages in hand."""
        if self.abandoned:
            return
        self.abandoned = True
        self.quiet = True
        silence_stdout()
        os.kill(os.getpid(), signal.SIGTERM)
