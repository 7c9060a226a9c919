"""One crawl: live while it runs, then its report, log, errors by kind and URLs; or two crawls compared."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from newscrawler.store.service import LogLine, RunRecord
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.visit import Visit

#: The crawl writes its counts about every ten seconds.
_PAUSE_SECONDS = 2.0
#: Browsers reopen the stream automatically.
_LONGEST_SECONDS = 300.0
_LINES, _URLS = 200, 100
#: Tables of counts by the reason why a URL gave no article, with their labels.
_ERRORS = {"failed": "could not be fetched", "refused": "had no article", "skipped": "was not requested"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorKind:
    """Why URLs of a crawl gave no article."""

    group: str
    kind: str
    count: int
    #: In the other crawl of a comparison.
    before: int = 0


def show_run(visit: Visit) -> Response:
    """Show a crawl, compared with another if one is named."""
    run = _find_run(visit, visit.arguments["number"])
    other = _find_run(visit, visit.query["compare"]) if visit.query.get("compare") else None
    figures, others = list_figures(run), list_figures(other) if other else {}
    reason = visit.query.get("reason", "")[:100]
    return visit.page(
        "run.html",
        run=run,
        other=other,
        rows=[(name, figures.get(name), others.get(name)) for name in dict.fromkeys([*figures, *others])],
        around=visit.store.runs.latest(run.portal, limit=20),
        errors=list_errors(run, other),
        lines=visit.store.run_log.lines(run.id, limit=_LINES),
        reason=reason,
        urls=visit.store.run_log.fetched(run, reason=reason, limit=_URLS),
        waiting=visit.store.run_log.waiting(run.portal) if run.ended_at is None else None,
        rate=compute_rate(run, visit.now),
    )


def stream_run(visit: Visit) -> Response:
    """Stream the changes of a crawl until it ends."""
    run = _find_run(visit, visit.arguments["number"])
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream_events(visit, run, visit.number("after", 0)), media_type="text/event-stream", headers=headers)


def list_figures(run: RunRecord) -> dict[str, float]:
    """Return the counts of a crawl by name. Each entry of a table of counts is one figure; errors are left out."""
    found: dict[str, float] = {}
    for name, value in run.counts.items():
        if isinstance(value, Mapping) and name not in _ERRORS:
            parts = {f"{_write_words(name)}: {key}": number for key, number in value.items()}
            found |= {key: float(number) for key, number in parts.items() if _is_number(number)}
        elif _is_number(value):
            found[_write_words(name)] = float(value)
    return found


def list_errors(run: RunRecord, other: RunRecord | None = None) -> list[ErrorKind]:
    """Return the kinds of errors of a crawl and of the one it is compared with, most frequent first."""
    found = []
    for table, group in _ERRORS.items():
        now, before = run.counts.get(table, {}), other.counts.get(table, {}) if other else {}
        kinds = [
            ErrorKind(group=group, kind=kind, count=now.get(kind, 0), before=before.get(kind, 0)) for kind in {**now, **before}
        ]
        found += sorted(kinds, key=lambda each: (-each.count, -each.before, each.kind))
    return found


def compute_rate(run: RunRecord, now: datetime) -> float:
    """Return the pages per minute since the crawl began."""
    minutes = ((run.ended_at or now) - run.started_at).total_seconds() / 60
    return round(run.counts.get("pages", 0) / minutes, 1) if minutes > 0 else 0.0


async def _stream_events(visit: Visit, run: RunRecord, after: int) -> AsyncIterator[str]:
    sent: dict[str, Any] = {}
    ends_at = time.monotonic() + _LONGEST_SECONDS
    while time.monotonic() < ends_at:
        found = await run_in_threadpool(visit.store.runs.get, run.id)
        if found is None:
            return
        lines = await run_in_threadpool(visit.store.run_log.lines, run.id, after_id=after)
        waiting = await run_in_threadpool(visit.store.run_log.waiting, run.portal)
        state = _describe_state(found, waiting, visit.context.now())
        if lines or state != sent:
            sent, after = state, lines[-1].id if lines else after
            yield f"data: {json.dumps({**state, 'lines': [_describe_line(line) for line in lines]})}\n\n"
        if found.ended_at is not None:
            return
        await asyncio.sleep(_PAUSE_SECONDS)


def _describe_state(run: RunRecord, waiting: int, now: datetime) -> dict[str, Any]:
    return {
        "figures": list_figures(run),
        "errors": [[each.group, each.kind, each.count] for each in list_errors(run)],
        "waiting": waiting,
        "rate": compute_rate(run, now),
        "ended": str(run.ended_because or ""),
    }


def _describe_line(line: LogLine) -> dict[str, Any]:
    return {"id": line.id, "at": f"{line.at:%H:%M:%S}", "level": str(line.level), "message": line.message}


def _find_run(visit: Visit, text: str) -> RunRecord:
    number = parse_whole_number(text, "The number of a crawl")
    run = visit.store.runs.get(number)
    if run is None:
        raise report_missing(f"crawl {number}")
    return run


def _write_words(name: str) -> str:
    return name.replace("_", " ")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


PAGES = (Page(path="/runs/{number}", show=show_run), Page(path="/runs/{number}/events", show=stream_run))
