"""Threads besides the reactor's: one for the database of each run, and one of the process for reading pages.

A page on which the reading thread is stuck is left to a later try or run, and another thread goes on with the others. A call
that never lets Python run again, not even for a signal, is ended by a `Watchdog`, a process.

Switching threads is expensive, as each wakes on another core with cold caches. SQLite writes an outcome within milliseconds, so
that is done in the reactor's thread, which saves a third of a page's CPU time, unless another process has locked the file. Calls
that may take long go to the thread.

One thread reads all pages, since Python runs one thread at a time; so no tree of lxml is shared. `LinkPolicy` and `PortalPages` are
used by this thread only; `PortalProfile`, which the reactor writes to the database, has a lock.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, ParamSpec, Self, TypeVar

from newscrawler.crawl.hosts.failures import StoppingError, StuckError
from newscrawler.errors import StoreAwayError
from newscrawler.limits import FROZEN_SECONDS, READING_SECONDS, READING_SECONDS_AT_END
from newscrawler.limits import OUTAGE_SECONDS as LONGEST_OUTAGE_SECONDS
from newscrawler.store import without_waiting

logger = logging.getLogger(__name__)
_P = ParamSpec("_P")
_T = TypeVar("_T")

_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.25, 5.0


class DatabaseThread:
    """Make calls one after another, each until it succeeds or fails for good."""

    def __init__(self, name: str, *, waits: Callable[[float, str], None], in_process: bool = False) -> None:
        """Make it; `waits` is called with the seconds of a wait and its reason; `in_process`: no server writes the database."""
        self._name = name
        self._waits = waits
        self._in_process = in_process
        self._under_way = 0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"database-{name}")

    async def run(self, call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Make a call in the thread; repeat it while the database is away.

        The call is a whole transaction, and must be idempotent: if the connection was lost during its commit, it may have been
        written already.

        Raises:
            StoreError: the call failed, or the database was away for too long.
        """
        self._under_way += 1
        try:
            return await self._run_in_thread(partial(call, *args, **kwargs))
        finally:
            self._under_way -= 1

    async def run_briefly(self, call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Make a call that takes milliseconds: in the reactor's thread, if that may write and no other call is under way.

        Raises:
            StoreError: as with `run`.
        """
        if self._in_process and not self._under_way:
            try:
                with without_waiting():
                    return call(*args, **kwargs)
            except StoreAwayError:  # another process writes, so the thread waits
                pass
        return await self.run(call, *args, **kwargs)

    async def _run_in_thread(self, call: Callable[[], _T]) -> _T:
        pause, away_since = _FIRST_PAUSE_SECONDS, None
        while True:
            try:
                return await asyncio.get_running_loop().run_in_executor(self._thread, call)
            except StoreAwayError as error:
                away_since = away_since or monotonic()
                if monotonic() - away_since > LONGEST_OUTAGE_SECONDS:
                    raise
                logger.warning("%s: %s; trying again", self._name, error)
                self._waits(pause, "for the database to come back")
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)

    def close(self) -> None:
        """End the thread after the call under way."""
        self._thread.shutdown(wait=False)


class ReadingThread:
    """A thread that makes calls one after another. When it is stuck, another one takes its place."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._current: tuple[Future[Any], float] | None = None
        self._ends_at: float | None = None

    def submit(self, call: Callable[[], _T]) -> Future[_T]:
        """Make a call after those before it.

        Raises:
            StoppingError: the process ends.
        """
        if self._ends_at is not None and monotonic() > self._ends_at:
            raise StoppingError("the crawl ends")
        future: Future[_T] = Future()
        self._calls.put((future, call))
        if self._thread is None:
            self._start()
        return future

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._work, name="reading", daemon=True)  # one that is stuck keeps no process
        self._thread.start()

    def _work(self) -> None:
        while self._thread is threading.current_thread():
            future, call = self._calls.get()
            if not future.set_running_or_notify_cancel():
                continue
            self._current = current = (future, monotonic())
            try:
                answer = partial(future.set_result, call())
            except BaseException as error:  # noqa: BLE001  its caller gets it
                answer = partial(future.set_exception, error)
            if self._current is current:
                self._current = None
            with suppress(InvalidStateError):  # the call was left
                answer()
            del future, call, current, answer  # a page is large

    def end(self) -> None:
        """Have `leave` refuse what waits after some seconds, as the process ends."""
        self._ends_at = monotonic() + READING_SECONDS_AT_END

    def leave(self, *, is_over: bool = False) -> None:
        """Leave a call that takes too long, and those that wait if the process ends; `is_over`: the time of a run is."""
        ends = self._ends_at is not None and monotonic() > self._ends_at
        with suppress(Empty):
            while ends:
                self._calls.get_nowait()[0].set_exception(StoppingError("the crawl ends"))
        current, stuck, most = self._current, self._thread, READING_SECONDS_AT_END if is_over or ends else READING_SECONDS
        if current is None or stuck is None or monotonic() - current[1] < most:
            return
        self._current = None
        self._start()
        with suppress(InvalidStateError):
            current[0].set_exception(StuckError(f"not read within {most:g} s"))
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(stuck.ident or 0), ctypes.py_object(SystemExit))


READING = ReadingThread()


async def run_in_reading_thread(call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Make a call in the reading thread, after those before it; return its result.

    Raises:
        StuckError: it took too long.
        StoppingError: the process ends before its turn.
    """
    return await asyncio.wrap_future(READING.submit(partial(call, *args, **kwargs)))


#: From a signal or the deadline on, it kills the process if that shows no sign of life for some seconds; it ends with the process.
_WATCH = """
import os, select, sys, time
process, due, most = int(sys.argv[1]), time.monotonic() + float(sys.argv[2]), float(sys.argv[3])
heard = time.monotonic()
while True:
    if select.select([0], [], [], 0.5)[0]:
        said = os.read(0, 4096)
        if not said:
            break
        heard = time.monotonic()
        due = min(due, heard) if {1, 2, 15} & set(said) else due
    if time.monotonic() > max(due, heard) + most:
        os.kill(process, 9)
"""


class Watchdog:
    """A process that kills this one if, from a signal or a deadline on, Python does not run: one regular expression can do that.

    Nothing committed is lost. Python writes the number of a signal into the pipe even while the interpreter is held up.
    """

    def __init__(self, seconds: float) -> None:
        """Make it; `seconds`: until the deadline."""
        self._seconds = seconds
        self._pipe = -1

    def __enter__(self) -> Self:
        command = [sys.executable, "-I", "-S", "-c", _WATCH, str(os.getpid()), str(self._seconds), str(FROZEN_SECONDS)]
        read, self._pipe = os.pipe()
        os.set_blocking(self._pipe, False)
        self._process = subprocess.Popen(  # noqa: S603  our own interpreter
            command, stdin=read, stdout=subprocess.DEVNULL, start_new_session=True
        )
        os.close(read)
        return self

    def note_life(self) -> None:
        """Show that Python runs; to be called every few seconds, in the main thread."""
        signal.set_wakeup_fd(self._pipe, warn_on_full_buffer=False)  # the reactor has set its own
        with suppress(OSError):
            os.write(self._pipe, b"\0")

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(-1)
        os.close(self._pipe)
        self._process.wait()
