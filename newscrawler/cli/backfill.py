"""`newscrawler backfill`: the past of a portal in daily shares, and its calendar of months."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import click

from newscrawler.cli.group import BROKEN_PIPE, INTERRUPTED, interrupt_on_sigterm
from newscrawler.cli.lines import encode
from newscrawler.cli.options import (
    Decimal,
    PeriodDay,
    PortalName,
    Whole,
    add_configuration_options,
    log_option,
    name_options,
)
from newscrawler.cli.screen import print_rows
from newscrawler.config import Configuration, FetchOrder, choose_archives, make_backfill
from newscrawler.errors import ConfigError
from newscrawler.service import BackfillState, read_backfill
from newscrawler.store import open_store

BACKFILL_HEADING = ("backfill", "months", "known", "stored", "waiting", "a night", "done on", "by the service")
_HEADING = ("month", "known", "stored", "refused", "waiting", "estimated")
_PER_NIGHT = 500


@click.command("backfill")
@click.argument("target", type=PortalName(), metavar="PORTAL|URL")
@click.option("--since", type=PeriodDay(), metavar="DAY", help="From this day (YYYY-MM-DD, YYYY-MM or YYYY).")
@click.option("--until", type=PeriodDay(last=True), metavar="DAY", help="Until this day; by default today.")
@click.option(
    "--per-night", type=Whole(1), default=_PER_NIGHT, show_default=True, metavar="N",
    help="Pages to fetch a day at most, in addition to the portal's own crawl.",
)  # fmt: skip
@click.option(
    "--order", type=click.Choice([str(order) for order in FetchOrder]), default=str(FetchOrder.NEWEST), show_default=True,
    help="The newest first, or as many of each month.",
)  # fmt: skip
@click.option(
    "--archives",
    metavar="NAME,…",
    default="",
    help="Web archives, [[archive]] of the configuration, for addresses, and for copies of pages that are gone.",
)
@click.option("--calendar", "only_calendar", is_flag=True, help="Only show the months; request nothing.")
@click.option("--delay", type=Decimal(), metavar="SECONDS", help="Between two requests to a host.")
@click.option("--contact", metavar="ADDRESS", help="E-mail or web address at which the operator of a portal reaches you.")
@click.option("--json", "as_json", is_flag=True, help="Show no progress; print the calendar as JSON.")
@log_option
@add_configuration_options
@click.pass_context
def backfill_command(
    ctx: click.Context,
    /,
    target: str,
    *,
    since: date | None,
    until: date | None,
    per_night: int,
    order: str,
    archives: str,
    only_calendar: bool,
    as_json: bool,
    log: str | None,
    configuration: Configuration,
    **changes: Any,
) -> None:
    """Fetch the past of a portal, some pages a day.

    The portal's lists come first: sitemaps, archives by month or day, the API of its publishing system, further pages of sections.
    Then articles of the range are requested, at the portal's delay and within a daily budget. While the portal's own crawl
    runs, the backfill waits. Run the same command every day: it goes on where it stopped, requests nothing twice, and
    ends with a calendar of months.

    \b
    Example:
      newscrawler backfill example --since 2015
      newscrawler backfill example --since 2015 --until 2019-06 --per-night 300 --order spread
      newscrawler backfill example --calendar
    """
    interrupt_on_sigterm(ctx)
    # takes more than a second, which the help and completions should not
    from newscrawler.cli.crawl_progress import CrawlConsole, run_crawls
    from newscrawler.cli.targets import choose_portals

    with name_options(ctx):
        (portal,) = choose_portals(configuration, [target], **changes)
        if since is None and not only_calendar:
            raise ConfigError("A backfill needs its first day. Pass --since, for example --since 2015.")
    console, summaries = CrawlConsole(), []
    if since is not None and not only_calendar:
        today = datetime.now(UTC).date()
        chosen = choose_archives(configuration, [name.strip() for name in archives.split(",") if name.strip()])
        backfill = make_backfill(
            portal, since=since, until=until or today, per_night=per_night, order=FetchOrder(order), archives=chosen
        )
        summaries = run_crawls(configuration, [backfill], console, quiet=as_json, log=log)
    with open_store(configuration.database_url, create=False) as store:
        state = read_backfill(store, portal.name, datetime.now(UTC))
    if state is None:
        raise ConfigError(f"There is no backfill of {portal.name}. Begin one with --since, for example --since 2015.")
    if as_json:
        click.echo(encode(state.as_dict()), nl=False)
    elif not log:
        _print_calendar(state)
    for summary in summaries:
        left = f", {state.waiting} articles left; run the same command to continue" if state.waiting else ""
        click.echo(f"{summary.portal}: {summary.counts.new_articles} new; ended: {summary.ended_because}{left}", err=True)
    if console.abandoned:
        ctx.exit(BROKEN_PIPE)
    if any(summary.is_interrupted for summary in summaries):
        ctx.exit(INTERRUPTED)
    ctx.exit(1 if any(summary.ended_early for summary in summaries) else 0)


def make_backfill_row(state: BackfillState) -> tuple[object, ...]:
    """Return a backfill as a row of a table."""
    months = f"{state.months[0].month:%Y-%m} to {state.months[-1].month:%Y-%m}" if state.months else ""
    per_night = f"{state.per_night:.0f}" if state.per_night is not None else ""
    service = "daily" if state.is_scheduled else ""
    return state.portal, months, state.known, state.stored, state.waiting, per_night, state.done_on or "", service


def _print_calendar(state: BackfillState) -> None:
    rows = []
    for month in (each.as_dict() for each in state.months):
        refused = ", ".join(f"{number} × {reason}" for reason, number in month["refused"].items())
        estimate = f"{month['estimated']} ({month['low']} to {month['high']})" if month["estimated"] else month["why_not"]
        rows.append((month["month"], month["known"], month["stored"], refused, month["waiting"], estimate))
    if rows:
        print_rows(rows, _HEADING)
        click.echo()
    print_rows([make_backfill_row(state)], BACKFILL_HEADING)
