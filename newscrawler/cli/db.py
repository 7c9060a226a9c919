"""`newscrawler db`: maintain the database."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from newscrawler.cli.group import LazyGroup
from newscrawler.cli.options import Day, PortalName, Whole, add_configuration_options
from newscrawler.errors import ConfigError, StoreError, counted
from newscrawler.store import open_store
from newscrawler.store.maintenance import PruneLimits, back_up, check, copy_database, prune, vacuum

if TYPE_CHECKING:
    from newscrawler.config import Configuration


@click.group("db", cls=LazyGroup)
def db_group() -> None:
    """Back up, check, prune, upgrade or move the database.

    \b
    Example:
      newscrawler db backup /var/backups/newscrawler --keep 7
    """


@db_group.command("upgrade")
@add_configuration_options
def upgrade(configuration: Configuration) -> None:
    """Create the database, or upgrade its tables. Every command does this automatically.

    Back the database up first (`newscrawler db backup`). If the upgrade is interrupted, run it again to continue. A database made
    before newscrawler 0.1.0 is refused, with how to carry its articles over.

    \b
    Example:
      newscrawler db upgrade --database postgresql+psycopg://me@localhost/news
    """
    with open_store(configuration.database_url) as store:
        click.echo("The database is new; its tables were created." if store.is_new else "The database is up to date.")


@db_group.command("backup")
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--keep", type=Whole(1), metavar="N", help="Keep the newest N backups in the folder and remove older ones.")
@add_configuration_options
def backup(target: Path, keep: int | None, configuration: Configuration) -> None:
    """Write a consistent copy of the database to an SQLite file. Crawls may continue meanwhile.

    TARGET is a new file, or a folder in which the file is named after the time. The copy is checked before it gets its name, so
    an incomplete backup never appears. PostgreSQL databases work too; `newscrawler db copy` restores them.

    \b
    Example:
      newscrawler db backup /var/backups/newscrawler --keep 7
    """
    if keep is not None and not target.is_dir():
        raise click.UsageError("--keep needs a folder as TARGET")
    with open_store(configuration.database_url, create=False, any_schema=True) as store:
        done = back_up(store.engine, target, now=datetime.now(UTC), keep=keep, progress=_show_progress)
    click.echo(f"{done.path}: {done.articles} articles, {_format_size(done.size)}.")
    for old in done.removed:
        click.echo(f"Removed {old}.")


@db_group.command("check")
@add_configuration_options
@click.pass_context
def check_command(ctx: click.Context, configuration: Configuration) -> None:
    """Find damage and contradictory rows, without changing anything. The exit code is 1 if something was found.

    \b
    Example:
      newscrawler db check
    """
    with open_store(configuration.database_url, create=False) as store:
        findings = check(store.engine)
    if not findings:
        click.echo("The database is sound.")
        return
    for finding in findings:
        click.echo(f"{finding.what}\n  {finding.advice}")
    ctx.exit(1)


@db_group.command("rebuild")
@add_configuration_options
def rebuild_command(configuration: Configuration) -> None:
    """Write the words of all articles anew, which statistics read.

    They are written with each article; this is for a database in which `newscrawler db check` finds them missing or wrong.
    Crawls may continue meanwhile.

    \b
    Example:
      newscrawler db rebuild
    """
    with open_store(configuration.database_url, create=False) as store:
        number = store.words.rebuild(partial(_show_progress, "article"))
    click.echo(f"Wrote the words of {counted(number, 'article')}.")


@db_group.command("prune")
@click.option("--runs-days", type=Whole(1), default=730, show_default=True, metavar="N", help="Keep records of runs.")
@click.option("--fetches-days", type=Whole(1), default=30, show_default=True, metavar="N", help="Keep the fetch log.")
@click.option("--articles-before", type=Day(), metavar="DAY", help="Remove articles of days before this one as well.")
@click.option("--portal", type=PortalName(), metavar="NAME", help="Only articles of this portal.")
@click.option("--dry-run", is_flag=True, help="Count what would be removed, and remove nothing.")
@click.option("--yes", is_flag=True, help="Do not ask before articles are removed.")
@add_configuration_options
def prune_command(
    *,
    runs_days: int,
    fetches_days: int,
    articles_before: date | None,
    portal: str | None,
    dry_run: bool,
    yes: bool,
    configuration: Configuration,
) -> None:
    """Remove old records of runs, and with an option old articles.

    Old lines of the fetch log go with the runs; old articles only with --articles-before.
    An article is removed with its earlier texts. Its address is kept, so that it is not fetched again.

    \b
    Example:
      newscrawler db prune --runs-days 365
      newscrawler db prune --articles-before 2020-01-01 --portal example --dry-run
    """
    if portal is not None and articles_before is None:
        raise click.UsageError("--portal narrows --articles-before; give that too")
    retention = PruneLimits(
        runs=timedelta(days=runs_days),
        fetches=timedelta(days=fetches_days),
        articles_before=datetime.combine(articles_before, time(), UTC) if articles_before else None,
        portal=portal,
    )
    now = datetime.now(UTC)
    with open_store(configuration.database_url, create=False) as store:
        if portal is not None and not store.runs.latest(portal, limit=1):
            raise ConfigError(f"the database has no portal {portal}")
        if articles_before is not None and not dry_run and not yes:
            number = prune(store.engine, retention, now=now, dry_run=True).articles
            click.confirm(f"Remove {number} articles for ever?", abort=True)
        done = prune(store.engine, retention, now=now, dry_run=dry_run)
    word = "Would remove" if dry_run else "Removed"
    click.echo(f"{word} {done.runs} records of runs, {done.fetches} lines of the fetch log, {done.articles} articles.")


@db_group.command("vacuum")
@add_configuration_options
def vacuum_command(configuration: Configuration) -> None:
    """Return unused space to the disk. SQLite needs as much free space as the database takes. Best run while no crawl runs.

    \b
    Example:
      newscrawler db vacuum
    """
    with open_store(configuration.database_url, create=False) as store:
        done = vacuum(store.engine)
    click.echo(f"{_format_size(done.before)} before, {_format_size(done.after)} now.")


@db_group.command("copy")
@click.argument("source", metavar="SOURCE")
@click.argument("target", metavar="TARGET")
@click.option("--while-crawling", is_flag=True, help="Copy while crawls run; what they store from now on is not copied.")
def copy_command(source: str, target: str, *, while_crawling: bool) -> None:
    """Copy a database into an empty one, and compare both.

    The copy is compared by counts and hashes.
    SOURCE and TARGET are URLs or SQLite files. Use it to move from SQLite to PostgreSQL or back, or to restore a backup.

    \b
    Example:
      newscrawler db copy newscrawler.sqlite postgresql://news:secret@localhost/news
    """
    from_url, to_url = _make_url(source), _make_url(target)
    if from_url == to_url:
        raise click.UsageError("SOURCE and TARGET are the same database")
    with open_store(from_url, create=False) as left:
        if not while_crawling and (live := sorted(run.portal for run in left.runs.live(now=datetime.now(UTC)))):
            raise StoreError(f"crawls of {', '.join(live)} are running; end them first, or copy with --while-crawling")
        with open_store(to_url) as right:
            tables = copy_database(left.engine, right.engine, progress=_show_progress)
    width = max(len(table.table) for table in tables)
    for table in tables:
        click.echo(f"{table.table:<{width}}  {table.rows:>9} rows  {table.digest}")
    click.echo("The copy is complete: counts and hashes of all tables agree.")


def _make_url(text: str) -> str:
    return text if "://" in text else f"sqlite:///{text}"


def _show_progress(table: str, rows: int) -> None:
    if rows and rows % 20_000 == 0:
        click.echo(f"  {table}: {rows} rows", err=True)


def _format_size(number: int) -> str:
    size, unit = float(number), "bytes"
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            break
        size /= 1024
    return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
