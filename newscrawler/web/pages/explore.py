"""Explore a selection: concordances, trends, words and counts, each with its data to download."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace

from starlette.responses import Response

from newscrawler.corpus import Analysis, AnalysisResult, Series, Svg, Tool, analyse, draw_lines, write_lines_html
from newscrawler.corpus.formats import write_table
from newscrawler.errors import ConfigError
from newscrawler.store.articles import Facet
from newscrawler.store.service import JobKind
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import RequestProblem, report_missing
from newscrawler.web.requests.selection import CHOICES, FIELDS, FILTERS, build_analysis, fill_values
from newscrawler.web.requests.visit import Visit

#: Articles of a selection whose texts one request reads. Counts by the database are complete.
MOST_READ = 100
#: Rows that a job writes.
MOST_ROWS = 100_000
#: The limit for tools that cost more per article.
_FEWER_READ = {Tool.COLLOCATES: 20}
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
    #: None without a chart.
    chart: Svg | None
    #: Share of the largest value, one per row; empty without bars.
    bars: Sequence[float]
    #: Shade of each cell of a coverage table, 0 to 4.
    shades: Sequence[Sequence[int]]


def open_tools(visit: Visit) -> Response:
    """Redirect to the first tool."""
    return visit.go(f"/explore/{Tool.TRENDS}")


def show_analysis(visit: Visit) -> Response:
    """Show one analysis, or send its table."""
    tool = _find_tool(visit)
    values = fill_values(visit.query)
    analysis = build_analysis(tool, values)
    mistake, result = "", None
    try:
        result = analyse(visit.store, analysis, most=_FEWER_READ.get(tool, MOST_READ)) if analysis else None
    except ConfigError as error:  # the query cannot be parsed
        mistake = str(error)
    wanted = visit.query.get("download", "")
    if result is not None and wanted in {"csv", "html"}:
        return _download(result, tool, html=wanted == "html" and tool is Tool.CONCORDANCE, title=values["q"])
    return visit.page(
        "explore.html", tool=tool, about=ABOUT, values=values, fields=FIELDS[tool], filters=FILTERS, choices=CHOICES,
        mistake=mistake, most=analysis.most if analysis else 0,
        shown=_present(result, analysis) if result is not None and analysis is not None else None,
        portals=sorted({portal.name for portal in visit.context.configuration.portals} | set(visit.context.overviews.assess_all())),
    )  # fmt: skip


def count_all(visit: Visit) -> Response:
    """Ask the service to count an analysis in all articles of its selection."""
    tool = _find_tool(visit)
    analysis = build_analysis(tool, fill_values({name: visit.form.text(name) for name in visit.form.values}))
    if analysis is None:
        raise RequestProblem(422, "Enter the words or selections to count.")
    whole = replace(analysis, most=MOST_ROWS)
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
    chart = _draw_chart(result, analysis)
    column = _BARS.get(analysis.tool)
    bars: list[float] = []
    if column is not None and chart is None:
        most = max((row[column] for row in result.rows), default=0) or 1
        bars = [row[column] / most for row in result.rows]
    shades = [_shade_values(row[1:]) for row in result.rows] if analysis.tool is Tool.COVERAGE else []
    return AnalysisView(result=result, chart=chart, bars=bars, shades=shades)


def _draw_chart(result: AnalysisResult, analysis: Analysis) -> Svg | None:
    """Return the line chart of counts over time."""
    if analysis.tool is Tool.COVERAGE:
        periods = result.heading[1:]
        totals = [sum(row[place] for row in result.rows) for place in range(1, len(result.heading))]
        return _draw_lines(periods, [Series(name="articles", values=totals)], label="Articles of all portals")
    periods = tuple(row[0] for row in result.rows)
    if analysis.tool is Tool.COUNTS and analysis.by in {Facet.YEAR, Facet.MONTH, Facet.DAY}:
        return _draw_lines(periods, [Series(name="articles", values=[row[1] for row in result.rows])], label="Articles")
    if analysis.tool is not Tool.TRENDS:
        return None
    places = range(4, len(result.heading), 2)
    series = [Series(name=result.heading[place], values=[row[place] for row in result.rows]) for place in places]
    return _draw_lines(periods, series, label=", ".join(each.name for each in series))


def _draw_lines(periods: Sequence[str], series: Sequence[Series], *, label: str) -> Svg | None:
    return draw_lines(periods, series, label=label) if len(periods) > 1 else None


def _shade_values(values: Sequence[int]) -> list[int]:
    """Return the shade of each value of a row: 0 if empty, else its quarter of the largest value."""
    most = max(values, default=0) or 1
    return [0 if not value else min(4, 1 + 4 * (value - 1) // most) for value in values]


PAGES = (Page(path="/explore", show=open_tools), Page(path="/explore/{tool}", show=show_analysis, change=count_all))
