"""Crawls and exports in child processes, so that none harms another.

A child gets its task with the text of the service's configuration, as the file may have become invalid since. It has a session of
its own, so that Ctrl-C reaches it once, through the service, and it ends with the service (see `child`).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol


class Child(Protocol):
    """A process that was started."""

    @property
    def pid(self) -> int:
        """Return its process number."""
        ...

    def exit_code(self) -> int | None:
        """Return its exit code, a signal as a negative number; None: it runs."""
        ...

    def memory_mib(self) -> int:
        """Return its resident memory in MiB; 0: unknown."""
        ...

    def private_mib(self) -> int:
        """Return its private memory in MiB; 0: unknown."""
        ...

    def terminate(self) -> None:
        """Ask it to end."""
        ...

    def kill(self) -> None:
        """End it."""
        ...


class Launcher(Protocol):
    """Starts children."""

    def crawl(self, portal: str, *, label: str, latest_start: datetime) -> Child:
        """Crawl a portal.

        Args:
            portal: its name.
            label: which of its turns it is.
            latest_start: when the crawl has to begin, so that it ends in time.
        """
        ...

    def adopt(self, portal: str, label: str) -> Child | None:
        """Return the crawl of a turn that an earlier service began; None: it has died with that service."""
        ...

    def places(self) -> int | None:
        """Return how many crawls there is place for on all machines; None: what this machine's memory holds."""
        ...

    def export(self, name: str) -> Child:
        """Write an export."""
        ...

    def job(self, number: int) -> Child:
        """Carry out a job."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The task of a child."""

    #: crawl, export or job
    kind: str
    #: Of the portal or the export; the number of the job.
    name: str
    #: The configuration, and the file that it comes from, at which relative paths begin.
    text: str
    path: str
    database_url: str
    max_memory: int
    #: The process with which it ends.
    parent: int
    #: text or json
    log: str

    def as_json(self) -> bytes:
        """One line."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__}).encode("utf-8", "surrogatepass") + b"\n"

    @classmethod
    def from_json(cls, line: bytes) -> Task:
        """Read it back."""
        return cls(**json.loads(line))


class _Process(ABC):
    """Base of real processes."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    @abstractmethod
    def exit_code(self) -> int | None:
        """Return how it ended."""

    def memory_mib(self) -> int:
        """Resident memory, as Linux reports it."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[1])
        except (OSError, IndexError, ValueError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE") // 2**20

    def private_mib(self) -> int:
        """Private memory, as Linux reports it."""
        try:
            lines = Path(f"/proc/{self.pid}/smaps_rollup").read_text("ascii").splitlines()
            return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) // 1024
        except (OSError, IndexError, ValueError):
            return 0

    def terminate(self) -> None:
        """Ask it to end."""
        if self.exit_code() is None:
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """End it, and what it may have started."""
        if self.exit_code() is None:
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                os.kill(self.pid, signal.SIGKILL)


class SpawnedChild(_Process):
    """A new interpreter."""

    def __init__(self, task: Task) -> None:
        with tempfile.TemporaryFile() as task_file:  # a pipe would block until a long task is read
            task_file.write(task.as_json())
            task_file.seek(0)
            self._process = subprocess.Popen(
                [sys.executable, "-m", "newscrawler.service.child"],
                stdin=task_file,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        super().__init__(self._process.pid)

    def exit_code(self) -> int | None:
        """Return how it ended."""
        return self._process.poll()


class ForkedChild(_Process):
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


class ProcessLauncher:
    """Starts real processes with the current configuration."""

    def __init__(
        self,
        *,
        text: str,
        path: Path,
        database_url: str,
        max_memory: int,
        log: str,
        fork: Callable[[Task], Child | None],
    ) -> None:
        """Make it; `fork` starts a task as a fork, or returns None."""
        self.text = text
        self.max_memory = max_memory
        self._path = path
        self._database_url = database_url
        self._log = log
        self._fork = fork

    def crawl(self, portal: str, *, label: str, latest_start: datetime) -> Child:  # noqa: ARG002  each begins at once
        """Crawl a portal."""
        return self._start("crawl", portal)

    def adopt(self, portal: str, label: str) -> Child | None:  # noqa: ARG002  children die with their service
        """Return None."""
        return None

    def places(self) -> int | None:
        """Return None."""
        return None

    def export(self, name: str) -> Child:
        """Write an export."""
        return self._start("export", name)

    def job(self, number: int) -> Child:
        """Carry out a job."""
        return self._start("job", str(number))

    def _start(self, kind: str, name: str) -> Child:
        task = Task(
            kind=kind,
            name=name,
            text=self.text,
            path=str(self._path),
            database_url=self._database_url,
            max_memory=self.max_memory,
            parent=os.getpid(),
            log=self._log,
        )
        return self._fork(task) or SpawnedChild(task)
