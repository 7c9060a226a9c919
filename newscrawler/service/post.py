"""Sees to it that news are told once by each way, and tried again where a way fails; beside the service's own thread."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from newscrawler.errors import NewscrawlerError
from newscrawler.service.alerts import Message, message_of, untold_news
from newscrawler.service.notifiers import Notifier, NotToldError
from newscrawler.store import Store

logger = logging.getLogger(__name__)

#: A way that failed is tried again after these pauses, the last again and again.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
#: News that could not be told for so long are not news any more.
STALE = timedelta(days=3)


@dataclass(slots=True)
class _Way:
    notifier: Notifier
    failures: int = 0
    next_try_at: datetime | None = None


@dataclass(slots=True)
class Post:
    """All ways."""

    store: Store
    executor: Executor
    _ways: list[_Way] = field(default_factory=list)
    _work: Future[None] | None = None
    _news: bool = True

    def configure(self, notifiers: Sequence[Notifier]) -> None:
        """Take in a configuration; what is not told yet is told by the new ways."""
        self._ways = [_Way(notifier) for notifier in notifiers]
        self._news = True

    def announce(self) -> None:
        """Say that there may be news."""
        self._news = True

    def deliver(self, now: datetime) -> None:
        """Tell what is news, as soon as what is being told is told."""
        if self._busy():
            return
        ready = [way for way in self._ways if way.next_try_at is None or way.next_try_at <= now]
        if ready and (self._news or any(way.next_try_at for way in ready)):
            self._news = False
            self._work = self.executor.submit(self._deliver, ready, now)

    def send(self, make: Callable[[], Message], then: Callable[[frozenset[str]], None], told: frozenset[str]) -> bool:
        """Make a message and send it by all ways but those that have told it; False: later, something is being told."""
        if self._busy():
            return False
        self._work = self.executor.submit(self._send, make, then, told)
        return True

    def next_event(self) -> datetime | None:
        """When a way that failed is tried again."""
        return min((way.next_try_at for way in self._ways if way.next_try_at), default=None)

    def _busy(self) -> bool:
        if self._work is None or not self._work.done():
            return self._work is not None
        work, self._work = self._work, None
        error = work.exception()
        if error is not None:
            self._news = True
            if not isinstance(error, NewscrawlerError):
                raise error
            logger.error("not everything could be told: %s", error)
        return False

    def _deliver(self, ways: Sequence[_Way], now: datetime) -> None:
        for way in ways:
            news = untold_news(self.store.service.untold([way.notifier.name], since=now - STALE), way.notifier.name)
            if not news:
                way.failures, way.next_try_at = 0, None
                continue
            if self._tell(way, message_of(news), now):
                for each in news:
                    self.store.service.told(each.alert.id, way.notifier.name, over=each.over)

    def _send(self, make: Callable[[], Message], then: Callable[[frozenset[str]], None], told: frozenset[str]) -> None:
        message = make()
        done = set(told)
        for way in self._ways:
            if way.notifier.name not in told and self._tell(way, message, None):
                done.add(way.notifier.name)
        then(frozenset(done))

    def _tell(self, way: _Way, message: Message, now: datetime | None) -> bool:
        try:
            way.notifier.tell(message)
        except NotToldError as error:
            level = logging.DEBUG if way.failures else logging.WARNING  # once, until it works again
            logger.log(level, "nobody could be told by %s: %s", way.notifier.name, error)
            if now is not None:
                way.next_try_at = now + PAUSES[min(way.failures, len(PAUSES) - 1)]
            way.failures += 1
            return False
        way.failures, way.next_try_at = 0, None
        return True
