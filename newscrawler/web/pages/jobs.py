"""The jobs of the service: their progress and results."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import FileResponse, Response

from newscrawler.store.service import JobKind
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import whole_number
from newscrawler.web.requests.problems import missing
from newscrawler.web.requests.visit import Visit

_SHOWN = 100
#: Jobs that write a file to download.
_WITH_FILE = (JobKind.COUNT, JobKind.SELECTION, JobKind.REEXTRACT, JobKind.DIFF)


def show(visit: Visit) -> Response:
    """List the jobs, newest first."""
    service = visit.store.service.service(now=visit.now)
    return visit.page("jobs.html", jobs=visit.store.jobs.latest(_SHOWN), service=service, with_file=_WITH_FILE)


def download(visit: Visit) -> Response:
    """Return the file that a job wrote.

    Raises:
        Problem: there is no such job, it wrote no file, or the file is gone.
    """
    number = whole_number(str(visit.arguments["number"]), "number")
    job = visit.store.jobs.get(number)
    if job is None or job.kind not in _WITH_FILE or job.path is None or not Path(job.path).is_file():
        raise missing(f"file of job {number}")
    return FileResponse(job.path, media_type="application/octet-stream", filename=Path(job.path).name)


PAGES = (Page(path="/jobs", show=show), Page(path="/jobs/{number}/file", show=download))
