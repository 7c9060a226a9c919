"""The figures of a crawl's progress, worded alike while it runs and after it has ended."""

from __future__ import annotations

from datetime import datetime, timedelta

from newscrawler.crawl import RunCounts, RunProgress
from newscrawler.errors import counted

_A_DAY = 20 * 3600
#: Columns of the table of portals.
FIGURES = ("portal", "elapsed", "pages", "articles", "queue", "rate", "refused", "skipped", "errors")


def cells(portal: str, progress: RunProgress) -> dict[str, str]:
    """Return the cells of a portal's row, by column."""
    counts = progress.counts
    return {
        "portal": portal,
        "elapsed": duration(progress.seconds),
        "pages": str(counts.pages),
        "articles": str(counts.new_articles),
        "queue": str(progress.queue),
        "rate": rate(progress),
        "refused": str(counts.refused.total()),
        "skipped": str(counts.skipped.total()),
        "errors": str(counts.failed.total()),
    }


def so_far(progress: RunProgress) -> str:
    """Return the progress of a crawl as one line."""
    counts: RunCounts = progress.counts
    parts = [duration(progress.seconds), counted(counts.pages, "page"), counted(counts.new_articles, "article")]
    parts += [f"{progress.queue} in the queue"]
    parts += [f"{counts.refused.total()} refused"] if counts.refused else []
    parts += [f"{counts.skipped.total()} skipped"] if counts.skipped else []
    parts += [counted(counts.failed.total(), "error")] if counts.failed else []
    return ", ".join([*parts, rate(progress)])


def rate(progress: RunProgress) -> str:
    """Return the pages per second or, where they are few, per minute."""
    pages = progress.counts.pages / progress.seconds if progress.seconds > 0 else 0.0
    return f"{pages:.1f}/s" if pages >= 1 else f"{60 * pages:.0f}/min"


def expected_end(progress: RunProgress, now: datetime) -> str:
    """Return when the queue will be empty if nothing more is found, or an empty string."""
    if not progress.queue:
        return ""
    end = now + timedelta(seconds=progress.seconds_left)
    return f"{end:%H:%M %Z}" if progress.seconds_left < _A_DAY else f"{end:%-d %b %H:%M %Z}"


def duration(seconds: float) -> str:
    """Return minutes and seconds, with hours where there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
