"""Types and allowed names of the values in newscrawler.toml. The message of each `ValueError` follows "KEY is VALUE"."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from datetime import time
from difflib import get_close_matches
from email.utils import parseaddr
from enum import StrEnum
from ipaddress import ip_network
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, NamedTuple, TypeVar
from unicodedata import category
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, PlainValidator, Strict, ValidationInfo

from newscrawler.config.contact import is_contact
from newscrawler.config.schedule import parse_schedule
from newscrawler.discovery.urls import UserPattern
from newscrawler.errors import ConfigError
from newscrawler.plugins import PluginGroup, find_plugins, load_methods, name_of_written, with_parameters
from newscrawler.politeness import Window

_Value = TypeVar("_Value")
_LONGEST_NAME = 100
#: Placeholders in the path of an export.
PLACEHOLDERS = ("date", "time", "name")
#: A bucket, and the beginning of the names of its objects.
_OBJECTS = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:/[\w.=+-]+)*/?")
_HOST = re.compile(r"(?:[\w-]+\.)*[\w-]+\.?|\[?[0-9a-fA-F:.]+\]?")
_RELATIVE_SQLITE = re.compile(r"(sqlite(?:\+\w+)?:///)(?!/|:memory:|file:)(.+)")
#: Headers that identify the client and its request; a portal cannot change them.
_OUR_HEADERS = frozenset({"host", "user-agent", "connection", "content-length", "transfer-encoding", "from"})


def check_web_address(value: str) -> str:
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


def check_network(value: str) -> str:
    """Return the network in its usual form.

    Raises:
        ValueError: it is not a network.
    """
    try:
        return str(ip_network(value))
    except ValueError as error:
        raise ValueError(f", which is not a network ({error})") from error


class HostAndPort(NamedTuple):
    """A host and a port to listen at."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(value: Any) -> HostAndPort:
    """Return the host and port; an address of IPv6 may be in brackets.

    Raises:
        ValueError: it is not an address with a port.
    """
    if isinstance(value, HostAndPort):
        return value
    host, colon, port = value.rpartition(":") if isinstance(value, str) else ("", "", "")
    if not colon or not host or not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise ValueError("")
    return HostAndPort(host.strip("[]"), int(port))


def _require(test: Callable[[Any], object], remark: str = "") -> AfterValidator:
    """Allow only values that pass a test."""

    def check(value: Any) -> Any:
        if not test(value):
            raise ValueError(remark)
        return value

    return AfterValidator(check)


def _check_host_name(value: str) -> str:
    if not _HOST.fullmatch(value):
        raise ValueError(", which is not a host name")
    return value.lower().rstrip(".")


def _is_name(value: str) -> bool:
    """Return whether a text is a name: letters with their marks, digits, and _ . - behind the first."""
    letters = "".join(sign for sign in value if not category(sign).startswith("M"))
    return len(value) <= _LONGEST_NAME and re.fullmatch(r"\w[\w.\-]*", letters) is not None


def _parse_pattern(value: Any) -> UserPattern:
    if isinstance(value, UserPattern):
        return value
    if not isinstance(value, str):
        raise ValueError("")  # noqa: TRY004  pydantic catches no TypeError
    return UserPattern(value)


def _check_time_zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError) as error:
        nearest = get_close_matches(value, sorted(available_timezones()), n=1)
        hint = f" (did you mean {nearest[0]}?)" if nearest else ""
        raise ValueError(f", which is not a time zone that is known here{hint}") from error
    return value


def _check_schedule(value: str) -> str:
    try:
        parse_schedule(value, None, ZoneInfo("UTC"))
    except ValueError as error:
        detail = str(error).partition("not a cron expression: ")[2]
        raise ValueError(f" ({detail})" if detail else "") from error
    return value


def _parse_window(value: Any) -> Window:
    if isinstance(value, Window):
        return value
    try:
        return Window.parse(value)
    except (TypeError, AttributeError, ValueError) as error:
        raise ValueError("") from error


def _parse_clock(value: Any) -> time | None:
    if value is None or isinstance(value, time):
        return value
    try:
        return None if value == "never" else time.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError("") from None


def _is_web_address(value: str) -> bool:
    return urlsplit(value).scheme in {"http", "https"} and bool(urlsplit(value).hostname)


def _check_proxy(value: str) -> str:
    """Return the address of a proxy over HTTP, "none", or the name of a file with an address."""
    return value if value == "none" or value.startswith("file:") else check_web_address(value)


def _is_mail_address(value: str) -> bool:
    return re.fullmatch(r"[^@\s()]{1,64}@[^@\s()]{1,255}", value) is not None and parseaddr(value)[1] == value


def _check_mail_server(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise ValueError("")
    if parts.password:
        raise ValueError(", which holds a password")
    return value


def _get_folder(info: ValidationInfo) -> Path | None:
    folder: Path | None = info.context.get("folder") if info.context else None
    return folder


def _locate(value: Any, info: ValidationInfo) -> Path:
    try:
        path = Path(value) if value else None
    except TypeError:
        path = None
    if path is None:
        raise ValueError("")
    return (_get_folder(info) or Path()) / path


def _locate_database(value: str, info: ValidationInfo) -> str:
    """Resolve the relative path of an SQLite file against the folder of the configuration, like the data folder's."""
    if not re.match(r"(sqlite|postgresql)(\+\w+)?://", value):
        raise ValueError("")
    folder, relative = _get_folder(info), _RELATIVE_SQLITE.fullmatch(value)
    return f"{relative[1]}{folder / relative[2]}" if relative and folder not in {None, Path()} else value


def _locate_pages(value: str, info: ValidationInfo) -> str:
    if "://" not in value and value.strip():
        folder = _get_folder(info)
        return str(folder / value) if folder else value
    if not _OBJECTS.fullmatch(value):
        raise ValueError(", which is neither the path of a folder nor s3://BUCKET/PREFIX; keys belong in the environment")
    return value.rstrip("/")


def _locate_export(value: str, info: ValidationInfo) -> str:
    try:
        fields = [name for _, name, _, _ in Formatter().parse(value) if name is not None]
    except ValueError as error:
        raise ValueError(f" ({error})") from error
    unknown = next((name for name in fields if name not in PLACEHOLDERS), None)
    if unknown is not None:
        raise ValueError(f", in which {{{unknown}}} is not known")
    folder = _get_folder(info)
    return str(folder / value) if folder else value


#: A list, each value once.
Values = Annotated[tuple[_Value, ...], Strict(strict=False), AfterValidator(lambda values: tuple(dict.fromkeys(values)))]
#: Of a list.
NON_EMPTY = _require(bool)

Contact = Annotated[str, _require(is_contact)]
WebAddress = Annotated[str, AfterValidator(check_web_address)]
HostName = Annotated[str, AfterValidator(_check_host_name)]
Network = Annotated[str, AfterValidator(check_network)]
ListenAddress = Annotated[HostAndPort, PlainValidator(parse_address), PlainSerializer(str)]
HeaderName = Annotated[
    str,
    _require(re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}").fullmatch, ", which is not a name of a header"),
    _require(lambda name: name.lower() not in _OUR_HEADERS, ", which newscrawler sets itself"),
]
HeaderValue = Annotated[str, _require(re.compile(r"(?=.*\S)[^\x00-\x1f\x7f]+").fullmatch, ", which is empty or holds line breaks")]
PersonName = Annotated[
    str,
    Field(max_length=100),
    _require(lambda name: name.isprintable() and any(map(str.isalnum, name)), ", which is empty or contains line breaks"),
]
MailAddress = Annotated[str, _require(_is_mail_address, ", which is not an e-mail address")]
MailServer = Annotated[str, AfterValidator(_check_mail_server)]
Webhook = Annotated[str, _require(_is_web_address, ", which is not a web address")]
NotifierName = Annotated[str, _require(lambda name: name in find_plugins(PluginGroup.NOTIFIERS))]
Pattern = Annotated[UserPattern, PlainValidator(_parse_pattern), PlainSerializer(lambda pattern: pattern.pattern)]
TimeZone = Annotated[str, AfterValidator(_check_time_zone)]
ScheduleText = Annotated[str, AfterValidator(_check_schedule)]
WindowText = Annotated[Window, PlainValidator(_parse_window), PlainSerializer(str)]
#: None: never.
Clock = Annotated[
    time | None,
    PlainValidator(_parse_clock),
    PlainSerializer(lambda clock: clock.isoformat().removesuffix(":00") if clock else "never"),
]
#: Relative to the folder of the configuration.
Proxy = Annotated[str, AfterValidator(_check_proxy)]
FilePath = Annotated[Path, PlainValidator(_locate), PlainSerializer(str)]
PagesPlace = Annotated[str, AfterValidator(_locate_pages)]
ExportPath = Annotated[str, Field(min_length=1), AfterValidator(_locate_export)]
DatabaseUrl = Annotated[str, AfterValidator(_locate_database)]
# not by Field(pattern=…), for which pydantic compiles a second kind of regular expressions: 11 MB for a portal's
LanguageCode = Annotated[str, _require(re.compile(r"[a-z]{2,3}").fullmatch)]
Name = Annotated[str, _require(_is_name)]
UserHeader = Annotated[str, _require(re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}").fullmatch)]
Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Amount = Annotated[float, Field(gt=0, allow_inf_nan=False)]


def _list_methods() -> Iterable[str]:
    return (*load_methods(), *(name for name in load_methods(PluginGroup.SITE_METHODS) if name != "portal_template"))


def _list_classifiers() -> Iterable[str]:
    from newscrawler.discovery.urls import CLASSIFIERS

    return CLASSIFIERS


def _list_detectors() -> Iterable[str]:
    return load_methods(PluginGroup.DETECTORS)


#: Lists, as they are in the descriptions of keys.
_LISTS: dict[str, Callable[[], Iterable[str]]] = {
    "{methods}": _list_methods,
    "{classifiers}": _list_classifiers,
    "{detectors}": _list_detectors,
}


def fill_in_names(description: str) -> str:
    """Return the description of a key with its lists of names."""
    for place, list_names in _LISTS.items():
        if place in description:
            description = description.replace(place, ", ".join(list_names()))
    return description


def one_of(names: Collection[str]) -> AfterValidator:
    """Allow only these names."""
    return AfterValidator(lambda value: _check(value, names))


def word_of(words: type[StrEnum]) -> BeforeValidator:
    """Allow only the words of an enumeration."""

    def check(value: Any) -> StrEnum:
        return words(_check(str(value), tuple(words)))

    return BeforeValidator(check)


def listed(place: str) -> AfterValidator:
    """Allow only the names of a list; the default is one of each."""
    return AfterValidator(lambda value: value if value == "default" else _check(value, tuple(_LISTS[place]())))


def check_method(written: str) -> str:
    """Return the name of a method, with or without parameters.

    Raises:
        ValueError: there is no such method or parameter, or a value does not have its type.
    """
    if written == "default":
        return written
    name = name_of_written(written)
    if _check(name, tuple(_list_methods())) == written:
        return written
    sites = load_methods(PluginGroup.SITE_METHODS)
    try:
        with_parameters(written, sites[name] if name in sites else load_methods()[name])
    except ConfigError as error:
        raise ValueError(f" ({error})") from error
    return written


def _check(value: str, names: Collection[str]) -> str:
    if value not in names:
        nearest = get_close_matches(value, names, n=1)
        raise ValueError(f" (did you mean {nearest[0]}?)" if nearest else "")
    return value
