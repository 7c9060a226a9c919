"""What the service was asked to do, and what came of it."""

from __future__ import annotations

from starlette.responses import Response

from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.visit import Visit

_SHOWN = 100


def show(visit: Visit) -> Response:
    """List the jobs, newest first."""
    service = visit.store.service.service(now=visit.now)
    return visit.page("jobs.html", jobs=visit.store.jobs.latest(_SHOWN), service=service)


PAGES = (Page(path="/jobs", show=show),)
