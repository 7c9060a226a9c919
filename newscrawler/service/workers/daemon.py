"""The loop of `newscrawler worker`: signals, the configuration's file, a database that is away for a while."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from newscrawler import __version__
from newscrawler.config import Configuration, ServiceSettings
from newscrawler.errors import ConfigError, NewscrawlerError, StoreAwayError, StoreError
from newscrawler.service.children import ProcessLauncher
from newscrawler.service.daemon import AWAY_SECONDS, Signals, WatchedFile, Watcher, create_launcher, get_now, notify_manager
from newscrawler.service.fork_server import ForkServer
from newscrawler.service.metrics import Metrics
from newscrawler.service.notifications import Delivery, create_notifiers
from newscrawler.service.supervisor import Supervisor
from newscrawler.service.workers.planner import DispatchLauncher, Planner
from newscrawler.store import Store, open_store
from newscrawler.store.hosts import this_host
from newscrawler.store.service import require_shared_database

if TYPE_CHECKING:
    from newscrawler.service.workers.worker import Worker

logger = logging.getLogger(__name__)

#: Signals and the file are looked at so often.
_LOOK_SECONDS = 1.0
#: A look of the planner that takes longer hangs: no more signs of life are given for it.
_LONGEST_LOOK_SECONDS = 900.0
#: Between two looks of the planner, while nothing is known to come sooner.
_LONGEST_WAIT_SECONDS = 2.0


class WorkerRole(StrEnum):
    """Tasks of a process of `newscrawler worker`."""

    #: Carries out crawls, and plans while it is elected.
    BOTH = "both"
    CRAWL = "crawl"
    PLAN = "plan"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """Options of the command."""

    name: str
    role: WorkerRole
    #: Crawls at once; None: as in [service], or as many as fit into memory.
    places: int | None
    database_url: str
    #: text or json
    log: str


def prepare_database(database_url: str) -> bool:
    """Bring a database up to date for workers; return whether the tables of their queue were missing.

    Raises:
        ConfigError: it is a file of SQLite, or Procrastinate is not installed.
    """
    require_shared_database(database_url)
    with open_store(database_url) as store:
        return store.dispatch.prepare()


def is_worker_alive(database_url: str) -> bool:
    """Return whether a worker of this machine, or of this container, gave a sign of life of late.

    Raises:
        StoreError: the database cannot be opened, or has no tables for workers.
    """
    require_shared_database(database_url)
    with open_store(database_url, create=False) as store:
        return any(worker.host == this_host() for worker in store.dispatch.workers())


def serve_worker(loaded: WatchedFile, settings: WorkerSettings) -> None:
    """Be a worker until a signal ends it.

    Raises:
        ConfigError: the database is a file of SQLite, or Procrastinate is not installed.
        StoreError: the database has no tables for workers, or those of another version.
    """
    require_shared_database(settings.database_url)
    from newscrawler.service.workers.worker import Worker  # needs Procrastinate

    signals = Signals()
    watcher = Watcher(loaded.configuration.path or Path(), loaded.configuration.database_url)
    with signals.handle_signals():
        store = _open_when_reachable(settings.database_url, signals)
        if store is None:
            return
        with store, contextlib.closing(ForkServer()) as server:
            launcher = create_launcher(loaded, settings.database_url, settings.log, server.start)
            limits = _make_limits(loaded.configuration, settings)
            worker = Worker(store=store, launcher=launcher, limits=limits, name=settings.name, version=__version__)
            with _start_planning(loaded, settings, signals) as planning:
                notify_manager("READY=1")
                loop = _Loop(
                    worker=worker, planning=planning, launcher=launcher, watcher=watcher, signals=signals, settings=settings
                )
                asyncio.run(loop.run())
    logger.info("worker stopped", extra={"facts": {"worker": settings.name}})


def _open_when_reachable(database_url: str, signals: Signals) -> Store | None:
    """Open the database, once it is there; None: a signal came first."""
    is_reported = False
    while not signals.ends:
        try:
            store = open_store(database_url, create=False)
            try:
                store.dispatch.require()
            except NewscrawlerError:
                store.close()
                raise
        except StoreAwayError as error:
            if not is_reported:
                logger.error("%s; waiting for it", error)  # noqa: TRY400  our errors are sentences
            is_reported = True
            signals.wait(AWAY_SECONDS)
        else:
            return store
    return None


def _make_limits(configuration: Configuration, settings: WorkerSettings) -> ServiceSettings:
    at_once = 0 if settings.role is WorkerRole.PLAN else settings.places or configuration.service.at_once
    return configuration.service.model_copy(update={"at_once": at_once})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planning:
    planner: Planner
    launcher: ProcessLauncher


@contextlib.contextmanager
def _start_planning(loaded: WatchedFile, settings: WorkerSettings, signals: Signals) -> Iterator[_Planning | None]:
    """Open what the planner needs, and leave its place at last."""
    opened = _open_when_reachable(settings.database_url, signals) if settings.role is not WorkerRole.CRAWL else None
    if opened is None:
        yield None
        return
    with opened as store, ThreadPoolExecutor(max_workers=1, thread_name_prefix="post") as executor:
        local = create_launcher(loaded, settings.database_url, settings.log, lambda _task: None)

        def supervise(store: Store, now: datetime) -> Supervisor:
            launcher = DispatchLauncher(store, local, clock=get_now)
            return Supervisor(
                store=store, launcher=launcher, delivery=Delivery(store, executor), create_notifiers=create_notifiers,
                metrics=Metrics(), now=now,
            )  # fmt: skip

        planner = Planner(store, supervise=supervise, configuration=loaded.configuration)
        try:
            yield _Planning(planner=planner, launcher=local)
        finally:
            with contextlib.suppress(StoreError):
                planner.leave(get_now())


@dataclass(slots=True, kw_only=True)
class _Loop:
    """Watches the worker, the signals and the file, until a signal ends it."""

    worker: Worker
    planning: _Planning | None
    launcher: ProcessLauncher
    watcher: Watcher
    signals: Signals
    settings: WorkerSettings
    #: When the planner's look began; None: none is under way.
    look_began_at: datetime | None = None

    async def run(self) -> None:
        """Run until the worker has given back its jobs; a second signal ends it at once.

        Raises:
            StoreError: the worker ended by itself.
        """
        running, is_asked_to_end = asyncio.ensure_future(self.worker.run()), False
        planning = asyncio.ensure_future(self._plan(self.planning.planner)) if self.planning is not None else None
        while not running.done():
            if planning is not None and planning.done():
                self.worker.kill()
                planning.result()  # it only ends by an error
            if self.signals.ends > 1:
                logger.info("worker stopping at once")
                self.worker.kill()
                return
            if not self.signals.ends:
                self._reload()
            elif not is_asked_to_end:
                notify_manager("STOPPING=1")
                is_asked_to_end = running.cancel()
            if self.planning is not None:
                self._give_sign(self.planning.planner)
            notify_manager("WATCHDOG=1")
            await asyncio.wait([running], timeout=_LOOK_SECONDS)
        if not self.signals.ends:
            running.result()
            raise StoreError("the worker ended by itself")

    async def _plan(self, planner: Planner) -> None:
        """Stand for election, or plan, in a thread: to look at ten thousand portals takes longer than a worker may be silent."""
        while True:
            self.look_began_at = get_now()
            try:
                coming = await asyncio.to_thread(planner.check, self.look_began_at)
                pause = min(_LONGEST_WAIT_SECONDS, max(0.05, (coming - get_now()).total_seconds()))
            except StoreError as error:
                logger.error("the planner waits: %s", error)  # noqa: TRY400  our errors are sentences
                pause = AWAY_SECONDS
            finally:
                self.look_began_at = None
            await asyncio.sleep(pause)

    def _give_sign(self, planner: Planner) -> None:
        """Give a sign of life for a look of the planner that takes long, unless it hangs."""
        now = get_now()
        if self.look_began_at is not None and (now - self.look_began_at).total_seconds() < _LONGEST_LOOK_SECONDS:
            try:
                planner.give_sign(now)
            except NewscrawlerError as error:
                logger.warning("%s", error)  # the look itself meets it, too

    def _reload(self) -> None:
        """Take in the file if it has changed; an invalid one is refused, and the one before stays in force."""
        requested, self.signals.reload = self.signals.reload, False
        try:
            loaded = self.watcher.reload_if_changed(requested=requested)
        except ConfigError as error:
            problem = f"the configuration is refused, the one before stays in force: {error}"
            logger.error("%s", problem)  # noqa: TRY400  our errors are sentences
            if self.planning is not None:
                self.planning.planner.problem = problem
            return
        if loaded is None:
            return
        launchers = [self.launcher, *([self.planning.launcher] if self.planning is not None else [])]
        for launcher in launchers:
            launcher.text, launcher.max_memory = loaded.text, loaded.configuration.service.max_memory
        self.worker.limits = _make_limits(loaded.configuration, self.settings)
        if self.planning is not None:
            self.planning.planner.configure(loaded.configuration)
        logger.info("configuration loaded", extra={"facts": {"portals": len(loaded.configuration.crawled)}})


def make_worker_name() -> str:
    """Return the name of a worker that was given none: pods and machines are known by their host's."""
    return f"{this_host()}-{os.getpid()}"
