"""The overview: a headline, the latest crawls, problems, the corpus, portals and their calendar; and the list of portals."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import accumulate
from pathlib import Path
from typing import Any

from starlette.responses import Response

from newscrawler.config import Configuration
from newscrawler.service import FINE, LEARNING, Assessment, Overview, PortalState, get_day
from newscrawler.store.articles import Facet, Selection
from newscrawler.store.web import Role
from newscrawler.web.headline import write_headline
from newscrawler.web.pages.setup import is_new
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.visit import Visit

#: Days of a sparkline and of the calendar, and portals that the overview shows; /portals has all.
SPARK_DAYS, DAYS, _MOST_PORTALS = 30, 70, 12
_MOST_LISTED, _JUST_IN = 40, 4
#: Figures of the whole corpus are read this seldom.
_FIGURES_AGE = timedelta(minutes=1)


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
    #: Its start address without scheme; empty for a collection.
    address: str
    language: str
    state: str
    is_well: bool
    #: The recent crawl, and the latest.
    recent: Assessment | None
    last: Assessment | None
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFigures:
    """The size and the growth of the corpus."""

    articles: int
    words: int
    languages: int
    #: Articles published in the last 30 days, in the corpus so far.
    recent: int
    #: First and last month, and the articles up to each month.
    growth: Sequence[tuple[str, int]]


def show_overview(visit: Visit) -> Response:
    """Show the overview, or begin the first run."""
    if is_new(visit.context) and visit.may(Role.OPERATOR):
        return visit.go("/setup")
    configuration = visit.context.configuration
    overview = visit.context.overviews.read(configuration, now=visit.now)
    rows = list_rows(visit, overview)
    disk = shutil.disk_usage(_find_existing(configuration.data_folder))
    recent = sorted((row for row in rows if row.recent), key=lambda row: -(row.recent.figures.articles if row.recent else 0))
    return visit.page(
        "overview.html", overview=overview, rows=rows[:_MOST_PORTALS], count=len(rows), recent=recent[:8], days=_list_days(visit),
        headline=write_headline(overview, paused=sum(portal.paused for portal in configuration.crawled)),
        badges={"/alerts": sum(len(portal.alerts) for portal in overview.portals), "/crawls": len(overview.live)},
        problems=[(row, problem) for row in rows for problem in row.portal.problems(visit.now)],
        corpus=_read_corpus(visit), newest=visit.store.article_lines.latest(Selection(), limit=_JUST_IN), free=disk.free,
        problem=visit.context.file.problem,
    )  # fmt: skip


def list_portals(visit: Visit) -> Response:
    """List all portals, those with a fault first."""
    overview = visit.context.overviews.read(visit.context.configuration, now=visit.now)
    rows, first = list_rows(visit, overview), visit.number("from", 0)
    return visit.page("portals.html", rows=rows[first : first + _MOST_LISTED], first=first, count=len(rows), most=_MOST_LISTED)


def show_style_guide(visit: Visit) -> Response:
    """Show the components of all pages, for developers."""
    return visit.page("styleguide.html")


def list_rows(visit: Visit, overview: Overview) -> list[OverviewRow]:
    """Return a row for each portal and collection, those with a fault first."""
    days = _list_days(visit)
    return sorted(
        (_make_row(portal, days, visit) for portal in overview.portals),
        key=lambda row: (row.is_well, row.portal.is_collection, row.portal.name),
    )


def _list_days(visit: Visit) -> list[date]:
    return [visit.now.date() - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]


def _read_corpus(visit: Visit) -> CorpusFigures:
    """Return the figures of the corpus, at most a minute old."""
    known: tuple[datetime, CorpusFigures] | None = visit.context.figures.get("corpus")
    if known is not None and visit.now - known[0] < _FIGURES_AGE:
        return known[1]
    days = visit.store.facets.sizes(Selection(), Facet.DAY)
    months: dict[str, int] = {}
    for day, (articles, _) in days.items():
        months[day[:7]] = months.get(day[:7], 0) + articles
    since = (visit.now.date() - timedelta(days=30)).isoformat()
    found = CorpusFigures(
        articles=sum(articles for articles, _ in days.values()),
        words=sum(words for _, words in days.values()),
        languages=sum(bool(each.name) for each in visit.store.facets.counts(Selection(), Facet.LANGUAGE, limit=1_000)),
        recent=sum(articles for day, (articles, _) in days.items() if day > since),
        growth=list(zip(months, accumulate(months.values()), strict=True)),
    )
    visit.context.figures["corpus"] = (visit.now, found)
    return found


def _find_existing(folder: Path) -> Path:
    """Return the folder, or its innermost parent that exists."""
    return next(place for place in (folder, *folder.absolute().parents) if place.exists())


def _make_row(portal: PortalState, days: Sequence[date], visit: Visit) -> OverviewRow:
    by_day: dict[date, list[Assessment]] = {}
    for crawl in portal.assessments:
        by_day.setdefault(get_day(crawl), []).append(crawl)
    configured = _find_configured(visit.context.configuration, portal.name)
    is_paused = bool(configured and configured.paused and not portal.alerts and not portal.running)
    state = "paused" if is_paused else portal.state(visit.now)
    return OverviewRow(
        portal=portal,
        address=configured.start_urls[0].partition("://")[2].strip("/") if configured and configured.start_urls else "",
        language=(configured.language if configured else None) or "",
        state=state,
        is_well=not portal.alerts and state in {FINE, LEARNING, "is being crawled", "paused", "no crawl yet"},
        recent=portal.last(visit.now),
        last=portal.assessments[-1] if portal.assessments else None,
        cells=[_make_cell(day, by_day.get(day, ())) for day in days],
    )


def _find_configured(configuration: Configuration, name: str) -> Any:
    return next((each for each in configuration.portals if each.name == name), None)


def _make_cell(day: date, assessments: Sequence[Assessment]) -> Cell:
    """Return the cell of a day, with the sum of its crawls."""
    if not assessments:
        return Cell(level=Level.NONE)
    found = sum(crawl.figures.articles for crawl in assessments)
    last = assessments[-1]
    expected = last.expected.articles
    tip = f"{day:%a} {day.day} {day:%b}: {found:,} new"
    tip += f", usually {expected:,.0f}" if expected is not None else ""
    tip += f"; {last.figures.coverage.sentence}" if last.figures.coverage else ""
    tip += f"; {last.sentence}" if last.findings else ""
    return Cell(level=_rate_day(found, expected, flagged=bool(last.findings)), articles=found, tip=tip)


def _rate_day(found: int, expected: float | None, *, flagged: bool) -> Level:
    if flagged and not found:
        return Level.PROBLEM
    if expected is None:
        return Level.UNKNOWN
    if not found:
        return Level.EMPTY if expected >= 1 else Level.USUAL
    if flagged or found < 0.5 * expected:
        return Level.FEW
    return Level.LESS if found < 0.8 * expected else Level.USUAL


PAGES = (
    Page(path="/", show=show_overview),
    Page(path="/portals", show=list_portals),
    Page(path="/styleguide", show=show_style_guide),
)
