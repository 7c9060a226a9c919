"""The overview: a headline, the latest crawls, problems, the corpus, portals and their calendar; and the list of portals."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import accumulate
from pathlib import Path

from starlette.responses import Response

from newscrawler.corpus import list_periods
from newscrawler.service import FINE, LEARNING, AlertKind, Assessment, Overview, PortalState, get_day
from newscrawler.store.articles import PERIODS, Facet, Selection
from newscrawler.store.web import Role
from newscrawler.web.pages.setup import is_new
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.visit import Visit

#: Days of a sparkline and of the calendar, and portals that the overview shows; /portals has all.
SPARK_DAYS, DAYS, _MOST_PORTALS = 30, 70, 12
_MOST_LISTED, _JUST_IN = 40, 4
#: Up to this span, the growth of the corpus is by day; and the points of its chart.
_DAILY_GROWTH, _MOST_PERIODS = timedelta(days=120), 600
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

    day: date
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
    #: The articles up to each day or month.
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
    corpus, paused = _read_corpus(visit), sum(portal.paused for portal in configuration.crawled)
    return visit.page(
        "overview.html", overview=overview, rows=rows[:_MOST_PORTALS], count=len(rows), recent=recent[:8], days=_list_days(visit),
        headline=write_headline(overview, stored=corpus.articles, paused=paused),
        badges={"/alerts": sum(len(portal.alerts) for portal in overview.portals), "/crawls": len(overview.live)},
        problems=[(row, problem) for row in rows for problem in row.portal.problems(visit.now)],
        newest=visit.store.article_lines.latest(Selection(**visit.context.reserved), limit=_JUST_IN),
        corpus=corpus, free=disk.free, problem=visit.context.file.problem,
        counts=visit.store.articles.counts() if visit.context.is_static else {},
    )  # fmt: skip


def list_portals(visit: Visit) -> Response:
    """List all portals, those with a fault first."""
    overview = visit.context.overviews.read(visit.context.configuration, now=visit.now)
    rows, first = list_rows(visit, overview), visit.number("from", 0)
    return visit.page("portals.html", rows=rows[first : first + _MOST_LISTED], first=first, count=len(rows), most=_MOST_LISTED)


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
    since = (visit.now.date() - timedelta(days=30)).isoformat()
    found = CorpusFigures(
        articles=sum(articles for articles, _ in days.values()),
        words=sum(words for _, words in days.values()),
        languages=sum(bool(each.name) for each in visit.store.facets.counts(Selection(), Facet.LANGUAGE, limit=1_000)),
        recent=sum(articles for day, (articles, _) in days.items() if day > since),
        growth=_sum_growth({day: articles for day, (articles, _) in days.items()}),
    )
    visit.context.figures["corpus"] = (visit.now, found)
    return found


def _sum_growth(days: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the articles up to each day of a short span or up to each month, those without an article among them."""
    if not days:
        return []
    span = date.fromisoformat(max(days)) - date.fromisoformat(min(days))
    by, counts = Facet.DAY if span <= _DAILY_GROWTH else Facet.MONTH, Counter[str]()
    for day, articles in days.items():
        counts[day[: PERIODS[by]]] += articles
    periods = list_periods(counts, by)
    return list(zip(periods, accumulate(counts[period] for period in periods), strict=True))[-_MOST_PERIODS:]


def _find_existing(folder: Path) -> Path:
    """Return the folder, or its innermost parent that exists."""
    return next(place for place in (folder, *folder.absolute().parents) if place.exists())


def _make_row(portal: PortalState, days: Sequence[date], visit: Visit) -> OverviewRow:
    by_day: dict[date, list[Assessment]] = {}
    for crawl in portal.assessments:
        by_day.setdefault(get_day(crawl), []).append(crawl)
    configured = next((each for each in visit.context.configuration.portals if each.name == portal.name), None)
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


def _make_cell(day: date, assessments: Sequence[Assessment]) -> Cell:
    """Return the cell of a day, with the sum of its crawls."""
    if not assessments:
        return Cell(day=day, level=Level.NONE)
    found = sum(crawl.figures.articles for crawl in assessments)
    last = assessments[-1]
    expected = last.expected.articles
    tip = f"{day:%a} {day.day} {day:%b}: {found:,} new"
    tip += f", usually {expected:,.0f}" if expected is not None else ""
    tip += f"; {last.figures.coverage.sentence}" if last.figures.coverage else ""
    tip += f"; {last.sentence}" if last.findings else ""
    return Cell(day=day, level=_rate_day(found, expected, flagged=bool(last.findings)), articles=found, tip=tip)


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


_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
#: The sentence of each fault, after the name of the portal.
_FAULTS = {
    AlertKind.NOT_CRAWLED: "was not crawled", AlertKind.BROKEN: "could not be crawled to the end",
    AlertKind.UNREACHABLE: "does not answer", AlertKind.BLOCKED: "refuses our requests", AlertKind.MOVED: "has moved",
    AlertKind.FORBIDDEN: "forbids crawling in robots.txt", AlertKind.LAYOUT: "has a new layout",
    AlertKind.SILENT: "published nothing", AlertKind.FEWER: "brought fewer articles than usual",
    AlertKind.UNDATED: "no longer dates its articles", AlertKind.SUSPECT: "has texts that look wrong",
    AlertKind.ERRORS: "answers with many errors", AlertKind.EXPORT: "could not be exported",
}  # fmt: skip
#: From so far above or below the usual number, the number is not as usual.
_AS_USUAL = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewHeadline:
    """A headline, the sentence below it, and the portals with a fault, each with its sentence."""

    title: str
    deck: str
    faults: Sequence[tuple[str, str]] = ()


def write_headline(overview: Overview, *, stored: int = 0, paused: int = 0) -> OverviewHeadline:
    """Return the headline of an overview; `stored`: articles of the corpus, `paused`: portals that are not crawled on purpose."""
    portals, now = overview.portals, overview.now
    crawled = [portal for portal in portals if portal.assessments]
    lasts = [last for portal in portals if (last := portal.last(now))]
    articles = sum(last.figures.articles for last in lasts)
    new = "One new article" if articles == 1 else f"{articles:,} new articles" if articles else "No new article"
    faults = _list_faults(portals, overview)
    if not portals:
        return OverviewHeadline(title="Start a corpus", deck="Add the first portal; its articles arrive within a minute.")
    if not crawled and overview.live:
        return OverviewHeadline(title="The first crawl is running", deck="Articles appear as they are stored.")
    if not crawled and stored:
        deck = "Its articles are kept. The next crawl continues where it ended."
        return OverviewHeadline(title=f"The first crawl was interrupted after {_spell(stored, 'article')}", deck=deck)
    if not crawled:
        return OverviewHeadline(title="Ready for the first crawl", deck="Open a portal and start its first crawl.")
    if not (overview.service and overview.service.alive) and not lasts and not overview.live:
        waiting = _spell(len(portals) - paused, "portal")
        deck = f"Nothing has been crawled since yesterday. {waiting.capitalize()} will be crawled again once it runs."
        return OverviewHeadline(title="The service is stopped", deck=deck, faults=faults)
    if len(faults) == 1:
        name, fault = faults[0]
        rest = len(lasts) - any(portal.name == name and portal.last(now) for portal in portals)
        return OverviewHeadline(title=f"{new} overnight; {name} {fault}", deck=_describe_rest(rest, len(portals)), faults=faults)
    if faults:
        rest = sum(portal.last(now) is not None and not portal.problems(now) for portal in portals)
        title = f"{new} overnight; {_spell(len(faults), 'portal')} need you"
        return OverviewHeadline(title=title, deck=_describe_rest(rest, len(portals)), faults=faults)
    if all(len(portal.assessments) == 1 for portal in crawled):
        deck = f"The first crawl of {_spell(len(crawled), 'portal')} is complete. The usual number is known after a week."
        return OverviewHeadline(title=f"{new} in the first crawl", deck=deck)
    if not lasts:
        return OverviewHeadline(title="No crawl since yesterday", deck="No crawl ended in the last 26 hours.")
    return OverviewHeadline(title=f"{new} overnight{_compare(overview)}", deck=_describe_rest(len(lasts), len(portals)))


def _list_faults(portals: Sequence[PortalState], overview: Overview) -> list[tuple[str, str]]:
    """Return the worst fault of each portal, worst first."""
    worst = sorted((found[0] for portal in portals if (found := portal.problems(overview.now))), key=lambda each: each.rank)
    return [(each.portal, _FAULTS.get(AlertKind(each.problem), each.problem)) for each in worst]


def _compare(overview: Overview) -> str:
    """Return how the number of new articles compares with the usual one; empty while that is unknown."""
    known = [last for portal in overview.portals if (last := portal.last(overview.now)) and last.expected.articles is not None]
    usual, found = sum(last.expected.articles or 0 for last in known), sum(last.figures.articles for last in known)
    if not usual:
        return ""
    if abs(found / usual - 1) <= _AS_USUAL:
        return ", as usual"
    return f", {'more' if found > usual else 'fewer'} than the usual {usual:,.0f}"


def _describe_rest(well: int, portals: int) -> str:
    if well == portals:
        return "No portal has a fault." if portals > 1 else "The portal has no fault."
    return f"{_spell(well, 'portal').capitalize()} of {_spell(portals, '')} delivered without a fault."


def _spell(number: int, noun: str) -> str:
    word = _SMALL[number] if number < len(_SMALL) else f"{number:,}"
    return f"{word} {noun}{'' if number == 1 or not noun else 's'}".strip()


PAGES = (
    Page(path="/", show=show_overview),
    Page(path="/portals", show=list_portals),
    Page(path="/styleguide", show=lambda visit: visit.page("styleguide.html")),  # components of all pages, for developers
)
