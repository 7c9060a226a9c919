"""The size of a trial, and its simulated portals: where in the world they are, what they publish, and their logs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from newscrawler.config import Configuration, parse_configuration

DELAY_SECONDS = 5.0
#: Hours for which a portal's window is open, and between the local hours at which those of two portals open.
_OPEN_HOURS, _HOURS_APART = 10, 7
#: Articles that a front page shows.
_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is tried."""

    workers: int = 10
    portals: int = 80
    hours: float = 48.0
    #: Each portal's turns come so often while its window is open: less than 60, which it divides, or whole hours.
    every_minutes: int = 1440
    #: A portal publishes an article so often.
    publishes_minutes: float = 480.0
    #: Between two faults, on average, leaps over idle time left out.
    fault_seconds: float = 60.0
    seed: int = 1
    #: The trial ends after so much processor time, its database's included, wherever it is.
    most_minutes: float = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request as the portal's server saw it."""

    at: float
    #: Who sent it: a run, or a machine.
    by: int | str
    url: str


@dataclass(slots=True, kw_only=True)
class Server:
    """All portals: what they have published, and their logs."""

    begin: float
    publishes_minutes: float
    logs: dict[str, list[Visit]] = field(default_factory=lambda: defaultdict(list))

    def shown(self, at: float) -> range:
        """Return the numbers of the articles on each front page then."""
        published = 3 + int((at - self.begin) // (60 * self.publishes_minutes))
        return range(max(0, published - _SHOWN), published)


@cache
def time_zones() -> tuple[str, ...]:
    """Return a time zone for each offset from UTC that there is."""
    now = datetime.now(UTC)
    by_offset = {now.astimezone(ZoneInfo(name)).strftime("%z"): name for name in sorted(available_timezones() - {"localtime"})}
    return tuple(by_offset[offset] for offset in sorted(by_offset))


def configuration_of(size: Size) -> Configuration:
    """Return a configuration whose portals' windows are spread over the day in all time zones."""
    zones = time_zones()
    lines = []
    for number in range(size.portals):
        hour = _HOURS_APART * number % 24
        lines.append(
            f'[[portal]]\nname = "p{number}"\nstart_urls = ["http://p{number}.example/"]\ndelay = {DELAY_SECONDS}\n'
            f'schedule = "{_schedule(number, hour, size.every_minutes)}"\n'
            f'window = "{hour:02}:00-{(hour + _OPEN_HOURS) % 24:02}:00"\n'
            f'time_zone = "{zones[number % len(zones)]}"\nkeep_pages = false\n'
        )
    return parse_configuration(
        '[crawler]\ncontact = "me@example.org"\n[alerts]\ndigest = "never"\n' + "".join(lines), Path("newscrawler.toml")
    )


def _schedule(number: int, hour: int, every_minutes: int) -> str:
    if every_minutes < 60:
        return f"{','.join(map(str, range(number % every_minutes, 60, every_minutes)))} * * * *"
    hours = range(hour, hour + _OPEN_HOURS, every_minutes // 60)
    return f"0 {','.join(str(each % 24) for each in hours)} * * *"
