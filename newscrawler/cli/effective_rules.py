"""The rules in force for a portal and its hosts, and their reasons, from configuration and database."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from newscrawler.cli.targets import find_portal
from newscrawler.config import Configuration, Portal, build_portal, format_user_agent
from newscrawler.crawl import RobotsEntry
from newscrawler.politeness import Pace, find_night_start, get_host, is_on_denylist, measure_gaps
from newscrawler.politeness.rights import read_tdm_file
from newscrawler.store.service import BudgetUse, sum_budget_use
from newscrawler.store.vocabularies import OriginFileKind

if TYPE_CHECKING:
    from newscrawler.store import Store
    from newscrawler.store.hosts import FetchRecord, OriginFile

#: Requests of the log that are read per host.
MOST_FETCHES = 20_000


def find_known_portal(store: Store, configuration: Configuration, name: str) -> Portal:
    """Return the portal of this name or address. [crawler.defaults] applies to one that was crawled by its address alone.

    Raises:
        ConfigError: there is none.
    """
    if "://" in name:
        portal = build_portal(name, **configuration.defaults)
        return next((known for known in configuration.portals if set(portal.start_urls) & set(known.start_urls)), portal)
    starts = [url for *_, url in store.urls_of_kind(name, ["start"])]
    if starts and name not in {known.name for known in configuration.portals}:
        return build_portal(starts[0], **{**configuration.defaults, "name": name, "start_urls": starts})
    return find_portal(configuration, name)


def collect_rules(store: Store, configuration: Configuration, portal: Portal, *, now: datetime) -> dict[str, Any]:
    """Return all rules for a portal's requests, as JSON values."""
    hosts = _list_hosts(store, portal)
    return {
        "portal": portal.name,
        "start_urls": list(portal.start_urls),
        "user_agent": format_user_agent(configuration.contact, configuration.identity),
        "window": _describe_window(portal, now),
        "budgets": _list_budgets(store, portal, now),
        "disregard": sorted(portal.disregard),
        "reserved": {each.word: {"pages": each.pages, "articles": each.articles} for each in store.rights.counts(portal.name)},
        "hosts": [_describe_host(store, configuration, portal, host, now) for host in hosts],
    }


def forget_pauses(store: Store, portal: Portal) -> list[str]:
    """Clear the pauses of a portal's hosts; return their names."""
    hosts = _list_hosts(store, portal)
    addresses = {each for host in hosts for each in _list_addresses(store.hosts.fetches(host=host, most=MOST_FETCHES))}
    store.hosts.forgive([*hosts, *addresses])
    return hosts


def _list_hosts(store: Store, portal: Portal) -> list[str]:
    """Return the hosts of the start URLs, then the other hosts that were requested."""
    asked = {fetch.host for fetch in store.hosts.fetches(portal=portal.name, most=MOST_FETCHES)}
    first = list(dict.fromkeys(get_host(url) for url in portal.start_urls))
    return [*first, *sorted(asked - set(first))]


def _list_addresses(log: list[FetchRecord]) -> set[str]:
    return {fetch.address for fetch in log if fetch.address is not None}


def _describe_pause(store: Store, host: str, log: list[FetchRecord], now: datetime) -> dict[str, Any] | None:
    """Return the pause of the host, or of an address at which it answered."""
    states = [store.hosts.of(name) for name in (host, *sorted(_list_addresses(log) - {host}))]
    paused = [state for state in states if state.paused_until is not None and state.paused_until > now]
    if not paused:
        return None
    state = paused[0]
    assert state.paused_until is not None
    because = state.pause_reason if state.name == host else f"{state.pause_reason}, at the same address {state.name}"
    return {"until": state.paused_until.isoformat(), "because": because, "for_the_night": state.is_suspended}


def _describe_window(portal: Portal, now: datetime) -> dict[str, Any] | None:
    if portal.window is None:
        return None
    zone = ZoneInfo(portal.time_zone)
    closes = portal.window.closes_at(now, zone)
    opens = portal.window.open_from(now, zone) if closes is None else None
    return {
        "hours": str(portal.window),
        "time_zone": portal.time_zone,
        "open": closes is not None,
        "closes_at": closes.astimezone(zone).isoformat() if closes else None,
        "opens_at": opens.astimezone(zone).isoformat() if opens else None,
    }


def _list_budgets(store: Store, portal: Portal, now: datetime) -> list[dict[str, Any]]:
    began = find_night_start(now, ZoneInfo(portal.time_zone), portal.window)
    spent: BudgetUse = sum_budget_use(store.engine, portal.name, began)
    nights = (
        ("night_pages", portal.night_pages, spent.pages),
        ("night_articles", portal.night_articles, spent.articles),
        ("night_minutes", portal.night_minutes, round(spent.seconds / 60, 1)),
        ("night_megabytes", portal.night_megabytes, round(spent.bytes / 2**20, 3)),
    )
    runs = (("max_pages", portal.max_pages), ("max_articles", portal.max_articles), ("max_minutes", portal.max_minutes))
    found: list[dict[str, Any]] = [
        {"key": key, "most": most, "used": used, "since": began.isoformat()} for key, most, used in nights if most is not None
    ]
    return found + [{"key": key, "most": most} for key, most in runs if most is not None]


def _describe_host(store: Store, configuration: Configuration, portal: Portal, host: str, now: datetime) -> dict[str, Any]:
    ports = {None, *(urlsplit(url).port for url in portal.start_urls)}  # a server at another port does not belong to the portal
    files = [file for file in store.hosts.files(host=host) if urlsplit(file.origin).port in ports]
    entries = [RobotsEntry.of(file) for file in files if file.kind is OriginFileKind.ROBOTS]
    state = store.hosts.of(host)
    asked = max((entry.rules.delay_seconds for entry in entries), default=0.0)
    delay = max(portal.delay_seconds, asked)
    log = store.hosts.fetches(host=host, most=MOST_FETCHES)
    kept = measure_gaps([fetch.at for fetch in log])
    return {
        "host": host,
        "denylisted": is_on_denylist(host, configuration.denylist),
        "robots": [_describe_robots(entry) for entry in entries],
        "delay": {
            "seconds": delay,
            "because": "robots.txt asks for it" if asked > portal.delay_seconds else "configured",
            "configured_seconds": portal.delay_seconds,
            "robots_seconds": max((entry.rules.asks_seconds or 0.0 for entry in entries), default=0.0) or None,
            "slowdown": round(state.slowdown, 2),
            "response_seconds": round(state.response_seconds, 3) if state.response_seconds is not None else None,
            "gap_seconds": round(Pace(slowdown=state.slowdown).gap_seconds(delay), 2),
        },
        "pause": _describe_pause(store, host, log, now),
        "tdmrep": [_describe_tdm(file) for file in files if file.kind is OriginFileKind.TDM],
        "kept": {
            "requests": kept.requests,
            "since": kept.since.isoformat() if kept.since else None,
            "smallest_seconds": round(kept.smallest_seconds, 3) if kept.smallest_seconds is not None else None,
            "median_seconds": round(kept.median_seconds, 3) if kept.median_seconds is not None else None,
        },
    }


def _describe_robots(entry: RobotsEntry) -> dict[str, Any]:
    return {
        "origin": entry.file.origin, "verdict": entry.verdict, "status": entry.file.status, "because": entry.file.because,
        "names_us": entry.rules.names_us, "rules": list(entry.rules.lines), "hours": entry.hours,
        "asks_seconds": entry.rules.asks_seconds, "capped": entry.capped, "asked_at": entry.file.asked_at.isoformat(),
        "expires_at": entry.file.expires_at.isoformat(),
    }  # fmt: skip


def _describe_tdm(file: OriginFile) -> dict[str, Any]:
    return {
        "origin": file.origin,
        "rules": [asdict(rule) for rule in read_tdm_file(file.body or b"").rules],
        "because": file.because,
        "asked_at": file.asked_at.isoformat(),
    }
