"""The tables of newscrawler.toml as pydantic models; each description completes the sentence "it must be ..."."""

from __future__ import annotations

import re
from difflib import get_close_matches
from ipaddress import ip_network
from typing import Annotated, Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

from newscrawler.config.contact import is_contact
from newscrawler.config.names import checked_method, listed, one_of
from newscrawler.config.portal import (
    ATTRIBUTES,
    DEFAULT_DELAY_SECONDS,
    DEFAULT_NIGHT_MEGABYTES,
    DEFAULT_NIGHT_PAGES,
    DEFAULT_PAGE_MEGABYTES,
    DEFAULT_PURPOSE,
    DEFAULT_REQUIRED,
    DEFAULT_TIMEOUT_SECONDS,
    RENDERING,
)
from newscrawler.politeness import Window
from newscrawler.politeness.rights import DISREGARDABLE, Purpose

#: A bucket, and the beginning of the names of its objects.
_OBJECTS = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:/[\w.=+-]+)*/?")
_HOST = re.compile(r"(?:[\w-]+\.)*[\w-]+\.?|\[?[0-9a-fA-F:.]+\]?")


#: Headers that identify the client and its request; a portal cannot change them.
_OUR_HEADERS = frozenset({"host", "user-agent", "connection", "content-length", "transfer-encoding", "from"})


def web_address(value: str) -> str:
    """Return the URL, with the path that a browser would add.

    Raises:
        ValueError: it is not an http or https URL with a host, or it contains a password.
    """
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise ValueError(f", which is not a web address ({error})") from error
    if parts.scheme not in {"http", "https"} or not host or re.search(r"[\s\x00-\x1f<>\"]", value):
        raise ValueError(", which is not a web address")
    if parts.username or parts.password:
        raise ValueError(", which holds a user name or password")
    return value if parts.path else f"{value}/"


def host_name(value: str) -> str:
    """Return a host name in lower case.

    Raises:
        ValueError: it is none.
    """
    if not _HOST.fullmatch(value):
        raise ValueError(", which is not a host name")
    return value.lower().rstrip(".")


def network(value: str) -> str:
    """Return the network in its usual form.

    Raises:
        ValueError: it is none.
    """
    try:
        return str(ip_network(value))
    except ValueError as error:
        raise ValueError(f", which is not a network ({error})") from error


def _header_name(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}", value):
        raise ValueError(", which is not a name of a header")
    if value.lower() in _OUR_HEADERS:
        raise ValueError(", which newscrawler sets itself")
    return value


def _header_value(value: str) -> str:
    if not value.strip() or re.search(r"[\x00-\x1f\x7f]", value):
        raise ValueError(", which is empty or holds line breaks")
    return value


def _pattern(value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f", which does not compile ({error})") from error
    return value


def _pages_folder(value: str) -> str:
    if "://" not in value and value.strip():
        return value
    if not _OBJECTS.fullmatch(value):
        raise ValueError(", which is neither the path of a folder nor s3://BUCKET/PREFIX; keys belong in the environment")
    return value.rstrip("/")


def time_zone_name(value: str) -> str:
    """Return the name of a time zone.

    Raises:
        ValueError: there is no such time zone.
    """
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError) as error:
        nearest = get_close_matches(value, sorted(available_timezones()), n=1)
        hint = f" (did you mean {nearest[0]}?)" if nearest else ""
        raise ValueError(f", which is not a time zone that is known here{hint}") from error
    return value


def _schedule(value: str) -> str:
    from newscrawler.config.schedule import schedule_of

    try:
        schedule_of(value, None, ZoneInfo("UTC"))
    except ValueError as error:
        detail = str(error).partition("not a cron expression: ")[2]
        raise ValueError(f" ({detail})" if detail else "") from error
    return value


def _window(value: str) -> str:
    try:
        Window.parse(value)
    except ValueError as error:
        raise ValueError("") from error
    return value


def _contact(value: str) -> str:
    if not is_contact(value):
        raise ValueError("")
    return value


def _database(value: str) -> str:
    if not re.match(r"(sqlite|postgresql)(\+\w+)?://", value):
        raise ValueError("")
    return value


Limit = Annotated[int, Field(ge=1)]
Patterns = list[Annotated[str, AfterValidator(_pattern)]]
Attributes = list[Annotated[str, one_of(ATTRIBUTES)]]


#: Marks keys that no form changes: they name programs, files or secrets, or addresses that are connected to without the crawl's
#: guards.
FILE_ONLY: dict[str, JsonValue] = {"file_only": True}
#: The same, and the value is shown to nobody.
SECRET: dict[str, JsonValue] = {"file_only": True, "secret": True}


class Table(BaseModel):
    """A table of the file: unknown keys and values of other types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class DefaultsTable(Table):
    """The keys of [crawler.defaults]: those of a portal except the ones that identify it."""

    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")] | None = Field(
        None, description='a language code of two or three small letters, such as "cs"; without it, as the pages declare'
    )
    time_zone: Annotated[str, AfterValidator(time_zone_name)] = Field(
        "UTC",
        description='a name of the IANA time zones, such as "Europe/Prague"; times without an offset count in it, or, while it is '
        '"UTC", on the clock of the country or language of their page',
    )
    delay: float = Field(
        DEFAULT_DELAY_SECONDS,
        ge=0,
        le=86400,
        allow_inf_nan=False,
        description="a number of seconds, 0 to 86400, between two requests to a host; 0 only for portals on this machine",
    )
    timeout: Annotated[float, Field(ge=1, le=600, allow_inf_nan=False)] = Field(
        DEFAULT_TIMEOUT_SECONDS, description="a number of seconds, 1 to 600, in which a response has to come to its end"
    )
    page_megabytes: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] = Field(
        DEFAULT_PAGE_MEGABYTES, description="a number above 0, at most 100: the megabytes of the largest page, also when unpacked"
    )
    cookies: Annotated[str, one_of(("off", "session"))] = Field(
        "off", description='"off" or "session": whether cookies are kept while a crawl lasts, for portals that show nothing without'
    )
    headers: dict[Annotated[str, AfterValidator(_header_name)], Annotated[str, AfterValidator(_header_value)]] = Field(
        {},
        description='a table of headers that the operator of the portal gave you, such as { Cookie = "file:cookie.txt" }; a value '
        'that begins with "file:" is read from that file, for secrets',
        json_schema_extra=SECRET,
    )
    networks: list[Annotated[str, AfterValidator(network)]] = Field(
        [],
        description='a list of private networks at which the portal may be, such as "10.0.0.0/8"; others are never connected to',
        json_schema_extra=FILE_ONLY,
    )
    max_pages: Limit | None = Field(None, description="a whole number, 1 or more: the pages to fetch in one run at most")
    max_articles: Limit | None = Field(None, description="a whole number, 1 or more: the new articles to store in one run at most")
    max_minutes: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        None, description="a number above 0: the minutes that one run may take"
    )
    max_depth: Annotated[int, Field(ge=0)] | None = Field(
        None, description="a whole number, 0 or more: how many links away from a start URL to go"
    )
    schedule: Annotated[str, AfterValidator(_schedule)] = Field(
        "nightly",
        description='"nightly" (once in its window, or from 22:00 on), "never", or a cron expression such as "30 1 * * *", for '
        "`newscrawler run`; on the clock of its time zone",
    )
    window: Annotated[str, AfterValidator(_window)] | None = Field(
        None, description='hours of the day on the clock of time_zone, such as "22:00-06:00"; outside them nothing is fetched'
    )
    night_pages: Limit | None = Field(
        DEFAULT_NIGHT_PAGES,
        description="a whole number, 1 or more: the pages to fetch in one night at most; a day at the default delay has 17,280, so "
        "only traps and portals with a short delay come to it; the report says so, and the next night goes on",
    )
    night_articles: Limit | None = Field(
        None, description="a whole number, 1 or more: the new articles to store in one night at most"
    )
    night_minutes: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        None, description="a number above 0: the minutes that all runs of one night may take"
    )
    night_megabytes: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        DEFAULT_NIGHT_MEGABYTES,
        description="a number above 0: the megabytes of pages to fetch in one night at most; 20,000 pages of 256 kB",
    )
    include: Patterns = Field([], description="a list of regular expressions; only URLs in which one is found are visited")
    exclude: Patterns = Field([], description="a list of regular expressions; no URL in which one is found is visited")
    required: Attributes = Field(
        [name for name in ATTRIBUTES if name in DEFAULT_REQUIRED],
        min_length=1,
        description=f"a list of what a page must have to count as an article, of: {', '.join(ATTRIBUTES)}",
    )
    disregard: list[Annotated[str, one_of(DISREGARDABLE)]] = Field(
        [], description=f"a list of reservations of the publisher that do not count here, of: {', '.join(DISREGARDABLE)}"
    )
    method: Annotated[str, AfterValidator(checked_method)] = Field(
        "default", description="a block-detection method, with parameters as in vips[layout=chromium] or without, one of: {methods}"
    )
    classifier: Annotated[str, listed("{classifiers}")] = Field(
        "default", description="a rule that distinguishes articles from sections by their URL, one of: {classifiers}"
    )
    learn: bool = Field(True, description="true or false: whether the portal's layout is learned from the pages that are kept")
    render: Annotated[str, one_of(RENDERING)] = Field(
        "never",
        description='"never", "auto" or "always": whether pages are built with a browser; "auto": those that show nothing without '
        "scripts and whose article is found in no other way (how-to/javascript.md)",
    )
    consent: list[Annotated[str, Field(min_length=1, max_length=100)]] = Field(
        [],
        description='a list of the words of buttons, such as "Accept all", that a browser may press for you where a page offers '
        "them in plain sight",
    )
    keep_pages: bool = Field(True, description="true or false: whether pages are kept as they came, in WARC files")
    keep_pages_days: Limit = Field(90, description="a whole number, 1 or more: the days that pages are kept")
    keep_pages_megabytes: Limit = Field(
        500, description="a whole number, 1 or more: the megabytes of pages that are kept at most; the oldest go first"
    )


class PortalTable(DefaultsTable):
    """The keys of [[portal]]."""

    name: Annotated[str, Field(pattern=r"^\w[\w.\-]{0,99}$")] = Field(
        description="a name that no other portal has, of letters, digits, dots, hyphens and underscores, at most 100"
    )
    start_urls: list[Annotated[str, AfterValidator(web_address)]] = Field(
        min_length=1, description="a list of addresses that begin with http:// or https:// and name a host"
    )
    hosts: list[Annotated[str, AfterValidator(host_name)]] = Field(
        [],
        description="a list of host names, each with its subdomains; without it, the registered domain of the start URLs",
    )
    exact_hosts: bool = Field(
        False,
        description="true or false: whether the hosts of the start URLs and `hosts` belong to the portal without their subdomains",
    )
    external_pages: bool = Field(
        False,
        description="true or false: whether articles of other hosts are fetched, too; their links are not followed",
    )
    paused: bool = Field(False, description="true or false: whether `newscrawler run` leaves the portal out for now")


class CrawlerTable(Table):
    """The keys of [crawler]."""

    contact: Annotated[str, AfterValidator(_contact)] | None = Field(
        None, description="an e-mail address or a web address at which the operator of a portal reaches you"
    )
    database: Annotated[str, AfterValidator(_database)] = Field(
        "sqlite:///newscrawler.sqlite",
        description="an address such as sqlite:///newscrawler.sqlite or postgresql+psycopg://user@host/name",
        json_schema_extra=FILE_ONLY,
    )
    identity: Annotated[str, AfterValidator(web_address)] | None = Field(
        None,
        description="the address of your site at which `newscrawler identity` files are published; with it requests are signed "
        "(Web Bot Auth), and the user agent names it",
    )
    purpose: list[Annotated[str, one_of(tuple(Purpose))]] = Field(
        list(DEFAULT_PURPOSE), min_length=1, description=f"a list of what the texts are collected for, of: {', '.join(Purpose)}"
    )
    withdrawn: Annotated[str, one_of(("keep", "purge"))] = Field(
        "keep",
        description='"keep" or "purge": what becomes of stored articles that their publisher withdraws later; kept ones are listed '
        "by `newscrawler rights` and left out of exports for a purpose",
    )
    research: bool = Field(
        False,
        description="true or false: whether a research organisation crawls for scientific research, which reservations of text "
        "mining do not bind (Article 3 of Directive (EU) 2019/790); it needs legal_basis",
    )
    legal_basis: Annotated[str, Field(min_length=3, max_length=200)] | None = Field(
        None, description='the provision that research rests on, such as "§ 60d UrhG"; it is kept in the record of each run'
    )
    denylist: list[Annotated[str, AfterValidator(host_name)]] = Field(
        [], description="a list of host names that are never asked for anything, each with its subdomains"
    )
    data_folder: Annotated[str, Field(min_length=1)] = Field(
        "newscrawler-data", description="the path of a folder", json_schema_extra=FILE_ONLY
    )
    pages_folder: Annotated[str, AfterValidator(_pages_folder)] | None = Field(
        None,
        description="the path of a folder, or s3://BUCKET/PREFIX for an object store that several workers share; without it, "
        "`pages` in data_folder",
        json_schema_extra=FILE_ONLY,
    )
    defaults: dict[str, Any] = Field({}, description="a table of keys that hold for every portal that does not set them itself")
