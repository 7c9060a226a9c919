"""Settings of the service as frozen records: how it runs, whom it alerts, what it exports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time
from pathlib import Path
from zoneinfo import ZoneInfo

from newscrawler.politeness.rights import Purpose

#: Formats of newscrawler.corpus that are one file, repeated here so that validation need not load them; a test compares the two.
EXPORT_FORMATS = ("jsonl", "json", "csv", "xlsx", "html", "tei", "vertical", "conllu", "parquet")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """[service]: settings of `newscrawler run`."""

    #: Number of portals crawled at the same time; None: as many as their time needs and memory allows.
    at_once: int | None = None
    #: After this time a crawl is stopped, and killed if it does not stop.
    max_hours: float = 12.0
    #: Memory limit of one crawl, in MiB.
    max_memory: int = 1024
    #: Time between the request to stop and the kill.
    grace_seconds: float = 30.0
    #: IANA name, for the digest and the dates in paths of exports; None: that of this machine.
    time_zone: str | None = None
    #: Host and port of metrics and health; None: they are not served.
    listen: tuple[str, int] | None = None
    #: Host and port of the web application; None: it is not served.
    web: tuple[str, int] | None = None
    #: Header in which a proxy names the person who is logged in with it.
    web_user_header: str | None = None
    #: Networks in which that proxy may be; empty: this machine.
    web_proxies: tuple[str, ...] = ()
    #: Metrics as a file for node_exporter.
    textfile: Path | None = None

    @property
    def zone(self) -> ZoneInfo | None:
        """Return the time zone; None: that of this machine."""
        return ZoneInfo(self.time_zone) if self.time_zone else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertSettings:
    """[alerts]: recipients of alerts, and how they are sent."""

    #: E-mail addresses.
    mail_to: tuple[str, ...] = ()
    mail_from: str = "newscrawler@localhost"
    #: smtp://[user@]host[:port] or smtps://…
    smtp: str = "smtp://localhost"
    smtp_password_file: Path | None = None
    #: A URL that accepts JSON, such as Slack's incoming webhooks.
    webhook: str | None = None
    #: A program that reads JSON from its standard input.
    command: tuple[str, ...] = ()
    #: Names of installed plugins.
    plugins: tuple[str, ...] = ()
    #: Time of day of the daily digest; None: never.
    digest: time | None = time(7, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """One [[export]]: a file that is written after the crawl runs."""

    name: str
    format: str
    #: With the placeholders {date}, {time} and {name}.
    path: str
    #: Only of these portals; empty: of all.
    portals: tuple[str, ...] = ()
    language: str | None = None
    #: Only articles that are filed in this collection; None: in any or none.
    collection: str | None = None
    #: Only articles that declare this keyword or are filed under it.
    keyword: str | None = None
    #: Only articles published in this many last days; None: all.
    days: int | None = None
    #: Only articles stored since this export was last written.
    only_new: bool = False
    #: Without what publishers reserve for this use; None: of nothing.
    purpose: Purpose | None = None
