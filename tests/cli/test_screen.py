"""What is shown fits the terminal it is shown in."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from rich.console import Console

from newscrawler.cli.progress import LiveReport, summary_table
from newscrawler.crawl import RunCounts, RunSummary
from newscrawler.store.outcomes import EndReason, RunEnd

LIMIT = RunEnd(EndReason.LIMIT, "60 pages")
COUNTS = RunCounts(pages=1250, new_articles=1066, twins=3, listings=190)
COUNTS.refused, COUNTS.failed = Counter({"no body": 7}), Counter({"timeout": 2})


def console(width: int) -> Console:
    return Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)


def drawn(report: LiveReport, screen: Console) -> list[str]:
    screen.print(report._draw())
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [60, 80, 110, 200])
def test_a_long_headline_leaves_the_figures_their_room(width: int) -> None:
    screen = console(width)
    report = LiveReport(screen)
    report.fetched("www.example.org", "https://www.example.org/a", COUNTS, article=None, reason="no body: " + "long " * 60)

    heading, row = drawn(report, screen)

    assert row.split()[:3] == ["www.example.org", "1250", "1066"]
    assert "pages" in heading
    assert ("pages/s" in heading) == (width >= 80)
    assert len(row) <= width


def test_the_summary_fits_eighty_columns() -> None:
    screen = console(80)
    summary = RunSummary(
        portal="www.example.org", run_id=1, round=1, ended_because=LIMIT, seconds=4000, counts=COUNTS, waiting=64
    )

    screen.print(summary_table([summary]))

    assert isinstance(screen.file, io.StringIO)
    heading, row, *below = screen.file.getvalue().splitlines()
    assert heading.split() == ["portal", "pages", "new", "known", "listings", "no", "article", "skipped", "errors"]
    assert row.split() == ["www.example.org", "1250", "1066", "3", "190", "7", "0", "2"]
    assert "www.example.org  ended: limit: 60 pages after 1:06:40, 64 URLs left for the next run" in " ".join(below)
