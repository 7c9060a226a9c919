"""Operations of the API that analyse a selection as the explore pages do, or have a job do so without their limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import Query, Response
from pydantic import Field, StringConstraints, create_model

from newscrawler.corpus import MOST_PORTALS, Analysis, Tool, write_parameters
from newscrawler.limits import ROWS_OF_A_JOB
from newscrawler.store.service import JobKind
from newscrawler.web.api.call import Asking, Call, Reading, make_router
from newscrawler.web.api.changes import ADDED_JOB
from newscrawler.web.api.models import Filters, Text, make_model
from newscrawler.web.requests.selection import (
    CHOICES,
    DEFAULTS,
    LONGEST,
    NUMBERS,
    OTHER,
    QUERIES,
    analyse_in_time,
    fill_values,
    make_recipe_in_time,
    require_analysis,
)
from newscrawler.web.requests.visit import add_job

_Words = Annotated[Text, StringConstraints(max_length=LONGEST)]
_ABOUT = {
    "q": "words, as `newscrawler search` takes them; for trends, concordance, collocates", "q2": "a second line of trends",
    "q3": "a third line of trends", "measure": "what trends count", "period": "of trends and coverage", "by": "of counts",
    "sort": "of a concordance", "duplicates": "near-duplicates in statistics of words", "width": "words on each side of a hit",
    "n": "words in a row, for frequencies: n-grams", "window": "words on each side in which collocates occur",
    "least": "least occurrences", "rows": "most rows",
}  # fmt: skip
_WORDS: dict[str, Any] = {name: (_Words, Field(default="", description=_ABOUT[name])) for name in QUERIES}
_CHOICES: dict[str, Any] = {
    name: (Literal[tuple(map(str, CHOICES[name]))], Field(default=str(value), description=_ABOUT[name]))
    for name, value in DEFAULTS.items()
}
_NUMBERS: dict[str, Any] = {
    name: (int, Field(default=usual, ge=least, le=most, description=_ABOUT[name])) for name, (least, usual, most) in NUMBERS.items()
}
_SECOND: dict[str, Any] = {
    OTHER + name: (field.annotation, Field(default="", description=f"the same of the second selection of keywords: {name}"))
    for name, field in Filters.model_fields.items()
}
_SIDE: dict[str, Any] = {
    "portals": (list[Text], Field(default=[], max_length=MOST_PORTALS, description="portals of trends, a line for each"))
}
_Parameters: Any = create_model("AnalysisParameters", __base__=Filters, **_WORDS | _CHOICES | _NUMBERS | _SECOND | _SIDE)
_TABLE = make_model("AnalysisTable", columns=list[str], rows=list[list[Any]], read=int, of=int)
router = make_router()


def _fill(said: Any) -> dict[str, str]:
    """Return the values of a page with these parameters."""
    values = said.model_dump()
    return fill_values({name: str(value) for name, value in values.items()} | {"portals": ",".join(values["portals"])})


def _find_analysis(call: Call, tool: Tool, said: Any) -> Analysis:
    return require_analysis(tool, _fill(said)).restrict(call.store, call.context.reserved)


@router.get("/analyses/{tool}", response_model=_TABLE)
def get_analysis(call: Reading, tool: Tool, said: Annotated[_Parameters, Query()]) -> Any:
    """Return the table of an analysis: names of columns, rows, and how many of the matching articles were read."""
    result = analyse_in_time(call.store, _find_analysis(call, tool, said))
    return {"columns": result.heading, "rows": result.rows, "read": result.read, "of": result.of}


@router.get("/analyses/{tool}/recipe", response_model=dict[str, Any])
def get_recipe(call: Reading, tool: Tool, said: Annotated[_Parameters, Query()]) -> Response:
    """Return the recipe of an analysis, for `newscrawler again`, with the table and a citation."""
    analysis = _find_analysis(call, tool, said)
    recipe = make_recipe_in_time(call.store, analysis, analyse_in_time(call.store, analysis), now=call.now)
    return Response(recipe.encode(), media_type="application/json")


@router.post("/analyses/{tool}", response_model=ADDED_JOB)
def request_analysis(call: Asking, tool: Tool, said: Annotated[_Parameters, Query()]) -> Any:
    """Ask the service for the whole table as a CSV file, which the job's file then is."""
    whole = replace(require_analysis(tool, _fill(said)), most=ROWS_OF_A_JOB)
    return add_job(call.context, JobKind.COUNT, tool, who=call.caller.name, now=call.now, parameters=write_parameters(whole))
