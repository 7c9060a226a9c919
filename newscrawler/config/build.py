"""Validated Portal records: from a table of the file, from a bare URL, or from another portal with some values changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from newscrawler.config.contact import foreign_hosts, is_loopback
from newscrawler.config.messages import key_path, messages
from newscrawler.config.portal import ATTRIBUTES, Portal
from newscrawler.config.schema import DefaultsTable, PortalTable, web_address
from newscrawler.errors import ConfigError
from newscrawler.politeness import Window
from newscrawler.politeness.rights import DISREGARDABLE


def build_portal(table: Mapping[str, Any], place: str, found: list[str]) -> Portal | None:
    """Validate one [[portal]]; its mistakes are appended to `found`."""
    mistakes = _zero_delay_elsewhere(table, place)
    try:
        checked = PortalTable.model_validate(dict(table))
    except ValidationError as error:
        mistakes = [*messages(error, PortalTable, place), *mistakes]
    found.extend(mistakes)
    return (
        None
        if mistakes
        else replace(
            record_of(checked, name=checked.name, paused=checked.paused, start_urls=checked.start_urls, hosts=checked.hosts),
            exact_hosts=checked.exact_hosts,
            external_pages=checked.external_pages,
        )
    )


def portal_from_url(url: str, **overrides: Any) -> Portal:
    """Create a portal from a bare URL, named after its host.

    Args:
        url: the start URL.
        overrides: values of keys of [[portal]]; None: not given.

    Raises:
        ConfigError: the URL or another value is not allowed.
    """
    try:
        web_address(url)
    except ValueError as error:
        raise ConfigError(_invalid_url(url, str(error))) from error
    table = {"name": portal_name(url), "start_urls": [url]} | _given(overrides)
    return _checked(table, "")


def override(portal: Portal, **changes: Any) -> Portal:
    """Change values of a portal, validated like those of the file; None: unchanged.

    Raises:
        ConfigError: a value is not allowed.
    """
    given = _given(changes)
    return _checked(as_table(portal) | given, f"portal {portal.name}") if given else portal


def as_table(portal: Portal) -> dict[str, Any]:
    """Return the portal as the keys of [[portal]], without those that are not set."""
    table = {
        "name": portal.name,
        "start_urls": list(portal.start_urls),
        "hosts": list(portal.hosts),
        "exact_hosts": portal.exact_hosts or None,  # a collection has neither
        "external_pages": portal.external_pages or None,
        "language": portal.language,
        "time_zone": portal.time_zone,
        "delay": portal.delay_seconds,
        "timeout": portal.timeout_seconds,
        "page_megabytes": portal.page_megabytes,
        "networks": list(portal.networks),
        "cookies": "session" if portal.cookies else None,
        "headers": dict(portal.headers) or None,
        "max_pages": portal.max_pages,
        "max_articles": portal.max_articles,
        "max_minutes": portal.max_minutes,
        "max_depth": portal.max_depth,
        "schedule": portal.schedule,
        "paused": portal.paused,
        "window": str(portal.window) if portal.window else None,
        "night_pages": portal.night_pages,
        "night_articles": portal.night_articles,
        "night_minutes": portal.night_minutes,
        "night_megabytes": portal.night_megabytes,
        "include": [pattern.pattern for pattern in portal.include],
        "exclude": [pattern.pattern for pattern in portal.exclude],
        "required": [name for name in ATTRIBUTES if name in portal.required],
        "disregard": [word for word in DISREGARDABLE if word in portal.disregard],
        "method": portal.method,
        "classifier": portal.classifier,
        "learn": portal.learn,
        "render": portal.render,
        "consent": list(portal.consent),
        "keep_pages": portal.keep_pages,
        "keep_pages_days": portal.keep_pages_days,
        "keep_pages_megabytes": portal.keep_pages_megabytes,
    }
    return {key: value for key, value in table.items() if value is not None and value != []}


def portal_name(url: str) -> str:
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
    return f"{name}-{port}" if port and is_loopback(host) else name


def _invalid_url(url: str, remark: str) -> str:
    if "password" in remark:
        return f"the address of {urlsplit(url).hostname} holds a user name or password; it must be written without them"
    detail = remark.removeprefix(", which is not a web address")
    shown = url if url.isprintable() else repr(url)
    return (
        f"{shown} is not an address to fetch from{detail}; it must begin with http:// or https://, name a host, and have no spaces"
    )


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _checked(table: Mapping[str, Any], place: str) -> Portal:
    found: list[str] = []
    portal = build_portal(table, place, found)
    if portal is None:
        raise ConfigError("\n".join(found))
    return portal


def _zero_delay_elsewhere(table: Mapping[str, Any], place: str) -> list[str]:
    """Allow a delay of 0 on this machine only; takes values before validation, so that all mistakes are reported at once."""
    delay, start_urls, hosts = table.get("delay"), table.get("start_urls"), table.get("hosts", [])
    if isinstance(delay, bool) or delay != 0 or not isinstance(start_urls, list) or not isinstance(hosts, list):
        return []
    try:
        foreign = foreign_hosts([str(url) for url in start_urls], [str(host) for host in hosts])
    except ValueError:  # reported by the validation of the URLs
        return []
    if not foreign:
        return []
    where = key_path(place, ("delay",))
    return [f"{where} is 0, but {foreign[0]} is not this machine; it must be above 0 (5 is usual) for every portal elsewhere"]


def record_of(
    table: DefaultsTable, *, name: str, paused: bool, start_urls: Sequence[str] = (), hosts: Sequence[str] = ()
) -> Portal:
    """Return the record of what is crawled, by the keys that it may have in common with others, and by its own."""
    return Portal(
        name=name,
        start_urls=tuple(dict.fromkeys(start_urls)),
        hosts=tuple(dict.fromkeys(hosts)),
        language=table.language,
        time_zone=table.time_zone,
        delay_seconds=table.delay,
        timeout_seconds=table.timeout,
        page_megabytes=table.page_megabytes,
        networks=tuple(dict.fromkeys(table.networks)),
        cookies=table.cookies == "session",
        headers=tuple(table.headers.items()),
        max_pages=table.max_pages,
        max_articles=table.max_articles,
        max_minutes=table.max_minutes,
        max_depth=table.max_depth,
        schedule=table.schedule,
        paused=paused,
        window=Window.parse(table.window) if table.window else None,
        night_pages=table.night_pages,
        night_articles=table.night_articles,
        night_minutes=table.night_minutes,
        night_megabytes=table.night_megabytes,
        include=tuple(map(re.compile, table.include)),
        exclude=tuple(map(re.compile, table.exclude)),
        required=frozenset(table.required),
        disregard=frozenset(table.disregard),
        method=table.method,
        classifier=table.classifier,
        learn=table.learn,
        render=table.render,
        consent=tuple(dict.fromkeys(table.consent)),
        keep_pages=table.keep_pages,
        keep_pages_days=table.keep_pages_days,
        keep_pages_megabytes=table.keep_pages_megabytes,
    )
