"""The report on a crawl's requests, for the operator of the portal: as a page, text and JSON."""

from __future__ import annotations

import json

from starlette.responses import PlainTextResponse, Response

from newscrawler.config import format_user_agent
from newscrawler.store.hosts import Transparency, report_transparency, write_letter
from newscrawler.web.pages.portal import get_portal_name
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.visit import Visit


def show_request_report(visit: Visit) -> Response:
    """Show the requests of a crawl."""
    return visit.page(
        "asked.html", found=_find_report(visit), agent=_get_user_agent(visit), contact=visit.context.configuration.contact
    )


def send_report_as_text(visit: Visit) -> Response:
    """Return the report as text."""
    found = _find_report(visit)
    return _send_report(
        write_letter(found, _get_user_agent(visit), visit.context.configuration.contact), "text/plain", found, "txt"
    )


def send_report_as_json(visit: Visit) -> Response:
    """Return the report as JSON."""
    found = _find_report(visit)
    record = found.as_dict() | {"user_agent": _get_user_agent(visit), "contact": visit.context.configuration.contact}
    return _send_report(json.dumps(record, ensure_ascii=False, indent=1), "application/json", found, "json")


def redirect_to_latest_report(visit: Visit) -> Response:
    """Redirect to the page of the latest crawl of a portal.

    Raises:
        RequestProblem: it was not crawled yet.
    """
    run = next(iter(visit.store.runs.latest(get_portal_name(visit), limit=1)), None)
    if run is None:
        raise report_missing(f"crawl of {get_portal_name(visit)[:100]}")
    return visit.go(f"/runs/{run.id}/asked")


def _find_report(visit: Visit) -> Transparency:
    number = parse_whole_number(visit.arguments["number"], "The number of a crawl")
    run = visit.store.runs.get(number)
    found = report_transparency(visit.store.engine, run.portal, run.id) if run else None
    if found is None:
        raise report_missing(f"crawl {number}")
    return found


def _get_user_agent(visit: Visit) -> str:
    return format_user_agent(visit.context.configuration.contact, visit.context.configuration.identity)


def _send_report(text: str, media_type: str, found: Transparency, ending: str) -> Response:
    headers = {"Content-Disposition": f'inline; filename="run-{found.run_id}-asked.{ending}"'}
    return PlainTextResponse(text, media_type=media_type, headers=headers)


PAGES = (
    Page(path="/portals/{name}/asked", show=redirect_to_latest_report),
    Page(path="/runs/{number}/asked", show=show_request_report),
    Page(path="/runs/{number}/asked.txt", show=send_report_as_text),
    Page(path="/runs/{number}/asked.json", show=send_report_as_json),
)
