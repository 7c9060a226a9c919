"""Carries out requests of the web application while no service runs: crawls, counts, exports, releases; and their alerts."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from newscrawler.config import Configuration, read_text
from newscrawler.errors import NewscrawlerError
from newscrawler.service.children import ProcessLauncher
from newscrawler.service.digest import PortalState
from newscrawler.service.jobs import JobRunner
from newscrawler.service.notifications import Delivery, create_notifiers
from newscrawler.service.overview import assess_job
from newscrawler.store import Store
from newscrawler.store.archive import lock
from newscrawler.store.service import JobState

logger = logging.getLogger(__name__)

_PAUSE_SECONDS = 1.0
#: How long children may take to end with the server.
_LONGEST_END_SECONDS = 20.0


class RequestedJobs:
    """A thread that starts requested jobs in child processes. It schedules nothing, and leaves all to a service that runs."""

    def __init__(self, store: Store, read: Callable[[], Configuration]) -> None:
        """Store the database, and the function that returns the current configuration."""
        self._store = store
        self._read = read
        self._ended = threading.Event()

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Carry out jobs inside a `with` block; crawls under way are ended with it, and keep all that they stored."""
        thread = threading.Thread(target=self._run, name="web-jobs")
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()

    def _run(self) -> None:
        """Carry out jobs unless another web application of this folder does; follow it when it ends."""
        folder = self._read().data_folder
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError):  # a folder that cannot be written has no lock
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                file = stack.enter_context((folder / "web.lock").open("ab"))
                while not lock(file):
                    if self._ended.wait(_PAUSE_SECONDS):
                        return
            self._carry_out()

    def _carry_out(self) -> None:
        configuration, path = self._read(), self._read().path or Path()
        launcher = ProcessLauncher(
            text="", path=path, database_url=configuration.database_url, max_memory=configuration.service.max_memory, log="text",
            fork=lambda _task: None,
        )  # fmt: skip
        jobs, known = JobRunner(self._store, launcher, schedules=False), None
        executor = ThreadPoolExecutor(1, "web-notifications")
        delivery, portals = Delivery(self._store, executor), dict[str, PortalState]()
        with self._log_failures():
            self._close_left_jobs()
        while not self._ended.wait(_PAUSE_SECONDS):
            with self._log_failures():
                now, configuration = datetime.now(UTC), self._read()
                for job in jobs.reap(now):
                    if job.is_over and assess_job(self._store, job, portals, now=now):
                        delivery.announce()
                service = self._store.service.service(now=now)
                if service is not None and service.alive:
                    continue
                if configuration is not known and configuration.path is not None:
                    launcher.text, known = read_text(configuration.path), configuration
                    jobs.configure(configuration, now=now)
                    delivery.configure(create_notifiers(configuration.alerts))
                jobs.start_due(now)
                delivery.deliver(now)
        with self._log_failures():
            self._end(jobs)
        executor.shutdown(wait=False, cancel_futures=True)

    @contextlib.contextmanager
    def _log_failures(self) -> Iterator[None]:
        try:
            yield
        except NewscrawlerError as error:
            logger.error("%s", error)  # noqa: TRY400  our errors are sentences

    def _close_left_jobs(self) -> None:
        """Close the requests that an earlier process has left half done, so that no crawl begins without a new request."""
        now = datetime.now(UTC)
        service = self._store.service.service(now=now)
        if service is not None and service.alive:
            return
        for job in (*self._store.jobs.running(), *self._store.jobs.waiting()):
            if job.asked_by and job.began_at is not None:
                message = "the web application ended meanwhile; request it again"
                self._store.jobs.put(replace(job, state=JobState.FAILED, ended_at=now, message=message))

    def _end(self, jobs: JobRunner) -> None:
        """End the children, and store how far they were."""
        ends_at = datetime.now(UTC).timestamp() + _LONGEST_END_SECONDS
        jobs.stop(datetime.now(UTC))
        while not jobs.idle and datetime.now(UTC).timestamp() < ends_at:
            threading.Event().wait(0.1)
            jobs.reap(datetime.now(UTC))
        jobs.kill()
        self._close_left_jobs()
