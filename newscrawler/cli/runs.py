"""`newscrawler runs`: list past crawls, show one, compare two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.group import LazyGroup
from newscrawler.cli.lines import encode
from newscrawler.cli.options import MOST, PortalName, Whole, add_configuration_options, json_option
from newscrawler.cli.screen import format_time, note_more, print_listing, print_rows, sanitize
from newscrawler.discovery import Coverage
from newscrawler.errors import ConfigError
from newscrawler.store import Store, open_store
from newscrawler.store.service import RunRecord

if TYPE_CHECKING:
    from newscrawler.config import Configuration

#: Counters of a run, in the order and the words in which they are shown.
_FIGURES = {
    "requests": "requests", "pages": "pages", "bytes": "bytes", "new_articles": "new articles", "undated": "  without a date",
    "similar": "  like an earlier one", "corrected": "corrected articles", "twins": "known articles", "listings": "listings",
    "unchanged": "unchanged pages", "redirects": "redirects", "retries": "tries again",
    "cpu_seconds": "CPU seconds", "memory_mib": "memory at its end (MiB)",
}  # fmt: skip
_TABLES = {
    "refused": "no article", "skipped": "skipped", "failed": "failed", "suspect": "looks wrong", "statuses": "HTTP status",
    "waited": "waited", "reading": "CPU of reading",
}  # fmt: skip


_IN_SECONDS = frozenset({"waited", "reading"})


@click.group("runs", cls=LazyGroup, invoke_without_command=True)
@click.option("--portal", type=PortalName(), metavar="NAME", help="Only runs of this portal.")
@click.option("--limit", type=Whole(1, MOST), default=20, show_default=True, metavar="N", help="List at most N.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one run per line.")
@add_configuration_options
@click.pass_context
def runs_group(ctx: click.Context, /, *, portal: str | None, limit: int, as_json: bool, configuration: Configuration) -> None:
    """List past crawls, newest first.

    Each line shows the number, portal, beginning, end, pages, new articles, and why it ended. `runs show` prints one run in
    full, `runs compare` the differences between two.

    \b
    Example:
      newscrawler runs --portal example --limit 5
      newscrawler runs show 12
      newscrawler runs compare 12 15
    """
    if ctx.invoked_subcommand is not None:
        return

    with open_store(configuration.database_url, create=False) as store:
        every = store.runs.latest(portal, limit=limit + 1)
    runs = every[:limit]
    heading = ("id", "portal", "began", "ended", "pages", "new", "because")
    print_listing(map(_run_to_dict, runs), map(_make_row, runs), heading, as_json=as_json, spare=("ended", "pages", "because"))
    note_more(limit, len(every))


@runs_group.command("show")
@click.argument("number", type=Whole(1, MOST), metavar="ID")
@json_option
@add_configuration_options
def show(number: int, *, as_json: bool, configuration: Configuration) -> None:
    """Show one crawl: what it did, what it waited for, why it ended.

    ID is the number that `newscrawler runs` lists.

    \b
    Example:
      newscrawler runs show 12
    """
    with open_store(configuration.database_url, create=False) as store:
        run = _get(store, number)
        account = store.runs.account(run)
    if as_json:
        click.echo(encode(_run_to_dict(run) | {"account": account.as_dict() if account else None}), nl=False)
        return
    rows = [*_describe_run(run), *([("articles of the portal", account.sentence)] if account else [])]
    width = max(len(name) for name, _ in rows) + 2
    for name, value in rows:
        click.echo(f"{click.style(name.ljust(width), dim=True)}{sanitize(value)}")


@runs_group.command("compare")
@click.argument("first", type=Whole(1, MOST), metavar="ID")
@click.argument("second", type=Whole(1, MOST), metavar="ID")
@json_option
@add_configuration_options
def compare(first: int, second: int, *, as_json: bool, configuration: Configuration) -> None:
    """Compare two crawls: show each figure of both, and the difference.

    \b
    Example:
      newscrawler runs compare 12 15
    """
    with open_store(configuration.database_url, create=False) as store:
        one, other = _get(store, first), _get(store, second)
    if as_json:
        click.echo(encode({"first": _run_to_dict(one), "second": _run_to_dict(other)}), nl=False)
        return
    figures, others = dict(_list_figures(one)), dict(_list_figures(other))
    rows: list[tuple[object, ...]] = [
        ("portal", one.portal, other.portal, ""),
        ("began", format_time(one.started_at), format_time(other.started_at), ""),
        ("ended because", str(one.ended_because or "it runs"), str(other.ended_because or "it runs"), ""),
    ]
    for name in dict.fromkeys([*figures, *others]):
        before, after = figures.get(name, 0), others.get(name, 0)
        rows.append((name, _format_number(before), _format_number(after), "" if before == after else f"{after - before:+,.0f}"))
    print_rows(rows, ("", f"run {first}", f"run {second}", "difference"))


def _get(store: Store, number: int) -> RunRecord:
    run = store.runs.get(number)
    if run is None:
        raise ConfigError(f"there is no run {number}; `newscrawler runs` lists those that are there")
    return run


def _make_row(run: RunRecord) -> tuple[object, ...]:
    counts = run.counts
    began, ended = format_time(run.started_at), format_time(run.ended_at)
    return run.id, run.portal, began, ended, counts.get("pages"), counts.get("new_articles"), str(run.ended_because or "it runs")


def _describe_run(run: RunRecord) -> Iterator[tuple[str, object]]:
    yield "run", f"{run.id} of {run.portal}, round {run.round}"
    yield "began", format_time(run.started_at)
    yield "ended", format_time(run.ended_at) or "it runs"
    yield "ended because", str(run.ended_because or "")
    yield "process", f"{run.pid} on {run.host}, newscrawler {run.version}"
    for name, value in _list_figures(run):
        yield name, _format_number(value)
    if run.counts.get("coverage"):
        yield "articles of this round", Coverage.from_dict(run.counts["coverage"]).sentence


def _list_figures(run: RunRecord) -> Iterator[tuple[str, float]]:
    """Return all figures that are not 0, by the words in which they are shown."""
    if run.ended_at is not None:
        yield "seconds", (run.ended_at - run.started_at).total_seconds()
    for key, words in _FIGURES.items():
        if run.counts.get(key):
            yield words, run.counts[key]
    for key, words in _TABLES.items():
        table: Mapping[str, float] = run.counts.get(key) or {}
        for name, number in sorted(table.items(), key=lambda item: -item[1]):
            yield f"{words}: {name}" + (" (seconds)" if key in _IN_SECONDS else ""), number


def _format_number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def _run_to_dict(run: RunRecord) -> dict[str, Any]:
    return {
        "id": run.id, "portal": run.portal, "round": run.round, "started_at": run.started_at.isoformat(),
        "ended_at": run.ended_at.isoformat() if run.ended_at else None,
        "ended_because": str(run.ended_because) if run.ended_because is not None else None, "host": run.host, "pid": run.pid,
        "version": run.version, "counts": dict(run.counts),
    }  # fmt: skip
