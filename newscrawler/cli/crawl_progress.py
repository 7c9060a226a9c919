"""Run crawls with their live progress, and show how they ended: tables in a terminal, plain lines elsewhere."""

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
from newscrawler.cli.group import TRACEBACK, print_error, silence
from newscrawler.cli.screen import format_duration, sanitize
from newscrawler.config import Configuration, Portal
from newscrawler.crawl import RunCounts, RunProgress, RunSummary, crawl_portals
from newscrawler.discovery import FrontPageProblem
from newscrawler.errors import PageReason, counted
from newscrawler.politeness import find_status_rule
from newscrawler.store.vocabularies import EndReason

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
        silence(sys.stdout)
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


#: What to do where a portal gave nothing at all.
_WAYS_OUT = {
    PageReason.ROBOTS: "respect it, or ask the operator for permission",
    PageReason.TDM_RESERVED: "its publisher reserves text mining: ask for a licence; `newscrawler rights` shows its conditions",
    PageReason.NOINDEX: "its publisher does not want its pages indexed: respect it, or ask for permission",
    PageReason.CAPTCHA: "it is protected against robots: ask its operator to allow the crawler",
    PageReason.CONSENT: "it answers with a consent page: ask its operator for access",
    PageReason.WALL: "it requires a login: ask its operator for access",
    PageReason.REDIRECT_LOOP: 'it redirects in a circle, as sites do that need cookies: try `cookies = "session"`',
    PageReason.REDIRECT_OFF_SCOPE: "it leads to another host: crawl the address that a browser ends up at",
    PageReason.NOT_HTML: "the address is not a web page: name the front page of the portal",
    PageReason.EMPTY: "the server sends an empty page: check the address in a browser",
    PageReason.ADDRESS: "if it is yours, put its network into `networks` of the portal in newscrawler.toml",
    PageReason.DENYLISTED: "it is on the list `denylist` in newscrawler.toml",
    PageReason.TLS: "check its certificate in a browser; newscrawler trusts those that the system trusts",
    PageReason.DNS: "check the spelling of its address, and whether this machine reaches a name server",
}


#: What to do where the front page leads nowhere.
_PROBLEMS = {
    FrontPageProblem.JAVASCRIPT: 'name a feed or sitemap in `start_urls`, or let a browser build its pages: `render = "auto"`',
    FrontPageProblem.FRAMES: "name the address of the frame that has the text in `start_urls`",
    FrontPageProblem.SHOP: "newscrawler reads news: name the front page of its magazine, if it has one",
    FrontPageProblem.SHUT_OUT: "let `include` match its sections and its articles",
    FrontPageProblem.OTHER_HOSTS: "name those that are the portal's in `hosts`",
    FrontPageProblem.NO_LINKS: "check the address in a browser, or name its sections in `start_urls`",
}


def make_summary_table(summaries: list[RunSummary]) -> RenderableType:
    """Format one row per portal for 80 columns, then why each crawl ended and why pages failed or gave no article."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for name in FIGURES:
        table.add_column(name, justify="left" if name == "portal" else "right", overflow="fold")
    reasons: list[Text] = []
    for summary in summaries:
        styles = {"articles": "bold green", "errors": "red" if summary.counts.failed else ""}
        row = format_cells(summary.portal, summary.progress)
        table.add_row(*(Text(text, style=styles.get(name, "")) for name, text in row.items()))
        reasons += _list_reasons(summary)
    return Group(table, *reasons)


def _list_reasons(summary: RunSummary) -> Iterator[Text]:
    """Return lines on why a crawl ended, how its pages were classified, and how complete it is."""
    counts, name = summary.counts, summary.portal
    ending = f"{summary.ended_because} after {format_duration(summary.seconds)}"
    ending += f", {counted(summary.waiting, 'URL')} left for the next run" if summary.waiting else ""
    yield Text(f"{name}  ended: {ending}", style="red" if summary.needs_attention else "")
    others = {"listing": counts.listings, "known article": counts.twins, "corrected article": counts.corrected}
    if listed := ", ".join(counted(number, what) for what, number in others.items() if number):
        yield Text(f"{name}  other pages: {listed}", style="dim")
    for heading, counter in (("refused", counts.refused), ("skipped", counts.skipped), ("errors", counts.failed)):
        if counter:
            listed = ", ".join(f"{number} × {reason}" for reason, number in counter.most_common())
            yield Text(f"{name}  {heading}: {listed}", style="dim")
    if counts.unfollowed:
        yield Text(f"{name}  links skipped (rel=nofollow): {counts.unfollowed}", style="dim")
    for note in summary.notes:
        yield Text(f"{name}  note: {note}", style="yellow")
    if summary.coverage:
        style = "yellow" if summary.coverage.is_partial else "dim"
        yield Text(f"{name}  articles of this crawl: {summary.coverage.sentence}", style=style)
    if summary.coverage and (account := summary.coverage.account) and account.named:
        yield Text(f"{name}  articles of the portal: {account.sentence}", style="yellow" if account.missing else "dim")


def describe_failure(summary: RunSummary) -> str | None:
    """Return a sentence on a portal without articles and what to do, or None where it gave some or the reason was printed."""
    counts = summary.counts
    if not summary.needs_attention or summary.ended_because.word is EndReason.ERROR:
        return None
    if summary.ended_because.word in {EndReason.HOST, EndReason.MEMORY}:
        return f"{summary.portal}: {summary.ended_because}; the next crawl after that fetches the rest"
    reasons = (counts.failed + counts.refused + counts.skipped).most_common()
    listed = ", ".join(f"{number} × {reason}" for reason, number in reasons)
    way_out = next(filter(None, (_advise(reason) for reason, _ in reasons)), None)
    if summary.got_nothing:
        way_out = way_out or "check that it is up and that its address is right, then crawl again"
        return f"no page of {summary.portal} could be fetched ({listed}); {way_out}"
    if (problem := summary.front_page_problem) is not None:
        return f"no article of {summary.portal} was found: its front page {problem}; {_PROBLEMS[problem]}"
    listings = [counted(counts.listings, "listing")] if counts.listings else []
    way_out = way_out or f"`newscrawler pages list --portal {summary.portal}` shows how each page was classified"
    pages = ", ".join(filter(None, [*listings, listed])) or "no page"
    return f"no article of {summary.portal} was found ({pages}); {way_out}"


def _advise(reason: str) -> str:
    """Return what a user can do about a reason; "": nothing that is known."""
    if (status := reason.removeprefix("HTTP ")) != reason and status.isdecimal():
        return find_status_rule(int(status)).advice
    return next((way for word, way in _WAYS_OUT.items() if reason.startswith(word)), "")
