"""`newscrawler run` and `newscrawler worker`: crawl on schedule, on one machine or several."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from newscrawler.cli.options import Whole, config_option, database_option, log_option, read_configuration
from newscrawler.cli.web import make_server
from newscrawler.config import CONFIGURATION_FILE
from newscrawler.errors import ConfigError
from newscrawler.service import load_watched_file, serve, write_logs
from newscrawler.service.workers import (
    WorkerRole,
    WorkerSettings,
    is_worker_alive,
    make_worker_name,
    prepare_database,
    serve_worker,
)


@click.command("run")
@log_option
@database_option
@config_option
def run_command(*, log: str | None, database: str | None, config: Path | None) -> None:
    """Crawl all portals on schedule until you stop the service.

    A portal's `schedule`, `window` and `time_zone` set the time of its crawls; by default they run nightly from 22:00 on. Each
    crawl is a separate process. A crawl that dies is retried, and a missed one is made up for once. [alerts] names who is
    notified of problems, of their end, and of each morning's digest. With `web` in [service], the web application is served too.

    Ctrl-C or SIGTERM ends the service cleanly, and it continues there when started again. Changes of the configuration are
    loaded automatically, or on SIGHUP. An invalid one is refused, and the old one stays in use.

    \b
    Example:
      newscrawler run
      newscrawler run --config /etc/newscrawler/newscrawler.toml --log json
    """
    path = config or Path(CONFIGURATION_FILE)
    loaded = load_watched_file(path)
    # the first portal can be added in the browser
    if not loaded.configuration.crawled and loaded.configuration.service.web is None:
        raise ConfigError(f"there is no portal to crawl in {path}; add one with `newscrawler portal add URL`")
    name = log or "text"
    write_logs(name)
    configuration = read_configuration(config, database)
    service = configuration.service
    web = make_server(configuration, service.web, service.web_user_header, ()) if service.web else None
    with web.running() if web else nullcontext():
        serve(loaded, database_url=configuration.database_url, log=name)


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
    """Crawl portals together with workers on other machines.

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
    configuration = read_configuration(config, database)
    if prepare:
        made = prepare_database(configuration.database_url)
        click.echo("The database is ready for workers." if made else "The database was ready for workers.")
        return
    if check:
        is_alive = is_worker_alive(configuration.database_url)
        click.echo("A worker of this machine is alive." if is_alive else "No worker of this machine is alive.")
        ctx.exit(0 if is_alive else 1)
    loaded = load_watched_file(config or Path(CONFIGURATION_FILE))
    format_name = log or "text"
    write_logs(format_name)
    settings = WorkerSettings(
        name=name or make_worker_name(), role=WorkerRole(role), places=places, database_url=configuration.database_url,
        log=format_name,
    )  # fmt: skip
    serve_worker(loaded, settings)
