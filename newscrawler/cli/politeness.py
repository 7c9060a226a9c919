"""`newscrawler politeness PORTAL`: show the rules in force for a portal, their reasons, and the measured gaps."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli import effective_rules as looks
from newscrawler.cli.lines import encode
from newscrawler.cli.options import PortalName, add_configuration_options, json_option, open_store_or_empty
from newscrawler.cli.screen import format_time, sanitize
from newscrawler.errors import counted

if TYPE_CHECKING:
    from newscrawler.config import Configuration

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
        known = looks.find_known_portal(store, configuration, portal)
        if forget_pauses:
            looks.forget_pauses(store, known)
        found = looks.collect_rules(store, configuration, known, now=datetime.now(UTC))
    if as_json:
        click.echo(encode(found), nl=False)
        return
    for heading, lines in (
        ("portal " + found["portal"], _describe_portal(found)),
        *((host["host"], _describe_host(host)) for host in found["hosts"]),
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


def _describe_host(host: dict[str, Any]) -> Iterator[tuple[str, str]]:
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
