"""`newscrawler status`, `health` and `digest`: the state of the portals on one screen, in sentences, or as a page."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from newscrawler.article import Suspicion
from newscrawler.cli.backfill import BACKFILL_HEADING, make_backfill_row
from newscrawler.cli.group import find_program
from newscrawler.cli.lines import encode
from newscrawler.cli.options import PortalName, add_configuration_options, json_option, open_store_or_empty, read_configuration
from newscrawler.cli.release import HEADING, make_row
from newscrawler.cli.release import describe_release as release_as_dict
from newscrawler.cli.screen import format_day, format_time, print_listing, print_rows
from newscrawler.cli.targets import find_portal
from newscrawler.config import CONFIGURATION_FILE, Configuration
from newscrawler.errors import ConfigError, ExportError
from newscrawler.service import (
    Overview,
    Overviews,
    PortalState,
    describe_digest,
    format_digest_html,
    format_digest_text,
    list_backfills,
    make_digest,
)
from newscrawler.store import Store, open_store
from newscrawler.store.service import CrawlJob, RunRecord, WorkerRecord


@click.command("status")
@click.option("--check", "only_check", is_flag=True, help="Only check the service; the exit code is 1 if it is not well.")
@json_option
@add_configuration_options
@click.pass_context
def status_command(ctx: click.Context, /, *, only_check: bool, as_json: bool, configuration: Configuration) -> None:
    """Show what runs, what is next, and the state of each portal.

    \b
    Example:
      newscrawler status
      newscrawler status --check
    """
    now = datetime.now(UTC)
    if only_check:
        ctx.exit(_check(configuration, now))
    with open_store(configuration.database_url, create=False) as store:
        overview = _read_overview(store, configuration, now)
        scheduled = [each.portal for each in configuration.backfills]
        if as_json:
            click.echo(encode(_describe_state(store, overview, scheduled, now)), nl=False)
        else:
            _print_state(store, overview, scheduled, now)


def _describe_state(store: Store, overview: Overview, scheduled: Collection[str], now: datetime) -> dict[str, Any]:
    service, jobs = overview.service, store.dispatch.open_jobs()
    return {
        "service": {"pid": service.pid, "host": service.host, "problem": service.problem} if service and service.alive else None,
        "crawling": {run.portal: {"run": run.id, "since": run.started_at.isoformat(), **run.counts} for run in overview.live},
        "workers": [_describe_worker(worker, jobs) for worker in store.dispatch.workers()],
        "waiting": [job.portal for job in jobs if job.worker is None],
        "portals": [_describe_portal(portal, now) for portal in overview.portals if not portal.is_collection],
        "collections": [_describe_portal(portal, now) for portal in overview.portals if portal.is_collection],
        "backfills": [state.as_dict() for state in list_backfills(store, now, scheduled)],
        "releases": [release_as_dict(release) for release in store.releases.all()],
    }


def _print_state(store: Store, overview: Overview, scheduled: Collection[str], now: datetime) -> None:
    service, workers, jobs = overview.service, store.dispatch.workers(), store.dispatch.open_jobs()
    if service is None or not service.alive:
        click.echo("No service runs; `newscrawler run` starts it.")
    else:
        click.echo(f"The service runs since {format_time(service.started_at)} (process {service.pid} on {service.host}).")
        if service.problem:
            click.echo(f"Problem: {service.problem}")
    click.echo()
    if workers or jobs:
        print_rows((_make_worker_row(worker, jobs) for worker in workers), ("worker", "host", "since", "crawls", "portals"))
        waiting = [job.portal for job in jobs if job.worker is None]
        if waiting:
            click.echo(f"Dispatched, and no worker has begun: {', '.join(waiting)}")
        click.echo()
    running = {run.portal: run for run in overview.live}
    rows = {
        is_collection: [_make_row(each, running, now) for each in overview.portals if each.is_collection is is_collection]
        for is_collection in (False, True)
    }
    if rows[False]:
        print_rows(rows[False], ("portal", "now", "next", "last", "health"))
    if rows[False] and rows[True]:
        click.echo()
    if rows[True]:
        print_rows(rows[True], ("collection", "now", "next", "last", "health"))
    if backfills := list_backfills(store, now, scheduled):
        click.echo()
        print_rows(map(make_backfill_row, backfills), BACKFILL_HEADING)
    if releases := store.releases.all():
        click.echo()
        print_rows(map(make_row, releases), HEADING)


#: The next commands, and their effects.
_STEPS = {
    "portal add URL": "add the portal with this front page", "demo": "crawl a small portal on this machine",
    "web": "work in the browser", "crawl": "crawl all portals now", "health": "show why a portal needs attention",
    "articles": "list the articles, newest first", "export --output articles.xlsx": "write them as a spreadsheet",
}  # fmt: skip


def show_next_steps() -> bool:
    """Print the state of the portals and the three likeliest next commands; False: no configuration is here."""
    path = Path(os.environ.get("NEWSCRAWLER_CONFIG") or CONFIGURATION_FILE)
    if not path.exists():
        return False
    configuration, now = read_configuration(path, os.environ.get("NEWSCRAWLER_DATABASE")), datetime.now(UTC)
    steps = ("crawl", "web", "portal add URL")
    if not configuration.crawled:
        click.echo(f"{path} has no portal yet.")
        steps = ("web", "portal add URL", "demo")
    else:
        with open_store_or_empty(configuration, note="There is no database yet: nothing was crawled.") as store:
            overview = _read_overview(store, configuration, now)
            _print_state(store, overview, [each.portal for each in configuration.backfills], now)
            stored = store.articles.newest_id()
        if any(portal.problems(now) for portal in overview.portals):
            steps = ("health", "crawl", "web")
        elif stored:
            steps = ("articles", "web", "export --output articles.xlsx")
    commands = [(f"{find_program()} {step}", _STEPS[step]) for step in steps]
    width = max(len(command) for command, _ in commands)
    click.echo("\nNext:\n")
    for command, meaning in commands:
        click.echo(f"  {command:<{width}}  # {meaning}")
    return True


def _make_row(portal: PortalState, running: Mapping[str, RunRecord], now: datetime) -> tuple[str, ...]:
    run = running.get(portal.name)
    at = f"since {format_time(run.started_at)}, {run.counts.get('new_articles', 0)} articles" if run else ""
    night = portal.assessments[-1] if portal.assessments else None
    last = f"{format_time(night.figures.ended_at)}  {night.figures.articles} new" if night else ""
    return portal.name, at, format_time(portal.next_at) or "never", last, portal.state(now)


@click.command("health")
@click.argument("names", nargs=-1, type=PortalName(), metavar="[PORTAL…]")
@json_option
@add_configuration_options
@click.pass_context
def health_command(ctx: click.Context, /, names: tuple[str, ...], *, as_json: bool, configuration: Configuration) -> None:
    """Judge the last crawl of each portal by the portal's history.

    The usual figures are medians of earlier crawls without problems. The exit code is 1 if anything is wrong, for scripts and
    monitors.

    \b
    Example:
      newscrawler health
      newscrawler health example --json
    """
    now = datetime.now(UTC)
    chosen = [find_portal(configuration, name).name for name in names]
    with open_store(configuration.database_url, create=False) as store:
        found = {portal.name: portal for portal in _read_overview(store, configuration, now).portals}
    portals = [found[name] for name in chosen or found]
    records, rows = (_describe_portal(portal, now) for portal in portals), (_make_health_row(portal, now) for portal in portals)
    heading = ("portal", "night to", "health", "new", "usual", "found", "no date", "errors", "why")
    print_listing(records, rows, heading, as_json=as_json, spare=("no date", "errors", "usual", "found", "night to"))
    ctx.exit(1 if any(portal.alerts or (portal.assessments and portal.assessments[-1].findings) for portal in portals) else 0)


@click.command("digest")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write the digest as an HTML page.")
@json_option
@add_configuration_options
def digest_command(*, html: Path | None, as_json: bool, configuration: Configuration) -> None:
    """Print the digest: new articles, problems, and what is next.

    `newscrawler run` writes and sends it each morning, and keeps it in the folder digest of the data folder.

    \b
    Example:
      newscrawler digest
      newscrawler digest --html digest.html
    """
    now = datetime.now(UTC)
    with open_store(configuration.database_url, create=False) as store:
        _require_portals(configuration)
        digest = make_digest(store, configuration, now=now)
    if html is not None:
        try:
            html.write_text(format_digest_html(digest), "utf-8")
        except OSError as error:
            raise ExportError(f"{html} cannot be written: {error.strerror}") from error
        click.echo(f"The digest is in {html}", err=True)
    elif as_json:
        click.echo(encode(describe_digest(digest)), nl=False)
    else:
        click.echo(format_digest_text(digest), nl=False)


def _list_portals_of_worker(worker: WorkerRecord, jobs: Iterable[CrawlJob]) -> list[str]:
    return [job.portal for job in jobs if job.worker_id == worker.id]


def _make_worker_row(worker: WorkerRecord, jobs: Iterable[CrawlJob]) -> tuple[object, ...]:
    portals = _list_portals_of_worker(worker, jobs)
    return worker.name, worker.host, format_time(worker.started_at), f"{len(portals)} of {worker.places}", ", ".join(portals)


def _describe_worker(worker: WorkerRecord, jobs: Iterable[CrawlJob]) -> dict[str, Any]:
    return {
        "name": worker.name, "host": worker.host, "pid": worker.pid, "version": worker.version,
        "since": worker.started_at.isoformat(), "heartbeat_at": worker.heartbeat_at.isoformat(), "places": worker.places,
        "portals": _list_portals_of_worker(worker, jobs),
    }  # fmt: skip


def _check(configuration: Configuration, now: datetime) -> int:
    """Check only the service, as a container engine does every minute."""
    with open_store(configuration.database_url, create=False) as store:
        service = store.service.service(now=now)
    if service is None or not service.alive:
        click.echo("No service runs; `newscrawler run` starts it.")
        return 1
    click.echo(f"Problem: {service.problem}" if service.problem else "The service is well.")
    return 0


def _read_overview(store: Store, configuration: Configuration, now: datetime) -> Overview:
    """Return the overview of the configured portals."""
    _require_portals(configuration)
    overview, names = Overviews(store).read(configuration, now=now), {portal.name for portal in configuration.crawled}
    return replace(overview, portals=[portal for portal in overview.portals if portal.name in names])


def _require_portals(configuration: Configuration) -> None:
    if not configuration.crawled:
        raise ConfigError("no portal is configured; add one with `newscrawler portal add URL`")


def _make_health_row(portal: PortalState, now: datetime) -> tuple[object, ...]:
    if not portal.assessments:
        return portal.name, "", "no crawl yet", "", "", "", "", "", ""
    night = portal.assessments[-1]
    figures, expected, problems = night.figures, night.expected, portal.problems(now)
    return (
        portal.name,
        format_day(figures.ended_at),
        problems[0].problem if problems else night.verdict,
        figures.articles,
        f"{expected.articles:.0f}" if expected.articles is not None else "",
        figures.found,
        figures.undated,
        figures.failed,
        problems[0].sentence if problems else night.sentence if night.findings else "",
    )


def _describe_portal(portal: PortalState, now: datetime) -> dict[str, Any]:
    last = portal.assessments[-1] if portal.assessments else None
    record: dict[str, Any] = {
        "collection" if portal.is_collection else "portal": portal.name,
        "state": portal.state(now),
        "running": portal.running,
        "next_at": portal.next_at.isoformat() if portal.next_at else None,
        "alerts": {alert.problem: {"since": alert.began_at.isoformat(), "sentence": alert.sentence} for alert in portal.alerts},
    }
    if last is None:
        return record
    figures, expected = last.figures, last.expected
    record |= {
        "verdict": last.verdict,
        "findings": {str(problem): sentence for problem, sentence in last.findings.items()},
        "night": {
            "ended_at": figures.ended_at.isoformat() if figures.ended_at else None,
            "ended_because": str(figures.because or ""),
            "articles": figures.articles,
            "undated": figures.undated,
            "suspect": {word: figures.suspect.get(word, 0.0) for word in Suspicion},
            "failed": figures.failed,
            "requests": figures.requests,
            "minutes": round(figures.seconds / 60, 1),
        },
    }
    if not portal.is_collection:
        coverage = figures.coverage.as_dict() if figures.coverage else None
        record["night"] |= {"completeness": figures.completeness, "coverage": coverage}
        record["usual"] = {name: getattr(expected, name) for name in ("articles", "undated", "suspect", "failed", "seconds")}
    return record
