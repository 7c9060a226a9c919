"""Explore a selection: concordances, trends, words and counts, each with its data to download."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from starlette.responses import Response

from newscrawler import __version__
from newscrawler.corpus import Analysis, AnalysisResult, Series, Svg, Tool, draw_lines, write_lines_html
from newscrawler.corpus.formats import write_table
from newscrawler.errors import ConfigError, CostlyQueryError
from newscrawler.limits import ROWS_OF_A_JOB, STATISTIC_SECONDS
from newscrawler.store.articles import Facet
from newscrawler.store.service import JobKind
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.selection import (
    CHOICES,
    FIELDS,
    FILTERS,
    MOST_PORTALS,
    QUERIES,
    analyse_in_time,
    build_analysis,
    fill_values,
    require_analysis,
)
from newscrawler.web.requests.visit import Visit

#: Columns whose values are shown as bars, by tool.
_BARS = {Tool.FREQUENCIES: 2, Tool.COLLOCATES: 3, Tool.KEYWORDS: 3, Tool.COUNTS: 1}
ABOUT = {
    Tool.TRENDS: "How often words occur over time, side by side.",
    Tool.CONCORDANCE: "Each occurrence with the words around it (KWIC), sorted by its left or right context.",
    Tool.FREQUENCIES: "The most frequent words, or words in a row.",
    Tool.COLLOCATES: "The words that occur near others more often than by chance (logDice, log-likelihood).",
    Tool.KEYWORDS: "The words that are more frequent in one selection than in another (log-likelihood).",
    Tool.COVERAGE: "How many articles each portal has of each year, month or day.",
    Tool.COUNTS: "How many articles there are by language, author, section, genre, portal or time.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisView:
    """A result as the page shows it."""

    result: AnalysisResult
    #: Lines over time; none for other tools.
    series: Sequence[Series]
    periods: Sequence[str]
    #: Share of the largest value, one per row; empty without bars.
    bars: Sequence[float]
    #: Shade of each cell of a coverage table, 0 to 4.
    shades: Sequence[Sequence[int]]

    @property
    def chart(self) -> Svg | None:
        """Return the chart for readers without scripts."""
        label = ", ".join(each.name for each in self.series)
        return draw_lines(self.periods, self.series, label=label, places=_place(self.periods)) if self.series else None

    @property
    def data(self) -> str:
        """Return the series as the script of charts reads them: seconds of each period, and the lines."""
        seconds = [place * 86_400 for place in _place(self.periods)]
        lines = [{"name": each.name, "values": list(each.values)} for each in self.series]
        return json.dumps({"periods": list(self.periods), "seconds": seconds, "series": lines})


def open_tools(visit: Visit) -> Response:
    """Redirect to the first tool."""
    return visit.go(f"/explore/{Tool.TRENDS}")


def show_analysis(visit: Visit) -> Response:
    """Show one analysis, or send its table."""
    tool = _find_tool(visit)
    values = fill_values(visit.query)
    analysis = build_analysis(tool, values)
    mistake, result, is_costly = "", None, False
    try:
        result = analyse_in_time(visit.store, analysis) if analysis else None
    except ConfigError as error:  # the query cannot be parsed
        mistake = str(error)
    except CostlyQueryError:
        is_costly = True
        mistake = f"This takes longer than {STATISTIC_SECONDS:g} s of the database. Narrow it, or let a job count all."
    wanted = visit.query.get("download", "")
    shown = _present(result, analysis) if result is not None and analysis is not None else None
    if shown is not None and wanted == "svg" and shown.series:
        return _download_chart(visit, shown, tool, values)
    if result is not None and wanted in {"csv", "html"}:
        return _download(result, tool, html=wanted == "html" and tool is Tool.CONCORDANCE, title=values["q"])
    context = visit.number("context", 0) if tool is Tool.CONCORDANCE and shown else 0
    return visit.page(
        "explore.html", tool=tool, about=ABOUT, values=values, fields=FIELDS[tool], filters=FILTERS, choices=CHOICES,
        mistake=mistake, is_costly=is_costly, most=analysis.most if analysis else 0, shown=shown, most_portals=MOST_PORTALS,
        context=visit.store.articles.get(context) if context else None,
        portals=sorted({portal.name for portal in visit.context.configuration.portals} | set(visit.context.overviews.assess_all())),
    )  # fmt: skip


def _download_chart(visit: Visit, shown: AnalysisView, tool: Tool, values: dict[str, str]) -> Response:
    """Return the chart as an SVG file with its source, its selection and the date."""
    chosen = [f"{name} {value}" for name, value in values.items() if value and name in {*FILTERS, "portals"}]
    read = f"{shown.result.of:,} matching articles; " if shown.result.of else ""
    span = f"{shown.periods[0]} to {shown.periods[-1]}"
    notes = (
        f"Selection: {', '.join(chosen) or 'all articles'}. {read}published {span}.",
        f"Source: newscrawler {__version__}, corpus as of {visit.localize(visit.now):%d %B %Y, %H:%M %Z}.",
    )
    title = " / ".join(values[name] for name in QUERIES if values[name]) or f"Articles by {values['period']}"
    chart = draw_lines(shown.periods, shown.series, label=title, heading=title[:60], notes=notes, places=_place(shown.periods))
    headers = {"Content-Disposition": f'attachment; filename="{tool}.svg"'}
    return Response(chart.encode("utf-8", "replace"), media_type="image/svg+xml", headers=headers)


def _place(periods: Sequence[str]) -> list[float]:
    """Return the first day of each period as days since 1970, so that time is linear."""
    epoch = date(1970, 1, 1).toordinal()
    return [float(date.fromisoformat((period + "-01-01")[:10]).toordinal() - epoch) for period in periods]


def count_all(visit: Visit) -> Response:
    """Ask the service to count an analysis in all articles of its selection."""
    tool = _find_tool(visit)
    analysis = require_analysis(tool, fill_values({name: visit.form.text(name) for name in visit.form.values}))
    whole = replace(analysis, most=ROWS_OF_A_JOB)
    return visit.request_job(JobKind.COUNT, tool, whole.as_dict())


def _find_tool(visit: Visit) -> Tool:
    name = str(visit.arguments["tool"])
    if name not in set(Tool):
        raise report_missing(f"page {name[:40]}")
    return Tool(name)


def _download(result: AnalysisResult, tool: Tool, *, html: bool, title: str) -> Response:
    stream = io.BytesIO()
    if html:
        write_lines_html(result.lines, stream, title=title)
    else:
        write_table(result.heading, result.rows, stream)
    kind, ending = ("text/html", "html") if html else ("text/csv", "csv")
    part = "-part" if result.read < result.of else ""
    headers = {"Content-Disposition": f'attachment; filename="{tool}{part}.{ending}"'}
    return Response(stream.getvalue(), media_type=f"{kind}; charset=utf-8", headers=headers)


def _present(result: AnalysisResult, analysis: Analysis) -> AnalysisView:
    periods, series = _list_series(result, analysis)
    column = _BARS.get(analysis.tool)
    bars: list[float] = []
    if column is not None and not series:
        most = max((row[column] for row in result.rows), default=0) or 1
        bars = [row[column] / most for row in result.rows]
    shades = [_shade_values(row[1:]) for row in result.rows] if analysis.tool is Tool.COVERAGE else []
    return AnalysisView(result=result, periods=periods, series=series, bars=bars, shades=shades)


def _list_series(result: AnalysisResult, analysis: Analysis) -> tuple[Sequence[str], list[Series]]:
    """Return the periods and the lines of counts over time."""
    if analysis.tool is Tool.COVERAGE:
        periods: Sequence[str] = result.heading[1:]
        series = [Series(name=row[0], values=row[1:]) for row in result.rows[:MOST_PORTALS]]
        if len(result.rows) > MOST_PORTALS:
            totals = [sum(row[place] for row in result.rows) for place in range(1, len(result.heading))]
            series = [Series(name="articles of all portals", values=totals)]
    else:
        periods = tuple(row[0] for row in result.rows)
        places = [*range(4, len(result.heading), 2)] if analysis.tool is Tool.TRENDS else [1] if _is_timed(analysis) else []
        series = [Series(name=result.heading[place], values=[row[place] for row in result.rows]) for place in places]
    return periods, series if len(periods) > 1 else []


def _is_timed(analysis: Analysis) -> bool:
    return analysis.tool is Tool.COUNTS and analysis.by in {Facet.YEAR, Facet.MONTH, Facet.DAY}


def _shade_values(values: Sequence[int]) -> list[int]:
    """Return the shade of each value of a row: 0 if empty, else its quarter of the largest value."""
    most = max(values, default=0) or 1
    return [0 if not value else min(4, 1 + 4 * (value - 1) // most) for value in values]


PAGES = (Page(path="/explore", show=open_tools), Page(path="/explore/{tool}", show=show_analysis, change=count_all, is_query=True))
