"""A run on the frontier: its record, its heartbeat, its leases, and what ends it."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol

from scrapy import Request

from newscrawler import __version__
from newscrawler.crawl.failures import HostPause
from newscrawler.crawl.garbage import release_free_memory
from newscrawler.crawl.threads import DatabaseThread
from newscrawler.errors import NewscrawlerError
from newscrawler.store import ClaimedUrl, FoundUrl, Frontier, RunRecord, Store
from newscrawler.store.vocabularies.outcomes import EndReason, Reason, RunEnd

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0


class Leases(Protocol):
    """The scheduler's side of a run."""

    @property
    def in_hand(self) -> int:
        """Return the number of leased URLs without a committed outcome."""
        ...

    def completed(self, url_id: int) -> None:
        """Release a URL whose outcome is committed."""
        ...

    def wake(self) -> None:
        """Check the run and the frontier again."""
        ...

    async def pause_host(self, pause: HostPause) -> None:
        """Send no requests to a host for a while."""
        ...


class FrontierRun:
    """One run on the frontier of one portal or spider.

    Attributes:
        most_in_hand: URLs that are leased at once; at most as many are fetched again after a power failure.
        error: why it ended early; None: no error.
    """

    most_in_hand = 16

    def __init__(self, name: str, store: Store) -> None:
        self._name = name
        self._store = store
        self._database = DatabaseThread(name, waits=self.waits, in_process=store.in_process)
        self._record: RunRecord | None = None
        self._frontier_of_run: Frontier | None = None
        self._leases: Leases | None = None
        self._beating: asyncio.Task[None] | None = None
        self.error: NewscrawlerError | None = None
        self._ended_because: RunEnd | None = None

    @property
    def run_id(self) -> int | None:
        """Return the number of the run, once it has begun."""
        return self._record.id if self._record else None

    @property
    def _frontier(self) -> Frontier:
        assert self._frontier_of_run is not None, "the run has not begun"
        return self._frontier_of_run

    async def begin(self, leases: Leases) -> None:
        """Begin the run, or take up a broken one.

        Raises:
            PortalBusyError: another process runs it.
            StoreError: the database cannot be used.
        """
        begin = partial(self._store.runs.begin, self._name, now=datetime.now(UTC), version=__version__)
        record, self._frontier_of_run = await self._database.run(begin)
        self._record, self._leases = record, leases
        self._beating = asyncio.ensure_future(self._beat(record.id))

    async def _beat(self, run_id: int) -> None:
        """Send heartbeats and release free memory until the run ends."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            release_free_memory()
            try:
                await self.beat(run_id)
            except NewscrawlerError as error:
                self.fail(error)
                return

    async def beat(self, run_id: int) -> None:
        """Send a heartbeat, so that other processes see that the run is alive.

        Raises:
            StoreError: the database cannot be used.
        """
        beat = partial(self._store.runs.heartbeat, run_id, now=datetime.now(UTC), counts=self.figures())
        await self._database.run(beat)

    def figures(self) -> dict[str, Any]:
        """Return the figures for the run's record."""
        return {}

    def fail(self, error: NewscrawlerError) -> None:
        """End the run with an error; what was committed stays."""
        if self.error is None:
            self.error = error
            logger.error("%s: %s", self._name, error)
        self.stop(RunEnd(EndReason.ERROR, str(error)))

    def stop(self, because: RunEnd) -> None:
        """Lease no more URLs; the first reason counts."""
        self._ended_because = self._ended_because or because
        if self._leases is not None:
            self._leases.wake()

    def waits(self, seconds: float, why: str) -> None:
        """Report a wait, with its reason."""

    # ------------------------------------------------------------------ for the scheduler

    async def claim(self, most: int) -> list[ClaimedUrl]:
        """Lease up to `most` URLs, most promising first."""
        return await self._database.run(partial(self._frontier.claim, most, now=datetime.now(UTC)), brief=True)

    async def next_try_at(self) -> datetime | None:
        """Return when the earliest of the waiting URLs may be tried again."""
        return await self._database.run(self._frontier.next_try_at)

    async def postpone(self, host: str, until: datetime, reason: Reason) -> None:
        """Postpone all URLs of a host that wait."""
        await self._database.run(partial(self._frontier.postpone, host, until=until, reason=reason))

    def end_reason(self, *, at_best: int = 0) -> RunEnd | None:  # noqa: ARG002  for limits
        """Return why the run is to end if `at_best` of the leased URLs are new articles; None: go on."""
        return self._ended_because

    async def admit(self, claimed: ClaimedUrl) -> bool:  # noqa: ARG002
        """Return whether to request a leased URL; one that is not requested is completed here."""
        return True

    async def requeue(self) -> bool:
        """Requeue pages whose reason for refusal no longer holds; False: there are none."""
        return False

    @property
    def has_ended(self) -> bool:
        """Return whether there is something for `commit_ended`."""
        return False

    async def commit_ended(self) -> None:
        """Commit what has ended since the last call."""

    def request(self, claimed: ClaimedUrl) -> Request:
        """Return the request for a URL."""
        raise NotImplementedError

    def row(self, request: Request) -> FoundUrl | None:  # noqa: ARG002
        """Return a request as a row of the frontier; None: it cannot be one."""
        return None

    def add(self, row: FoundUrl) -> bool:
        """Add a row to the frontier; False: it is known."""
        return self._frontier.seed([row], now=datetime.now(UTC)) > 0
