"""Where a crawl shows its progress."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, TextIO

from rich.console import Console

from newscrawler.cli.group import silence_stdout

#: Files and pipes have no width; the summary would be cut at 80 columns.
_PIPE_COLUMNS = 160


class Outlet:
    """Standard output that never fails: an error would be lost in the reactor's callbacks, and the crawl would hang.

    A reader that leaves (`| head`) ends the crawl as Ctrl-C does; a disk that is full leaves it silent.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        #: Why nothing can be written any more.
        self.failure: OSError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, if that is possible."""
        if self.failure is None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._fail(error)
        return len(text)

    def flush(self) -> None:
        """Flush, if that is possible."""
        if self.failure is None:
            try:
                self._stream.flush()
            except OSError as error:
                self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.failure = error
        silence_stdout()
        if isinstance(error, BrokenPipeError):
            os.kill(os.getpid(), signal.SIGTERM)


class CrawlConsole(Console):
    """Standard output of a crawl."""

    def __init__(self) -> None:
        self.outlet = Outlet(sys.stdout)
        super().__init__(file=self.outlet, width=None if sys.stdout.isatty() else _PIPE_COLUMNS)  # type: ignore[arg-type]

    @property
    def abandoned(self) -> bool:
        """Whoever read us is gone."""
        return isinstance(self.outlet.failure, BrokenPipeError)
