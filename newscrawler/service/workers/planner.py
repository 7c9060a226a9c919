"""The planner: one of all workers, elected, which is the service of the cluster.

Its place is a lease in the table `service`, on the database's clock. One that was silent for too long has lost it, and each
transaction that it writes checks that first. Dispatched crawls go on without it, and the next planner follows them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from newscrawler.config import Configuration
from newscrawler.errors import ConfigError, LeaseLostError, StoreError
from newscrawler.service.children import Child, Launcher
from newscrawler.service.jobs import OWN_END
from newscrawler.service.supervisor import Supervisor
from newscrawler.store import Store
from newscrawler.store.service import CrawlJob

logger = logging.getLogger(__name__)

#: A planner that was silent for so long is replaced.
SILENCE = timedelta(seconds=40)
#: Others look so often whether its place is free, and it gives a sign of life so often.
PAUSE = timedelta(seconds=5)
#: Jobs are read together, so often at most.
_FRESH = timedelta(seconds=1)
_EPOCH = datetime(2020, 1, 1, tzinfo=UTC)


class Planner:
    """Stands for election, and plans while it is elected; `check` again and again.

    Attributes:
        problem: of the configuration; empty: none.
    """

    def __init__(self, store: Store, *, supervise: Callable[[Store, datetime], Supervisor], configuration: Configuration) -> None:
        self._store = store
        self._supervise = supervise
        self._configuration = configuration
        self._is_new = False
        self._tried_at: datetime | None = None
        self._beat_at: datetime | None = None
        self.supervisor: Supervisor | None = None
        self.problem = ""

    @property
    def is_elected(self) -> bool:
        """Whether this process plans."""
        return self.supervisor is not None

    def configure(self, configuration: Configuration) -> None:
        """Take in a configuration at the next look."""
        self._configuration, self._is_new, self.problem = configuration, True, ""

    def check(self, now: datetime) -> datetime:
        """Stand for election, or plan; return when there is something to do again."""
        try:
            if self.supervisor is None and not self._stand_for_election(now):
                return now + PAUSE
            assert self.supervisor is not None
            if self._is_new:
                self._configure(self.supervisor, now)
            if self.problem:
                self.supervisor.problem = self.problem
            self.give_sign(now)
            return self.supervisor.check(now)
        except LeaseLostError as error:
            logger.warning("%s", error)
            self._give_up_place()
            return now + PAUSE

    def _configure(self, supervisor: Supervisor, now: datetime) -> None:
        """Take in the new configuration; where its port cannot be had, say so, and let the one before stay in force."""
        try:
            supervisor.configure(self._configuration, now)
        except ConfigError as error:
            self.problem = f"the configuration is refused, the one before stays in force: {error}"
            logger.error("%s", self.problem)  # noqa: TRY400  our errors are sentences
        self._is_new = False  # not before: it is taken in at the next look if the database is away now

    def give_sign(self, now: datetime) -> None:
        """Give a sign of life, if it is time; also while a look takes long."""
        if self.supervisor is not None and (self._beat_at is None or not timedelta(0) <= now - self._beat_at < PAUSE):
            self._store.service.keep_place()
            self._beat_at = now

    def leave(self, now: datetime) -> None:
        """Leave the place to the next planner; dispatched crawls go on."""
        if self.supervisor is not None:
            self.supervisor.jobs.kill(crawls=False)
            self.supervisor.leave(now)
            self.supervisor = None

    def _stand_for_election(self, now: datetime) -> bool:
        if self._tried_at is not None and -SILENCE <= now - self._tried_at < PAUSE:
            return False
        self._tried_at = now
        if not self._store.service.elect(silence=SILENCE):
            return False
        logger.info("elected as planner", extra={"facts": {"portals": len(self._configuration.crawled)}})
        supervisor = self._supervise(self._store, now)
        try:
            supervisor.take_over(self._configuration, now)
        except ConfigError as error:  # a port that another program of this machine has: another worker may plan
            logger.error("this worker cannot be the planner: %s", error)  # noqa: TRY400  our errors are sentences
            supervisor.leave(now)
            self._tried_at = now + SILENCE
            return False
        except StoreError:
            supervisor.close()  # its port, which the next one needs
            raise
        self.supervisor, self._is_new = supervisor, False
        return True

    def _give_up_place(self) -> None:
        if self.supervisor is not None:
            self.supervisor.jobs.kill(crawls=False)
            self.supervisor.close()
        self.supervisor = None


class DispatchedCrawl(Child):
    """A crawl that a worker carries out, or will; the worker watches its memory."""

    def __init__(self, job_id: int, *, find: Callable[[int], CrawlJob | None], ask_stop: Callable[[int], None]) -> None:
        super().__init__(pid=0)
        self._job_id = job_id
        self._find = find
        self._ask_stop = ask_stop

    def exit_code(self) -> int | None:
        """Return how it ended; None: it waits or is under way."""
        job = self._find(self._job_id)
        if job is None:  # deleted from the database
            return 130
        return job.exit_code

    def measure_memory_mib(self) -> int:
        """Return 0: it takes none here."""
        return 0

    measure_private_mib = measure_memory_mib

    def terminate(self) -> None:
        """Ask its worker to end it, which kills it where it does not."""
        self._ask_stop(self._job_id)

    kill = terminate


class DispatchLauncher(Launcher):
    """Dispatches crawls to workers; other jobs run on the planner's machine."""

    def __init__(self, store: Store, local: Launcher, *, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._local = local
        self._clock = clock
        self._known: dict[int, CrawlJob] = {}
        self._followed: set[int] = set()
        self._read_at: datetime | None = None

    def start_crawl(self, portal: str, *, label: str, closes_at: datetime) -> DispatchedCrawl:
        """Dispatch a crawl; of two that wait, the one whose time ends sooner is taken first."""
        priority = -int((closes_at - _EPOCH).total_seconds() // 60)
        return self._follow(self._store.dispatch.defer(portal, label=label, priority=priority))

    def adopt(self, portal: str, label: str) -> DispatchedCrawl | None:
        """Return the crawl that an earlier planner dispatched; None: it did not come to that.

        A job that has failed may be of an earlier attempt, whose failure is counted.
        """
        job = self._store.dispatch.latest(portal, label)
        return self._follow(job) if job is not None and job.exit_code in {None, *OWN_END} else None

    def withdraw(self, portal: str) -> bool:
        """Take back a crawl that no worker has begun; return whether there was one."""
        return self._store.dispatch.withdraw(portal)

    def count_places(self) -> int:
        """Return the places of the workers that are alive."""
        return self._store.dispatch.places()

    def start_job(self, number: int) -> Child:
        """Carry out a requested job."""
        return self._local.start_job(number)

    def _find_job(self, job_id: int) -> CrawlJob | None:
        """Return a job as it was a second ago at most; None: there is none."""
        now = self._clock()
        if self._read_at is None or not timedelta(0) <= now - self._read_at < _FRESH:
            self._known = self._store.dispatch.jobs(self._followed)
            self._read_at = now
        job = self._known.get(job_id)
        if job is None or job.exit_code is not None:
            self._followed.discard(job_id)
        return job

    def _follow(self, job: CrawlJob) -> DispatchedCrawl:
        self._followed.add(job.id)
        self._known[job.id] = job
        return DispatchedCrawl(job.id, find=self._find_job, ask_stop=self._store.dispatch.ask_stop)
