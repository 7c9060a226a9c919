"""The service: its state and its exports."""

from __future__ import annotations

from starlette.responses import Response

from newscrawler.store.service import JobKind
from newscrawler.store.web import Role
from newscrawler.web.requests.asking import request_job
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.visit import Visit


def show_service(visit: Visit) -> Response:
    """Show the service."""
    configuration = visit.context.configuration
    return visit.page(
        "service.html",
        service=visit.store.service.service(now=visit.now),
        settings=configuration.service,
        lasting=len(visit.store.service.open_alerts()),
        exports=[(export, visit.store.service.last_export(export.name)) for export in configuration.exports],
    )


def write_export(visit: Visit) -> Response:
    """Ask the service to write an export now.

    Raises:
        RequestProblem: there is no such export, or no service runs.
    """
    name = visit.form.text("export")
    if name not in {each.name for each in visit.context.configuration.exports}:
        raise report_missing(f"export {name}")
    return request_job(visit, JobKind.EXPORT, name)


PAGES = (Page(path="/service", show=show_service, change=write_export, change_role=Role.OPERATOR),)
