"""Fork server: start crawls as forks of one process that has imported everything, which saves imports and shares memory.

The server reads one task a line from its socket, and answers with the process number of the task. It forks twice, so that the
service, a subreaper meanwhile, becomes the parent of that process, and can wait for it and kill it even if the server ends. Only
Linux has subreapers; elsewhere, and if the server fails, each crawl is a new interpreter.

A fork copies the calling thread only, so no import of the server may start another. Twisted's reactor, which a process installs
once, must be installed by the crawl.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import socket
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import NoReturn

import newscrawler
from newscrawler.service.children import FAULT, ChildTask, ForkedChild, carry_out

_PR_SET_CHILD_SUBREAPER = 36
#: Timeout of the server; its imports take 2 s of CPU time.
LONGEST_ANSWER_SECONDS = 60.0
#: OpenBLAS starts its threads when numpy is imported; a crawl uses none.
_SINGLE_THREADED = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
logger = logging.getLogger(__name__)


class ForkServer:
    """Client of the fork server; keeps a server running that matches the installed packages."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: socket.socket | None = None
        self._version: Version = ()
        self._works = _set_subreaper(on=False)
        if self._works:
            self._renew()

    def start(self, task: ChildTask) -> ForkedChild | None:
        """Start a task; None: it cannot be forked."""
        if not self._works:
            return None
        if self._version != read_installed_version():
            logger.info("packages changed: restarting the fork server")
            self._renew()
        for _ in range(2):  # a server that has died is replaced once
            try:
                return self._ask(task)
            except OSError as error:
                logger.warning("restarting the fork server: %s", error)
                self._renew()
        return None

    def close(self) -> None:
        """End the server; crawls that it has started continue."""
        if self._connection is not None and self._process is not None:
            self._connection.close()
            self._process.kill()
            self._process.wait()
        self._connection = self._process = None

    def _renew(self) -> None:
        self.close()
        ours, its = socket.socketpair()
        ours.settimeout(LONGEST_ANSWER_SECONDS)
        self._version = read_installed_version()
        with its:
            self._process = subprocess.Popen(  # noqa: S603  our own interpreter
                [sys.executable, "-m", "newscrawler.service.fork_server", str(its.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=os.environ | _SINGLE_THREADED,
                pass_fds=[its.fileno()],
                start_new_session=True,
            )
        self._connection = ours

    def _ask(self, task: ChildTask) -> ForkedChild:
        """Have a task forked."""
        assert self._connection is not None
        _set_subreaper(on=True)
        try:
            self._connection.sendall(task.to_json())
            answer = self._connection.recv(64)
            if not answer.isdigit():
                raise ChildProcessError(answer.decode() or "it has died")
            return ForkedChild(int(answer))
        finally:
            _set_subreaper(on=False)  # do not adopt orphans of other children


Version = tuple[tuple[str, int], ...]


def read_installed_version() -> Version:
    """Return times of files, which change when a package is installed, removed or upgraded, ours included."""
    ours = Path(newscrawler.__file__).parent
    folders = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    paths = [*folders, *(path for path in ours.rglob("*") if path.suffix in {".py", ".json"})]
    return tuple(sorted((str(path), path.stat().st_mtime_ns) for path in paths if path.exists()))


def _set_subreaper(*, on: bool) -> bool:
    """Become a subreaper, which adopts orphaned descendants, or stop being one; False: not supported."""
    try:
        return int(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(on), 0, 0, 0)) == 0
    except (OSError, AttributeError):
        return False


def main() -> int:
    """Fork until the service closes the socket."""
    connection = socket.socket(fileno=int(sys.argv[1]))
    from newscrawler.crawl import preload  # not by the service itself

    preload()
    gc.collect()
    gc.freeze()  # else the first collection in each crawl would copy every page that contains an object
    with connection.makefile("rb") as tasks:
        for line in tasks:
            connection.sendall(_fork_task(ChildTask.from_json(line), connection))
    return 0


def _fork_task(task: ChildTask, connection: socket.socket) -> bytes:
    """Start a task in a process whose parent is the service; return its number, or an error."""
    if len(list(Path("/proc/self/task").iterdir())) > 1 or "twisted.internet.reactor" in sys.modules:
        return b"the process has other threads or a reactor"
    reading, writing = os.pipe()
    between = os.fork()
    if not between:
        try:
            us = os.getpid()
            crawl = os.fork()
            if not crawl:
                for each in (reading, writing, connection.detach()):
                    os.close(each)
                _carry_out(task, us)
            os.write(writing, b"%d" % crawl)
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(between, 0)
    with os.fdopen(reading, "rb") as answer:
        return answer.read() or b"no process could be made"


def _carry_out(task: ChildTask, between: int) -> NoReturn:
    """Carry out a task in a separate session, without input and output, as a new interpreter would."""
    code = FAULT
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        os.close(nothing)
        while os.getppid() == between:  # until the service is the parent
            time.sleep(0.001)
        code = carry_out(task)
    finally:
        logging.shutdown()
        os._exit(code)  # without the teardown of all modules


if __name__ == "__main__":
    sys.exit(main())
