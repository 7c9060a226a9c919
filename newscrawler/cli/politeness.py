"""`newscrawler politeness PORTAL`: the rules in force for a portal and its hosts, their reasons, and the measured gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.options import PortalName, add_configuration_options, json_option, open_store_or_empty
from newscrawler.cli.screen import format_time, sanitize
from newscrawler.cli.targets import find_portal
from newscrawler.config import Configuration, Portal, build_portal, format_user_agent
from newscrawler.crawl import RobotsEntry
from newscrawler.errors import counted
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


def clear_pauses(store: Store, portal: Portal) -> list[str]:
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


_MOST_RULES = 10
_BUDGETS = {
    "night_pages": "pages a night", "night_articles": "new articles a night", "night_minutes": "minutes a night",
    "night_megabytes": "megabytes a night", "max_pages": "pages a run", "max_articles": "new articles a run",
    "max_minutes": "minutes a run",
}  # fmt: skip


@click.command("politeness")
@click.argument("portal", type=PortalName(), metavar="PORTAL|URL")
@click.option("--forget-pauses", is_flag=True, help="Remove all pauses of its hosts.")
@json_option
@add_configuration_options
def politeness_command(portal: str, *, forget_pauses: bool, as_json: bool, configuration: Configuration) -> None:
    """Show the rules in force for a portal, and why.

    Shows the window, budgets and reservations, and for each host its robots.txt, the delay and its source, pauses, and the
    smallest and the median gap between two requests in the log.

    After failures (429, 503, no connection) a host is paused, and suspended for the night if they continue. Use --forget-pauses
    when you know that the host works again.

    \b
    Example:
      newscrawler politeness example
      newscrawler politeness example --forget-pauses
    """
    note = "There is no database yet, so nothing was requested. These are the configured rules."
    with open_store_or_empty(configuration, note=note) as store:
        known = find_known_portal(store, configuration, portal)
        if forget_pauses:
            clear_pauses(store, known)
        found = collect_rules(store, configuration, known, now=datetime.now(UTC))
    if as_json:
        click.echo(encode(found), nl=False)
        return
    for heading, lines in (
        ("portal " + found["portal"], _describe_portal(found)),
        *((host["host"], _list_host_facts(host)) for host in found["hosts"]),
    ):
        click.echo(click.style(sanitize(heading), bold=True))
        for name, value in lines:
            click.echo(f"  {click.style(f'{name:<13}', dim=True)}{sanitize(value)}")


def _describe_portal(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "start", " ".join(found["start_urls"])
    yield "our name", found["user_agent"]
    window = found["window"]
    if window is None:
        yield "window", "any hour (`window` is not set)"
    else:
        now = (
            f"open until {_format_clock(window['closes_at'])}"
            if window["open"]
            else f"closed, opens {_format_clock(window['opens_at'])}"
        )
        yield "window", f"{window['hours']} {window['time_zone']}; {now}"
    for budget in found["budgets"]:
        used = f"; {budget['used']:g} used since {_format_local(budget['since'])}" if "used" in budget else ""
        yield "budget", f"{budget['most']:g} {_BUDGETS[budget['key']]} (`{budget['key']}`){used}"
    reserved = ", ".join(f"{word} on {counted(each['pages'], 'page')}" for word, each in found["reserved"].items())
    yield "reservations", f"{reserved or 'none found'}; {_describe_honoured(found['disregard'])}"


def _describe_honoured(disregard: list[str]) -> str:
    return f"all honoured but {', '.join(disregard)} (`disregard`)" if disregard else "all honoured"


def _list_host_facts(host: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if host["denylisted"]:
        yield "denylist", "nothing is requested from it, as `denylist` in newscrawler.toml names it"
    for robots in host["robots"]:
        yield from describe_robots(robots)
    if not host["robots"]:
        yield "robots.txt", "not requested yet"
    delay = host["delay"]
    other = f"; configured are {delay['configured_seconds']:g} s" if delay["because"] != "configured" else ""
    yield "delay", f"{delay['seconds']:g} s, {delay['because']}{other}"
    if delay["slowdown"] > 1:
        answers = f", which answers in {delay['response_seconds']:g} s" if delay["response_seconds"] is not None else ""
        yield "gap now", f"{delay['gap_seconds']:g} s, × {delay['slowdown']:g} to protect the host{answers}"
    pause = host["pause"]
    if pause:
        suspended = ", suspended until the next night" if pause["for_the_night"] else ""
        yield "pause", f"until {_format_local(pause['until'])}: {pause['because']}{suspended}"
    else:
        yield "pause", "none"
    for file in host["tdmrep"]:
        rules = "; ".join(
            f"{rule['location']} {'reserved' if rule['reserved'] else 'free'}" for rule in file["rules"][:_MOST_RULES]
        )
        yield "tdmrep.json", f"{file['origin']}: {rules or 'reserves nothing'}{_format_reason(file)} ({_format_request(file)})"
    yield "kept", _describe_gaps(host["kept"])


def describe_robots(robots: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the content of a robots.txt of `collect_rules` as names and values of lines."""
    rules = robots["rules"]
    group = "our own group" if robots["names_us"] else "the group for all"
    verdict = {
        "rules": f"{counted(len(rules), 'rule')} of {group}" if rules else "no rules for us",
        "allow": "allows all",
        "forbid": "nothing may be fetched until it answers",
    }[robots["verdict"]]
    when = f"{_format_request(robots)}, again from {_format_local(robots['expires_at'])} on"
    yield "robots.txt", f"{robots['origin']}: {verdict}{_format_reason(robots)} ({when})"
    for rule in rules[:_MOST_RULES]:
        yield "", rule
    if len(rules) > _MOST_RULES:
        yield "", f"… and {len(rules) - _MOST_RULES} more; --json has them"
    if robots["capped"]:
        yield "", robots["capped"]


def _format_reason(entry: dict[str, Any]) -> str:
    return f": {entry['because']}" if entry["because"] else ""


def _format_request(entry: dict[str, Any]) -> str:
    return f"requested {_format_local(entry['asked_at'])}"


def _describe_gaps(kept: dict[str, Any]) -> str:
    if kept["smallest_seconds"] is None:
        return f"{counted(kept['requests'], 'request')}; gaps are shown from the second on"
    gaps = f"smallest gap {kept['smallest_seconds']:.2f} s, median {kept['median_seconds']:.2f} s"
    return f"{gaps}, {kept['requests']} requests since {_format_local(kept['since'])}"


def _format_local(moment: str) -> str:
    return format_time(datetime.fromisoformat(moment))


def _format_clock(moment: str) -> str:
    """Return a time on the portal's clock."""
    return datetime.fromisoformat(moment).isoformat(sep=" ", timespec="minutes")
