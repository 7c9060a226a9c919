"""Records of the service and of its workers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from newscrawler.store.vocabularies import CrawlJobState


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRecord:
    """A problem from its beginning to its end, with the channels that delivered either."""

    id: int
    portal: str
    problem: str
    sentence: str
    began_at: datetime
    #: None: it lasts.
    over_at: datetime | None = None
    delivered: frozenset[str] = frozenset()
    delivered_over: frozenset[str] = frozenset()
    #: When a person acknowledged it; None: not yet.
    acknowledged_at: datetime | None = None
    acknowledged_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRecord:
    """The process of the service, running or last."""

    host: str
    pid: int
    started_at: datetime
    beat_at: datetime
    ended_at: datetime | None
    problem: str
    #: Whether it still runs, as far as visible from here.
    alive: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerRecord:
    """A process of `newscrawler worker`."""

    #: As in Procrastinate's table.
    id: int
    name: str
    host: str
    pid: int
    version: str
    #: Crawls for which it has memory, those under way included.
    places: int
    started_at: datetime
    heartbeat_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlJob:
    """A crawl that is dispatched to workers: a job of Procrastinate's."""

    id: int
    portal: str
    label: str
    state: CrawlJobState
    #: Fencing token: it grows whenever the job is put back, and what a worker writes of a job counts while the token is its own.
    token: int
    #: Name and number of the worker that has it; None: it waits.
    worker: str | None
    worker_id: int | None
    #: None: it is open.
    exit_code: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResult:
    """Portals whose jobs a sweep has put right."""

    #: Their worker and run are silent; they wait again.
    put_back: tuple[str, ...] = ()
    #: Their run came to its end without their worker.
    ended: tuple[str, ...] = ()
