"""A worker: Procrastinate's own, whose jobs are crawls in child processes, on our connections to the database.

It takes jobs as long as there is memory for them. With each sign of life it sweeps as well: each worker mends the state that
others have left, so that none of them is needed for it. While the database is away, crawls go on, and all else waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision
from procrastinate.job_context import AbortReason
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

from newscrawler.config import ServiceSettings
from newscrawler.errors import StoreError
from newscrawler.service.children import FAULT, Child, Launcher
from newscrawler.service.free_memory import count_crawls_that_fit, measure_crawl_mib
from newscrawler.service.jobs import OWN_END
from newscrawler.store import Store
from newscrawler.store.service import QUEUE, TASK, WorkerRecord

_T = TypeVar("_T")
logger = logging.getLogger(__name__)

#: A sign of life, and a sweep; jobs are lost after eight times as long.
BEAT_SECONDS = 5.0
#: Jobs and children are looked at so often.
LOOK_SECONDS = 1.0
#: After an outage of the database all workers seem dead; none sweeps until the others have had this long to give a sign of life.
_AFTER_OUTAGE_SECONDS = 15.0
#: Free memory is read so often.
_MEMORY_SECONDS = 5.0
#: Procrastinate's own limit of jobs; ours is the memory.
_MOST = 1000


@dataclass(slots=True, kw_only=True)
class _Crawl:
    job_id: int
    token: int
    portal: str
    #: None: it is about to be started.
    child: Child | None = None
    exit_code: int | None = None


class _GivenBackError(Exception):
    """Another worker is to go on with the job."""


class _PutBack(BaseRetryStrategy):
    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:  # noqa: ARG002
        return RetryDecision() if isinstance(exception, _GivenBackError) else None


def count_places(store: Store, crawls: Iterable[Child]) -> int:
    """Return for how many crawls this machine has memory, those under way included."""
    return count_crawls_that_fit([child.measure_private_mib() for child in crawls], measure_crawl_mib(store))


class Worker:
    """Carries out crawls; `run` until it is cancelled, upon which it gives all jobs back, for other workers to go on with."""

    def __init__(
        self, *, store: Store, launcher: Launcher, limits: ServiceSettings, name: str, version: str,
        memory: Callable[[Store, Iterable[Child]], int] = count_places,
    ) -> None:  # fmt: skip
        self.store = store
        self._launcher = launcher
        self.limits = limits
        self.name = name
        self.version = version
        self._memory = memory
        self._places = 0
        self._measured_at: float | None = None
        #: Under way, or not yet noted as ended.
        self.crawls: list[_Crawl] = []

    async def run(self) -> None:
        """Take jobs and carry them out."""
        app = App(connector=PsycopgConnector())  # which is never opened
        app.job_manager = _Jobs(self, app)
        app.task(name=TASK, pass_context=True, retry=_PutBack())(self._crawl)
        await app.run_worker_async(
            queues=[QUEUE], name=self.name, concurrency=_MOST, install_signal_handlers=False, listen_notify=False,
            fetch_job_polling_interval=LOOK_SECONDS, abort_job_polling_interval=BEAT_SECONDS,
            update_heartbeat_interval=BEAT_SECONDS, shutdown_graceful_timeout=0,
        )  # fmt: skip

    def kill(self) -> None:
        """End all crawls at once."""
        for child in self._list_children():
            child.kill()

    def count_places(self) -> int:
        """Return for how many crawls there is memory, or was some seconds ago."""
        now = _read_time()
        if self._measured_at is None or now - self._measured_at >= _MEMORY_SECONDS:
            room = max(self._memory(self.store, self._list_children()), 1)
            self._places = room if self.limits.at_once is None else min(room, self.limits.at_once)
            self._measured_at = now
        return self._places

    def find_crawl(self, job: Job) -> _Crawl:
        """Return the crawl of a job; of two attempts at one, the one that is meant."""
        return next(crawl for crawl in self.crawls if (crawl.job_id, crawl.token) == (job.id, job.attempts))

    def _list_children(self) -> list[Child]:
        return [crawl.child for crawl in self.crawls if crawl.child is not None]

    async def _crawl(self, context: JobContext, *, portal: str, label: str) -> None:
        """Carry out a crawl to its end.

        Raises:
            _GivenBackError: another worker is to go on with it.
        """
        crawl = self.find_crawl(context.job)
        try:
            child = crawl.child = self._launcher.start_crawl(portal, label=label, closes_at=datetime.now(UTC))
        except OSError as error:  # no process, no memory: another worker may have both
            logger.error("crawl cannot be started here: %s", error)  # noqa: TRY400  a sentence
            self._places = len(self._list_children())
            raise _GivenBackError from error
        facts: dict[str, Any] = {"portal": portal, "turn": label}
        logger.info("crawl started", extra={"facts": facts | {"pid": child.pid, "token": crawl.token}})
        crawl.exit_code, why = await self._follow(child)
        logger.info("crawl ended", extra={"facts": facts | {"exit_code": crawl.exit_code, "because": why}})
        if context.abort_reason() is AbortReason.SHUTDOWN and crawl.exit_code not in OWN_END:
            raise _GivenBackError

    async def _follow(self, child: Child) -> tuple[int, str]:
        """Wait until a crawl has ended; end it where it must; return its exit code, and why it was ended."""
        ends_at, killed_at, why = _read_time() + 3600 * self.limits.max_hours, None, ""
        while (code := child.exit_code()) is None:
            if killed_at is not None:
                if _read_time() >= killed_at:
                    child.kill()
            elif (memory := child.measure_memory_mib()) > self.limits.max_memory:
                why = f"it took {memory} MiB of memory, {self.limits.max_memory} are allowed"
            elif _read_time() >= ends_at:
                why = f"it had not come to an end after {self.limits.max_hours:.1f} hours"
            if why and killed_at is None:
                killed_at = _read_time() + self.limits.grace_seconds
                child.terminate()
            try:
                await asyncio.sleep(LOOK_SECONDS)
            except asyncio.CancelledError:  # by Procrastinate: it is asked to abort the job, or ends
                why = why or "its worker ends, or the planner asked for it"
        return code, why


class _Jobs(JobManager):
    """What Procrastinate's worker does in the database; none of it fails while that is away."""

    def __init__(self, worker: Worker, app: App) -> None:
        super().__init__(app.connector)
        self._worker = worker
        self._dispatch = worker.store.dispatch
        self._record: WorkerRecord | None = None
        self._beat_at = self._back_at = float("-inf")
        self._is_away = False

    async def prune_stalled_workers(self, seconds_since_heartbeat: float) -> list[int]:  # noqa: ARG002
        """Leave that to the sweep, which first puts back their jobs."""
        return []

    async def register_worker(self) -> int:
        """Enter the worker."""
        worker = self._worker
        self._record = await self._insist(
            lambda: self._dispatch.register(worker.name, places=worker.count_places(), version=worker.version)
        )
        self._beat_at = _read_time()
        logger.info("worker started", extra={"facts": {"worker": worker.name, "places": worker.count_places()}})
        return self._record.id

    async def unregister_worker(self, worker_id: int) -> None:  # noqa: ARG002
        """Note the end of the worker."""
        record = self._record
        if record is not None:
            self._try(lambda: self._dispatch.leave(record))

    async def update_heartbeat(self, worker_id: int) -> None:  # noqa: ARG002
        """Give a sign of life, end the crawls whose jobs others have, and sweep."""
        self._try(self._give_sign)

    def _give_sign(self) -> None:
        assert self._record is not None
        worker, now = self._worker, _read_time()
        held = {crawl.job_id: crawl.token for crawl in worker.crawls}
        lost = self._dispatch.beat(self._record, places=worker.count_places(), held=held)
        if now - self._beat_at > 3 * BEAT_SECONDS:  # the database was away, or this worker was stopped
            self._back_at = now
        self._beat_at = now
        for crawl in worker.crawls:
            if crawl.job_id in lost and held[crawl.job_id] == crawl.token and crawl.child is not None:
                logger.warning("crawl taken over by another worker", extra={"facts": {"portal": crawl.portal}})
                crawl.child.kill()
        if now - self._back_at < _AFTER_OUTAGE_SECONDS:
            return
        swept = self._dispatch.sweep(self._record, held)
        for portals, event in (
            (swept.put_back, "crawl of a dead worker put back in the queue"),
            (swept.ended, "crawl ended after its worker was lost"),
        ):
            for portal in portals:
                logger.warning(event, extra={"facts": {"portal": portal}})

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:  # noqa: ARG002
        """Take the next job, if there is memory for it."""
        return self._try(self._take)

    def _take(self) -> Job | None:
        assert self._record is not None
        if _read_time() - self._beat_at > 3 * BEAT_SECONDS:  # its next sign of life says first which crawls it has lost
            return None
        if len(self._worker.crawls) >= self._worker.count_places() or (taken := self._dispatch.take(self._record)) is None:
            return None
        self._worker.crawls.append(_Crawl(job_id=taken.id, token=taken.token, portal=taken.portal))
        arguments: dict[str, Any] = {"portal": taken.portal, "label": taken.label}
        return Job(
            id=taken.id, queue=QUEUE, lock=None, queueing_lock=None, task_name=TASK, task_kwargs=arguments, attempts=taken.token
        )

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:  # noqa: ARG002, FBT001
        """Note how a crawl has ended."""
        crawl = self._worker.find_crawl(job)
        code = FAULT if crawl.exit_code is None else crawl.exit_code
        ended = "succeeded" if code in OWN_END else "failed"
        await self._note(crawl, lambda: self._dispatch.end(crawl.job_id, crawl.token, status=ended, exit_code=code))

    async def retry_job(self, job: Job, **_: Any) -> None:  # type: ignore[override]
        """Give a job back."""
        crawl = self._worker.find_crawl(job)
        await self._note(crawl, lambda: self._dispatch.give_back(crawl.job_id, crawl.token))

    async def list_jobs_to_abort_async(self, queue: str | None = None) -> list[int]:  # noqa: ARG002
        """Return the jobs that the planner asks to end."""
        return self._try(self._dispatch.list_stops) or []

    async def _note(self, crawl: _Crawl, write: Callable[[], bool]) -> None:
        if not await self._insist(write):
            logger.warning("ended a crawl that another worker has taken over", extra={"facts": {"portal": crawl.portal}})
        self._worker.crawls.remove(crawl)

    def _try(self, call: Callable[[], _T]) -> _T | None:
        """Return what it returns; None: the database is away."""
        try:
            found = call()
        except StoreError as error:
            if not self._is_away:
                logger.error("%s; crawls go on as far as they can, and the worker waits", error)  # noqa: TRY400
            self._is_away = True
            return None
        if self._is_away:
            logger.info("database reachable again")
        self._is_away = False
        return found

    async def _insist(self, call: Callable[[], _T]) -> _T:
        """Return what it returns, once the database is there."""
        while (found := self._try(call)) is None:  # noqa: ASYNC110  nothing tells when a database is back
            await asyncio.sleep(BEAT_SECONDS)
        return found


def _read_time() -> float:
    return asyncio.get_running_loop().time()
