"""What is shown fits the terminal it is shown in."""

from __future__ import annotations

import io
from collections import Counter
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from rich.cells import cell_len
from rich.console import Console

from newscrawler.cli.crawl_progress import LiveReport, estimate_end, make_summary_table, summarize_progress
from newscrawler.cli.screen import fit_columns, format_time, print_rows
from newscrawler.crawl import RunCounts, RunProgress, RunSummary
from newscrawler.store.vocabularies import EndReason, RunEnd

LIMIT = RunEnd(EndReason.LIMIT, "60 pages")
COUNTS = RunCounts(pages=1250, new_articles=1066, twins=3, listings=190)
PROGRESS = RunProgress(counts=COUNTS, seconds=600, queue=64, delay_seconds=5)
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
    report.fetched("www.example.org", "https://www.example.org/a", PROGRESS, article=None, reason="no body: " + "long " * 60)

    heading, row = drawn(report, screen)

    assert row.split()[:3] == (["www.example.org", "10:00", "1250"] if width >= 100 else ["www.example.org", "1250", "1066"])
    assert {"pages", "articles", "queue", "end"} <= set(heading.split())
    assert ("rate" in heading) == (width >= 100)
    assert len(row) <= width


def test_the_summary_fits_eighty_columns() -> None:
    screen = console(80)
    summary = RunSummary(portal="www.example.org", run_id=1, round=1, ended_because=LIMIT, seconds=4000, counts=COUNTS, waiting=64)

    screen.print(make_summary_table([summary]))

    assert isinstance(screen.file, io.StringIO)
    heading, row, *below = screen.file.getvalue().splitlines()
    assert heading.split() == ["portal", "elapsed", "pages", "articles", "queue", "rate", "refused", "skipped", "errors"]
    assert row.split() == ["www.example.org", "1:06:40", "1250", "1066", "64", "19/min", "7", "0", "2"]
    assert "www.example.org  other pages: 190 listings, 3 known articles" in below
    assert "www.example.org  ended: limit: 60 pages after 1:06:40, 64 URLs left for the next run" in " ".join(below)


def test_how_far_a_crawl_is_stands_in_one_line_with_its_expected_end() -> None:
    """64 URLs at 5 seconds each take 5:20 minutes, however fast the first came."""
    noon = datetime(2026, 11, 20, 12, 0, tzinfo=ZoneInfo("Europe/Prague"))

    assert summarize_progress(PROGRESS) == "10:00, 1250 pages, 1066 articles, 64 in the queue, 7 refused, 2 errors, 2.1/s"
    assert PROGRESS.seconds_left == 320
    assert estimate_end(PROGRESS, noon) == "12:05 CET"
    assert estimate_end(RunProgress(queue=20_000, delay_seconds=5), noon) == "21 Nov 15:46 CET"
    assert estimate_end(RunProgress(), noon) == ""


def test_lists_name_their_columns_and_times_their_offset(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows([(1, "a\tb")], ("id", "title"))

    assert capsys.readouterr().out == "id\ttitle\n1\ta b\n"
    assert datetime.fromisoformat(format_time(datetime(2026, 11, 20, 12, 0, tzinfo=UTC))).utcoffset() is not None


@pytest.mark.parametrize("width", [30, 40, 60, 80, 200])
def test_cells_of_a_narrow_terminal_end_in_an_ellipsis(width: int) -> None:
    rows = [
        ["id", "day", "portal", "language", "since then", "title"],
        ["12", "2026-02-01", "www.example.org", "cs", "", "Most přes řeku se letos dočká opravy, radnice vybrala firmu"],
        ["7", "2026-02-01", "www.example.org", "ja", "", "橋の修理が始まる。市役所が会社を選んだと発表した"],
    ]

    lines = fit_columns(rows, width)

    assert max(map(cell_len, lines)) <= width
    assert [line.count("…") > 0 for line in lines[1:]] == [width < 100] * 2
    assert lines[1].startswith("12  202")
    assert "Most" in lines[1]
    assert ("since then" in lines[0]) == (width == 200)


@pytest.mark.parametrize("width", [36, 40, 60, 100])
def test_a_narrow_table_has_fewer_columns_and_whole_cells(width: int) -> None:
    heading = ["id", "portal", "began", "ended", "pages", "new", "because"]
    run = ["12", "severni-listy", "2026-11-27 02:00", "2026-11-27 02:14", "1250", "342", "finished"]

    head, line = fit_columns([heading, run], width, ("ended", "pages", "because"))

    assert max(cell_len(head), cell_len(line)) <= width
    assert ("2026-11-27 02:14" in line, "finished" in line) == (width >= 100, width >= 60)
    assert "342" in line
    assert "began" in head
    assert ("2026-11-27 02:00" in line) == (width >= 40)
