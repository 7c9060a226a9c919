"""One crawl: its figures, errors and log while it runs, and the report on its requests for the operator of the portal."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from newscrawler.config import format_user_agent
from newscrawler.corpus import Transparency, report_transparency, write_letter
from newscrawler.store.service import LogLine, RunRecord
from newscrawler.web.pages.portal import get_portal_name
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import report_missing, require
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
        account=visit.store.runs.account(run),
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
    return require(visit.store.runs.get(number), f"crawl {number}")


def _write_words(name: str) -> str:
    return name.replace("_", " ")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def show_request_report(visit: Visit) -> Response:
    """Show the requests of a crawl."""
    found, agent, contact = _read_report(visit)
    return visit.page("asked.html", found=found, agent=agent, contact=contact)


def send_request_report(visit: Visit) -> Response:
    """Return the report as text or as JSON."""
    found, agent, contact = _read_report(visit)
    match visit.arguments["ending"]:
        case "txt":
            text, media_type = write_letter(found, agent, contact), "text/plain"
        case "json":
            record = found.as_dict() | {"user_agent": agent, "contact": contact}
            text, media_type = json.dumps(record, ensure_ascii=False, indent=1), "application/json"
        case _:
            raise report_missing("such form of the report")
    headers = {"Content-Disposition": f'inline; filename="run-{found.run_id}-asked.{visit.arguments["ending"]}"'}
    return PlainTextResponse(text, media_type=media_type, headers=headers)


def redirect_to_latest_report(visit: Visit) -> Response:
    """Redirect to the page of the latest crawl of a portal."""
    run = require(
        next(iter(visit.store.runs.latest(get_portal_name(visit), limit=1)), None), f"crawl of {get_portal_name(visit)[:100]}"
    )
    return visit.go(f"/runs/{run.id}/asked")


def _read_report(visit: Visit) -> tuple[Transparency, str, str | None]:
    """Return the report, the user agent and the contact."""
    run = _find_run(visit, visit.arguments["number"])
    found = require(report_transparency(visit.store, run.portal, run.id), f"crawl {run.id}")
    configuration = visit.context.configuration
    return found, format_user_agent(configuration.contact, configuration.identity), configuration.contact


PAGES = (
    Page(path="/runs/{number}", show=show_run),
    Page(path="/runs/{number}/events", show=stream_run),
    Page(path="/portals/{name}/asked", show=redirect_to_latest_report),
    Page(path="/runs/{number}/asked", show=show_request_report),
    Page(path="/runs/{number}/asked.{ending}", show=send_request_report),
)
