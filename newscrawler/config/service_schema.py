"""The tables [service], [alerts] and [[export]] as pydantic models, and their conversion to records."""

from __future__ import annotations

import re
from datetime import time
from email.utils import parseaddr
from pathlib import Path
from string import Formatter
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from newscrawler.config.names import one_of
from newscrawler.config.schema import FILE_ONLY, SECRET, Table, network, time_zone_name
from newscrawler.config.service import EXPORT_FORMATS, AlertSettings, Export, ServiceSettings
from newscrawler.plugins import PluginGroup, plugins_of
from newscrawler.politeness.rights import Purpose

#: Placeholders in the path of an export.
PLACEHOLDERS = ("date", "time", "name")


def _address(value: str) -> str:
    if parseaddr(value)[1] != value or not re.fullmatch(r"[^@\s]+@[^@\s]+", value):
        raise ValueError(", which is not an e-mail address")
    return value


def listen_address(value: str) -> str:
    """Return an address and port.

    Raises:
        ValueError: it is none.
    """
    host, colon, port = value.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise ValueError("")
    return value


def host_and_port(value: str) -> tuple[str, int]:
    """Split an address and port; an address of IPv6 may be in brackets."""
    host, _, port = value.rpartition(":")
    return host.strip("[]"), int(port)


def _smtp(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise ValueError("")
    if parts.password:
        raise ValueError(", which holds a password")
    return value


def _web(value: str) -> str:
    if urlsplit(value).scheme not in {"http", "https"} or not urlsplit(value).hostname:
        raise ValueError(", which is not a web address")
    return value


def _notifier(name: str) -> str:
    if name not in plugins_of(PluginGroup.NOTIFIERS):
        raise ValueError
    return name


def _clock(value: str) -> str:
    if value != "never":
        try:
            time.fromisoformat(value)
        except ValueError:
            raise ValueError("") from None
    return value


def _path(value: str) -> str:
    try:
        fields = [name for _, name, _, _ in Formatter().parse(value) if name is not None]
    except ValueError as error:
        raise ValueError(f" ({error})") from error
    unknown = next((name for name in fields if name not in PLACEHOLDERS), None)
    if unknown is not None:
        raise ValueError(f", in which {{{unknown}}} is not known")
    return value


Address = Annotated[str, AfterValidator(_address)]


class ServiceTable(Table):
    """The keys of [service]."""

    at_once: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        None,
        description="a whole number, 1 to 1000: how many portals are crawled at the same time; without it, as many as their hours "
        "need and memory allows",
    )
    max_hours: Annotated[float, Field(gt=0, le=168, allow_inf_nan=False)] = Field(
        12.0, description="a number above 0, at most 168: the hours after which a crawl is ended"
    )
    max_memory: Annotated[int, Field(ge=128)] = Field(
        1024, description="a whole number, 128 or more: the megabytes of memory that a crawl may take"
    )
    grace: Annotated[float, Field(ge=1, le=3600, allow_inf_nan=False)] = Field(
        30.0, description="a number of seconds, 1 to 3600, that a crawl is given to end before it is killed"
    )
    time_zone: Annotated[str, AfterValidator(time_zone_name)] | None = Field(
        None, description='a name of the IANA time zones, such as "Europe/Prague"; without it, this machine\'s clock'
    )
    listen: Annotated[str, AfterValidator(listen_address)] | None = Field(
        None,
        description='an address and port for metrics and health, such as "127.0.0.1:9477"',
        json_schema_extra=FILE_ONLY,
    )
    web: Annotated[str, AfterValidator(listen_address)] | None = Field(
        None,
        description='an address and port for the web application, such as "127.0.0.1:8765"',
        json_schema_extra=FILE_ONLY,
    )
    web_user_header: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,60}$")] | None = Field(
        None,
        description='the name of the header in which a proxy in front of the web application gives the user, such as "Remote-User"',
        json_schema_extra=FILE_ONLY,
    )
    web_proxies: list[Annotated[str, AfterValidator(network)]] = Field(
        [],
        description='a list of networks in which that proxy may be, such as "172.18.0.0/16"; without it, this machine',
        json_schema_extra=FILE_ONLY,
    )
    textfile: Annotated[str, Field(min_length=1)] | None = Field(
        None,
        description="the path of a file that ends in .prom, for node_exporter's textfile collector",
        json_schema_extra=FILE_ONLY,
    )

    def record(self, folder: Path) -> ServiceSettings:
        """Convert to settings; relative paths refer to the folder."""
        return ServiceSettings(
            at_once=self.at_once,
            max_hours=self.max_hours,
            max_memory=self.max_memory,
            grace_seconds=self.grace,
            time_zone=self.time_zone,
            listen=host_and_port(self.listen) if self.listen else None,
            web=host_and_port(self.web) if self.web else None,
            web_user_header=self.web_user_header,
            web_proxies=tuple(self.web_proxies),
            textfile=folder / self.textfile if self.textfile else None,
        )


class AlertsTable(Table):
    """The keys of [alerts]."""

    mail_to: list[Address] = Field([], description="a list of e-mail addresses")
    mail_from: Address = Field("newscrawler@localhost", description="an e-mail address")
    smtp: Annotated[str, AfterValidator(_smtp)] = Field(
        "smtp://localhost",
        description="an address such as smtp://user@mail.example.org:587 or smtps://mail.example.org; the password is read from "
        "smtp_password_file or NEWSCRAWLER_SMTP_PASSWORD",
        json_schema_extra=FILE_ONLY,
    )
    smtp_password_file: Annotated[str, Field(min_length=1)] | None = Field(
        None, description="the path of a file", json_schema_extra=FILE_ONLY
    )
    webhook: Annotated[str, AfterValidator(_web)] | None = Field(
        None, description="a web address that takes JSON, such as an incoming webhook of Slack", json_schema_extra=SECRET
    )
    command: list[str] = Field([], description="a list: a program and its arguments", json_schema_extra=FILE_ONLY)
    plugins: list[Annotated[str, AfterValidator(_notifier)]] = Field(
        [], description="a list of notifiers that `newscrawler plugins` lists", json_schema_extra=FILE_ONLY
    )
    digest: Annotated[str, AfterValidator(_clock)] = Field(
        "07:30", description='a time of the day, such as "07:30", for the daily digest, or "never"'
    )

    def record(self, folder: Path) -> AlertSettings:
        """Convert to settings; relative paths refer to the folder."""
        return AlertSettings(
            mail_to=tuple(dict.fromkeys(self.mail_to)),
            mail_from=self.mail_from,
            smtp=self.smtp,
            smtp_password_file=folder / self.smtp_password_file if self.smtp_password_file else None,
            webhook=self.webhook,
            command=tuple(self.command),
            plugins=tuple(dict.fromkeys(self.plugins)),
            digest=None if self.digest == "never" else time.fromisoformat(self.digest),
        )


class ExportTable(Table):
    """The keys of [[export]]."""

    name: Annotated[str, Field(pattern=r"^\w[\w.\-]{0,99}$")] = Field(
        description="a name that no other export has, of letters, digits, dots, hyphens and underscores, at most 100"
    )
    path: Annotated[str, Field(min_length=1), AfterValidator(_path)] = Field(
        description="the path of a file; {date}, {time} and {name} in it are filled in"
    )
    format: Annotated[str, one_of(EXPORT_FORMATS)] | None = Field(
        None, description=f"one of: {', '.join(EXPORT_FORMATS)}; without it, what the path ends in"
    )
    portals: list[str] = Field([], description="a list of names of portals; without it, all")
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")] | None = Field(None, description='a language code such as "cs"')
    collection: Annotated[str, Field(min_length=1)] | None = Field(
        None, description="the name of a collection; only articles that are filed in it"
    )
    keyword: Annotated[str, Field(min_length=1)] | None = Field(
        None, description='words such as "flood"; only articles that declare this keyword, or are filed under it'
    )
    days: Annotated[int, Field(ge=1)] | None = Field(
        None, description="a whole number, 1 or more: only articles published in the last so many days"
    )
    only_new: bool = Field(False, description="true or false: only articles that came since this export was last written")
    purpose: Annotated[str, one_of(tuple(Purpose))] | None = Field(
        None, description=f"leave out what publishers reserve for this use, one of: {', '.join(Purpose)}"
    )

    def record(self, folder: Path) -> Export:
        """Convert to an export; a relative path refers to the folder."""
        ending = Path(self.path).suffix.lower().removeprefix(".")
        return Export(
            name=self.name,
            format=self.format or (ending if ending in EXPORT_FORMATS else "jsonl"),
            path=str(folder / self.path),
            portals=tuple(dict.fromkeys(self.portals)),
            language=self.language,
            collection=self.collection,
            keyword=self.keyword,
            days=self.days,
            only_new=self.only_new,
            purpose=Purpose(self.purpose) if self.purpose else None,
        )
