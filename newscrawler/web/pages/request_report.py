"""The report on a crawl's requests, for the operator of the portal: as a page, text and JSON."""

from __future__ import annotations

import json

from starlette.responses import PlainTextResponse, Response

from newscrawler.config import format_user_agent
from newscrawler.store.hosts import Transparency, report_transparency, write_letter
from newscrawler.web.pages.portal import name_of
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import whole_number
from newscrawler.web.requests.problems import missing
from newscrawler.web.requests.visit import Visit


def show(visit: Visit) -> Response:
    """Show the requests of a crawl."""
    return visit.page("asked.html", found=_found(visit), agent=_agent(visit), contact=visit.context.configuration.contact)


def as_text(visit: Visit) -> Response:
    """Return the report as text."""
    found = _found(visit)
    return _file(write_letter(found, _agent(visit), visit.context.configuration.contact), "text/plain", found, "txt")


def as_json(visit: Visit) -> Response:
    """Return the report as JSON."""
    found = _found(visit)
    record = found.as_dict() | {"user_agent": _agent(visit), "contact": visit.context.configuration.contact}
    return _file(json.dumps(record, ensure_ascii=False, indent=1), "application/json", found, "json")


def latest(visit: Visit) -> Response:
    """Redirect to the page of the latest crawl of a portal.

    Raises:
        Problem: it was not crawled yet.
    """
    run = next(iter(visit.store.runs.latest(name_of(visit), limit=1)), None)
    if run is None:
        raise missing(f"crawl of {name_of(visit)[:100]}")
    return visit.go(f"/runs/{run.id}/asked")


def _found(visit: Visit) -> Transparency:
    number = whole_number(visit.arguments["number"], "The number of a crawl")
    run = visit.store.runs.get(number)
    found = report_transparency(visit.store.engine, run.portal, run.id) if run else None
    if found is None:
        raise missing(f"crawl {number}")
    return found


def _agent(visit: Visit) -> str:
    return format_user_agent(visit.context.configuration.contact, visit.context.configuration.identity)


def _file(text: str, media_type: str, found: Transparency, ending: str) -> Response:
    headers = {"Content-Disposition": f'inline; filename="run-{found.run_id}-asked.{ending}"'}
    return PlainTextResponse(text, media_type=media_type, headers=headers)


PAGES = (
    Page(path="/portals/{name}/asked", show=latest),
    Page(path="/runs/{number}/asked", show=show),
    Page(path="/runs/{number}/asked.txt", show=as_text),
    Page(path="/runs/{number}/asked.json", show=as_json),
)
