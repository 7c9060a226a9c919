"""A run on the frontier: its record, its heartbeat, the URLs that it has leased, the pauses of its hosts, and its end."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import deque
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import Any

from scrapy import Request

from newscrawler import __version__
from newscrawler.crawl.hosts.failures import HostPause
from newscrawler.crawl.policy.portal_profile import PortalProfile
from newscrawler.crawl.process.memory import release_free_memory
from newscrawler.crawl.process.threads import DatabaseThread
from newscrawler.discovery import choose_corrections
from newscrawler.errors import NewscrawlerError, PageReason
from newscrawler.politeness import SUSPENSION, get_host
from newscrawler.store import Store
from newscrawler.store.frontier import MOST_PRIORITY, Frontier, LeasedUrl
from newscrawler.store.service import RunRecord
from newscrawler.store.vocabularies import EndReason, Reason, RunEnd

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
#: Longest wait of a run; longer ones are left to the next run. Retry-After may be an hour.
LONGEST_WAIT_SECONDS = 3660.0
#: Pauses up to this stop the whole portal; during longer ones its other hosts are requested.
_SHORT_PAUSE_SECONDS = 30.0


class FrontierRun(ABC):
    """One run on the frontier of one portal or spider; `SqlScheduler` leases its URLs.

    Attributes:
        most_in_hand: URLs that are leased at once; at most as many are fetched again after a power failure.
        in_hand: the leased URLs without a committed outcome.
        taken: URLs of the last batch that are not in hand yet.
        changed: set when the scheduler has to check the run and the frontier again.
        paused_until: no URL is leased before, by `monotonic`, which is never set back.
        pause_reason: of that pause.
        host_end: how the run ends if only paused hosts are left.
        error: why it ended early; None: no error.
    """

    most_in_hand = 16
    #: The portal whose past the queue has.
    past_of: str | None = None

    def __init__(self, name: str, store: Store) -> None:
        self._name = name
        self._store = store
        self._database = DatabaseThread(name, waits=self.report_wait, in_process=store.in_process)
        self._record: RunRecord | None = None
        self._frontier_of_run: Frontier | None = None
        self._beating: asyncio.Task[None] | None = None
        self._postponed: dict[str, datetime] = {}
        self.in_hand: set[int] = set()
        self.taken: deque[LeasedUrl] = deque()
        self.changed = asyncio.Event()
        self.paused_until = 0.0
        self.pause_reason = ""
        self.host_end: RunEnd | None = None
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

    async def begin(self) -> None:
        """Begin the run, or take up a broken one.

        Raises:
            PortalBusyError: another process runs it.
            StoreError: the database cannot be used.
        """
        now = datetime.now(UTC)
        begin = partial(self._store.runs.begin, self._name, now=now, version=__version__, past_of=self.past_of)
        record, self._frontier_of_run = await self._database.run(begin)
        self._record = record
        self._beating = asyncio.ensure_future(self._send_heartbeats(record.id))

    async def _send_heartbeats(self, run_id: int) -> None:
        """Send heartbeats and release free memory until the run ends."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            release_free_memory()
            try:
                await self.send_heartbeat(run_id)
            except NewscrawlerError as error:
                self.fail(error)
                return

    async def send_heartbeat(self, run_id: int) -> None:
        """Send a heartbeat, so that other processes see that the run is alive.

        Raises:
            StoreError: the database cannot be used.
        """
        await self._database.run(self._store.runs.heartbeat, run_id, now=datetime.now(UTC), counts=self.get_figures())

    def get_figures(self) -> dict[str, Any]:
        """Return the figures for the run's record."""
        return {}

    def fail(self, error: NewscrawlerError) -> None:
        """End the run with an error; committed outcomes stay."""
        if self.error is None:
            self.error = error
            logger.error("%s: %s", self._name, error)
        self.stop(RunEnd(EndReason.ERROR, str(error)))

    def stop(self, because: RunEnd) -> None:
        """Lease no more URLs; the first reason counts."""
        self._ended_because = self._ended_because or because
        self.changed.set()

    def report_wait(self, seconds: float, why: str) -> None:
        """Report a wait, with its reason."""
        logger.info("%s: waiting %.1f s %s", self._name, seconds, why)

    async def lease_urls(self, most: int) -> list[LeasedUrl]:
        """Lease up to `most` URLs, most promising first."""
        return await self._lease(most)

    async def _lease(self, most: int, *, before: int = MOST_PRIORITY) -> list[LeasedUrl]:
        """Lease URLs of smaller priorities than `before`."""
        return await self._database.run_briefly(self._frontier.lease, most, now=datetime.now(UTC), before=before)

    def release(self, url_id: int) -> None:
        """Release a URL whose outcome is committed."""
        self.in_hand.discard(url_id)
        self.changed.set()

    async def find_next_try(self) -> tuple[datetime, str] | None:
        """Return when the earliest of the waiting URLs may be tried again, and why it waits."""
        return await self._database.run(self._frontier.find_next_try)

    async def pause_host(self, pause: HostPause) -> None:
        """Pause all requests for a short time, or those of this host for longer.

        Raises:
            StoreError: the frontier cannot be written.
        """
        until = datetime.now(UTC) + timedelta(seconds=pause.seconds)
        self.pause_reason = pause.why
        if pause.closed:
            self.host_end = RunEnd(EndReason.WINDOW, pause.because)
        elif pause.suspended or pause.seconds > LONGEST_WAIT_SECONDS:
            self.host_end = RunEnd(EndReason.HOST, f"{pause.host} until {until:%Y-%m-%d %H:%M} UTC ({pause.because})")
        if pause.final:  # no more requests to it in this run
            await self._postpone(pause, datetime.now(UTC) + SUSPENSION)
            self.taken = deque(lease for lease in self.taken if get_host(lease.url) != pause.host)
        elif pause.seconds <= _SHORT_PAUSE_SECONDS:
            self.paused_until = max(monotonic() + pause.seconds, self.paused_until)
        elif self._postponed.get(pause.host, until - timedelta(days=1)) < until - timedelta(seconds=_SHORT_PAUSE_SECONDS):
            self._postponed[pause.host] = until
            await self._postpone(pause, until)

    async def _postpone(self, pause: HostPause, until: datetime) -> None:
        """Postpone all URLs of a host that wait."""
        reason = Reason(PageReason.SUSPENDED if pause.suspended or pause.final else PageReason.PAUSED, pause.because)
        await self._database.run(self._frontier.postpone, pause.host, until=until, reason=reason)

    @abstractmethod
    def make_request(self, lease: LeasedUrl) -> Request:
        """Return the request for a URL."""

    def end_reason(self, *, at_best: int = 0) -> RunEnd | None:  # noqa: ARG002  for limits
        """Return why the run is to end if `at_best` of the leased URLs are new articles; None: go on."""
        return self._ended_because

    async def admit(self, lease: LeasedUrl) -> bool:  # noqa: ARG002
        """Return whether to request a leased URL; one that is not requested is completed here."""
        return True

    async def requeue(self) -> bool:
        """Requeue pages whose reason for refusal no longer applies; False: there are none."""
        return False


#: Older articles are not fetched again.
OLDEST_REVISIT = timedelta(days=60)


class Revisits:
    """Requeue articles of one run."""

    def __init__(self, portal: str, store: Store, database: DatabaseThread, profile: PortalProfile) -> None:
        self._portal = portal
        self._store = store
        self._database = database
        self._profile = profile
        #: Pages that had been fetched when a later look at others was last planned.
        self._pages: int | None = None
        self._has_requeued_vanished = False

    def requeue_corrected(self, frontier: Frontier, now: datetime) -> None:
        """Requeue articles that may have been corrected, in proportion to the time since the last crawl."""
        recent = list(frontier.recent_articles(now - OLDEST_REVISIT))
        began = [run.started_at for run in self._store.runs.latest(self._portal, limit=2)][1:]
        days = (now - began[0]) / timedelta(days=1) if began else 0.0
        frontier.requeue([recent[place].url_id for place in choose_corrections(recent, now, days=days)])

    async def requeue(self, frontier: Frontier, pages: int) -> bool:
        """Requeue pages once the frontier is empty; False: there are none."""
        if pages != self._pages:
            self._pages = pages
            await self._database.run(frontier.plan_likely, self._profile.suggests_article)
        return await self._requeue_vanished(frontier)

    async def _requeue_vanished(self, frontier: Frontier) -> bool:
        """Requeue, once in a run, the articles that sitemaps no longer list."""
        if self._has_requeued_vanished:
            return False
        self._has_requeued_vanished = True
        return await self._database.run(frontier.requeue_vanished) > 0
