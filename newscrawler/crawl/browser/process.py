"""The browser of one crawl: a separate process, with a deadline for each page and a limit of memory for all that it starts."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

import psutil

from newscrawler.crawl.browser.messages import (
    BrowserError,
    BrowserMessage,
    BrowserOptions,
    BrowserUnavailableError,
    PageTooCostlyError,
    Rendered,
    RenderJob,
    Subanswer,
    Subrequest,
    encode_message,
    read_message,
)
from newscrawler.errors import install_command

logger = logging.getLogger(__name__)

#: A context is thrown away after so many pages.
PAGES_OF_A_CONTEXT = 50
_START_SECONDS = 90.0
_FOLDER = "newscrawler-browser-"
#: In UTF-8.
_MOST_BYTES_OF_A_CHARACTER = 4
_LOOK_SECONDS = 0.2
#: Where Chromium is looked for.
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

#: Answers a request of a page; None: it is refused, or failed.
Answering = Callable[[Subrequest], Awaitable[Subanswer | None]]
#: Says of the links of a listing whether more of it is wanted.
Proceeding = Callable[[list[str]], Awaitable[bool]]


def find_executable(configured: str | None) -> str:
    """Return the path of the browser.

    Raises:
        BrowserUnavailableError: there is none, or Playwright is not installed.
    """
    if find_spec("playwright") is None:
        raise BrowserUnavailableError(f"pages are built with Playwright, which is not installed: {install_command('browser')}")
    if configured is not None:
        if not Path(configured).is_file():
            raise BrowserUnavailableError(f"{configured} is no file; `executable` in [browser] names the path of Chromium")
        return configured
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        raise BrowserUnavailableError(
            "Chromium is not found; install it (Debian: apt install chromium), or name it by `executable`"
        )
    return found


class BrowserProcess:
    """Builds pages one at a time; after a failure the next page gets a new process."""

    def __init__(self, options: BrowserOptions) -> None:
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        #: Profile and temporary files of Chromium.
        self._folder: Path | None = None
        self._turn = asyncio.Lock()
        self._pages = 0
        #: Answers of the crawl that the page waits for.
        self._sending: set[asyncio.Task[None]] = set()
        #: In a row: one that was killed while it started is started once more.
        self._failed_starts = 0
        #: For measurements: the most memory of all processes together.
        self.most_memory_bytes = 0

    @property
    def pid(self) -> int | None:
        """Return the number of the process; None: there is none now."""
        return self._process.pid if self._process is not None else None

    async def render(self, job: RenderJob, answer: Answering, proceed: Proceeding | None = None) -> Rendered:
        """Build a page; `answer` answers its requests, `proceed` gets the links of a listing.

        Raises:
            PageTooCostlyError: the page takes too long or too much memory, or is too large.
            BrowserError: the page could not be built; another try may succeed.
            BrowserUnavailableError: no browser can be used.
        """
        async with self._turn:
            try:
                if self._process is None:
                    await self._start()
                return await self._render(job, answer, proceed)
            except BaseException:
                await self.close()
                raise

    async def close(self) -> None:
        """Kill the process with all below it."""
        process, self._process, self._pages = self._process, None, 0
        for task in list(self._sending):
            task.cancel()
        if self._writer is not None:
            self._writer.close()
            self._writer = self._reader = None
        if process is not None:
            await asyncio.get_running_loop().run_in_executor(None, PROCESSOR_TIME.kill, process.pid, process.wait)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    async def _start(self) -> None:
        _remove_left_folders()
        self._folder = Path(tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-"))
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", "newscrawler.crawl.browser.child", str(theirs.fileno())]
        self._process = subprocess.Popen(  # noqa: ASYNC220, S603  our own module
            command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        theirs.close()
        try:
            self._reader, self._writer = await asyncio.open_connection(sock=ours)
            self._send(encode_message({**asdict(self._options), "folder": str(self._folder)}))
            message = await asyncio.wait_for(read_message(self._reader), _START_SECONDS)
        except TimeoutError:
            message = None
        if message is None or message.type != "ready":
            why = str(message.head["why"]) if message is not None else "its process has ended, or takes too long to start"
            await self.close()
            self._failed_starts += 1
            if self._failed_starts > 1 or (message is not None and message.type == "unavailable"):
                raise BrowserUnavailableError(why)
            raise BrowserError(why)
        self._failed_starts = 0
        logger.info("Chromium %s builds pages", message.head.get("version"))

    def _send(self, data: bytes) -> None:
        if self._writer is not None:
            with suppress(OSError, RuntimeError):
                self._writer.write(data)

    async def _render(self, job: RenderJob, answer: Answering, proceed: Proceeding | None) -> Rendered:
        head = asdict(job)
        del head["body"]
        self._send(encode_message({**head, "type": "render", "fresh": self._pages % PAGES_OF_A_CONTEXT == 0}, job.body))
        self._pages += 1
        watching = asyncio.ensure_future(self._watch())
        talking = asyncio.ensure_future(self._talk(job, answer, proceed))
        try:
            await asyncio.wait({watching, talking}, return_when=asyncio.FIRST_COMPLETED)
            if talking.done():
                return talking.result()
            raise watching.result()
        finally:
            for task in (watching, talking, *self._sending):
                task.cancel()
            self._sending.clear()

    async def _talk(self, job: RenderJob, answer: Answering, proceed: Proceeding | None) -> Rendered:
        assert self._reader is not None
        while (message := await read_message(self._reader)) is not None:
            if len(message.body) > _MOST_BYTES_OF_A_CHARACTER * job.most_characters:
                raise PageTooCostlyError("the page is too large")
            if message.type == "rendered":
                consented, refused = message.head.get("consented"), message.head.get("refused", ())
                return Rendered(html=message.body.decode("utf-8", "replace"), refused=tuple(refused), consented=consented)
            if message.type == "failed":
                why = str(message.head.get("why"))[:300]  # a page may have written a part of it
                raise BrowserError("".join(sign if sign.isprintable() else " " for sign in why))
            task = asyncio.ensure_future(self._reply(message, answer, proceed))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
        raise BrowserError("the browser's process has ended")

    async def _reply(self, message: BrowserMessage, answer: Answering, proceed: Proceeding | None) -> None:
        number = message.head.get("number")
        if message.type == "request":
            sent = message.body if message.head.get("method") == "POST" else None
            subrequest = Subrequest(url=str(message.head.get("url")), kind=str(message.head.get("kind")), body=sent)
            found = await answer(subrequest)
            if found is None:
                self._send(encode_message({"type": "refuse", "number": number}))
                return
            head = {"type": "answer", "number": number, "status": found.status, "content_type": found.content_type}
            self._send(encode_message(head, found.body))
        elif message.type == "links":
            links = [str(link) for link in message.head.get("links", ())]
            self._send(encode_message({"type": "proceed", "number": number, "go": proceed is not None and await proceed(links)}))

    async def _watch(self) -> BrowserError:
        """Return why the page is given up: it takes too long or too much memory, or the process has ended."""
        spent, last = 0.0, monotonic()
        most = self._options.memory_megabytes * 2**20
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            now = monotonic()
            spent += now - last if not self._sending else 0.0
            last = now
            process = self._process
            if process is None or process.poll() is not None:
                return BrowserError("the browser's process has ended")
            if spent > self._options.deadline_seconds:
                return PageTooCostlyError(f"the page was not complete after {self._options.deadline_seconds:g} s")
            used = memory_bytes(process.pid)
            self.most_memory_bytes = max(self.most_memory_bytes, used)
            if used > most:
                return PageTooCostlyError(f"the page takes more memory than {self._options.memory_megabytes} MB")


def _remove_left_folders() -> None:
    """Remove the folders of crawls that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*"):
        owner = folder.name.removeprefix(_FOLDER).partition("-")[0]
        if owner.isdecimal() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


_MOST_ROUNDS = 20


def find_tree(root: int) -> list[psutil.Process]:
    """Return a process and those below it, itself first; those that have ended and are not waited for are left out."""
    with suppress(psutil.Error):
        process = psutil.Process(root)
        return [process, *filter(_is_running, process.children(recursive=True))]
    return []


def _is_running(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


def memory_bytes(root: int) -> int:
    """Return the memory that a process and all below it have for themselves; pages that they share with files are left out."""
    return sum(_own_bytes(process.pid) for process in find_tree(root))


def _own_bytes(process: int) -> int:
    total = 0
    with suppress(OSError, ValueError):  # psutil does not tell shared memory from files, and walks over all pages for the rest
        for line in Path(f"/proc/{process}/status").read_text("utf-8", "replace").splitlines():
            if line.startswith(("RssAnon:", "RssShmem:")):
                total += int(line.split()[1]) * 1024
    return total


def cpu_seconds(root: int) -> float:
    """Return the processor time of a process and all below it, those that have ended and were waited for included."""
    total = 0.0
    for process in find_tree(root):
        with suppress(psutil.Error):
            total += sum(process.cpu_times()[:4])
    return total


class ProcessorTime:
    """The processor time of this process since its start, and of all that it has started."""

    def __init__(self) -> None:
        self._killed_seconds = 0.0

    def seconds(self) -> float:
        """Return it; children count once they have ended and were waited for."""
        return time.process_time() + _children_seconds() + self._killed_seconds

    def kill(self, root: int, wait: Callable[[], object]) -> None:
        """Kill a process and all below it, and count their processor time; `wait` waits for its end.

        The system counts only that of processes whose parents wait for them.
        """
        spent, before = cpu_seconds(root), _children_seconds()
        kill_tree(root)
        wait()
        self._killed_seconds += max(0.0, spent - (_children_seconds() - before))


#: That of this process.
PROCESSOR_TIME = ProcessorTime()


def _children_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def kill_tree(root: int) -> None:
    """Kill a process and all below it, those that are started meanwhile too; the root comes last, as the others' new parent."""
    for _ in range(_MOST_ROUNDS):
        below = find_tree(root)[1:]
        if not below:
            break
        for process in below:
            with suppress(psutil.Error):
                process.kill()
    with suppress(OSError):
        os.kill(root, signal.SIGKILL)
