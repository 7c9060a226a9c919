"""A worker: takes jobs as long as it has memory, watches their crawls, and gives signs of life for them.

It sweeps as well: each worker mends the state that others have left, so that none of them is needed for it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from newscrawler.config import ServiceSettings
from newscrawler.service.children import Child, Launcher
from newscrawler.service.free_memory import count_crawls_that_fit, measure_crawl_mib
from newscrawler.store import Store
from newscrawler.store.service import CrawlJob, WorkerRecord

logger = logging.getLogger(__name__)

#: A sign of life; jobs are lost after eight times as long.
BEAT = timedelta(seconds=5)
SWEEP = timedelta(seconds=5)
#: After an outage of the database all workers seem dead; none sweeps until the others have had this long to give a sign of life.
_AFTER_OUTAGE = timedelta(seconds=15)
#: Free memory is read so often.
_MEMORY = timedelta(seconds=5)


@dataclass(slots=True, kw_only=True)
class _Crawl:
    job: CrawlJob
    child: Child
    ends_at: datetime
    killed_at: datetime | None = None
    #: Why its end was requested.
    why: str = ""


def count_places(store: Store, crawls: Iterable[Child]) -> int:
    """Return for how many crawls this machine has memory, those under way included."""
    return count_crawls_that_fit([child.measure_private_mib() for child in crawls], measure_crawl_mib(store))


class Worker:
    """Carries out crawls; `check` again and again."""

    def __init__(
        self, *, store: Store, launcher: Launcher, limits: ServiceSettings, name: str, version: str,
        memory: Callable[[Store, Iterable[Child]], int] = count_places,
    ) -> None:  # fmt: skip
        self._store, self._dispatch = store, store.dispatch
        self._launcher = launcher
        self.limits = limits
        self._name = name
        self._version = version
        self._memory = memory
        self._record: WorkerRecord | None = None
        self._places = 0
        self._measured_at: datetime | None = None
        self._beat_at: datetime | None = None
        self._swept_at: datetime | None = None
        self._back_at: datetime | None = None
        self._stopping = False
        self.crawls: dict[int, _Crawl] = {}
        #: Killed, as others have their jobs: how they end is of no interest.
        self._lost: list[Child] = []

    @property
    def idle(self) -> bool:
        """Whether no crawl is under way."""
        return not self.crawls and not self._lost

    def check(self, now: datetime) -> None:
        """Do the work that is due.

        Raises:
            StoreError: the database cannot be used; crawls go on meanwhile.
        """
        self._watch(now)
        self._reap()
        self._measure_places(now)
        if self._is_due(self._beat_at, BEAT, now):
            self._give_sign(now)
        if self._is_due(self._swept_at, SWEEP, now) and (self._back_at is None or self._is_due(self._back_at, _AFTER_OUTAGE, now)):
            self._sweep()
            self._swept_at = now
        while not self._stopping and len(self.crawls) + len(self._lost) < self._places:
            if not self._take(now):
                return

    def stop(self, now: datetime) -> None:
        """Begin to end: give all jobs back, for other workers to go on with."""
        if self._stopping:
            return
        self._stopping = True
        for crawl in self.crawls.values():
            self._ask_to_end(crawl, now, "its worker ends")

    def kill(self) -> None:
        """End all crawls at once."""
        for child in self._list_children():
            child.kill()

    def leave(self) -> None:
        """Note the end of the worker."""
        if self._record is not None:
            self._dispatch.leave(self._record)

    # ------------------------------------------------------------------ signs of life

    def _measure_places(self, now: datetime) -> None:
        if self._is_due(self._measured_at, _MEMORY, now):
            room = max(self._memory(self._store, self._list_children()), 1)
            most = room if self.limits.at_once is None else self.limits.at_once
            self._places = 0 if self._stopping else min(room, most)
            self._measured_at = now

    def _give_sign(self, now: datetime) -> None:
        if self._record is None:
            self._record = self._dispatch.register(self._name, places=self._places, version=self._version)
            logger.info("worker started", extra={"facts": {"worker": self._name, "places": self._places}})
        held = {crawl.job.id: crawl.job.token for crawl in self.crawls.values()}
        beat = self._dispatch.beat(self._record, places=self._places, held=held)
        if self._beat_at is not None and now - self._beat_at > 3 * BEAT:  # the database was away, or this worker was stopped
            self._back_at = now
        self._record, self._beat_at = beat.worker, now
        for job_id, why in beat.stops.items():
            crawl = self.crawls[job_id]
            if why == "lost":
                logger.warning("crawl taken over by another worker", extra={"facts": {"portal": crawl.job.portal}})
                crawl.child.kill()
                self._lost.append(crawl.child)  # this worker may take the same job again before it is gone
                del self.crawls[job_id]
            elif why == "kill":
                crawl.child.kill()
            else:
                self._ask_to_end(crawl, now, "the planner asked for it")

    def _sweep(self) -> None:
        swept = self._dispatch.sweep()
        for portals, event in (
            (swept.put_back, "crawl of a dead worker put back in the queue"),
            (swept.ended, "crawl ended after its worker was lost"),
            (swept.sent_again, "message of a waiting crawl sent again"),
        ):
            for portal in portals:
                logger.warning(event, extra={"facts": {"portal": portal}})

    # ------------------------------------------------------------------ crawls

    def _take(self, now: datetime) -> bool:
        if self._record is None:
            return False
        job = self._dispatch.take(self._record)
        if job is None:
            return False
        try:
            child = self._launcher.start_crawl(job.portal, label=job.label, closes_at=now)
        except OSError as error:  # no process, no memory: another worker may have both
            logger.error("crawl cannot be started here: %s", error)  # noqa: TRY400  a sentence
            self._dispatch.give_back(job)
            self._places = len(self._list_children())
            return False
        ends_at = now + timedelta(hours=self.limits.max_hours)
        self.crawls[job.id] = _Crawl(job=job, child=child, ends_at=ends_at)
        facts = {"portal": job.portal, "turn": job.label, "pid": child.pid, "token": job.token}
        logger.info("crawl started", extra={"facts": facts})
        return True

    def _watch(self, now: datetime) -> None:
        for crawl in self.crawls.values():
            if crawl.killed_at is not None:
                if now >= crawl.killed_at:
                    crawl.child.kill()
            elif (memory := crawl.child.measure_memory_mib()) > self.limits.max_memory:
                self._ask_to_end(crawl, now, f"it took {memory} MiB of memory, {self.limits.max_memory} are allowed")
            elif now >= crawl.ends_at:
                self._ask_to_end(crawl, now, f"it had not come to an end after {self.limits.max_hours:.1f} hours")

    def _ask_to_end(self, crawl: _Crawl, now: datetime, why: str) -> None:
        if crawl.killed_at is None:
            crawl.why = why
            crawl.killed_at = now + timedelta(seconds=self.limits.grace_seconds)
            crawl.child.terminate()

    def _reap(self) -> None:
        for job_id, crawl in list(self.crawls.items()):
            code = crawl.child.exit_code()
            if code is None:
                continue
            self._note_end(crawl, code)  # if this fails, the crawl is looked at again
            del self.crawls[job_id]
        self._lost = [child for child in self._lost if child.exit_code() is None]

    def _list_children(self) -> list[Child]:
        return [*(crawl.child for crawl in self.crawls.values()), *self._lost]

    def _note_end(self, crawl: _Crawl, code: int) -> None:
        facts = {"portal": crawl.job.portal, "turn": crawl.job.label, "exit_code": code, "because": crawl.why}
        if self._stopping and code not in {0, 1}:
            self._dispatch.give_back(crawl.job)
            logger.info("crawl given back", extra={"facts": facts})
        elif self._dispatch.end(crawl.job, exit_code=code, detail=crawl.why):
            logger.info("crawl ended", extra={"facts": facts})
        else:
            logger.warning("ended a crawl that another worker has taken over", extra={"facts": facts})

    @staticmethod
    def _is_due(last: datetime | None, pause: timedelta, now: datetime) -> bool:
        return last is None or not timedelta(0) <= now - last < pause
