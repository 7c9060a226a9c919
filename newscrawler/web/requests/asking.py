"""Add jobs for the service, if one runs that can carry them out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from starlette.responses import Response

from newscrawler.store import Store
from newscrawler.store.service import Job, JobKind
from newscrawler.web.requests.problems import RequestProblem
from newscrawler.web.requests.visit import Visit


def add_job(
    store: Store, kind: JobKind, target: str, *, who: str, now: datetime, parameters: Mapping[str, Any] | None = None
) -> Job:
    """Add a job, and record it in the audit log.

    Raises:
        RequestProblem: no service runs.
    """
    service = store.service.service(now=now)
    if service is None or not service.alive:
        raise RequestProblem(409, "No service runs that could carry this out. Start it with `newscrawler run`.")
    job = store.jobs.ask(kind, target, who=who, now=now, parameters=parameters)
    store.audit.note(who=who, action=f"{kind} asked for", subject=target, detail=f"job {job.id}", now=now)
    return job


def request_job(visit: Visit, kind: JobKind, target: str, parameters: Mapping[str, Any] | None = None) -> Response:
    """Add a job for the service, and redirect to the page of jobs.

    Raises:
        RequestProblem: no service runs.
    """
    add_job(visit.store, kind, target, who=visit.user.name, now=visit.now, parameters=parameters)
    return visit.go("/jobs")
