"""What an answer, or the lack of one, tells of its host: how fast it may be asked, and whether it is left in peace for a while."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from newscrawler.crawl.refusals import HostPause
from newscrawler.crawl.slot_records import Exchange, SlotLease
from newscrawler.errors import PageReason
from newscrawler.politeness.backoff import MOST_TROUBLES_OF_A_STRANGER, Trouble, pause_after
from newscrawler.politeness.gap import Pace
from newscrawler.store import HostRecord

#: So many errors of the server in a row, whatever the URLs, are trouble of the host: else each page of it would be tried in vain.
MOST_ERRORS_IN_A_ROW = 30
#: URLs that are remembered; when there are more, memory begins anew.
_MOST_FAILED = 5_000


class Judge:
    """Remembers which URLs have failed."""

    def __init__(self) -> None:
        self._failed: set[str] = set()
        #: Errors of the server since the last answer that was none, by host.
        self._errors: Counter[str] = Counter()

    def judged(self, host: HostRecord, lease: SlotLease, answered: Exchange) -> tuple[HostRecord, HostPause | None]:
        """What is known of the host from now on, and whether it is paused."""
        pace = pace_of(host)
        if answered.trouble is None:
            self._errors.pop(lease.host, None)
            pace = pace.answered(answered.response_seconds, delay_seconds=lease.delay_seconds)
            host = replace(host, slowdown=pace.slowdown, response_seconds=pace.response_seconds, troubles=0)
            return self._asked(_unpaused(host), lease, answered)
        self._errors[lease.host] += 1
        breaks = self._errors[lease.host] > MOST_ERRORS_IN_A_ROW
        slowdown = pace.failed().slowdown
        if answered.trouble is Trouble.PAGE and not breaks:
            return self._asked(_unpaused(replace(host, slowdown=slowdown)), lease, answered)
        fresh = breaks or answered.trouble is Trouble.HOST or answered.url not in self._failed
        if len(self._failed) >= _MOST_FAILED:
            self._failed.clear()
        self._failed.add(answered.url)
        # a page that fails again says nothing new of its host; many pages that fail one after another do
        troubles = host.troubles + 1 if fresh else max(1, host.troubles)
        stranger = host.response_seconds is None
        pause = pause_after(
            troubles, delay_seconds=lease.delay_seconds, retry_after_seconds=answered.retry_after_seconds, stranger=stranger
        )
        because = (answered.told or str(answered.reason or ""))[:200]
        until = datetime.now(UTC) + timedelta(seconds=pause.seconds)
        host = replace(
            host, slowdown=slowdown, troubles=troubles, paused_until=until, paused_because=because, left_alone=pause.left_alone
        )
        told = HostPause(
            host=lease.host, seconds=pause.seconds, because=because, asked=answered.retry_after_seconds is not None,
            of_address=answered.reason is PageReason.REFUSED, left_alone=pause.left_alone, troubles=troubles,
            stranger=stranger, fresh=fresh,
        )  # fmt: skip
        return host, told

    def _asked(self, host: HostRecord, lease: SlotLease, answered: Exchange) -> tuple[HostRecord, HostPause | None]:
        """Pause a host that is in no trouble, where its answer says for how long (RFC 9110, section 10.2.3)."""
        if not answered.retry_after_seconds:
            return host, None
        pause = pause_after(1, delay_seconds=lease.delay_seconds, retry_after_seconds=answered.retry_after_seconds)
        until = datetime.now(UTC) + timedelta(seconds=pause.seconds)
        host = replace(host, paused_until=until, paused_because=answered.told[:200], left_alone=pause.left_alone)
        told = HostPause(
            host=lease.host, seconds=pause.seconds, because=answered.told, asked=True, left_alone=pause.left_alone, troubles=0
        )
        return host, told


def pace_of(host: HostRecord) -> Pace:
    """How a host has been answering."""
    return Pace(slowdown=host.slowdown, response_seconds=host.response_seconds)


def pause_of(host: HostRecord, seconds: float) -> HostPause:
    """What is left of a pause that is known."""
    return HostPause(
        host=host.name,
        seconds=seconds,
        because=host.paused_because or "",
        left_alone=host.left_alone,
        troubles=host.troubles,
        fresh=False,
        stranger=host.response_seconds is None and host.troubles >= MOST_TROUBLES_OF_A_STRANGER,
    )


def _unpaused(host: HostRecord) -> HostRecord:
    return replace(host, paused_until=None, paused_because=None, left_alone=False)
