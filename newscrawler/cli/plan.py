"""`newscrawler plan`."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.options import Whole, config_option, database_option, json_option, read_configuration
from newscrawler.cli.screen import print_rows
from newscrawler.errors import ConfigError, StoreAwayError, StoreError
from newscrawler.service import (
    Capacity,
    Costs,
    Machine,
    Measured,
    Night,
    describe_capacity,
    estimate_loads,
    plan_capacity,
    plan_night_jobs,
    read_measurements,
)
from newscrawler.store import open_store

if TYPE_CHECKING:
    from newscrawler.config import Configuration


@click.command("plan")
@click.option("--cores", type=Whole(1), metavar="N", help="Processor cores of a machine; without it, those of this one.")
@click.option("--memory", type=Whole(512), metavar="MIB", help="Memory of a machine in MiB; without it, that of this one.")
@click.option("--portals", type=Whole(1), metavar="N", help="Compute for so many portals like those of the configuration.")
@click.option("--articles", type=Whole(1), metavar="N", help="New articles a night of a portal that was never crawled.")
@json_option
@database_option
@config_option
def plan_command(
    *,
    cores: int | None,
    memory: int | None,
    portals: int | None,
    articles: int | None,
    as_json: bool,
    database: str | None,
    config: Path | None,
) -> None:
    """Compute how many machines the portals of the configuration need, and what their crawls cost.

    Costs are those of earlier crawls, as far as the database holds any; else the documented ones. Delays, windows and time zones
    of the portals say when each can be crawled.

    \b
    Example:
      newscrawler plan
      newscrawler plan --portals 10000 --cores 4 --memory 8192
    """
    configuration = read_configuration(config, database)
    chosen = [portal for portal in configuration.crawled if not portal.paused]
    if not chosen:
        raise ConfigError("no portal is configured; add one with `newscrawler portal add URL`")
    crawls, costs = _read_measurements(configuration)
    if articles is not None:
        costs = replace(costs, night_articles=float(articles))
    if portals is not None:
        copies = [(number, chosen[number % len(chosen)]) for number in range(portals)]
        crawls = {f"{portal.name} {number}": crawls[portal.name] for number, portal in copies if portal.name in crawls}
        chosen = [portal.model_copy(update={"name": f"{portal.name} {number}"}) for number, portal in copies]
    loads = estimate_loads(chosen, crawls, costs)
    jobs = plan_night_jobs(chosen, loads, max_hours=configuration.service.max_hours, now=datetime.now(UTC))
    machine = Machine(cores=cores or os.cpu_count() or 1, memory_mib=memory or _get_memory_mib())
    found = plan_capacity(loads, jobs, machine, costs)
    if as_json:
        click.echo(encode(describe_capacity(found, costs)), nl=False)
        return
    print_rows(_make_rows(found), ("figure", "value"))
    click.echo()
    click.echo(_describe_basis(costs, len(crawls), len(chosen)))


def _read_measurements(configuration: Configuration) -> tuple[dict[str, list[Measured]], Costs]:
    """Return earlier crawls and their costs; the documented ones where there is no database yet."""
    try:
        with open_store(configuration.database_url, create=False) as store:
            return read_measurements(store, configuration.crawled)
    except StoreAwayError:
        raise
    except StoreError as error:
        click.echo(f"Nothing measured: {error}", err=True)
        return {}, Costs()


def _get_memory_mib() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20


def _make_rows(found: Capacity) -> list[tuple[str, str]]:
    per = found.places_per_machine
    return [
        ("portals", f"{found.portals:,}"),
        ("articles a night", f"{found.articles:,.0f}"),
        ("requests a night", f"{found.requests:,.0f}"),
        ("machines", f"{found.needed.machines:,}"),
        ("crawls at once on each", f"{per:,}, limited by {found.limited_by}"),
        ("memory of all", f"{found.memory_mib / 1024:,.1f} GiB"),
        ("the night", _describe_night(found.needed)),
        ("with one machine more", _describe_night(found.one_more)),
        ("processor time of crawls", f"{found.crawl_cpu_seconds / 3600:,.2f} core-hours a night"),
        ("processor time of the database", f"{found.server_cpu_seconds / 3600:,.2f} core-hours a night"),
        ("database", f"{found.database_gb_a_year:,.1f} GB a year"),
        ("kept pages", f"{found.kept_gb:,.1f} GB"),
        ("a million articles", f"{found.core_hours_per_million:,.1f} core-hours, {found.gb_per_million:,.1f} GB of database"),
    ]


def _describe_night(night: Night) -> str:
    if night.length is None:
        return "no crawl is scheduled"
    said = [f"{night.length.total_seconds() / 3600:.1f} hours"]
    if night.late:
        said.append(f"{night.late:,} portals come too late")
    if night.too_long:
        said.append(f"{night.too_long:,} portals need more than their window by themselves")
    return "; ".join(said)


def _describe_basis(costs: Costs, crawled: int, portals: int) -> str:
    if not costs.measured:
        return "These figures rest on documented costs: no crawl of these portals was measured yet."
    return (
        f"Measured on {crawled:,} of {portals:,} portals: {', '.join(sorted(costs.measured)).replace('_', ' ')}. "
        "The other costs are the documented ones."
    )
