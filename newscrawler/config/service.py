"""What the configuration says of the nightly service: how it runs, whom it tells, what it exports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time
from pathlib import Path
from zoneinfo import ZoneInfo

#: The formats of newscrawler.export, which a configuration is checked against without loading them; a test holds them together.
EXPORT_FORMATS = ("csv", "json", "jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """[service]: how `newscrawler run` works."""

    #: Portals that are crawled at the same time.
    at_once: int = 4
    #: One crawl is ended after this, and killed if it does not end.
    max_hours: float = 12.0
    #: Memory that one crawl may take, in MiB.
    max_memory: int = 1024
    #: What a crawl is given to end before it is killed.
    grace_seconds: float = 30.0
    #: IANA name for the digest and for the dates in paths of exports; None: this machine's clock.
    time_zone: str | None = None
    #: Where metrics and health are served; None: nowhere.
    listen: tuple[str, int] | None = None
    #: The same metrics as a file for node_exporter.
    textfile: Path | None = None

    @property
    def zone(self) -> ZoneInfo | None:
        """The time zone; None: this machine's."""
        return ZoneInfo(self.time_zone) if self.time_zone else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertSettings:
    """[alerts]: who is told, and how."""

    #: E-mail addresses.
    mail_to: tuple[str, ...] = ()
    mail_from: str = "newscrawler@localhost"
    #: smtp://[user@]host[:port] or smtps://…
    smtp: str = "smtp://localhost"
    smtp_password_file: Path | None = None
    #: An address that takes JSON, such as Slack's incoming webhooks.
    webhook: str | None = None
    #: A program that is given JSON on its standard input.
    command: tuple[str, ...] = ()
    #: When the daily digest is made; None: never.
    digest: time | None = time(7, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """One [[export]]: a file that is written after each night."""

    name: str
    format: str
    #: May hold {date}, {time} and {name}.
    path: str
    #: Of these portals; empty: of all.
    portals: tuple[str, ...] = ()
    language: str | None = None
    #: Published in the last so many days; None: whenever.
    days: int | None = None
    #: Only articles that came since this export was last written.
    only_new: bool = False
