"""A crawl's live progress: a table of portals in a terminal, plain lines elsewhere, and a summary at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from newscrawler.article import Article
from newscrawler.cli.crawl_figures import FIGURES, cells, expected_end, so_far
from newscrawler.crawl import Report, RunProgress, RunSummary

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


class ProgressReport(Report, Protocol):
    """A report that is shown inside a `with` block."""

    def __enter__(self) -> Self: ...
    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None: ...


def progress_report(console: Console, *, quiet: bool = False) -> ProgressReport:
    """Return a live table for a terminal, plain lines for anything else, and nothing when quiet."""
    if quiet:
        return SilentReport()
    return LiveReport(console) if console.is_terminal else PlainReport(console)


class SilentReport:
    """Shows nothing."""

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
        self._say(f"{portal}: run {run_id} {_beginning(resumed=resumed, waiting=waiting)}")

    def fetched(self, portal: str, url: str, progress: RunProgress, *, article: Article | None, reason: str | None) -> None:
        """Print a new article, and only totals of other pages."""
        if article is not None:
            day = article.date.isoformat() if article.date else "no date   "
            self._say(f"{portal}: + {day}  {article.title}")
        elif reason and reason.startswith(_PRINTED_ALONE):
            self._say(f"{portal}: ! {reason}  {url}")
        if self._clock() - self._reported_at.get(portal, 0.0) >= QUIET_SECONDS:
            self._reported_at[portal] = self._clock()
            end = expected_end(progress, datetime.now().astimezone())
            self._say(f"{portal}: {so_far(progress)}" + (f", ends at about {end}" if end else ""))

    def waits(self, portal: str, seconds: float, why: str) -> None:
        """Print what the crawl waits for."""
        self._say(f"{portal}: waits {seconds:.0f} s {why}")

    def stopping(self) -> None:
        """Print that the crawl is about to end."""
        self._say("Ending after the pages in hand; everything is kept. Press Ctrl-C again to end at once.")

    def ended(self, summary: RunSummary) -> None:
        """Say why a portal ended."""
        self._say(f"{summary.portal}: {summary.ended_because}; {so_far(summary.progress)}")

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
        self._rows[portal] = _Row(state=f"run {run_id} {_beginning(resumed=resumed, waiting=waiting)}")

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
            found = cells(portal, progress)
            styles = {"articles": "bold green", "errors": "red" if progress.counts.failed else ""}
            now = row.last if row.state == "crawls" else row.state
            table.add_row(
                *(Text(found[name], style=styles.get(name, "")) for name in shown),
                expected_end(progress, datetime.now().astimezone()),
                Text(now, overflow="ellipsis", no_wrap=True),
            )
        return Group(table, Text(self._notice, style="yellow")) if self._notice else table


def _beginning(*, resumed: bool, waiting: int) -> str:
    return f"goes on where it stopped, {waiting} URLs waiting" if resumed else "begins"
