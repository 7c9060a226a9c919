"""The loop around the supervisor: signals, waiting, changes of the configuration file, outages of the database.

SIGTERM and SIGINT end it cleanly, a second one at once; SIGHUP reads the configuration anew; SIGCHLD wakes it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from newscrawler.config import Configuration, parse_configuration, read_text, require_contact
from newscrawler.errors import ConfigError, StoreError
from newscrawler.service.children import Child, ChildTask, ProcessLauncher
from newscrawler.service.fork_server import ForkServer
from newscrawler.service.metrics import Metrics
from newscrawler.service.notifications import Delivery, create_notifiers
from newscrawler.service.supervisor import Supervisor
from newscrawler.store import open_store

logger = logging.getLogger(__name__)

#: Interval at which children, the file and the database are checked if nothing else happens.
LONGEST_WAIT_SECONDS = 2.0
#: A second signal within this time counts as the same.
SAME_REQUEST_SECONDS = 1.0
#: Interval of retries while the database is not available.
AWAY_SECONDS = 5.0
Stamp = tuple[int, int, int] | None


class Signals:
    """Received signals, and a wait that the next signal ends."""

    def __init__(self) -> None:
        self.ends = 0
        self.reload = False
        self._asked_at: float | None = None
        self._read, self._write = os.pipe()
        for end in (self._read, self._write):
            os.set_blocking(end, False)

    @contextlib.contextmanager
    def handle_signals(self) -> Iterator[None]:
        """Handle signals within the context."""
        handlers = {signal.SIGTERM: self._end, signal.SIGINT: self._end, signal.SIGHUP: self._reload, signal.SIGCHLD: _wake}
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        wakeup = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)

    def wait(self, seconds: float) -> None:
        """Wait until a signal arrives or the time is over."""
        ready, _, _ = select.select([self._read], [], [], max(0.0, seconds))
        if ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._read, 4096)

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        """Count a request to end; a signal sent to the process and to its group counts once."""
        now = time.monotonic()
        if self._asked_at is None or now - self._asked_at > SAME_REQUEST_SECONDS:
            self.ends += 1
        self._asked_at = now

    def _reload(self, _number: int, _frame: FrameType | None) -> None:
        self.reload = True


def _wake(_number: int, _frame: FrameType | None) -> None:
    """Do nothing: the signal itself ends the wait when a child has ended."""


def serve(loaded: WatchedFile, *, database_url: str, log: str) -> None:
    """Run the service until a signal ends it.

    The database stays the same for the life of the process, whatever the watched configuration says; `log`: text or json.

    Raises:
        ConfigError: a configured resource is not available, such as the port for metrics.
        StoreError: the database cannot be opened, or another process is the service already.
    """
    path = loaded.configuration.path or Path()
    signals = Signals()
    watcher = Watcher(path, loaded.configuration.database_url)
    with (
        signals.handle_signals(),
        contextlib.closing(ForkServer()) as server,
        open_store(database_url) as store,
        ThreadPoolExecutor(max_workers=1, thread_name_prefix="post") as executor,
    ):
        launcher = create_launcher(loaded, database_url, log, server.start)
        supervisor = Supervisor(
            store=store, launcher=launcher, delivery=Delivery(store, executor), create_notifiers=create_notifiers,
            metrics=Metrics(), now=get_now(),
        )  # fmt: skip
        supervisor.begin(loaded.configuration, get_now())
        _say("service started", portals=len(loaded.configuration.crawled), pid=os.getpid())
        notify_manager("READY=1")
        try:
            _run_loop(supervisor, launcher, watcher, signals)
        finally:
            supervisor.jobs.kill()
            with contextlib.suppress(StoreError):
                supervisor.leave(get_now())
    _say("service stopped")


def create_launcher(loaded: WatchedFile, database_url: str, log: str, fork: Callable[[ChildTask], Child | None]) -> ProcessLauncher:
    """Return a launcher of processes with a configuration."""
    return ProcessLauncher(
        text=loaded.text, path=loaded.configuration.path or Path(), database_url=database_url,
        max_memory=loaded.configuration.service.max_memory, log=log, fork=fork,
    )  # fmt: skip


def _run_loop(supervisor: Supervisor, launcher: ProcessLauncher, watcher: Watcher, signals: Signals) -> None:
    away = False
    while True:
        wait = LONGEST_WAIT_SECONDS
        try:
            if signals.ends:
                notify_manager("STOPPING=1")
                supervisor.stop(get_now())
            else:
                _reload(supervisor, launcher, watcher, requested=signals.reload)
                signals.reload = False
            coming = supervisor.check(get_now())
            if signals.ends and supervisor.jobs.idle:
                return
            wait = min(wait, max(0.0, (coming - get_now()).total_seconds()) + 0.01)
            if away:
                _say("database reachable again")
            away = False
            notify_manager("WATCHDOG=1")
        except StoreError as error:
            if not away:
                logger.error("%s", error)  # noqa: TRY400  our errors are sentences
            away, wait = True, AWAY_SECONDS
            if signals.ends:
                return
        if signals.ends > 1:
            _say("service stopping at once")
            return
        signals.wait(wait)


def _reload(supervisor: Supervisor, launcher: ProcessLauncher, watcher: Watcher, *, requested: bool) -> None:
    """Apply the file if it has changed; an invalid file is reported, and the old configuration stays in force."""
    try:
        loaded = watcher.reload_if_changed(requested=requested)
        if loaded is None:
            return
        supervisor.configure(loaded.configuration, get_now())
    except ConfigError as error:
        supervisor.problem = f"configuration refused, keeping the previous one: {error}"
        for line in str(error).splitlines():
            logger.error("configuration refused, keeping the previous one: %s", line)  # noqa: TRY400
        return
    if loaded.configuration.database_url != watcher.database_url:
        supervisor.problem = "the configuration names another database, which is used when the service is started again"
        logger.warning("%s", supervisor.problem)
    launcher.text, launcher.max_memory = loaded.text, loaded.configuration.service.max_memory
    _say("configuration loaded", portals=len(loaded.configuration.crawled))


def notify_manager(state: str) -> None:
    """Notify systemd of the state (sd_notify) if it requests that."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify_socket:
        notify_socket.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)


def _say(message: str, **facts: object) -> None:
    logger.info(message, extra={"facts": facts})


def get_now() -> datetime:
    """Return the time, aware."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedFile:
    """A configuration and its text."""

    configuration: Configuration
    text: str


def load_watched_file(path: Path) -> WatchedFile:
    """Read and validate the file.

    Raises:
        ConfigError: it cannot be read, is invalid, or has no contact.
    """
    text = read_text(path)
    configuration = parse_configuration(text, path)
    require_contact(configuration, configuration.portals)
    return WatchedFile(configuration=configuration, text=text)


class Watcher:
    """Watches one file; also detects replaced files and symbolic links."""

    def __init__(self, path: Path, database_url: str) -> None:
        self._path = path
        #: The database named at the start, which stays in use until the end.
        self.database_url = database_url
        self._stamp = self._look()

    def reload_if_changed(self, *, requested: bool = False) -> WatchedFile | None:
        """Return the new configuration if the file has changed or a reload was requested; None: no change.

        Raises:
            ConfigError: the file is invalid; raised once until it changes again.
        """
        stamp = self._look()
        if not requested and stamp == self._stamp:
            return None
        self._stamp = stamp
        return load_watched_file(self._path)

    def _look(self) -> Stamp:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size
