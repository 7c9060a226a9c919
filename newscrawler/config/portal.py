"""Portals: [[portal]], and [crawler.defaults] with the keys that all portals have in common; a portal of a bare URL."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, PlainSerializer, Strict

from newscrawler.config.contact import find_foreign_hosts
from newscrawler.config.table import FILE_ONLY, SECRET, Key, Table, as_table, check_table, format_key, get_keys
from newscrawler.config.values import (
    NON_EMPTY,
    Amount,
    Count,
    FilePath,
    HeaderName,
    HeaderValue,
    HostName,
    LanguageCode,
    Name,
    Network,
    Pattern,
    PersonName,
    Proxy,
    ScheduleText,
    TimeZone,
    Values,
    WebAddress,
    WindowText,
    check_method,
    check_web_address,
    listed,
    one_of,
)
from newscrawler.errors import ConfigError
from newscrawler.limits import PAGE_MEGABYTES
from newscrawler.politeness import is_this_machine
from newscrawler.politeness.rights import DISREGARDABLE

#: Attributes of a news item in the source documents (002 §3.3).
ATTRIBUTES = ("title", "description", "source", "date", "body")
DEFAULT_DELAY_SECONDS = 5.0
DEFAULT_PAGE_MEGABYTES = PAGE_MEGABYTES


def _sort_like(names: Sequence[str]) -> PlainSerializer:
    return PlainSerializer(lambda chosen: [name for name in names if name in chosen])


_Attributes = Annotated[frozenset[Annotated[str, one_of(ATTRIBUTES)]], Strict(strict=False), _sort_like(ATTRIBUTES)]
_Reservations = Annotated[frozenset[Annotated[str, one_of(DISREGARDABLE)]], Strict(strict=False), _sort_like(DISREGARDABLE)]


class PortalDefaults(Table):
    """[crawler.defaults]: the keys of a portal except those that identify it."""

    language: LanguageCode | None = Field(
        default=None, description='a language code of two or three small letters, such as "cs"; without it, as the pages declare'
    )
    time_zone: TimeZone = Field(
        default="UTC",
        description='a name of the IANA time zones, such as "Europe/Prague"; times without an offset count in it, or, while it is '
        '"UTC", on the clock of the country or language of their page',
    )
    delay_seconds: float = Field(
        default=DEFAULT_DELAY_SECONDS,
        validation_alias="delay",
        ge=0,
        le=86400,
        allow_inf_nan=False,
        description="a number of seconds, 0 to 86400, between two requests to a host; 0 only for portals on this machine",
    )
    timeout_seconds: Annotated[float, Field(ge=1, le=600, allow_inf_nan=False)] = Field(
        default=30.0,
        validation_alias="timeout",
        description="a number of seconds, 1 to 600, in which a response has to come to its end",
    )
    page_megabytes: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] = Field(
        default=DEFAULT_PAGE_MEGABYTES,
        description="a number above 0, at most 100: the megabytes of the largest page, also when unpacked",
    )
    cookies: Annotated[str, one_of(("off", "session"))] = Field(
        default="off",
        description='"off" or "session": whether cookies are kept while a crawl lasts, for portals that show nothing without',
    )
    unconditional: Values[Pattern] = Field(
        default=(),
        description="a list of regular expressions; lists in whose URLs one is found are requested without If-None-Match and "
        'If-Modified-Since, for servers whose answers to these are wrong; ["."] for all lists of the portal',
    )
    headers: dict[HeaderName, HeaderValue] = Field(
        default={},
        description='a table of headers that the operator of the portal gave you, such as { Cookie = "file:cookie.txt" }; a value '
        'that begins with "file:" is read from that file, for secrets',
        json_schema_extra=SECRET,
    )
    proxy: Proxy | None = Field(
        default=None,
        description='the address of a proxy, such as "http://proxy.example:3128"; "file:" and the path of a file with one, for '
        'passwords; or "none"; without it, as the variables http_proxy, https_proxy and no_proxy say',
        json_schema_extra=FILE_ONLY,
    )
    certificates: FilePath | None = Field(
        default=None,
        description="the path of a file with certificates (PEM) that are trusted besides the system's: those of an authority, or "
        "that of the portal",
        json_schema_extra=FILE_ONLY,
    )
    networks: Values[Network] = Field(
        default=(),
        description='a list of private networks at which the portal may be, such as "10.0.0.0/8"; others are never connected to',
        json_schema_extra=FILE_ONLY,
    )
    max_pages: Count | None = Field(default=None, description="a whole number, 1 or more: the pages to fetch in one run at most")
    max_articles: Count | None = Field(
        default=None, description="a whole number, 1 or more: the new articles to store in one run at most"
    )
    max_minutes: Amount | None = Field(default=None, description="a number above 0: the minutes that one run may take")
    max_depth: Annotated[int, Field(ge=0)] | None = Field(
        default=None, description="a whole number, 0 or more: how many links away from a start URL to go"
    )
    schedule: ScheduleText = Field(
        default="nightly",
        description='"nightly" (once in its window, or from 22:00 on), "never", or a cron expression such as "30 1 * * *", for '
        "`newscrawler run`; on the clock of its time zone",
    )
    window: WindowText | None = Field(
        default=None,
        description='hours of the day on the clock of time_zone, such as "22:00-06:00"; outside them nothing is fetched',
    )
    night_pages: Count | None = Field(
        default=20_000,
        description="a whole number, 1 or more: the pages to fetch in one night at most; a day at the default delay has 17,280, so "
        "only traps and portals with a short delay come to it; the report says so, and the next night goes on",
    )
    night_articles: Count | None = Field(
        default=None, description="a whole number, 1 or more: the new articles to store in one night at most"
    )
    night_minutes: Amount | None = Field(
        default=None, description="a number above 0: the minutes that all runs of one night may take"
    )
    night_megabytes: Amount | None = Field(
        default=5_000.0,
        description="a number above 0: the megabytes of pages to fetch in one night at most; 20,000 pages of 256 kB",
    )
    include: Values[Pattern] = Field(
        default=(), description="a list of regular expressions; only URLs in which one is found are visited"
    )
    exclude: Values[Pattern] = Field(
        default=(), description="a list of regular expressions; no URL in which one is found is visited"
    )
    required: Annotated[_Attributes, NON_EMPTY] = Field(
        default=frozenset({"title", "source", "body"}),
        description=f"a list of what a page must have to count as an article, of: {', '.join(ATTRIBUTES)}",
    )
    ignore_authors: Values[PersonName] = Field(
        default=(),
        description='a list of names that are never given as authors, such as "NOC Admin"; case and spacing do not count',
    )
    disregard: _Reservations = Field(
        default=frozenset(),
        description=f"a list of reservations of the publisher that do not count here, of: {', '.join(DISREGARDABLE)}",
    )
    licence: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        default=None,
        description='the licence of the texts, such as "CC BY 4.0"; `newscrawler mcp` gives texts only of portals with one',
    )
    method: Annotated[str, AfterValidator(check_method)] = Field(
        default="default",
        description="a block-detection method, with parameters as in vips[layout=chromium] or without, one of: {methods}",
    )
    classifier: Annotated[str, listed("{classifiers}")] = Field(
        default="default", description="a rule that distinguishes articles from sections by their URL, one of: {classifiers}"
    )
    learn: bool = Field(
        default=True, description="true or false: whether the portal's layout is learned from the pages that are kept"
    )
    render: Annotated[str, one_of(("never", "auto", "always"))] = Field(
        default="never",
        description='"never", "auto" or "always": whether pages are built with a browser; "auto": those that show nothing without '
        "scripts and whose article is found in no other way (how-to/javascript.md)",
    )
    consent: Values[Annotated[str, Field(min_length=1, max_length=100)]] = Field(
        default=(),
        description='a list of the words of buttons, such as "Accept all", that a browser may press for you where a page offers '
        "them in plain sight",
    )
    keep_pages: bool = Field(default=True, description="true or false: whether pages are kept as they came, in WARC files")
    keep_pages_days: Count = Field(default=90, description="a whole number, 1 or more: the days that pages are kept")
    keep_pages_megabytes: Count = Field(
        default=500, description="a whole number, 1 or more: the megabytes of pages that are kept at most; the oldest go first"
    )


class Portal(PortalDefaults):
    """[[portal]]: one news portal to crawl."""

    internal: ClassVar[frozenset[str]] = frozenset({"articles_first"})

    name: Name = Field(
        description="a name that no other portal has, of letters, digits, dots, hyphens and underscores, at most 100"
    )
    start_urls: Annotated[Values[WebAddress], NON_EMPTY] = Field(
        description="a list of addresses that begin with http:// or https:// and name a host"
    )
    feeds: Values[WebAddress] = Field(
        default=(), description="a list of addresses of feeds; without it, those that the start pages name, or usual ones"
    )
    sitemaps: Values[WebAddress] = Field(
        default=(), description="a list of addresses of sitemaps, besides those in robots.txt; without it, /sitemap.xml is tried"
    )
    hosts: Values[HostName] = Field(
        default=(),
        description="a list of host names, each with its subdomains; without it, the registered domain of the start URLs",
    )
    exact_hosts: bool = Field(
        default=False,
        description="true or false: whether the hosts of the start URLs and `hosts` belong to the portal without their subdomains",
    )
    external_pages: bool = Field(
        default=False, description="true or false: whether articles of other hosts are fetched, too; their links are not followed"
    )
    paused: bool = Field(default=False, description="true or false: whether `newscrawler run` leaves the portal out for now")
    #: Fetch articles before further sitemaps and sections, for a look at a few pages.
    articles_first: bool = False

    @property
    def queue(self) -> str:
        """Return the name of the queue of its addresses."""
        return self.name

    @property
    def keeps_cookies(self) -> bool:
        """Return whether cookies are kept for the length of a crawl, and sent back."""
        return self.cookies == "session"


def check_portal(table: Mapping[str, Any], place: str, mistakes: list[str]) -> Portal | None:
    """Validate one [[portal]]; its mistakes are appended to `mistakes`."""
    found: list[str] = []
    portal = check_table(Portal, table, place, found)
    found += _describe_zero_delay(table, place)
    mistakes += found
    return None if found else portal


def get_portal_keys() -> list[Key]:
    """Return the keys of [[portal]], those that identify it first."""
    return get_keys(Portal, first=("name", "start_urls", "feeds", "sitemaps", "hosts", "paused"))


def build_portal(url: str, **overrides: Any) -> Portal:
    """Create a portal from a bare URL, named after its host; `overrides`: values of keys of [[portal]], None: not given.

    Raises:
        ConfigError: the URL or another value is not allowed.
    """
    try:
        check_web_address(url)
    except ValueError as error:
        raise ConfigError(_describe_url(url, str(error))) from error
    table = {"name": name_portal(url), "start_urls": [url]} | _drop_missing(overrides)
    return _require_portal(table, "")


def change_portal(portal: Portal, **changes: Any) -> Portal:
    """Change values of a portal, validated like those of the file; None: unchanged.

    Raises:
        ConfigError: a value is not allowed.
    """
    given = _drop_missing(changes)
    return _require_portal(as_table(portal) | given, f"portal {portal.name}") if given else portal


def name_portal(url: str) -> str:
    """Name a portal after its host; on this machine, where many may run, with the port.

    Raises:
        ConfigError: the URL is invalid.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise ConfigError(f"{url} is not a web address: {error}") from error
    name = re.sub(r"[^\w.\-]", "-", host).strip("-.") or "portal"
    return f"{name}-{port}" if port and is_this_machine(host) else name


def _describe_url(url: str, remark: str) -> str:
    if "password" in remark:
        return f"the address of {urlsplit(url).hostname} holds a user name or password; it must be written without them"
    if not url.strip():
        return "the address is empty; name the front page of the portal, such as https://www.example.org/"
    detail = remark.removeprefix(", which is not a web address")
    shown = url if url.isprintable() else repr(url)
    return (
        f"{shown} is not an address to fetch from{detail}; it must begin with http:// or https://, name a host, and have no spaces"
    )


def _drop_missing(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _require_portal(table: Mapping[str, Any], place: str) -> Portal:
    found: list[str] = []
    portal = check_portal(table, place, found)
    if portal is None:
        raise ConfigError("\n".join(found))
    return portal


def _describe_zero_delay(table: Mapping[str, Any], place: str) -> list[str]:
    """Allow a delay of 0 on this machine only; takes values before validation, so that all mistakes are reported at once."""
    delay, start_urls, hosts = table.get("delay"), table.get("start_urls"), table.get("hosts", [])
    if isinstance(delay, bool) or delay != 0 or not isinstance(start_urls, list) or not isinstance(hosts, list):
        return []
    try:
        foreign = find_foreign_hosts([str(url) for url in start_urls], [str(host) for host in hosts])
    except ValueError:  # reported by the validation of the URLs
        return []
    if not foreign:
        return []
    where = format_key(place, ("delay",))
    return [f"{where} is 0, but {foreign[0]} is not this machine; it must be above 0 (5 is usual) for every portal elsewhere"]
