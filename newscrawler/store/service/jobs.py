"""Jobs that people give the service, and their results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Engine, Row, insert, select, update

from newscrawler.store.database import fill_record, translated
from newscrawler.store.tables import JOB


class JobKind(StrEnum):
    """The kind of a job."""

    CRAWL = "crawl"
    STOP = "stop"
    EXPORT = "export"
    #: Write the articles of a selection.
    SELECTION = "selection"
    RELEASE = "release"
    #: Read the kept pages of a portal again.
    REEXTRACT = "reextract"
    #: Check the files of a release against its manifest.
    VERIFY = "verify"
    #: List the articles by which two releases differ.
    DIFF = "diff"
    #: Count an analysis in all articles of its selection.
    COUNT = "count"


class JobState(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


_OPEN = (str(JobState.WAITING), str(JobState.RUNNING))


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One job of the service."""

    id: int
    kind: JobKind
    #: The name of a portal, an export or a release; a format; a tool.
    target: str
    state: JobState
    asked_by: str
    asked_at: datetime
    began_at: datetime | None
    ended_at: datetime | None
    #: The result, as a sentence.
    message: str
    #: Further parameters.
    parameters: Mapping[str, Any]
    #: Articles done and in total; None: not counted.
    progress: int | None
    total: int | None
    #: The file or folder that it wrote; None: none.
    path: str | None

    @property
    def share(self) -> float | None:
        """Return the share that is done, 0 to 1; None: unknown."""
        return min(1.0, self.progress / self.total) if self.progress is not None and self.total else None


class Jobs:
    """All jobs."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def ask(self, kind: JobKind, target: str, *, who: str, now: datetime, parameters: Mapping[str, Any] | None = None) -> Job:
        """Add a job, or return an open job with the same parameters."""
        same = (JOB.c.kind == str(kind)) & (JOB.c.target == target) & JOB.c.state.in_(_OPEN)
        values = {
            "kind": str(kind),
            "target": target,
            "state": str(JobState.WAITING),
            "asked_by": who,
            "asked_at": now,
            "message": "",
            "parameters": dict(parameters or {}),
        }
        with translated(self._engine), self._engine.begin() as connection:
            asked = (row for row in connection.execute(select(JOB).where(same)) if (row.parameters or {}) == values["parameters"])
            return _make_job(next(asked, None) or connection.execute(insert(JOB).values(values).returning(*JOB.c)).one())

    def get(self, job_id: int) -> Job | None:
        """Return the job of this number, if there is one."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            row = connection.execute(select(JOB).where(JOB.c.id == job_id)).first()
        return _make_job(row) if row else None

    def open(self) -> list[Job]:
        """Return the jobs that are not ended, oldest first."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [_make_job(row) for row in connection.execute(select(JOB).where(JOB.c.state.in_(_OPEN)).order_by(JOB.c.id))]

    def latest(self, limit: int = 50) -> list[Job]:
        """Return jobs, newest first."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [_make_job(row) for row in connection.execute(select(JOB).order_by(JOB.c.id.desc()).limit(limit))]

    def begin(self, job_id: int, *, now: datetime) -> None:
        """Mark a job as running."""
        self._update(job_id, {"state": str(JobState.RUNNING), "began_at": now})

    def advance(self, job_id: int, progress: int, total: int | None) -> None:
        """Store the progress of a job."""
        self._update(job_id, {"progress": progress, "total": total})

    def end(self, job_id: int, state: JobState, message: str, *, now: datetime, path: str | None = None) -> None:
        """Store the result of a job and the path that it wrote."""
        self._update(job_id, {"state": str(state), "ended_at": now, "message": message[:300], "path": path})

    def _update(self, job_id: int, values: dict[str, Any]) -> None:
        with translated(self._engine), self._engine.begin() as connection:
            connection.execute(update(JOB).where(JOB.c.id == job_id).values(values))


def _make_job(row: Row[Any]) -> Job:
    return fill_record(Job, row, kind=JobKind(row.kind), state=JobState(row.state), parameters=row.parameters or {})
