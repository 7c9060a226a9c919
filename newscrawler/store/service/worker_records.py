"""Workers and their jobs as frozen records without SQL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from newscrawler.store.vocabularies import CrawlJobState


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerRecord:
    """A process of `newscrawler worker`."""

    id: int
    name: str
    host: str
    pid: int
    version: str
    #: Crawls for which it has memory, those under way included.
    places: int
    started_at: datetime
    heartbeat_at: datetime
    #: Its number in Procrastinate's table.
    engine_worker: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlJob:
    """A crawl that is dispatched to workers."""

    id: int
    portal: str
    label: str
    state: CrawlJobState
    #: Grows with each worker that takes it; what a worker writes of a job counts while the token is its own.
    token: int
    #: Name and number of the worker that has it; None: it waits.
    worker: str | None
    worker_id: int | None
    created_at: datetime
    started_at: datetime | None
    exit_code: int | None
    #: end, kill or empty.
    stop: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """What a worker learns when it gives a sign of life."""

    worker: WorkerRecord
    #: By job: why it is to end: lost (another worker has it, or it has ended), end or kill.
    stops: Mapping[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResult:
    """What a sweep has put right."""

    #: Jobs whose worker and run are silent; they wait again.
    put_back: tuple[str, ...] = ()
    #: Jobs whose run came to its end without their worker.
    ended: tuple[str, ...] = ()
    #: Jobs that waited without a message.
    sent_again: tuple[str, ...] = ()
    #: Messages that belong to no job that they could begin or are under way with.
    deleted: int = 0
