"""Run crawls with their live progress: a table of portals in a terminal, plain lines elsewhere."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from types import TracebackType
from typing import Any, Self, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from newscrawler.article import Article
from newscrawler.cli.group import TRACEBACK, print_error, silence_stdout
from newscrawler.cli.screen import format_duration, sanitize
from newscrawler.config import Configuration, Portal
from newscrawler.crawl import RunCounts, RunProgress, RunSummary, crawl_portals
from newscrawler.errors import counted

#: Files and pipes have no width; the summary would be cut at 80 columns.
_PIPE_COLUMNS = 160


def run_crawls(
    configuration: Configuration,
    portals: Sequence[Portal],
    console: CrawlConsole,
    *,
    quiet: bool = False,
    log: str | None = None,
    at_once: int | None = None,
) -> list[RunSummary]:
    """Crawl portals and show the progress on a console; with a log format, write a log instead."""
    if log:
        from newscrawler.service import LogReport, write_logs

        context = write_logs(log)
        made = LogReport(context if len(portals) == 1 else None)
        return crawl_portals(configuration, portals, report=made, at_once=at_once, guarded=True)
    with report_faults(), make_progress_report(console, quiet=quiet) as report:
        return crawl_portals(configuration, portals, report=report, at_once=at_once, guarded=True)


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
        width = None if sys.stdout.isatty() else _PIPE_COLUMNS
        super().__init__(file=self.outlet, width=width, emoji=False)  # type: ignore[arg-type]

    @property
    def abandoned(self) -> bool:
        """Whoever read us is gone."""
        return isinstance(self.outlet.failure, BrokenPipeError)


_A_DAY = 20 * 3600
#: Columns of the table of portals.
FIGURES = ("portal", "elapsed", "pages", "articles", "queue", "rate", "refused", "skipped", "errors")


def format_cells(portal: str, progress: RunProgress) -> dict[str, str]:
    """Return the cells of a portal's row, by column."""
    counts = progress.counts
    return {
        "portal": portal, "elapsed": format_duration(progress.seconds), "pages": str(counts.pages),
        "articles": str(counts.new_articles), "queue": str(progress.queue), "rate": format_rate(progress),
        "refused": str(counts.refused.total()), "skipped": str(counts.skipped.total()), "errors": str(counts.failed.total()),
    }  # fmt: skip


def summarize_progress(progress: RunProgress) -> str:
    """Return the progress of a crawl as one line."""
    counts: RunCounts = progress.counts
    parts = [format_duration(progress.seconds), counted(counts.pages, "page"), counted(counts.new_articles, "article")]
    parts += [f"{progress.queue} in the queue"]
    parts += [f"{counts.refused.total()} refused"] if counts.refused else []
    parts += [f"{counts.skipped.total()} skipped"] if counts.skipped else []
    parts += [counted(counts.failed.total(), "error")] if counts.failed else []
    return ", ".join([*parts, format_rate(progress)])


def format_rate(progress: RunProgress) -> str:
    """Return the pages per second or, where they are few, per minute."""
    pages = progress.counts.pages / progress.seconds if progress.seconds > 0 else 0.0
    return f"{pages:.1f}/s" if pages >= 1 else f"{60 * pages:.0f}/min"


def estimate_end(progress: RunProgress, now: datetime) -> str:
    """Return when the queue will be empty if nothing more is found, or an empty string."""
    if not progress.queue:
        return ""
    end = now + timedelta(seconds=progress.seconds_left)
    return f"{end:%H:%M %Z}" if progress.seconds_left < _A_DAY else f"{end:%-d %b %H:%M %Z}"


#: Plain lines: interval between reports of a portal's progress if nothing else happens.
QUIET_SECONDS = 10.0
#: Plain lines name the URL of these outcomes: they may be a fault that can be repaired.
_PRINTED_ALONE = (
    "HTTP status: 5",
    "timeout",
    "connection",
    "host name",
    "TLS",
    "too large",
    "too slow",
    "address not",
    "no answer to robots.txt",
)
#: A terminal of fewer columns shows fewer figures.
_NARROW = 100


def make_progress_report(console: Console, *, quiet: bool = False) -> SilentReport:
    """Return a live table for a terminal, plain lines for anything else, and nothing when quiet."""
    if quiet:
        return SilentReport()
    return LiveReport(console) if console.is_terminal else PlainReport(console)


class SilentReport:
    """Shows nothing, inside a `with` block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        return None

    def started(self, portal: str, *, run_id: int, resumed: bool, waiting: int) -> None:
        """Show nothing."""

    def fetched(self, portal: str, url: str, progress: RunProgress, *, article: Article | None, reason: str | None) -> None:
        """Show nothing."""

    def waits(self, portal: str, seconds: float, why: str) -> None:
        """Show nothing."""

    def stopping(self) -> None:
        """Show nothing."""

    def ended(self, summary: RunSummary) -> None:
        """Show nothing."""


class PlainReport(SilentReport):
    """A line for each new article, and at intervals a line on the progress of each portal."""

    def __init__(self, console: Console, clock: Callable[[], float] = monotonic) -> None:
        self._console = console
        self._clock = clock
        self._reported_at: dict[str, float] = {}

    def started(self, portal: str, *, run_id: int, resumed: bool, waiting: int) -> None:
        """Print that a portal begins, or continues."""
        self._reported_at[portal] = self._clock()
        self._say(f"{portal}: run {run_id} {_describe_beginning(resumed=resumed, waiting=waiting)}")

    def fetched(self, portal: str, url: str, progress: RunProgress, *, article: Article | None, reason: str | None) -> None:
        """Print a new article, and only totals of other pages."""
        if article is not None:
            day = article.date.isoformat() if article.date else "no date   "
            self._say(f"{portal}: + {day}  {article.title}")
        elif reason and reason.startswith(_PRINTED_ALONE):
            self._say(f"{portal}: ! {reason}  {url}")
        if self._clock() - self._reported_at.get(portal, 0.0) >= QUIET_SECONDS:
            self._reported_at[portal] = self._clock()
            end = estimate_end(progress, datetime.now().astimezone())
            self._say(f"{portal}: {summarize_progress(progress)}" + (f", ends at about {end}" if end else ""))

    def waits(self, portal: str, seconds: float, why: str) -> None:
        """Print what the crawl waits for."""
        self._say(f"{portal}: waits {seconds:.0f} s {why}")

    def stopping(self) -> None:
        """Print that the crawl is about to end."""
        self._say("Ending after the pages in hand; everything is kept. Press Ctrl-C again to end at once.")

    def ended(self, summary: RunSummary) -> None:
        """Say why a portal ended."""
        self._say(f"{summary.portal}: {summary.ended_because}; {summarize_progress(summary.progress)}")

    def _say(self, line: str) -> None:
        self._console.print(Text(line), soft_wrap=True)


@dataclass(slots=True)
class _Row:
    state: str = ""
    progress: RunProgress | None = None
    last: str = ""


class LiveReport(SilentReport):
    """A table that is redrawn a few times per second."""

    def __init__(self, console: Console, clock: Callable[[], float] = monotonic) -> None:
        self._console = console
        self._clock = clock
        self._rows: dict[str, _Row] = {}
        self._notice = ""
        self._live = Live(get_renderable=self._draw, console=console, refresh_per_second=4, transient=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._live.stop()

    def started(self, portal: str, *, run_id: int, resumed: bool, waiting: int) -> None:
        """Add a row."""
        self._rows[portal] = _Row(state=f"run {run_id} {_describe_beginning(resumed=resumed, waiting=waiting)}")

    def fetched(self, portal: str, url: str, progress: RunProgress, *, article: Article | None, reason: str | None) -> None:
        """Update the row of a portal."""
        row = self._rows.setdefault(portal, _Row())
        row.progress = progress
        row.state = "crawls"
        row.last = f"+ {article.title}" if article else f"{reason or 'listing'}  {url}"

    def waits(self, portal: str, seconds: float, why: str) -> None:
        """Show what a portal waits for."""
        self._rows.setdefault(portal, _Row()).state = f"waits {seconds:.0f} s {why}"

    def stopping(self) -> None:
        """Show below the table that the crawl is about to end."""
        self._notice = "Ending after the pages in hand; everything is kept. Press Ctrl-C again to end at once."

    def ended(self, summary: RunSummary) -> None:
        """Say why a portal ended."""
        row = self._rows.setdefault(summary.portal, _Row())
        row.state, row.progress, row.last = str(summary.ended_because), summary.progress, ""

    def _draw(self) -> RenderableType:
        """Return the table; the last column shrinks on a narrow terminal, and some figures are left out on a very narrow one."""
        shown = FIGURES if self._console.width >= _NARROW else ("portal", "pages", "articles", "queue")
        table = Table(box=None, pad_edge=False, expand=True)
        for name in (*shown, "end", "now"):
            table.add_column(name, justify="left" if name in {"portal", "now"} else "right", no_wrap=name != "now")
        for portal, row in list(self._rows.items()):
            progress = row.progress or RunProgress()
            found = format_cells(portal, progress)
            styles = {"articles": "bold green", "errors": "red" if progress.counts.failed else ""}
            now = row.last if row.state == "crawls" else row.state
            table.add_row(
                *(Text(found[name], style=styles.get(name, "")) for name in shown),
                estimate_end(progress, datetime.now().astimezone()),
                Text(now, overflow="ellipsis", no_wrap=True),
            )
        return Group(table, Text(self._notice, style="yellow")) if self._notice else table


def _describe_beginning(*, resumed: bool, waiting: int) -> str:
    return f"goes on where it stopped, {waiting} URLs waiting" if resumed else "begins"


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
        print_error(sanitize(text)[:_LONGEST], word="Warning: ")


@contextmanager
def report_faults() -> Iterator[None]:
    """Show warnings and errors that are logged meanwhile, with NEWSCRAWLER_TRACEBACK also their tracebacks."""
    root = logging.getLogger()
    handler = logging.StreamHandler() if os.environ.get(TRACEBACK) else OneLine()
    handler.setLevel(logging.WARNING)
    # mere warnings of Scrapy are reported as outcomes of URLs
    handler.addFilter(lambda record: record.levelno >= logging.ERROR or record.name.startswith("newscrawler"))
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
