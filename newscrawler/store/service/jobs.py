"""Jobs of the service, scheduled or requested by people, and their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, insert, select, update

from newscrawler.store.database import StorePart, fill_record
from newscrawler.store.service.portals import newest_ids
from newscrawler.store.tables import JOB, PORTAL
from newscrawler.store.vocabularies import JobState

__all__ = ["Job", "JobKind", "JobState", "Jobs"]


class JobKind(StrEnum):
    """The kind of a job."""

    CRAWL = "crawl"
    #: The daily share of a portal's past.
    BACKFILL = "backfill"
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
    #: Send the digest of a day.
    DIGEST = "digest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One job of the service."""

    #: 0: not stored yet.
    id: int = 0
    kind: JobKind
    #: The name of a portal, an export or a release; a format; a tool.
    target: str
    #: Of a digest: its day. Of a crawl: the same for two crawls of one scheduled time; None: it was requested and has not begun.
    label: str | None = None
    state: JobState
    #: Empty: the schedule.
    asked_by: str = ""
    #: The scheduled time, or that of the request.
    planned_at: datetime
    #: It is not tried again before.
    due_at: datetime | None = None
    attempts: int = 0
    began_at: datetime | None = None
    ended_at: datetime | None = None
    #: The result, or why the latest attempt ended, as a sentence.
    message: str = ""
    #: Further parameters.
    parameters: Mapping[str, Any] = field(default_factory=dict)
    #: Articles done and in total; None: not counted.
    progress: int | None = None
    total: int | None = None
    #: The file or folder that it wrote; None: none.
    path: str | None = None
    #: Of an export: the newest article at that time.
    last_article_id: int | None = None

    @property
    def share(self) -> float | None:
        """Return the share that is done, 0 to 1; None: unknown."""
        return min(1.0, self.progress / self.total) if self.progress is not None and self.total else None

    @property
    def is_over(self) -> bool:
        """Return whether the job has ended for good."""
        return self.state not in {JobState.WAITING, JobState.RUNNING}


_COLUMNS = tuple(each.name for each in fields(Job) if each.name != "id")
_WAITING, _OPEN = JOB.c.state == JobState.WAITING, JOB.c.state.in_((JobState.WAITING, JobState.RUNNING))
_SCHEDULED = JOB.c.asked_by == ""
_SCHEDULED_CRAWL = (JOB.c.kind == JobKind.CRAWL) & _SCHEDULED
_NEWEST_FIRST = (JOB.c.planned_at.desc(), JOB.c.id.desc())


class Jobs(StorePart):
    """All jobs."""

    def __init__(self, engine: Engine, *, check_place: Callable[[Connection], None]) -> None:
        """Take what it needs; `check_place` raises where a planner that writes is no longer the planner."""
        super().__init__(engine)
        self._check_place = check_place

    def ask(
        self, kind: JobKind, target: str, *, now: datetime, who: str = "", parameters: Mapping[str, Any] | None = None,
        due_at: datetime | None = None,
    ) -> Job:  # fmt: skip
        """Add a job, or return the same one if it waits, or was requested and is under way; `who`: empty: the schedule."""
        same = (JOB.c.kind == kind) & (JOB.c.target == target) & (_OPEN & ~_SCHEDULED if who else _WAITING & _SCHEDULED)
        wanted = Job(
            kind=kind, target=target, state=JobState.WAITING, asked_by=who, planned_at=now, due_at=due_at,
            parameters=dict(parameters or {}),
        )  # fmt: skip
        with self._writing() as connection:
            self._check_place(connection)
            known = [_make_job(row) for row in connection.execute(select(JOB).where(same))]
            return next((job for job in known if job.parameters == wanted.parameters), None) or _insert(connection, wanted)

    def put(self, job: Job) -> Job:
        """Add or change a job; return it with its number.

        Raises:
            LeaseLostError: another process has become the planner.
        """
        with self._writing() as connection:
            self._check_place(connection)
            if not job.id:
                return _insert(connection, job)
            connection.execute(update(JOB).where(JOB.c.id == job.id).values(_list_values(job)))
        return job

    def advance(self, job_id: int, progress: int, total: int | None) -> None:
        """Store the progress of a job."""
        with self._writing() as connection:
            connection.execute(update(JOB).where(JOB.c.id == job_id).values(progress=progress, total=total))

    def get(self, job_id: int) -> Job | None:
        """Return the job of this number, if there is one."""
        return next(iter(self._select(select(JOB).where(JOB.c.id == job_id))), None)

    def find(self, kind: JobKind, target: str, label: str) -> Job | None:
        """Return a job by its label, if there is one."""
        mine = (JOB.c.kind == kind) & (JOB.c.target == target) & (JOB.c.label == label)
        return next(iter(self._select(select(JOB).where(mine))), None)

    def waiting(self) -> list[Job]:
        """Return the jobs that wait, oldest first, without the scheduled crawls, which the schedule knows."""
        return self._select(select(JOB).where(_WAITING & ~_SCHEDULED_CRAWL).order_by(JOB.c.id))

    def running(self) -> list[Job]:
        """Return the jobs under way, including those of a dead service."""
        return self._select(select(JOB).where(JOB.c.state == JobState.RUNNING).order_by(JOB.c.id))

    def open(self) -> list[Job]:
        """Return the requested jobs that are not over, oldest first."""
        return self._select(select(JOB).where(_OPEN & ~_SCHEDULED).order_by(JOB.c.id))

    def latest(self, limit: int = 50) -> list[Job]:
        """Return requested jobs, newest first."""
        return self._select(select(JOB).where(JOB.c.asked_by != "").order_by(JOB.c.id.desc()).limit(limit))

    def last_export(self, name: str) -> Job | None:
        """Return the latest job that wrote a file of an export."""
        mine = (JOB.c.kind == JobKind.EXPORT) & (JOB.c.target == name) & JOB.c.last_article_id.is_not(None)
        return next(iter(self._select(select(JOB).where(mine).order_by(*_NEWEST_FIRST).limit(1))), None)

    def crawls(self, portals: Sequence[str] | None = None, limit: int = 5) -> dict[str, list[Job]]:
        """Return the latest scheduled crawls of portals, newest first, in one query; `portals`: None: of all."""
        found: dict[str, list[Job]] = {}
        with self._reading() as connection:
            of_portal = _SCHEDULED_CRAWL & (JOB.c.target == PORTAL.c.name)
            newest = newest_ids(connection, JOB, of_portal, _NEWEST_FIRST, portals, limit).subquery()
            for row in connection.execute(select(JOB).join(newest, newest.c.id == JOB.c.id).order_by(*_NEWEST_FIRST)):
                found.setdefault(row.target, []).append(_make_job(row))
        return found

    def _select(self, query: Select[Any]) -> list[Job]:
        return [_make_job(row) for row in self._read(query)]


def _insert(connection: Connection, job: Job) -> Job:
    return replace(job, id=connection.execute(insert(JOB).values(_list_values(job)).returning(JOB.c.id)).scalar_one())


def _list_values(job: Job) -> dict[str, Any]:
    return {name: getattr(job, name) for name in _COLUMNS} | {
        "message": job.message[:300],
        "parameters": dict(job.parameters) or None,
    }


def _make_job(row: Row[Any]) -> Job:
    return fill_record(Job, row, kind=JobKind(row.kind), state=JobState(row.state), parameters=row.parameters or {})
