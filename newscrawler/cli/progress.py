"""A crawl's live progress: a table of portals in a terminal, plain lines elsewhere, and a summary at the end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from newscrawler.article import Article
from newscrawler.crawl.report import Report, RunCounts, RunSummary
from newscrawler.errors import PageReason
from newscrawler.store.outcomes import EndReason

#: Plain lines: a portal says how far it is this often, if nothing else happens.
QUIET_SECONDS = 10.0
_RATE_SECONDS = 20.0
#: Plain lines name the URL of these: they may be a passing fault that somebody can mend.
_WORTH_A_LINE = (
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
_NARROW = 80
#: What to do where a portal gave nothing at all.
_WAYS_OUT = {
    PageReason.ROBOTS: "leave it alone, or ask its operator",
    PageReason.TDM_RESERVED: "its publisher reserves text mining: ask for a licence; `newscrawler rights` shows its conditions",
    PageReason.NOINDEX: "its publisher does not want its pages indexed: leave it alone, or ask",
    PageReason.REDIRECT_OFF_SCOPE: "it leads to another host: crawl the address that a browser ends up at",
    PageReason.NOT_HTML: "the address is no web page: name the front page of the portal",
    PageReason.EMPTY: "the server sends an empty page: see in a browser whether the address is right",
    PageReason.ADDRESS: "if it is yours, put its network into `networks` of the portal in newscrawler.toml",
    PageReason.LEFT_ALONE: "it stands on the list `leave_alone` in newscrawler.toml",
    PageReason.TLS: "see in a browser whether its certificate is valid; ours are those that the system trusts",
    PageReason.DNS: "see whether its address is written right, and whether this machine reaches a name server",
    "HTTP 401": "it wants a password: ask its operator for access",
    "HTTP 403": "its server refuses the crawler: leave it alone, or ask its operator",
    "HTTP 429": "its server wants fewer requests: set a longer `delay`, and crawl again later",
    "HTTP 451": "its server may not show it here for legal reasons",
    "HTTP 4": "its server refuses the address: see in a browser whether it is right",
    "HTTP 5": "its server is in trouble: crawl again later",
}


class ProgressReport(Report, Protocol):
    """A report that is shown, within a `with` block."""

    def __enter__(self) -> Self: ...
    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None: ...


def progress_report(console: Console, *, quiet: bool = False) -> ProgressReport:
    """Choose what fits: a live table for a terminal, plain lines for anything else, nothing when quiet."""
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

    def fetched(self, portal: str, url: str, counts: RunCounts, *, article: Article | None, reason: str | None) -> None:
        """Show nothing."""

    def waits(self, portal: str, seconds: float, why: str) -> None:
        """Show nothing."""

    def stopping(self) -> None:
        """Show nothing."""

    def ended(self, summary: RunSummary) -> None:
        """Show nothing."""


class PlainReport(SilentReport):
    """A line for each new article and, now and then, a line on how far each portal is."""

    def __init__(self, console: Console, clock: Callable[[], float] = monotonic) -> None:
        self._console = console
        self._clock = clock
        self._told_at: dict[str, float] = {}

    def started(self, portal: str, *, run_id: int, resumed: bool, waiting: int) -> None:
        """Say that a portal begins, or goes on."""
        self._told_at[portal] = self._clock()
        self._say(f"{portal}: run {run_id} {_beginning(resumed=resumed, waiting=waiting)}")

    def fetched(self, portal: str, url: str, counts: RunCounts, *, article: Article | None, reason: str | None) -> None:
        """Tell of a new article; of the rest in sums."""
        if article is not None:
            day = article.date.isoformat() if article.date else "no date   "
            self._say(f"{portal}: + {day}  {article.headline}")
        elif reason and reason.startswith(_WORTH_A_LINE):
            self._say(f"{portal}: ! {reason}  {url}")
        if self._clock() - self._told_at.get(portal, 0.0) >= QUIET_SECONDS:
            self._told_at[portal] = self._clock()
            self._say(f"{portal}: {_so_far(counts)}")

    def waits(self, portal: str, seconds: float, why: str) -> None:
        """Say what the crawl waits for."""
        self._say(f"{portal}: waits {seconds:.0f} s {why}")

    def stopping(self) -> None:
        """Say that the crawl is about to end."""
        self._say("Ending after the pages in hand; everything is kept. Press Ctrl-C again to end at once.")

    def ended(self, summary: RunSummary) -> None:
        """Say why a portal ended."""
        self._say(f"{summary.portal}: {summary.ended_because}; {_so_far(summary.counts)}")

    def _say(self, line: str) -> None:
        self._console.print(Text(line), soft_wrap=True)


@dataclass(slots=True)
class _Row:
    state: str = ""
    counts: RunCounts | None = None
    last: str = ""
    #: When the latest pages came in, for the rate.
    moments: deque[float] = field(default_factory=lambda: deque(maxlen=200))


class LiveReport(SilentReport):
    """A table that is drawn anew a few times a second."""

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

    def fetched(self, portal: str, url: str, counts: RunCounts, *, article: Article | None, reason: str | None) -> None:
        """Bring a row up to date."""
        row = self._rows.setdefault(portal, _Row())
        row.counts = counts
        row.state = "crawls"
        row.moments.append(self._clock())
        row.last = f"+ {article.headline}" if article else f"{reason or 'listing'}  {url}"

    def waits(self, portal: str, seconds: float, why: str) -> None:
        """Say what a portal waits for."""
        self._rows.setdefault(portal, _Row()).state = f"waits {seconds:.0f} s {why}"

    def stopping(self) -> None:
        """Say below the table that the crawl is about to end."""
        self._notice = "Ending after the pages in hand; everything is kept. Press Ctrl-C again to end at once."

    def ended(self, summary: RunSummary) -> None:
        """Say why a portal ended."""
        row = self._rows.setdefault(summary.portal, _Row())
        row.state, row.counts, row.last = str(summary.ended_because), summary.counts, ""

    def _rate(self, row: _Row) -> float:
        now = self._clock()
        recent = [moment for moment in row.moments if now - moment <= _RATE_SECONDS]
        return len(recent) / max(1.0, now - recent[0]) if recent else 0.0

    def _draw(self) -> RenderableType:
        """The last column gives way where the terminal is narrow, and some figures where it is very narrow."""
        names = ["portal", "pages", "new", "no article", "skipped", "errors", "pages/s", "now"]
        shown = [name for name in names if self._console.width >= _NARROW or name not in {"no article", "skipped", "pages/s"}]
        table = Table(box=None, pad_edge=False, expand=True)
        for name in shown:
            table.add_column(name, justify="left" if name in {"portal", "now"} else "right", no_wrap=name != "now")
        for portal, row in list(self._rows.items()):
            counts = row.counts or RunCounts()
            now = row.last if row.state == "crawls" else row.state
            cells: list[str | Text] = [
                portal,
                str(counts.pages),
                Text(str(counts.new_articles), style="bold green"),
                str(counts.refused.total() + counts.listings),
                str(counts.skipped.total()),
                Text(str(counts.failed.total()), style="red" if counts.failed else ""),
                f"{self._rate(row):.1f}",
                Text(now, overflow="ellipsis", no_wrap=True),
            ]
            table.add_row(*(cell for name, cell in zip(names, cells, strict=True) if name in shown))
        return Group(table, Text(self._notice, style="yellow")) if self._notice else table


def summary_table(summaries: list[RunSummary]) -> RenderableType:
    """One row a portal, which fits 80 columns, and below it why each ended and why pages gave no article or could not be had."""
    table = Table(box=None, pad_edge=False)
    for name in ("portal", "pages", "new", "known", "listings", "no article", "skipped", "errors"):
        table.add_column(name, justify="left" if name == "portal" else "right", overflow="fold")
    reasons: list[RenderableType] = []
    for summary in summaries:
        counts = summary.counts
        ending = f"{summary.ended_because} after {_clock_time(summary.seconds)}"
        ending += f", {summary.waiting} URLs left for the next run" if summary.waiting else ""
        table.add_row(
            summary.portal,
            str(counts.pages),
            Text(str(counts.new_articles), style="bold green"),
            str(counts.twins),
            str(counts.listings),
            str(counts.refused.total()),
            str(counts.skipped.total()),
            Text(str(counts.failed.total()), style="red" if counts.failed else ""),
        )
        reasons.append(Text(f"{summary.portal}  ended: {ending}", style="red" if summary.troubled else ""))
        for heading, counter in (("no article", counts.refused), ("skipped", counts.skipped), ("errors", counts.failed)):
            if counter:
                told = ", ".join(f"{number} × {reason}" for reason, number in counter.most_common())
                reasons.append(Text(f"{summary.portal}  {heading}: {told}", style="dim"))
        if counts.unfollowed:
            reasons.append(Text(f"{summary.portal}  links not followed, as their pages ask: {counts.unfollowed}", style="dim"))
        reasons.extend(Text(f"{summary.portal}  note: {note}", style="yellow") for note in summary.notes)
        if summary.coverage:
            style = "yellow" if summary.coverage.is_partial else "dim"
            reasons.append(Text(f"{summary.portal}  articles of this round: {summary.coverage.sentence}", style=style))
    return Group(table, *reasons)


def trouble(summary: RunSummary) -> str | None:
    """One sentence on a portal of which nothing could be had, with the way out; None: all is well, or told already."""
    counts = summary.counts
    if not summary.troubled or summary.ended_because.word is EndReason.ERROR:
        return None
    if summary.ended_because.word in {EndReason.HOST, EndReason.MEMORY}:
        return f"{summary.portal}: {summary.ended_because}; what is left is fetched by the next crawl after that"
    reasons = (counts.failed + counts.refused + counts.skipped).most_common()
    told = ", ".join(f"{number} × {reason}" for reason, number in reasons)
    way_out = next((way for reason, _ in reasons for word, way in _WAYS_OUT.items() if reason.startswith(word)), None)
    way_out = way_out or "see whether it is up and its address right, then crawl again"
    return f"no page of {summary.portal} could be had ({told}); {way_out}"


def _beginning(*, resumed: bool, waiting: int) -> str:
    return f"goes on where it stopped, {waiting} URLs waiting" if resumed else "begins"


def _so_far(counts: RunCounts) -> str:
    parts = [f"{counts.pages} pages", f"{counts.new_articles} new articles"]
    parts += [f"{counts.refused.total()} without an article"] if counts.refused else []
    parts += [f"{counts.skipped.total()} skipped"] if counts.skipped else []
    parts += [f"{counts.failed.total()} errors"] if counts.failed else []
    return ", ".join(parts)


def _clock_time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
