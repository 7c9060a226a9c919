"""Settings of the service: [service], [alerts] and [[export]]."""

from __future__ import annotations

from datetime import time
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, Strict

from newscrawler.config.table import FILE_ONLY, SECRET, Table
from newscrawler.config.values import (
    Clock,
    Count,
    ExportPath,
    FilePath,
    LanguageCode,
    ListenAddress,
    MailAddress,
    MailServer,
    Name,
    Network,
    NotifierName,
    Text,
    TimeZone,
    UserHeader,
    Values,
    WebAddress,
    Webhook,
    one_of,
    word_of,
)
from newscrawler.politeness.rights import Purpose

#: Formats of newscrawler.corpus that are one file, repeated here so that validation need not load them; a test compares the two.
EXPORT_FORMATS = ("jsonl", "json", "csv", "xlsx", "html", "tei", "vertical", "conllu", "parquet")


class ServiceSettings(Table):
    """[service]: settings of `newscrawler run`."""

    at_once: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        default=None,
        description="a whole number, 1 to 1000: how many portals are crawled at the same time; without it, as many as "
        "free memory holds",
    )
    max_hours: Annotated[float, Field(gt=0, le=168, allow_inf_nan=False)] = Field(
        default=12.0, description="a number above 0, at most 168: the hours after which a crawl is ended"
    )
    max_memory: Annotated[int, Field(ge=128)] = Field(
        default=1024, description="a whole number, 128 or more: the megabytes of memory that a crawl may take"
    )
    grace_seconds: Annotated[float, Field(ge=1, le=3600, allow_inf_nan=False)] = Field(
        default=30.0,
        validation_alias="grace",
        description="a number of seconds, 1 to 3600, that a crawl is given to end before it is killed",
    )
    time_zone: TimeZone | None = Field(
        default=None, description='a name of the IANA time zones, such as "Europe/Prague"; without it, this machine\'s clock'
    )
    listen: ListenAddress | None = Field(
        default=None,
        description='an address and port for metrics and health, such as "127.0.0.1:9477"',
        json_schema_extra=FILE_ONLY,
    )
    web: ListenAddress | None = Field(
        default=None,
        description='an address and port for the web application, such as "127.0.0.1:8765"',
        json_schema_extra=FILE_ONLY,
    )
    web_user_header: UserHeader | None = Field(
        default=None,
        description='the name of the header in which a proxy in front of the web application gives the user, such as "Remote-User"',
        json_schema_extra=FILE_ONLY,
    )
    textfile: FilePath | None = Field(
        default=None,
        description="the path of a file that ends in .prom, for node_exporter's textfile collector",
        json_schema_extra=FILE_ONLY,
    )

    @property
    def zone(self) -> ZoneInfo | None:
        """Return the time zone; None: that of this machine."""
        return ZoneInfo(self.time_zone) if self.time_zone else None


class WebSettings(Table):
    """[web]: how others reach the web application."""

    public_url: Annotated[WebAddress, AfterValidator(lambda url: url.rstrip("/"))] | None = Field(
        default=None,
        description='the address at which a proxy offers the web application to others, such as "https://news.example.org"; with '
        "it, everybody has to log in",
        json_schema_extra=FILE_ONLY,
    )
    trusted_proxies: Values[Network] = Field(
        default=(),
        description='a list of networks of proxies, such as "172.18.0.0/16", of which X-Forwarded-For, X-Forwarded-Proto and '
        "`web_user_header` are believed; without it, this machine, if `public_url` or `web_user_header` is set, or none",
        json_schema_extra=FILE_ONLY,
    )


class AlertSettings(Table):
    """[alerts]: recipients of alerts, and how they are sent."""

    mail_to: Values[MailAddress] = Field(default=(), description="a list of e-mail addresses")
    mail_from: MailAddress = Field(default="newscrawler@localhost", description="an e-mail address")
    smtp: MailServer = Field(
        default="smtp://localhost",
        description="an address such as smtp://user@mail.example.org:587 or smtps://mail.example.org; the password is read from "
        "smtp_password_file or NEWSCRAWLER_SMTP_PASSWORD",
        json_schema_extra=FILE_ONLY,
    )
    smtp_password_file: FilePath | None = Field(default=None, description="the path of a file", json_schema_extra=FILE_ONLY)
    webhook: Webhook | None = Field(
        default=None, description="a web address that takes JSON, such as an incoming webhook of Slack", json_schema_extra=SECRET
    )
    command: Annotated[tuple[str, ...], Strict(strict=False)] = Field(
        default=(), description="a list: a program and its arguments", json_schema_extra=FILE_ONLY
    )
    plugins: Values[NotifierName] = Field(
        default=(), description="a list of notifiers that `newscrawler plugins` lists", json_schema_extra=FILE_ONLY
    )
    digest: Clock = Field(default=time(7, 30), description='a time of the day, such as "07:30", for the daily digest, or "never"')


class Export(Table):
    """[[export]]: a file that is written after the crawl runs."""

    name: Name = Field(
        description="a name that no other export has, of letters, digits, dots, hyphens and underscores, at most 100"
    )
    path: ExportPath = Field(description="the path of a file; {date}, {time} and {name} in it are filled in")
    chosen_format: Annotated[str, one_of(EXPORT_FORMATS)] | None = Field(
        default=None,
        validation_alias="format",
        description=f"one of: {', '.join(EXPORT_FORMATS)}; without it, what the path ends in",
    )
    portals: Values[str] = Field(default=(), description="a list of names of portals; without it, all")
    language: LanguageCode | None = Field(default=None, description='a language code such as "cs"')
    collection: Text | None = Field(default=None, description="the name of a collection; only articles that are filed in it")
    keyword: Text | None = Field(
        default=None, description='words such as "flood"; only articles that declare this keyword, or are filed under it'
    )
    saved: Text | None = Field(default=None, description="the name of a saved search; only its articles")
    days: Count | None = Field(
        default=None, description="a whole number, 1 or more: only articles published in the last so many days"
    )
    only_new: bool = Field(default=False, description="true or false: only articles that came since this export was last written")
    purpose: Annotated[Purpose, word_of(Purpose)] | None = Field(
        default=None, description=f"leave out what publishers reserve for this use, one of: {', '.join(Purpose)}"
    )

    @property
    def format(self) -> str:
        """Return the format of the file; if none is named, by the ending of the path, or JSON lines."""
        ending = Path(self.path).suffix.lower().removeprefix(".")
        return self.chosen_format or (ending if ending in EXPORT_FORMATS else "jsonl")
