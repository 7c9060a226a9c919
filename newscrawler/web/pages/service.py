"""The service: how it is, what it exports, and what was released."""

from __future__ import annotations

from starlette.responses import Response

from newscrawler.store import JobKind, Role
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import Problem, missing
from newscrawler.web.requests.visit import Visit


def show(visit: Visit) -> Response:
    """Show the service."""
    configuration = visit.context.configuration
    return visit.page(
        "service.html",
        service=visit.store.service.service(now=visit.now),
        settings=configuration.service,
        lasting=len(visit.store.service.open_alerts()),
        exports=[(export, visit.store.service.last_export(export.name)) for export in configuration.exports],
        releases=visit.store.releases.all(),
    )


def export(visit: Visit) -> Response:
    """Ask the service to write an export now.

    Raises:
        Problem: there is no such export, or no service runs.
    """
    name = visit.form.text("export")
    if name not in {each.name for each in visit.context.configuration.exports}:
        raise missing(f"export {name}")
    service = visit.store.service.service(now=visit.now)
    if service is None or not service.alive:
        raise Problem(409, "No service runs, so nobody would write it. `newscrawler run` starts it.")
    job = visit.store.jobs.ask(JobKind.EXPORT, name, who=visit.user.name, now=visit.now)
    visit.note("export asked for", name, f"job {job.id}")
    return visit.go("/jobs")


PAGES = (Page(path="/service", show=show, change=export, change_role=Role.OPERATOR),)
