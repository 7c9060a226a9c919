"""`newscrawler runs`: the crawls that were."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.options import MOST, PortalName, config_option, configuration_of, database_option
from newscrawler.cli.screen import local_time, print_rows

if TYPE_CHECKING:
    from newscrawler.store import RunRecord


@click.command("runs")
@click.option("--portal", type=PortalName(), metavar="NAME", help="Only runs of this portal.")
@click.option("--limit", type=click.IntRange(1, MOST), default=20, show_default=True, metavar="N", help="List at most N.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one run a line.")
@database_option
@config_option
def runs_command(*, portal: str | None, limit: int, as_json: bool, database: str | None, config: Path | None) -> None:
    """List the crawls that were, newest first.

    Each with its number, portal, beginning, end, pages, new articles, and why it ended.

    \b
    Example:
      newscrawler runs --portal example --limit 5
    """
    from newscrawler.store import open_store

    with open_store(configuration_of(config, database).database_url, create=False) as store:
        runs = store.runs.latest(portal, limit=limit)
    if as_json:
        for run in runs:
            click.echo(encode(_as_dict(run)), nl=False)
        return
    print_rows(map(_row, runs), ("id", "portal", "began", "ended", "pages", "new", "because"))


def _row(run: RunRecord) -> tuple[object, ...]:
    counts = run.counts
    began, ended = local_time(run.started_at), local_time(run.ended_at)
    return run.id, run.portal, began, ended, counts.get("pages"), counts.get("new_articles"), run.ended_because or "it runs"


def _as_dict(run: RunRecord) -> dict[str, Any]:
    return {
        "id": run.id,
        "portal": run.portal,
        "round": run.round,
        "started_at": run.started_at.isoformat(),
        "ended_at": run.ended_at.isoformat() if run.ended_at else None,
        "ended_because": run.ended_because,
        "host": run.host,
        "pid": run.pid,
        "version": run.version,
        "counts": dict(run.counts),
    }
