"""A single fetch takes its turn among the crawls: the same gates and robots.txt, where there is a database that keeps them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random

import click

from newscrawler.cli.transport import Answer
from newscrawler.config import Configuration, Portal
from newscrawler.config.portal import DEFAULT_DELAY_SECONDS
from newscrawler.errors import PageError, PageReason, StoreError
from newscrawler.politeness.backoff import pause_after, read_retry_after
from newscrawler.politeness.gap import Pace, jittered
from newscrawler.politeness.names import gate_names, host_of, is_left_alone, is_this_machine
from newscrawler.politeness.robots_entry import RobotsEntry
from newscrawler.store import FetchRecord, Hosts, RobotsRecord, holder_name, open_store

#: A pause of the host that is longer is told in place of being waited for.
LONGEST_WAIT_SECONDS = 60.0
_HOLD_SECONDS = 90.0
_TOLD_SECONDS = 2.0
#: Answers that mean that the host is asked too much.
_BUSY = {429, 503}


@contextmanager
def turns_of(configuration: Configuration) -> Iterator[Turns]:
    """Take turns by the database of the configuration, if it is there."""
    try:
        store = open_store(configuration.database_url, create=False)
    except StoreError:
        yield Turns(configuration, None)
        return
    with store:
        yield Turns(configuration, store.hosts)


@dataclass(slots=True)
class Turns:
    """Waits for the turn of each request."""

    configuration: Configuration
    hosts: Hosts | None
    _robots: dict[str, RobotsEntry] = field(default_factory=dict)
    _asked_seconds: dict[str, float] = field(default_factory=dict)
    _last: dict[str, float] = field(default_factory=dict)
    _chance: Random = field(default_factory=Random)

    def portal_at(self, url: str) -> Portal | None:
        """The configured portal that begins at the host of a URL."""
        host = host_of(url)
        return next((p for p in self.configuration.portals if host in map(host_of, p.start_urls)), None)

    def delay_seconds(self, url: str) -> float:
        """What is kept between two requests: as the portal says, or else as is usual; none on this machine."""
        portal, host = self.portal_at(url), host_of(url)
        usual = float(self.configuration.defaults.get("delay", DEFAULT_DELAY_SECONDS))
        delay = portal.delay_seconds if portal is not None else 0.0 if is_this_machine(host) else usual
        return max(delay, self._asked_seconds.get(host, 0.0))

    def request(self, url: str, send: Callable[[], Answer], *, kind: str) -> Answer:
        """Send a request when its turn has come, and keep what its answer tells of the host.

        Raises:
            PageError: there is no answer, or the host is not to be asked now.
        """
        host = host_of(url)
        if is_left_alone(host, self.configuration.leave_alone):
            raise PageError(PageReason.LEFT_ALONE, f"{host} is on the list leave_alone in newscrawler.toml")
        if self.hosts is None:
            return self._alone(host, url, send)
        return self._in_turn(self.hosts, host, url, send, kind)

    def robots(self, origin: str) -> RobotsEntry | None:
        """What is kept of an origin's robots.txt, if it still holds."""
        record = self.hosts.robots(origin) if self.hosts is not None else None
        if record is not None:
            kept = RobotsEntry.stored(
                origin=origin, verdict=record.verdict, status=record.status, because=record.because, body=record.body,
                asked_at=record.asked_at, expires_at=record.expires_at, troubles=record.troubles,
            )  # fmt: skip
            self._robots[origin] = kept
        return self._robots.get(origin)

    def keep_robots(self, entry: RobotsEntry) -> None:
        """Keep what an origin says, and the delay that it asks for."""
        self._robots[entry.origin] = entry
        self._asked_seconds[host_of(entry.origin)] = entry.rules.delay_seconds
        if self.hosts is not None:
            record = RobotsRecord(
                origin=entry.origin[:300], host=host_of(entry.origin), verdict=entry.verdict, status=entry.status,
                because=entry.because, body=entry.body, asked_at=entry.asked_at, expires_at=entry.expires_at,
                troubles=entry.troubles, asks_seconds=entry.rules.asks_seconds,
            )  # fmt: skip
            self.hosts.keep_robots(record)

    def _alone(self, host: str, url: str, send: Callable[[], Answer]) -> Answer:
        """Keep the delay between the requests of this process at least."""
        before = self._last.get(host)
        if before is not None:
            _wait(before + self.delay_seconds(url) - time.monotonic(), host)
        try:
            return send()
        finally:
            self._last[host] = time.monotonic()

    def _in_turn(self, hosts: Hosts, host: str, url: str, send: Callable[[], Answer], kind: str) -> Answer:
        names, holder = gate_names(host, _known_addresses(host)), holder_name()
        while True:
            delay = self.delay_seconds(url)
            gap = _pace(hosts, host).gap_seconds(delay)
            turn = hosts.take(names, holder, gap_seconds=gap, hold_seconds=_HOLD_SECONDS)
            if turn.paused_seconds > LONGEST_WAIT_SECONDS:
                raise PageError(PageReason.PAUSED, _told(host, turn.paused_seconds, turn.host.paused_because))
            if turn.wait_seconds == 0:
                break
            _wait(turn.wait_seconds, host)
        began, at = time.monotonic(), datetime.now(UTC)
        answer: Answer | None = None
        reason: PageReason | None = None
        try:
            answer = send()
        except PageError as error:
            reason = error.reason
            raise
        finally:
            pace, state = _pace(hosts, host), turn.host
            trouble = answer.status in _BUSY if answer is not None else reason in _TROUBLE
            if trouble:
                asked = read_retry_after(answer.headers.get("retry-after"), at) if answer is not None else None
                pause = pause_after(
                    state.troubles + 1, delay_seconds=delay, retry_after_seconds=asked, stranger=state.response_seconds is None
                )
                state = replace(
                    state, troubles=state.troubles + 1, slowdown=pace.failed().slowdown, left_alone=pause.left_alone,
                    paused_until=datetime.now(UTC) + timedelta(seconds=pause.seconds),
                    paused_because=f"answers {answer.status}" if answer is not None else str(reason),
                )  # fmt: skip
            elif answer is not None:
                pace = pace.answered(answer.seconds, delay_seconds=delay)
                state = replace(
                    state, troubles=0, slowdown=pace.slowdown, response_seconds=pace.response_seconds, paused_until=None,
                    paused_because=None, left_alone=False,
                )  # fmt: skip
            record = FetchRecord(
                at=at, host=host, address=answer.address if answer is not None else None, kind=kind, gap_seconds=gap,
                status=answer.status if answer is not None else None, reason=str(reason)[:60] if reason is not None else None,
                bytes=len(answer.body) if answer is not None else 0, milliseconds=round(1000 * (time.monotonic() - began)),
            )  # fmt: skip
            after = jittered(_pace(hosts, host).gap_seconds(delay), self._chance)
            hosts.leave(names, holder, state, gap_seconds=after, log=[record])
        return answer


#: What went wrong with the host, and not with the page.
_TROUBLE = {PageReason.DNS, PageReason.REFUSED, PageReason.TIMEOUT, PageReason.TLS, PageReason.CONNECTION, PageReason.TOO_SLOW}


def _pace(hosts: Hosts, host: str) -> Pace:
    state = hosts.of(host)
    return Pace(slowdown=state.slowdown, response_seconds=state.response_seconds)


def _known_addresses(host: str) -> list[str]:
    """The addresses of a host; none where it has none: whoever connects tells why."""
    import socket

    if is_this_machine(host):
        return ["127.0.0.1", "::1"] if not host[0].isdigit() and ":" not in host else [host]
    try:
        return sorted({str(place[0]).partition("%")[0] for *_, place in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)})
    except (OSError, UnicodeError):
        return []


def _wait(seconds: float, host: str) -> None:
    if seconds > _TOLD_SECONDS:
        click.echo(f"Waits {seconds:.0f} s, as {host} is not to be asked sooner.", err=True)
    time.sleep(max(0.0, seconds))


def _told(host: str, seconds: float, because: str | None) -> str:
    until = datetime.now(UTC) + timedelta(seconds=seconds)
    return f"{host} is not asked before {until:%Y-%m-%d %H:%M} UTC, after trouble: {because or 'unknown'}"
