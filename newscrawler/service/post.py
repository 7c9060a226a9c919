"""Delivers notifications once by each channel, with retries, in a separate thread."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from newscrawler.errors import NewscrawlerError
from newscrawler.service.alerts import Message, message_of, undelivered_news
from newscrawler.service.notifiers import DeliveryError, Notifier
from newscrawler.store import Store

logger = logging.getLogger(__name__)

#: Pauses before retries of a failed channel; the last repeats.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
#: Undelivered notifications are dropped after this.
STALE = timedelta(days=3)


@dataclass(slots=True)
class _Way:
    notifier: Notifier
    failures: int = 0
    next_try_at: datetime | None = None


@dataclass(slots=True)
class Post:
    """All channels."""

    store: Store
    executor: Executor
    _ways: list[_Way] = field(default_factory=list)
    _work: Future[None] | None = None
    _news: bool = True

    def configure(self, notifiers: Sequence[Notifier]) -> None:
        """Apply a configuration; undelivered notifications go to the new channels."""
        self._ways = [_Way(notifier) for notifier in notifiers]
        self._news = True

    def announce(self) -> None:
        """Wake the delivery, because there may be news."""
        self._news = True

    def deliver(self, now: datetime) -> None:
        """Send the news, after any delivery in progress."""
        if self._busy():
            return
        ready = [way for way in self._ways if way.next_try_at is None or way.next_try_at <= now]
        if ready and (self._news or any(way.next_try_at for way in ready)):
            self._news = False
            self._work = self.executor.submit(self._deliver, ready, now)

    def send(self, make: Callable[[], Message], then: Callable[[frozenset[str]], None], delivered: frozenset[str]) -> bool:
        """Create a message and send it by all channels that have not delivered it; False: another delivery is in progress."""
        if self._busy():
            return False
        self._work = self.executor.submit(self._send, make, then, delivered)
        return True

    def next_event(self) -> datetime | None:
        """Return when a failed channel is retried."""
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
            logger.error("not every notification was delivered: %s", error)
        return False

    def _deliver(self, ways: Sequence[_Way], now: datetime) -> None:
        for way in ways:
            news = undelivered_news(self.store.service.undelivered([way.notifier.name], since=now - STALE), way.notifier.name)
            if not news:
                way.failures, way.next_try_at = 0, None
                continue
            if self._deliver_by(way, message_of(news), now):
                for each in news:
                    self.store.service.mark_delivered(each.alert.id, way.notifier.name, over=each.over)

    def _send(self, make: Callable[[], Message], then: Callable[[frozenset[str]], None], delivered: frozenset[str]) -> None:
        message = make()
        done = set(delivered)
        for way in self._ways:
            if way.notifier.name not in delivered and self._deliver_by(way, message, None):
                done.add(way.notifier.name)
        then(frozenset(done))

    def _deliver_by(self, way: _Way, message: Message, now: datetime | None) -> bool:
        try:
            way.notifier.deliver(message)
        except DeliveryError as error:
            level = logging.DEBUG if way.failures else logging.WARNING  # once, until it works again
            logger.log(level, "no notification was delivered by %s: %s", way.notifier.name, error)
            if now is not None:
                way.next_try_at = now + PAUSES[min(way.failures, len(PAUSES) - 1)]
            way.failures += 1
            return False
        way.failures, way.next_try_at = 0, None
        return True
