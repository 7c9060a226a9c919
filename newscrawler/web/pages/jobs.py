"""The jobs of the service: their progress and results."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import FileResponse, Response

from newscrawler.store.service import JobKind
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.visit import Visit

_MOST_JOBS = 100
#: Jobs that write a file to download.
_WITH_FILE = (JobKind.COUNT, JobKind.SELECTION, JobKind.REEXTRACT, JobKind.DIFF)


def show_jobs(visit: Visit) -> Response:
    """List the jobs, newest first."""
    service = visit.store.service.service(now=visit.now)
    return visit.page("jobs.html", jobs=visit.store.jobs.latest(_MOST_JOBS), service=service, with_file=_WITH_FILE)


def download_job_file(visit: Visit) -> Response:
    """Return the file that a job wrote.

    Raises:
        RequestProblem: there is no such job, it wrote no file, or the file is gone.
    """
    number = parse_whole_number(str(visit.arguments["number"]), "number")
    job = visit.store.jobs.get(number)
    if job is None or job.kind not in _WITH_FILE or job.path is None or not Path(job.path).is_file():
        raise report_missing(f"file of job {number}")
    return FileResponse(job.path, media_type="application/octet-stream", filename=Path(job.path).name)


PAGES = (Page(path="/jobs", show=show_jobs), Page(path="/jobs/{number}/file", show=download_job_file))
