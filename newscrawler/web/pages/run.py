"""One crawl: live while it goes on, then its report; two of them side by side."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from newscrawler.store import RunRecord
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import whole_number
from newscrawler.web.requests.problems import missing
from newscrawler.web.requests.visit import Visit

#: The crawl writes its counts about every ten seconds.
_PAUSE_SECONDS = 2.0
#: Browsers open the stream again by themselves.
_LONGEST_SECONDS = 300.0


def show(visit: Visit) -> Response:
    """Show a crawl, beside another if one is named."""
    run = _run(visit, visit.arguments["number"])
    other = _run(visit, visit.query["compare"]) if visit.query.get("compare") else None
    figures, others = figures_of(run), figures_of(other) if other else {}
    rows = [(name, figures.get(name), others.get(name)) for name in dict.fromkeys([*figures, *others])]
    return visit.page("run.html", run=run, other=other, rows=rows, around=visit.store.runs.latest(run.portal, limit=20))


def stream(visit: Visit) -> Response:
    """Send the figures of a crawl whenever they change, until it ends."""
    run = _run(visit, visit.arguments["number"])
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_events(visit, run), media_type="text/event-stream", headers=headers)


def figures_of(run: RunRecord) -> dict[str, float]:
    """Return what a crawl counted, by name; tables of counts are one figure an entry."""
    found: dict[str, float] = {}
    for name, value in run.counts.items():
        if isinstance(value, Mapping):
            parts = {f"{_words(name)}: {key}": number for key, number in value.items()}
            found |= {key: float(number) for key, number in parts.items() if _is_number(number)}
        elif _is_number(value):
            found[_words(name)] = float(value)
    return found


async def _events(visit: Visit, run: RunRecord) -> AsyncIterator[str]:
    told = ""
    ends_at = time.monotonic() + _LONGEST_SECONDS
    while time.monotonic() < ends_at:
        found = await run_in_threadpool(visit.store.runs.get, run.id)
        if found is None:
            return
        record = {"figures": figures_of(found), "ended": str(found.ended_because or "")}
        line = json.dumps(record)
        if line != told:
            told = line
            yield f"data: {line}\n\n"
        if found.ended_at is not None:
            return
        await asyncio.sleep(_PAUSE_SECONDS)


def _run(visit: Visit, text: str) -> RunRecord:
    number = whole_number(text, "The number of a crawl")
    run = visit.store.runs.get(number)
    if run is None:
        raise missing(f"crawl {number}")
    return run


def _words(name: str) -> str:
    return name.replace("_", " ")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


PAGES = (Page(path="/runs/{number}", show=show), Page(path="/runs/{number}/events", show=stream))
