"""`newscrawler worker`."""

from __future__ import annotations

from pathlib import Path

import click

from newscrawler.cli.numbers import Whole
from newscrawler.cli.options import config_option, configuration_of, database_option, log_option
from newscrawler.config import CONFIGURATION_FILE
from newscrawler.service.logs import write_logs
from newscrawler.service.reload import load
from newscrawler.service.workers.daemon import Role, Settings, default_name, is_alive_here, serve_worker
from newscrawler.service.workers.daemon import prepare as prepare_database


@click.command("worker")
@click.option("--name", metavar="NAME", help="What `newscrawler status` calls it; without it, the machine and the process.")
@click.option(
    "--role",
    type=click.Choice(["both", "crawl", "plan"]),
    default="both",
    show_default=True,
    help="crawl: carry out crawls; plan: only stand for election as the planner; both: one or the other, as it comes.",
)
@click.option("--places", type=Whole(1), metavar="N", help="Crawls at once; without it, as `at_once` or memory allows.")
@click.option("--prepare", is_flag=True, help="Only make the tables for workers, or bring them up to date, and end.")
@click.option("--check", is_flag=True, help="Only say whether a worker of this machine is alive; exit code 1 if none is.")
@log_option
@database_option
@config_option
@click.pass_context
def worker_command(
    ctx: click.Context,
    /,
    *,
    name: str | None,
    role: str,
    places: int | None,
    prepare: bool,
    check: bool,
    log: str | None,
    database: str | None,
    config: Path | None,
) -> None:
    """Crawl portals together with workers on other machines, until you end it.

    All workers use one database on PostgreSQL. One of them, elected, plans: it decides when each portal's turn has come, as
    `newscrawler run` does on one machine, notifies whom [alerts] names and writes exports. Each crawl goes to whichever worker
    has memory for it. When a worker dies, others go on with its crawls within a minute; when the planner dies, another is elected.

    Ctrl-C or SIGTERM ends it cleanly: crawls end between two requests, and other workers go on with them.

    \b
    Example:
      newscrawler worker --prepare
      newscrawler worker --config /etc/newscrawler/newscrawler.toml --log json
      newscrawler worker --role plan
    """
    configuration = configuration_of(config, database)
    if prepare:
        made = prepare_database(configuration.database_url)
        click.echo("The database is ready for workers." if made else "The database was ready for workers.")
        return
    if check:
        is_alive = is_alive_here(configuration.database_url)
        click.echo("A worker of this machine is alive." if is_alive else "No worker of this machine is alive.")
        ctx.exit(0 if is_alive else 1)
    loaded = load(config or Path(CONFIGURATION_FILE))
    format_name = log or "text"
    write_logs(format_name)
    settings = Settings(
        name=name or default_name(), role=Role(role), places=places, database_url=configuration.database_url, log=format_name
    )
    serve_worker(loaded, settings)
