"""A crawl's process in a simulated cluster: real runs, frontier and host slots; only the answers of the portal are made up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from newscrawler.article import Article, DatePrecision, Paragraph
from newscrawler.errors import LeaseLostError, NewscrawlerError, PortalBusyError, StoreAwayError
from newscrawler.store.frontier import FoundUrl, Frontier, PageOutcome
from newscrawler.store.hosts import HostRecord, holder_name
from newscrawler.store.service import RunRecord
from newscrawler.store.vocabularies import FINISHED, INTERRUPTED, FrontierKind, UrlOutcome, UrlState
from tools.chaos_trial.portals import DELAY_SECONDS, Visit

if TYPE_CHECKING:
    from tools.chaos_trial.workers import SimulatedWorker

HOLD_SECONDS = 60.0
RUN_BEATS_SECONDS = 15.0
#: No process wakes sooner; where times are rounded, one that asks again after less would ask at the same moment for ever.
_LEAST_WAIT_SECONDS = 0.01
_NUMBERS = count(1)


class SimulatedCrawl:
    """A crawl's process: real runs, frontier and host slots; only the answers of the portal are made up."""

    def __init__(self, worker: SimulatedWorker, portal: str) -> None:
        self.pid = 2**21
        self.worker, self.portal = worker, portal
        self.simulation = worker.simulation
        #: Nothing more is done.
        self.is_over = False
        self._code: int | None = None
        self._is_asked_to_end = False
        self._run: RunRecord | None = None
        self._frontier: Frontier | None = None
        self._holder = holder_name(next(_NUMBERS))
        self._beaten_at = 0.0
        self._step_at(self.simulation.now + 1.0, self._start)

    @property
    def is_under_way(self) -> bool:
        """Whether it has begun and not ended."""
        return not self.is_over and self._run is not None

    def exit_code(self) -> int | None:
        """Return how it ended."""
        return -9 if self.is_over and self._code is None else self._code

    def measure_memory_mib(self) -> int:
        """Little."""
        return 80

    measure_private_mib = measure_memory_mib

    def terminate(self) -> None:
        """End after the request in hand."""
        self._is_asked_to_end = True

    def kill(self) -> None:
        """End at once."""
        if not self.is_over:
            self._end(-9)

    def _step_at(self, moment: float, step: Callable[[], None]) -> None:
        def call() -> None:
            if self.is_over:
                return
            if self.worker.is_stopped:
                self._step_at(self.worker.stopped_until, step)
                return
            try:
                step()
            except LeaseLostError:
                self._end(3)
            except PortalBusyError:
                self._end(1)
            except StoreAwayError:
                self._step_at(self.simulation.now + 5.0, step)  # as DatabaseThread does
            except NewscrawlerError:
                self._end(3)

        self.simulation.at(moment, call)

    def _start(self) -> None:
        self._run, self._frontier = self.worker.store.runs.begin(self.portal, now=datetime.now(UTC), version="1")
        start = FoundUrl(url=f"http://{self.portal}/", kind=FrontierKind.START, priority=0, depth=0)
        self._frontier.seed([start], now=self.simulation.moment())
        self._step_at(self.simulation.now, self._next)

    def _next(self) -> None:
        assert self._frontier is not None
        assert self._run is not None
        self._beat()
        window = self.simulation.portals[self.portal].window
        zone = ZoneInfo(self.simulation.portals[self.portal].time_zone)
        claimed = []
        is_open = window is None or window.closes_at(self.simulation.moment(self.worker.offset), zone) is not None
        if is_open and not self._is_asked_to_end:
            claimed = self._frontier.lease(1, now=self.simulation.moment())
        if not claimed:
            because = INTERRUPTED if self._is_asked_to_end else FINISHED
            self.worker.store.runs.end(self._run.id, now=datetime.now(UTC), because=because, counts={})
            self._end(130 if self._is_asked_to_end else 0)
            return
        self._step_at(self.simulation.now, lambda: self._ask(claimed[0].id, claimed[0].url))

    def _ask(self, url_id: int, url: str) -> None:
        assert self._run is not None
        self._beat()
        turn = self.worker.store.hosts.take([self.portal], self._holder, gap_seconds=DELAY_SECONDS, hold_seconds=HOLD_SECONDS)
        if turn.wait_seconds > 0:
            wait = max(_LEAST_WAIT_SECONDS, min(turn.wait_seconds, 30.0))
            self._step_at(self.simulation.now + wait, lambda: self._ask(url_id, url))
            return
        simulation = self.simulation
        simulation.server.logs[self.portal].append(Visit(at=simulation.now, by=self._run.id, url=url))
        shown = simulation.server.shown(simulation.now)
        self._step_at(simulation.now + simulation.random.uniform(0.1, 1.5), lambda: self._store(url_id, url, shown))

    def _store(self, url_id: int, url: str, shown: range) -> None:
        """Give the slot back, then commit what came."""
        assert self._frontier is not None
        self.worker.store.hosts.leave([self.portal], self._holder, HostRecord(name=self.portal), gap_seconds=DELAY_SECONDS, log=[])
        self._step_at(self.simulation.now, lambda: self._commit(url_id, url, shown))

    def _commit(self, url_id: int, url: str, shown: range) -> None:
        assert self._frontier is not None
        now = self.simulation.moment()
        if url.endswith("/"):
            found = tuple(FoundUrl(url=f"{url}{number}", kind=FrontierKind.ARTICLE, priority=1, depth=1) for number in shown)
            outcome = PageOutcome(
                url_id=url_id, state=UrlState.DONE, outcome=UrlOutcome.LISTING, http_status=200, found=found, fetched_at=now
            )
        else:
            outcome = PageOutcome(
                url_id=url_id,
                state=UrlState.DONE,
                outcome=UrlOutcome.ARTICLE,
                http_status=200,
                article=_article(url, now),
                fetched_at=now,
            )
        self._frontier.commit([outcome])
        self._step_at(self.simulation.now, self._next)

    def _beat(self) -> None:
        if self._run is not None and self.simulation.now - self._beaten_at >= RUN_BEATS_SECONDS:
            self.worker.store.runs.heartbeat(self._run.id, now=datetime.now(UTC), counts={})
            self._beaten_at = self.simulation.now

    def _end(self, code: int) -> None:
        self.is_over, self._code = True, code
        self.simulation.ended[str(code)] += 1
        self.worker.crawls = [crawl for crawl in self.worker.crawls if crawl is not self]


def _article(url: str, now: datetime) -> Article:
    return Article(
        title=f"Article {url}",
        paragraphs=(Paragraph(text=f"What {url} says."),),
        url=url,
        published_at=now,
        published_precision=DatePrecision.MINUTE,
        language="en",
        fetched_at=now,
        method="default",
        confidence=0.9,
    )
