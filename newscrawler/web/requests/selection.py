"""The selection of articles, and the analysis, that the query of an address describes, and the parameters of a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from starlette.datastructures import QueryParams

from newscrawler.corpus import (
    MOST_PORTALS,
    Analysis,
    AnalysisResult,
    Measure,
    Recipe,
    Sorting,
    Tool,
    analyse,
    make_recipe,
    read_day,
    read_filters,
    write_parameters,
)
from newscrawler.corpus.formats import FORMATS
from newscrawler.corpus.releases import check_name
from newscrawler.errors import ConfigError
from newscrawler.limits import STATISTIC_SECONDS, TEXTS_READ
from newscrawler.store import Store, limited_queries
from newscrawler.store.articles import ENTITIES, Facet, Selection
from newscrawler.store.articles import FILTERS as FILTERS_OF_SELECTIONS
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import RequestProblem

#: Filters of articles.
FILTERS = (*FILTERS_OF_SELECTIONS, "until_id")


def read_selection(filters: Mapping[str, str], query: str = "") -> Selection:
    """Return the selection that filters and a query describe.

    Raises:
        RequestProblem: a date or a query is invalid.
    """
    try:
        return read_filters(filters, query)
    except ConfigError as error:
        raise RequestProblem(422, str(error)) from None


def parse_day(text: str) -> date | None:
    """Return a day; None for an empty text.

    Raises:
        RequestProblem: it is not a date.
    """
    try:
        return read_day(text) if text else None
    except ConfigError as error:
        raise RequestProblem(422, str(error)) from None


#: Formats of releases.
FORMS = tuple(form.name for form in FORMATS.values() if not form.needs_pages)
#: The rights statement "In copyright".
LICENCE = "https://rightsstatements.org/vocab/InC/1.0/"


def check_release_parameters(
    store: Store, name: str, filters: Mapping[str, str], *, title: str, creators: Sequence[str], licence: str,
    formats: Sequence[str], dehydrated: bool,
) -> dict[str, Any]:  # fmt: skip
    """Return the parameters of the job that makes a release.

    Raises:
        ConfigError: the name is not allowed, or the words are not a query.
        RequestProblem: the name is taken, no creator is named, or a format is unknown.
    """
    check_name(name)
    if store.releases.get(name) is not None:
        raise RequestProblem(409, f"There is a release {name} already; choose another name.")
    if not creators:
        raise RequestProblem(422, "A release needs the names of its creators for citations.")
    if unknown := [form for form in formats if form not in FORMS]:
        raise RequestProblem(422, f"{unknown[0][:40]} is not a format of releases. Choose from: {', '.join(FORMS)}.")
    return {
        "title": title[:200], "creators": [creator[:200] for creator in creators], "licence": licence[:200] or LICENCE,
        "formats": list(dict.fromkeys(formats)) or ["jsonl"], "dehydrated": dehydrated,
        "selection": write_parameters(read_selection(filters, filters.get("q", ""))),
    }  # fmt: skip


#: Prefix of the filters of the second selection.
OTHER = "b_"
_PERIODS = (Facet.YEAR, Facet.MONTH, Facet.DAY)
#: Queries of a trend.
QUERIES = ("q", "q2", "q3")
#: How statistics of words treat near-duplicates of earlier articles.
LEAVE_OUT = "leave out"
#: Characters of a word or a name.
LONGEST = 300
#: Allowed values of fields that are chosen from a list.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "measure": tuple(Measure),
    "period": _PERIODS,
    "by": (Facet.LANGUAGE, Facet.AUTHOR, Facet.SECTION, Facet.GENRE, Facet.PORTAL, *ENTITIES, *_PERIODS),
    "sort": tuple(Sorting),
    "duplicates": (LEAVE_OUT, "count"),
    "genre": ("news", "opinion", "interview", "live", "gallery", "sponsored"),
}
#: Values of such fields unless chosen.
DEFAULTS: Mapping[str, str] = {
    "measure": Measure.ARTICLES, "period": Facet.MONTH, "by": Facet.LANGUAGE, "sort": Sorting.ARTICLE, "duplicates": LEAVE_OUT,
}  # fmt: skip
#: Smallest, default and largest number of a field.
NUMBERS = {"width": (1, 8, 25), "n": (1, 1, 5), "window": (1, 5, 10), "least": (1, 5, 1_000), "rows": (10, 50, 500)}
#: Fields of each tool besides the selection.
FIELDS: Mapping[Tool, tuple[str, ...]] = {
    Tool.TRENDS: (*QUERIES, "measure", "period", "portals", "duplicates"), Tool.CONCORDANCE: ("q", "sort", "width", "rows"),
    Tool.FREQUENCIES: ("n", "rows", "duplicates"),
    Tool.COLLOCATES: ("q", "window", "least", "rows", "duplicates"), Tool.KEYWORDS: ("least", "rows", "duplicates"),
    Tool.COVERAGE: ("period",), Tool.COUNTS: ("by", "rows"),
}  # fmt: skip
#: Tools that need a query, and periods that a page shows at most.
_NEED_QUERY = {Tool.TRENDS, Tool.CONCORDANCE, Tool.COLLOCATES}
_MOST_PERIODS = {Tool.TRENDS: 400, Tool.COVERAGE: 24}


def fill_values(query: Mapping[str, str]) -> dict[str, str]:
    """Return the values of all fields, or their defaults."""
    values = {name: query.get(name, "").strip()[:LONGEST] for name in (*QUERIES, *FILTERS, *(OTHER + name for name in FILTERS))}
    chosen = query.getlist("portals") if isinstance(query, QueryParams) else query.get("portals", "").split(",")
    values["portals"] = ",".join(dict.fromkeys(name for name in chosen if name))[:1000] if len(chosen) <= MOST_PORTALS else ""
    for name, value in DEFAULTS.items():
        said = query.get(name) or value
        if said not in CHOICES[name]:
            raise RequestProblem(422, f"{name} is {said[:40]!r}. It must be one of: {', '.join(CHOICES[name])}.")
        values[name] = said
    for name, (least, middle, most) in NUMBERS.items():
        number = parse_whole_number(query.get(name) or str(middle), name)
        values[name] = str(max(least, min(most, number)))
    return values


def build_analysis(tool: Tool, values: Mapping[str, str]) -> Analysis | None:
    """Return the analysis, or None while a query or a second selection is missing.

    Raises:
        RequestProblem: a date is invalid.
    """
    names = QUERIES if tool is Tool.TRENDS else ("q",)
    queries = tuple(values[name] for name in names if values[name]) if tool in _NEED_QUERY else ()
    selection, portals = read_selection(values), tuple(filter(None, values["portals"].split(",")))
    if portals:
        selection = replace(selection, portal=None, portals=portals)
    against = read_selection({name: values[OTHER + name] for name in FILTERS})
    if (tool in _NEED_QUERY and not queries) or (tool is Tool.KEYWORDS and selection == against):
        return None
    return Analysis(
        tool=tool,
        selection=selection,
        against=against,
        queries=queries,
        by=Facet(values["by"] if tool is Tool.COUNTS else values["period"]),
        measure=Measure(values["measure"]),
        sorting=Sorting(values["sort"]),
        width=int(values["width"]),
        length=int(values["n"]),
        window=int(values["window"]),
        least=int(values["least"]),
        most=_MOST_PERIODS.get(tool, int(values["rows"])),
        by_portal=bool(portals),
        with_duplicates=values["duplicates"] != LEAVE_OUT,
    )


def require_analysis(tool: Tool, values: Mapping[str, str]) -> Analysis:
    """Return the analysis.

    Raises:
        RequestProblem: a date is invalid, or a query or a second selection is missing.
    """
    analysis = build_analysis(tool, values)
    if analysis is None:
        raise RequestProblem(422, "Enter the words or selections to count.")
    return analysis


def analyse_in_time(store: Store, analysis: Analysis) -> AnalysisResult:
    """Return the table of an analysis within the limits of a request, for pages and the API.

    Raises:
        ConfigError: a query cannot be read.
        CostlyQueryError: it takes too long.
    """
    with limited_queries(STATISTIC_SECONDS):
        return analyse(store, analysis, most=TEXTS_READ)


def make_recipe_in_time(store: Store, analysis: Analysis, result: AnalysisResult, *, now: datetime) -> Recipe:
    """Return the recipe of an analysis within the same limits.

    Raises:
        CostlyQueryError: it takes too long.
    """
    with limited_queries(STATISTIC_SECONDS):
        return make_recipe(store, analysis, result, now=now)
