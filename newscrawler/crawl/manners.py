"""What all crawls of a process share towards hosts: gates, robots.txt, and the thread in which the database keeps them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from random import Random
from zoneinfo import ZoneInfo

from newscrawler.config.portal import Configuration, Portal
from newscrawler.crawl.database_thread import DatabaseThread
from newscrawler.crawl.gate import Gate
from newscrawler.crawl.ledger import Ledger
from newscrawler.crawl.passing import Visitor
from newscrawler.crawl.robots import RobotsBook
from newscrawler.store import Hosts


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """Towards all hosts, for as long as the process runs."""

    gate: Gate
    robots: RobotsBook
    hosts: Hosts
    database: DatabaseThread

    @classmethod
    def of(cls, hosts: Hosts, configuration: Configuration, *, waits: Callable[[float, str], None]) -> Manners:
        """Make it for a database and a configuration."""
        database = DatabaseThread("hosts", waits=waits, in_process=hosts.in_process)
        gate = Gate(hosts, database, leave_alone=configuration.leave_alone, chance=Random())  # noqa: S311  jitter is no secret
        return cls(gate=gate, robots=RobotsBook(hosts, database), hosts=hosts, database=database)

    async def close(self) -> None:
        """Write what is not written yet, and throw away what is too old."""
        await self.gate.close()
        await self.database.run(partial(self.hosts.prune, now=datetime.now(UTC)))


def visitor_of(portal: Portal, ledger: Ledger) -> Visitor:
    """As whom a run of a portal comes to a host."""
    window, zone = portal.window, ZoneInfo(portal.time_zone)
    return Visitor(
        portal=portal.name,
        delay_seconds=portal.delay_seconds,
        timeout_seconds=portal.timeout_seconds,
        run_id=lambda: ledger.run_id,
        waits=ledger.waits,
        is_over=ledger.is_over,
        may_ask=lambda now: window is None or window.closes_at(now, zone) is not None,
    )
