"""Explore a selection: concordances, trends, words and counts, each with its data to download."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl

from starlette.responses import Response

from newscrawler.corpus import (
    BESIDE,
    MOST_PORTALS,
    Analysis,
    AnalysisResult,
    Recipe,
    Series,
    Svg,
    Tool,
    cite,
    draw_lines,
    encode_figure,
    list_series,
    place_periods,
    write_parameters,
)
from newscrawler.errors import ConfigError, CostlyQueryError
from newscrawler.limits import ROWS_OF_A_JOB, STATISTIC_SECONDS
from newscrawler.store.articles import Selection
from newscrawler.store.service import JobKind
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.selection import (
    CHOICES,
    FIELDS,
    FILTERS,
    analyse_in_time,
    build_analysis,
    fill_values,
    make_recipe_in_time,
    require_analysis,
)
from newscrawler.web.requests.visit import Visit

#: Columns whose values are shown as bars, by tool.
_BARS = {Tool.FREQUENCIES: 2, Tool.COLLOCATES: 3, Tool.KEYWORDS: 3, Tool.COUNTS: 1}
ABOUT = {
    Tool.TRENDS: "How often words occur over time, side by side. Write entity:NAME or topic:NAME for recognised names.",
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
        return draw_lines(self.periods, self.series, label=label, places=place_periods(self.periods)) if self.series else None

    @property
    def data(self) -> str:
        """Return the series as the script of charts reads them: seconds of each period, and the lines."""
        seconds = [place * 86_400 for place in place_periods(self.periods)]
        lines = [{"name": each.name, "values": list(each.values)} for each in self.series]
        return json.dumps({"periods": list(self.periods), "seconds": seconds, "series": lines})


def show_analysis(visit: Visit) -> Response:
    """Show one analysis, or send its table."""
    tool = _find_tool(visit)
    values = fill_values(visit.query)
    analysis = build_analysis(tool, values)
    analysis = analysis and analysis.restrict(visit.store, visit.context.reserved)
    mistake, result, is_costly, citation = "", None, False, ""
    try:
        result = analyse_in_time(visit.store, analysis) if analysis else None
    except ConfigError as error:  # the query cannot be parsed
        mistake = str(error)
    except CostlyQueryError:
        is_costly = True
        mistake = f"This takes longer than {STATISTIC_SECONDS:g} s of the database. Narrow it, or let a job count all."
    wanted = visit.query.get("download", "")
    shown = _present(result, analysis) if result is not None and analysis is not None else None
    is_cited = "cite" in visit.query or visit.context.is_static
    if analysis is not None and result is not None and shown is not None and (wanted in _KINDS or is_cited):
        recipe = make_recipe_in_time(visit.store, analysis, result, now=visit.now) if wanted not in {"csv", "html"} else None
        if wanted in _KINDS and (wanted != "svg" or shown.series):
            return _send(analysis, result, recipe, wanted)
        citation = " ".join(cite(recipe)) if recipe is not None else ""
    context = visit.number("context", 0) if tool is Tool.CONCORDANCE and shown else 0
    return visit.page(
        "explore.html", tool=tool, about=ABOUT, values=values, fields=FIELDS[tool], filters=FILTERS, choices=CHOICES,
        citation=citation, saved=[] if visit.context.is_static else _list_saved(visit),
        mistake=mistake, is_costly=is_costly, most=analysis.most if analysis else 0, shown=shown, most_portals=MOST_PORTALS,
        context=visit.context.find_article(context) if context else None,
        portals=sorted({portal.name for portal in visit.context.configuration.portals} | set(visit.context.overviews.assess_all())),
    )  # fmt: skip


def _list_saved(visit: Visit) -> list[tuple[str, dict[str, str]]]:
    """Return name and filters of each saved search of the visitor."""
    listed = []
    for each in visit.store.saved_searches.of(visit.user.name):
        said = dict(parse_qsl(each.query))
        words = Selection(words=said.get("words")).narrow(said.get("q", "")).words
        listed.append((each.name, {name: said.get(name, "") for name in FILTERS} | {"words": words or ""}))
    return listed


def count_all(visit: Visit) -> Response:
    """Ask the service to count an analysis in all articles of its selection."""
    tool = _find_tool(visit)
    analysis = require_analysis(tool, fill_values({name: visit.form.text(name) for name in visit.form.values}))
    whole = replace(analysis, most=ROWS_OF_A_JOB)
    return visit.request_job(JobKind.COUNT, tool, write_parameters(whole))


def _find_tool(visit: Visit) -> Tool:
    name = str(visit.arguments["tool"])
    if name not in set(Tool):
        raise report_missing(f"page {name[:40]}")
    return Tool(name)


#: Media type and ending of each download.
_KINDS = {
    "html": ("text/html; charset=utf-8", ".html"), "csv": ("text/csv; charset=utf-8", ".csv"), "svg": ("image/svg+xml", ".svg"),
    "recipe": ("application/json", BESIDE),
}  # fmt: skip


def _send(analysis: Analysis, result: AnalysisResult, recipe: Recipe | None, wanted: str) -> Response:
    kind, ending = _KINDS[wanted if wanted != "html" or analysis.tool is Tool.CONCORDANCE else "csv"]
    is_figure = wanted == "svg"
    content = encode_figure(analysis, result, ending, recipe) if is_figure or recipe is None else recipe.encode().encode()
    name = f"{analysis.tool}{'-part' if result.read < result.of else ''}{ending}"
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _present(result: AnalysisResult, analysis: Analysis) -> AnalysisView:
    periods, series = list_series(result, analysis)
    column = _BARS.get(analysis.tool)
    bars: list[float] = []
    if column is not None and not series:
        most = max((row[column] for row in result.rows), default=0) or 1
        bars = [row[column] / most for row in result.rows]
    shades = [_shade_values(row[1:]) for row in result.rows] if analysis.tool is Tool.COVERAGE else []
    return AnalysisView(result=result, periods=periods, series=series, bars=bars, shades=shades)


def _shade_values(values: Sequence[int]) -> list[int]:
    """Return the shade of each value of a row: 0 if empty, else its quarter of the largest value."""
    most = max(values, default=0) or 1
    return [0 if not value else min(4, 1 + 4 * (value - 1) // most) for value in values]


PAGES = (
    Page(path="/explore", show=lambda visit: visit.go(f"/explore/{Tool.TRENDS}")),
    Page(path="/explore/{tool}", show=show_analysis, change=count_all, is_query=True),
)
