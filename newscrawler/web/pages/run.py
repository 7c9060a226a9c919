"""One crawl: its figures, errors and log while it runs, and the report on its requests for the operator of the portal."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from newscrawler.config import format_user_agent
from newscrawler.corpus import Transparency, report_transparency, write_letter
from newscrawler.limits import STREAM_SECONDS
from newscrawler.service import list_crawls_of_day
from newscrawler.store.service import LogLine, RunRecord
from newscrawler.store.vocabularies import FINISHED
from newscrawler.web.pages.portal import get_portal_name
from newscrawler.web.requests.context import format_amount, format_span
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import report_missing, require
from newscrawler.web.requests.selection import parse_day
from newscrawler.web.requests.visit import Visit

#: The crawl writes its counts about every ten seconds.
_PAUSE_SECONDS = 2.0
_LINES, _URLS, _LISTED, _STREAMED = 200, 100, 40, 20
#: Tables of counts by the reason why a URL gave no article, with their labels. Only the first are problems.
_ERRORS = {"failed": "could not be fetched", "refused": "had no article", "skipped": "was not requested"}
#: Counts of pages, in words.
_OUTCOMES = {
    "new_articles": "New articles", "corrected": "Changed articles", "unchanged": "Unchanged pages", "listings": "Listings",
    "twins": "Known articles under another address", "similar": "Near-duplicates among the new articles",
    "undated": "New articles without a date", "redirects": "Redirects", "retries": "Repeated requests",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorKind:
    """Why URLs of a crawl gave no article."""

    group: str
    kind: str
    count: int
    #: In the other crawl of a comparison.
    before: int = 0


def list_crawls(visit: Visit) -> Response:
    """List the latest crawls, on request of one portal or of one day."""
    live, portal = {run.id for run in visit.store.runs.live(now=visit.now)}, visit.query.get("portal", "")[:100]
    day = parse_day(visit.query.get("day", ""))
    if day is None:
        runs = visit.store.runs.latest(portal or None, limit=_LISTED)
    else:
        runs = list_crawls_of_day(visit.store, portal or None, day, limit=_LISTED)
    return visit.page("crawls.html", runs=runs, live=live, portal=portal, day=day)


def show_run(visit: Visit) -> Response:
    """Show a crawl, compared with another if one is named."""
    run = _find_run(visit, visit.arguments["number"])
    other = _find_run(visit, visit.query["compare"]) if visit.query.get("compare") else None
    outcomes, others = list_outcomes(run), list_outcomes(other) if other else {}
    reason = visit.query.get("reason", "")[:100]
    is_live = run.ended_at is None and run.id in {each.id for each in visit.store.runs.live(now=visit.now)}
    waiting, lines = visit.store.run_log.waiting(run.portal) if is_live else 0, visit.store.run_log.lines(run.id, limit=_LINES)
    seen_at = visit.now if is_live or not lines else lines[-1].at
    return visit.page(
        "run.html", run=run, is_live=is_live, sentence=_describe_end(run), other=other,
        account=None if is_live else visit.store.runs.account(run),
        figures=list_figures(run, waiting, seen_at).items(), done=compute_progress(run, waiting),
        rows=[(name, outcomes.get(name), others.get(name)) for name in dict.fromkeys([*outcomes, *others])],
        around=visit.store.runs.latest(run.portal, limit=20), errors=list_errors(run, other), failed=_ERRORS["failed"],
        lines=lines, reason=reason,
        urls=visit.store.run_log.fetched(run, reason=reason, limit=_URLS),
    )  # fmt: skip


def stream_run(visit: Visit) -> Response:
    """Stream the changes of a crawl until it ends."""
    run = _find_run(visit, visit.arguments["number"])
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream_events(visit, run, visit.number("after", 0)), media_type="text/event-stream", headers=headers)


def list_figures(run: RunRecord, waiting: int, now: datetime) -> dict[str, tuple[str, str]]:
    """Return the main figures of a crawl by their labels, each with a note."""
    counts, seconds = run.counts, ((run.ended_at or now) - run.started_at).total_seconds()
    pages, size = counts.get("pages", 0), counts.get("bytes", 0)
    failed = sum(counts.get("failed", {}).values())
    found = {
        "New articles": (f"{counts.get('new_articles', 0):,}", f"of {pages:,} pages"),
        "Queue": (f"{waiting:,}", "addresses to fetch"),
        "Rate": (f"{60 * pages / seconds if seconds > 0 else 0:.0f} / min", f"{counts.get('requests', 0):,} requests"),
        "Failed": (f"{failed:,}", "addresses could not be fetched" if failed else "every request was answered"),
        "Downloaded": (format_amount(size, "B"), f"{format_amount(size / pages, 'B')} a page" if pages else ""),
        "Duration": (format_span(seconds), "so far" if run.ended_at is None else "from the first to the last request"),
    }
    if run.ended_at is not None:
        del found["Queue"]
    return found


def list_outcomes(run: RunRecord) -> dict[str, int]:
    """Return the counts of pages by their labels, without those that are zero."""
    found = {label: int(run.counts.get(name, 0)) for name, label in _OUTCOMES.items()}
    found["Pages without an article"] = sum(run.counts.get("refused", {}).values())
    found["Skipped addresses"] = sum(run.counts.get("skipped", {}).values())
    return {label: number for label, number in found.items() if number or label == "New articles"}


def compute_progress(run: RunRecord, waiting: int) -> float:
    """Return the share of the known addresses that were requested."""
    requests = run.counts.get("requests", 0)
    return requests / (requests + waiting) if requests else 0.0


def _describe_end(run: RunRecord) -> str:
    """Return how a crawl went, in one sentence."""
    new, pages = run.counts.get("new_articles", 0), run.counts.get("pages", 0)
    stored = f"{new:,} new article{'' if new == 1 else 's'} from {pages:,} pages"
    if run.ended_at is None:
        return f"Interrupted: its process no longer runs. It had stored {stored}."
    ended = {FINISHED: "Complete"}.get(run.ended_because, f"Ended early ({run.ended_because})") if run.ended_because else "Ended"
    return f"{ended}: {stored} in {format_span((run.ended_at - run.started_at).total_seconds())}."


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


async def _stream_events(visit: Visit, run: RunRecord, after: int) -> AsyncIterator[str]:
    sent: dict[str, Any] = {}
    ends_at = time.monotonic() + STREAM_SECONDS
    while time.monotonic() < ends_at:
        found = await run_in_threadpool(visit.store.runs.get, run.id)
        if found is None:
            return
        lines = await run_in_threadpool(visit.store.run_log.lines, run.id, after_id=after)
        waiting = await run_in_threadpool(visit.store.run_log.waiting, run.portal)
        urls = await run_in_threadpool(_describe_urls, visit, found)
        state = _describe_state(found, waiting, visit.context.now()) | {"urls": urls}
        if lines or state != sent:
            sent, after = state, lines[-1].id if lines else after
            shown = [_describe_line(visit, run, line) for line in lines]
            yield f"data: {json.dumps({**state, 'lines': shown})}\n\n"
        if found.ended_at is not None:
            return
        await asyncio.sleep(_PAUSE_SECONDS)


def _describe_state(run: RunRecord, waiting: int, now: datetime) -> dict[str, Any]:
    return {
        "figures": list_figures(run, waiting, now),
        "outcomes": list_outcomes(run),
        "errors": [[each.group, each.kind, each.count] for each in list_errors(run)],
        "progress": round(compute_progress(run, waiting), 3),
        "ended": _describe_end(run) if run.ended_at is not None else "",
    }


def _describe_urls(visit: Visit, run: RunRecord) -> list[list[Any]]:
    """Return the addresses fetched last: time, address, status, article and result."""
    return [
        [f"{visit.localize(each.fetched_at, run.portal):%H:%M:%S}", each.url, each.http_status or "–", each.article_id,
         str(each.reason or each.outcome or "")]
        for each in visit.store.run_log.fetched(run, reason="", limit=_STREAMED)
    ]  # fmt: skip


def _describe_line(visit: Visit, run: RunRecord, line: LogLine) -> dict[str, Any]:
    return {
        "id": line.id,
        "at": f"{visit.localize(line.at, run.portal):%H:%M:%S}",
        "level": str(line.level),
        "message": line.message,
    }


def _find_run(visit: Visit, text: str) -> RunRecord:
    number = parse_whole_number(text, "The number of a crawl")
    return require(visit.store.runs.get(number), f"crawl {number}")


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
    Page(path="/crawls", show=list_crawls),
    Page(path="/runs/{number}", show=show_run),
    Page(path="/runs/{number}/events", show=stream_run),
    Page(path="/portals/{name}/asked", show=redirect_to_latest_report),
    Page(path="/runs/{number}/asked", show=show_request_report),
    Page(path="/runs/{number}/asked.{ending}", show=send_request_report),
)
