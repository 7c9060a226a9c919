"""What is handed to the service: a job, if a service runs that would carry it out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from starlette.responses import Response

from newscrawler.store import Job, JobKind, Store
from newscrawler.web.requests.problems import Problem
from newscrawler.web.requests.visit import Visit


def hand_over(
    store: Store, kind: JobKind, target: str, *, who: str, now: datetime, parameters: Mapping[str, Any] | None = None
) -> Job:
    """Add a job, and note it in the audit log.

    Raises:
        Problem: no service runs.
    """
    service = store.service.service(now=now)
    if service is None or not service.alive:
        raise Problem(409, "No service runs, so nobody would carry it out. `newscrawler run` starts it.")
    job = store.jobs.ask(kind, target, who=who, now=now, parameters=parameters)
    store.audit.note(who=who, action=f"{kind} asked for", subject=target, detail=f"job {job.id}", now=now)
    return job


def ask(visit: Visit, kind: JobKind, target: str, parameters: Mapping[str, Any] | None = None) -> Response:
    """Hand a job to the service, and lead to the page of jobs.

    Raises:
        Problem: no service runs.
    """
    hand_over(visit.store, kind, target, who=visit.user.name, now=visit.now, parameters=parameters)
    return visit.go("/jobs")
