"""The overview: each portal's health, last and next crawl, the calendar of all portals, and the service."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path

from starlette.responses import Response

from newscrawler.corpus import Svg, draw_columns
from newscrawler.service import FINE, LEARNING, Assessment, PortalState, get_day
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.visit import Visit

DAYS = 30


class Level(StrEnum):
    """The colour of a day in the calendar: articles found, compared with those expected."""

    NONE = "none"
    EMPTY = "empty"
    FEW = "few"
    LESS = "less"
    USUAL = "usual"
    UNKNOWN = "unknown"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One day of one portal in the calendar."""

    level: Level
    articles: int | None = None
    tip: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewRow:
    """One portal."""

    portal: PortalState
    paused: bool
    state: str
    is_well: bool
    last: Assessment | None
    cells: Sequence[Cell]
    sparkline: Svg


def show_overview(visit: Visit) -> Response:
    """Show the overview."""
    configuration = visit.context.configuration
    overview = visit.context.overviews.read(configuration, now=visit.now)
    days = [visit.now.date() - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    paused = {portal.name for portal in configuration.crawled if portal.paused}
    rows = [_make_row(portal, days, visit, paused=portal.name in paused) for portal in overview.portals]
    per_day = [sum(row.cells[number].articles or 0 for row in rows) for number in range(DAYS)]
    disk = shutil.disk_usage(_find_existing(configuration.data_folder))
    return visit.page(
        "overview.html",
        overview=overview,
        days=days,
        rows=sorted(rows, key=lambda row: (row.is_well, row.portal.name)),
        per_day=per_day,
        total_chart=draw_columns(per_day, label="New articles a day"),
        free_gigabytes=disk.free / 1e9,
        free_share=disk.free / disk.total,
        problem=visit.context.file.problem,
    )


def _find_existing(folder: Path) -> Path:
    """Return the folder, or its innermost parent that exists."""
    return next(place for place in (folder, *folder.absolute().parents) if place.exists())


def _make_row(portal: PortalState, days: Sequence[date], visit: Visit, *, paused: bool) -> OverviewRow:
    by_day: dict[date, list[Assessment]] = {}
    for night in portal.assessments:
        by_day.setdefault(get_day(night), []).append(night)
    cells = [_make_cell(day, by_day.get(day, ())) for day in days]
    state = "paused" if paused and not portal.alerts and not portal.running else portal.state(visit.now)
    return OverviewRow(
        portal=portal,
        paused=paused,
        state=state,
        is_well=not portal.alerts and state in {FINE, LEARNING, "is being crawled", "paused", "no crawl yet"},
        last=portal.assessments[-1] if portal.assessments else None,
        cells=cells,
        sparkline=draw_columns([cell.articles for cell in cells], label=f"{portal.name}: new articles a day"),
    )


def _make_cell(day: date, assessments: Sequence[Assessment]) -> Cell:
    """Return the cell of a day, with the sum of its crawls."""
    if not assessments:
        return Cell(level=Level.NONE, tip=f"{day}: no crawl")
    found = sum(night.figures.articles for night in assessments)
    last = assessments[-1]
    expected = last.expected.articles
    tip = f"{day}: {found} new"
    tip += f", {expected:.0f} expected" if expected is not None else ""
    tip += f"; {last.figures.coverage.sentence}" if last.figures.coverage else ""
    tip += f"; {last.sentence}" if last.findings else ""
    return Cell(level=_rate_day(found, expected, flagged=bool(last.findings)), articles=found, tip=tip)


def _rate_day(found: int, expected: float | None, *, flagged: bool) -> Level:
    if flagged:
        return Level.PROBLEM
    if expected is None:
        return Level.UNKNOWN
    if not found:
        return Level.EMPTY if expected >= 1 else Level.USUAL
    if found < 0.5 * expected:
        return Level.FEW
    return Level.LESS if found < 0.8 * expected else Level.USUAL


PAGES = (Page(path="/", show=show_overview),)
