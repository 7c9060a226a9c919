"""The daily digest: new articles, problems and next crawls, as text and as HTML. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from newscrawler.corpus import Svg, draw_columns
from newscrawler.errors import counted
from newscrawler.service.health import FINE, LEARNING, AlertKind, Assessment
from newscrawler.service.notifications import Notification
from newscrawler.store.service import AlertRecord

NIGHTS = 30
_RANKS = {str(problem): rank for rank, problem in enumerate(AlertKind)}
#: Crawls that ended earlier are not recent.
RECENT = timedelta(hours=26)
#: Articles of a saved search that are listed.
_MOST_HITS = 5
_LETTERS = "▁▂▃▄▅▆▇█"
_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


@dataclass(frozen=True, slots=True)
class PortalProblem:
    """A problem of a portal."""

    portal: str
    #: A word of `AlertKind`.
    problem: str
    sentence: str
    since: datetime | None

    @property
    def rank(self) -> int:
        """Return its rank among all problems; smaller is worse."""
        return _RANKS.get(self.problem, len(_RANKS))

    @property
    def line(self) -> str:
        """One line."""
        return f"{self.portal}: {self.problem}: {self.sentence}".removesuffix(": ")


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalState:
    """One portal or collection in the digest."""

    name: str
    #: A collection: the usual number and the share found are unknown.
    is_collection: bool = False
    #: Oldest first.
    assessments: Sequence[Assessment]
    #: Open problems.
    alerts: Sequence[AlertRecord] = ()
    #: None: never.
    next_at: datetime | None = None
    running: bool = False

    def last(self, now: datetime) -> Assessment | None:
        """Return the assessment of the recent crawl, if there was one."""
        latest = self.assessments[-1] if self.assessments else None
        ended = latest.figures.ended_at if latest else None
        return latest if ended is not None and now - ended <= RECENT else None

    def problems(self, now: datetime) -> list[PortalProblem]:
        """Return open problems and those found only by the recent crawl, worst first."""
        found = {alert.problem: PortalProblem(self.name, alert.problem, alert.sentence, alert.began_at) for alert in self.alerts}
        if last := self.last(now):
            for problem, sentence in last.findings.items():
                found.setdefault(str(problem), PortalProblem(self.name, str(problem), sentence, last.figures.began_at))
        return sorted(found.values(), key=lambda each: each.rank)

    def state(self, now: datetime) -> str:
        """Return the state as one phrase."""
        if problems := self.problems(now):
            return problems[0].problem
        last = self.last(now)
        if last is not None:
            return last.verdict
        if self.running:
            return "is being crawled"
        return "no crawl yet" if not self.assessments else "not crawled last night"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHits:
    """The articles that a saved search has found since the digest before."""

    name: str
    #: Title and address of each, newest first.
    articles: Sequence[tuple[str, str]]

    @property
    def shown(self) -> Sequence[tuple[str, str]]:
        """Return those that are listed."""
        return self.articles[:_MOST_HITS]

    def describe(self) -> str:
        """Return one line."""
        return f"{self.name}: {counted(len(self.articles), 'new article')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """The contents of a day's digest."""

    day: date
    now: datetime
    #: Time zone of the times; None: this machine's.
    zone: tzinfo | None = None
    portals: Sequence[PortalState]
    #: Problems that ended since yesterday.
    over: Sequence[AlertRecord] = ()
    #: The problem of the service itself; empty: none.
    problem: str = ""
    exports: Sequence[str] = field(default=())
    searches: Sequence[SearchHits] = ()

    @property
    def articles(self) -> int:
        """Return the number of new articles of the recent crawls of all portals."""
        lasts = (portal.last(self.now) for portal in self.portals)
        return sum(last.figures.articles for last in lasts if last is not None)

    @property
    def problems(self) -> list[PortalProblem]:
        """Return the problems of portals, worst first."""
        found = [problem for portal in self.portals for problem in portal.problems(self.now)]
        return sorted(found, key=lambda each: each.rank)

    @property
    def worst(self) -> str:
        """Return the worst problem as a sentence; empty: there is none."""
        if self.problem:
            return f"the service: {self.problem}"
        return self.problems[0].line if self.problems else ""

    def message(self) -> Notification:
        """Return the digest as a notification."""
        return Notification(
            subject=f"newscrawler: {self.heading()}", text=format_digest_text(self), html=format_digest_html(self),
            data=describe_digest(self),
        )  # fmt: skip

    def summary(self) -> str:
        """One line."""
        looks = len({problem.portal for problem in self.problems})
        unseen = sum(portal.last(self.now) is None for portal in self.portals)
        collections = sum(portal.is_collection for portal in self.portals)
        numbers = ((len(self.portals) - collections, "portal"), (collections, "collection"))
        crawled = [counted(number, noun) for number, noun in numbers if number] or ["0 portals"]
        articles = counted(self.articles, "new article")
        needs = [f"{looks} need{'s' if looks == 1 else ''} a look"] if looks else []
        needs += [f"{unseen} not crawled last night"] if unseen else []
        return ", ".join([*crawled, articles, *(needs or ([] if self.problem else ["all is well"]))])

    def heading(self) -> str:
        """Return the heading: the worst problem, or that there is none."""
        return f"{self.worst} ({self.summary()})" if self.worst else self.summary()

    def clock(self, moment: datetime | None) -> str:
        """Return a time in the digest's time zone, to the minute, with the zone."""
        return f"{moment.astimezone(self.zone):%-d %b %H:%M %Z}" if moment else "–"


def describe_digest(digest: Digest) -> dict[str, Any]:
    """Return the digest for programs."""
    return {
        "kind": "digest",
        "day": digest.day.isoformat(),
        "articles": digest.articles,
        "problem": digest.problem,
        "portals": [_describe_portal(portal, digest.now) for portal in digest.portals if not portal.is_collection],
        "collections": [_describe_collection(portal, digest.now) for portal in digest.portals if portal.is_collection],
        "over": [{"portal": alert.portal, "problem": alert.problem} for alert in digest.over],
        "searches": [{"name": each.name, "urls": [url for _, url in each.articles]} for each in digest.searches],
    }


def _describe_portal(portal: PortalState, now: datetime) -> dict[str, Any]:
    last = portal.last(now)
    figures = last.figures if last else None
    return {
        "portal": portal.name,
        "state": portal.state(now),
        "problems": {problem.problem: problem.sentence for problem in portal.problems(now)},
        "articles": figures.articles if figures else None,
        "usual": last.expected.articles if last else None,
        "completeness": figures.completeness if figures else None,
        "coverage": figures.coverage.as_dict() if figures and figures.coverage else None,
        "undated": figures.undated if figures else None,
        "failed": figures.failed if figures else None,
        "minutes": round(figures.seconds / 60, 1) if figures else None,
        "next_at": portal.next_at.isoformat() if portal.next_at else None,
    }


def _describe_collection(collection: PortalState, now: datetime) -> dict[str, Any]:
    of_portals_only = {"portal", "usual", "completeness", "coverage"}
    said = _describe_portal(collection, now)
    return {"collection": collection.name} | {name: value for name, value in said.items() if name not in of_portals_only}


_HEADING = ("portal", "state", "new", "usual", "found", "no date", "errors", "minutes", "next")
#: Columns that have no meaning for a collection.
_OF_PORTALS = frozenset({"usual", "found"})


def _list_cells(digest: Digest, portal: PortalState) -> tuple[str, ...]:
    last = portal.last(digest.now)
    if last is None:
        return (portal.name, portal.state(digest.now), "–", "–", "–", "–", "–", "–", digest.clock(portal.next_at))
    figures, expected = last.figures, last.expected
    return (
        portal.name,
        portal.state(digest.now),
        str(figures.articles),
        f"{expected.articles:.0f}" if expected.articles is not None else "–",
        figures.found or "–",
        str(figures.undated),
        str(figures.failed),
        f"{figures.seconds / 60:.0f}",
        digest.clock(portal.next_at),
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """The table of portals, or of collections, which lack some columns."""

    title: str
    heading: tuple[str, ...]
    portals: Sequence[PortalState]
    rows: Sequence[tuple[str, ...]]


def _make_tables(digest: Digest) -> list[_Table]:
    """Return the tables that have rows; if none has, that of the portals."""
    found = []
    for is_collection, title in ((False, "Portals"), (True, "Collections")):
        chosen = [each for each in digest.portals if each.is_collection is is_collection]
        columns = [number for number, name in enumerate(_HEADING) if not (is_collection and name in _OF_PORTALS)]
        heading = tuple(title.lower()[:-1] if not number else _HEADING[number] for number in columns)
        rows = [tuple(_list_cells(digest, each)[number] for number in columns) for each in chosen]
        if chosen or not (is_collection or digest.portals):
            found.append(_Table(title, heading, chosen, rows))
    return found


def _collect_series(portal: PortalState) -> tuple[list[float | None], list[bool], list[str]]:
    assessments = portal.assessments[-NIGHTS:]
    missing = NIGHTS - len(assessments)
    values: list[float | None] = [None] * missing + [float(crawl.figures.articles) for crawl in assessments]
    flagged = [False] * missing + [crawl.verdict not in {FINE, LEARNING} for crawl in assessments]
    tips = [""] * missing
    tips += [f"{crawl.figures.began_at:%Y-%m-%d}: {crawl.figures.articles} new articles, {crawl.verdict}" for crawl in assessments]
    return values, flagged, tips


def format_digest_text(digest: Digest) -> str:
    """Return the digest as text for a terminal or a mail."""
    lines = [f"{digest.worst or digest.summary()}.", f"{digest.day:%A, %d %B %Y}: {digest.summary()}.", ""]
    if digest.problem:
        lines += [f"The service: {digest.problem}", ""]
    if digest.problems:
        lines += ["NEEDS A LOOK"]
        for each in digest.problems:
            lines += [f"  {each.portal}: {each.problem} since {digest.clock(each.since)}: {each.sentence}"]
        lines += [""]
    if digest.over:
        lines += ["OVER", *(f"  {alert.portal}: {alert.problem}" for alert in digest.over), ""]
    for number, table in enumerate(_make_tables(digest)):
        lines += [*([""] if number else []), *_format_text_table(table)]
    if digest.searches:
        lines += ["", "SAVED SEARCHES"]
    for search in digest.searches:
        lines += [f"  {search.describe()}", *(f"    {title}\n    {url}" for title, url in search.shown)]
    if digest.exports:
        lines += ["", "EXPORTS", *(f"  {line}" for line in digest.exports)]
    return "\n".join(lines) + "\n"


def _format_text_table(table: _Table) -> Iterator[str]:
    rows = [table.heading, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.heading))]
    for number, row in enumerate(rows):
        cells = [
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        chart = draw_letters(_collect_series(table.portals[number - 1])[0]) if number else f"{NIGHTS} nights"
        yield "  ".join([*cells, chart]).rstrip()


def format_digest_html(digest: Digest) -> str:
    """Return the digest as a self-contained HTML page."""
    template = _TEMPLATES.get_template("digest.html")
    tables = _make_tables(digest)
    return template.render(digest=digest, tables=tables, nights=NIGHTS, fine=FINE, draw_nights=_draw_nights) + "\n"


def _draw_nights(portal: PortalState) -> Svg:
    values, flagged, tips = _collect_series(portal)
    usual = portal.assessments[-1].expected.articles if portal.assessments else None
    return draw_columns(
        values,
        label=f"new articles of {portal.name} in the last {NIGHTS} nights",
        tips=tips,
        flagged=flagged,
        usual=usual,
        highest=_find_ceiling(values, usual),
        step=8,
        height=28,
    )


def draw_letters(values: Sequence[float | None]) -> str:
    """Return one character per crawl, oldest first; a dot for no crawl."""
    highest = _find_ceiling(values, None)
    return "".join(
        "." if value is None else _LETTERS[min(len(_LETTERS) - 1, int(value / highest * len(_LETTERS)))] for value in values
    )


def _find_ceiling(values: Sequence[float | None], usual: float | None) -> float:
    """Return the value of the highest column; limited, so that a first crawl with years of articles does not flatten the others."""
    ordered = sorted(value for value in values if value is not None)
    if not ordered:
        return 1.0
    typical = ordered[max(0, int(len(ordered) * 0.9) - 1)]
    return max(1.0, typical * 1.25, (usual or 0.0) * 1.5)
