"""Crawls and exports in child processes, so that none harms another.

A child gets its task with the text of the service's configuration, because the file may have become invalid since. It runs in
a separate session, so that Ctrl-C reaches it once, through the service. On Linux it ends with the service
(PR_SET_PDEATHSIG), so that a killed service leaves no lease for its successor to wait for; a crawl can be killed without loss.
"""

from __future__ import annotations

import ctypes
import json
import logging
import os
import resource
import signal
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import psutil

from newscrawler.config import Configuration, parse_configuration
from newscrawler.crawl import measure_private_mib
from newscrawler.errors import ConfigError, NewscrawlerError
from newscrawler.limits import MEMORY_WALL
from newscrawler.service.logs import LogReport, write_logs
from newscrawler.service.tasks import carry_out_job
from newscrawler.store import open_store

_PR_SET_PDEATHSIG = 1
INTERRUPTED, FAULT = 130, 70
logger = logging.getLogger(__name__)


class Child(ABC):
    """A child process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    @abstractmethod
    def exit_code(self) -> int | None:
        """Return its exit code, a signal as a negative number; None: it runs."""

    def measure_memory_mib(self) -> int:
        """Return its resident memory in MiB; 0: it has ended, or unknown."""
        with suppress(psutil.Error):
            return int(psutil.Process(self.pid).memory_info().rss) // 2**20
        return 0

    def measure_private_mib(self) -> int:
        """Return its private memory in MiB; 0: unknown."""
        return measure_private_mib(self.pid)

    def terminate(self) -> None:
        """Ask it to end."""
        if self.exit_code() is None:
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """Kill it and its descendants."""
        if self.exit_code() is None:
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                os.kill(self.pid, signal.SIGKILL)


class Launcher(Protocol):
    """Starts children."""

    def start_crawl(self, portal: str, *, label: str, closes_at: datetime) -> Child:
        """Make the scheduled crawl of this label, whose time ends at `closes_at`."""

    def adopt(self, portal: str, label: str) -> Child | None:  # noqa: ARG002
        """Return the scheduled crawl that an earlier service began; None: it ended with that service."""
        return None

    def withdraw(self, portal: str) -> bool:  # noqa: ARG002
        """Take back a crawl that waits to be begun; return whether there was one."""
        return False

    def count_places(self) -> int | None:
        """Return how many crawls fit on all machines; None: limited by this machine's memory."""
        return None

    def start_job(self, number: int) -> Child:
        """Carry out a job."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildTask:
    """The task of a child."""

    #: crawl or job
    kind: str
    #: The queue of the portal, or of its past; the id of the job.
    name: str
    #: The configuration and its file, to which paths are relative.
    text: str
    path: str
    database_url: str
    max_memory: int
    #: The process with which it ends.
    parent: int
    #: text or json
    log: str

    def to_json(self) -> bytes:
        """Return the task as one line of JSON."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__}).encode("utf-8", "surrogatepass") + b"\n"

    @classmethod
    def from_json(cls, line: bytes) -> ChildTask:
        """Parse a line of `to_json`."""
        return cls(**json.loads(line))


class SpawnedChild(Child):
    """A new interpreter."""

    def __init__(self, task: ChildTask) -> None:
        with tempfile.TemporaryFile() as task_file:  # a pipe would block until a long task is read
            task_file.write(task.to_json())
            task_file.seek(0)
            self._process = subprocess.Popen(
                [sys.executable, "-m", "newscrawler.service.children"], stdin=task_file, stdout=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        super().__init__(self._process.pid)

    def exit_code(self) -> int | None:
        """Return how it ended."""
        return self._process.poll()


class ForkedChild(Child):
    """A fork of the fork server; this process is its parent."""

    def __init__(self, pid: int) -> None:
        super().__init__(pid)
        self._code: int | None = None

    def exit_code(self) -> int | None:
        """Return how it ended."""
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code


@dataclass(slots=True, kw_only=True)
class ProcessLauncher(Launcher):
    """Starts real processes with the current configuration; each begins at once, and ends with its service."""

    text: str
    path: Path
    database_url: str
    max_memory: int
    log: str
    #: Starts a task as a fork, or returns None.
    fork: Callable[[ChildTask], Child | None]

    def start_crawl(self, portal: str, *, label: str, closes_at: datetime) -> Child:  # noqa: ARG002
        """Crawl a portal."""
        return self._start("crawl", portal)

    def start_job(self, number: int) -> Child:
        """Carry out a job."""
        return self._start("job", str(number))

    def _start(self, kind: str, name: str) -> Child:
        task = ChildTask(
            kind=kind, name=name, text=self.text, path=str(self.path), database_url=self.database_url,
            max_memory=self.max_memory, parent=os.getpid(), log=self.log,
        )  # fmt: skip
        return self.fork(task) or SpawnedChild(task)


def main() -> int:
    """Carry out the task on standard input; return the exit code."""
    return carry_out(ChildTask.from_json(sys.stdin.buffer.readline()))


def carry_out(task: ChildTask) -> int:
    """Carry out a task in this process; return the exit code."""
    if not _die_with_parent(task.parent):
        return INTERRUPTED
    wall = task.max_memory * 2**20 * MEMORY_WALL
    resource.setrlimit(resource.RLIMIT_DATA, (wall, wall))

    context = write_logs(task.log)
    context["portal" if task.kind == "crawl" else "job"] = task.name
    try:
        configuration = parse_configuration(task.text, Path(task.path))
        if task.kind == "crawl":
            return crawl_portal(task, configuration, context)
        return run_job(task, configuration)
    except NewscrawlerError as error:
        logger.error(str(error))  # noqa: TRY400  our errors are sentences
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:
        logger.exception("fault")
        return FAULT


def _die_with_parent(parent: int) -> bool:
    """Make the system kill this process when its parent ends; False: the parent has already ended."""
    try:
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    except (OSError, AttributeError):  # not Linux
        return True
    return os.getppid() == parent


def crawl_portal(task: ChildTask, configuration: Configuration, context: dict[str, object]) -> int:
    """Crawl one portal, or a share of its past.

    Raises:
        ConfigError: the configuration does not have it.
    """
    from newscrawler.crawl import crawl_portals

    backfills = configuration.list_backfills(datetime.now(UTC).date())
    portals = [portal for portal in (*configuration.crawled, *backfills) if portal.queue == task.name]
    if not portals:  # the planner has a newer configuration than this worker, or an older one
        raise ConfigError(f"the configuration of this machine has no portal {task.name}; give all workers the same one")
    settings = configuration.model_copy(update={"database_url": task.database_url})
    summaries = crawl_portals(settings, portals, report=LogReport(context))
    if any(summary.is_interrupted for summary in summaries):
        return INTERRUPTED
    return 1 if any(summary.needs_attention for summary in summaries) else 0


def run_job(task: ChildTask, configuration: Configuration) -> int:
    """Carry out one job; no incomplete file is left when the service ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(INTERRUPTED))
    with open_store(task.database_url, create=False) as store:
        job = store.jobs.get(int(task.name))
        if job is None:
            raise ConfigError(f"there is no job {task.name}")
        carry_out_job(store, job, configuration)
    return 0


if __name__ == "__main__":
    sys.exit(main())
