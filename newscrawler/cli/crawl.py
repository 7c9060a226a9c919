"""`newscrawler crawl`."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.group import BROKEN_PIPE, INTERRUPTED, interrupt_on_sigterm, print_error
from newscrawler.cli.lines import encode
from newscrawler.cli.options import (
    CLASSIFIER,
    METHOD,
    Decimal,
    PeriodDay,
    PortalName,
    Whole,
    add_configuration_options,
    log_option,
    name_options,
)
from newscrawler.errors import ExportError

if TYPE_CHECKING:
    from newscrawler.config import Configuration
    from newscrawler.crawl import RunSummary


@click.command("crawl")
@click.argument("targets", nargs=-1, type=PortalName(), metavar="[PORTAL…|URL]")
@click.option(
    "--delay", type=Decimal(), metavar="SECONDS", help="Between two requests to a host; 0 only for portals on this machine."
)
@click.option("--max-pages", type=Whole(1), metavar="N", help="Pages to fetch at most, for each portal.")
@click.option("--max-articles", type=Whole(1), metavar="N", help="New articles to store at most, for each portal.")
@click.option("--max-minutes", type=Decimal(), metavar="N", help="Minutes to take at most.")
@click.option("--max-depth", type=Whole(0), metavar="N", help="Links away from a start URL to go.")
@click.option("--since", type=PeriodDay(), metavar="DAY", help="Only articles of this day (YYYY-MM-DD, YYYY-MM, YYYY) or later.")
@click.option("--until", type=PeriodDay(last=True), metavar="DAY", help="Only articles of this day or before; by default today.")
@click.option("--window", metavar="HOURS", help="Hours of the day on the portal's clock, such as 22:00-06:00; ends when they end.")
@click.option("--language", metavar="CODE", help="Language of the portal, such as cs.")
@click.option("--time-zone", metavar="NAME", help="Time zone of the portal, such as Europe/Prague.")
@click.option("--method", type=METHOD, metavar="NAME", help="Block-detection method.")
@click.option("--classifier", type=CLASSIFIER, metavar="NAME", help="Rule that distinguishes articles from sections by their URL.")
@click.option("--contact", metavar="ADDRESS", help="E-mail or web address at which the operator of a portal reaches you.")
@click.option("--at-once", type=Whole(1), metavar="N", help="Portals to crawl at the same time.")
@click.option("--json", "as_json", is_flag=True, help="Show no progress; print the summary as JSON, one portal a line.")
@log_option
@add_configuration_options
@click.pass_context
def crawl_command(
    ctx: click.Context,
    /,
    targets: tuple[str, ...],
    *,
    since: date | None,
    until: date | None,
    at_once: int | None,
    as_json: bool,
    log: str | None,
    configuration: Configuration,
    **changes: Any,
) -> None:
    """Crawl portals and keep their articles.

    PORTAL is a name in newscrawler.toml; a URL needs no configuration; without either, all portals are crawled.

    Ctrl-C ends after the pages in hand and keeps everything; the next crawl goes on from there. A second Ctrl-C ends
    at once. Options override what newscrawler.toml says.

    With --since or --until, the portal's lists are read first, and only articles of these days are requested, in a separate
    queue; `newscrawler backfill` does so in daily shares.

    \b
    Example:
      newscrawler crawl http://127.0.0.1:8732/ --delay 0
      newscrawler crawl https://www.example.org/ --contact you@your.domain --max-pages 100
      newscrawler crawl example --max-minutes 30
      newscrawler crawl example --since 2019 --until 2019-06-30
    """
    interrupt_on_sigterm(ctx)
    # takes more than a second, which the help and completions should not
    from newscrawler.cli.crawl_progress import CrawlConsole, describe_failure, make_summary_table, run_crawls
    from newscrawler.cli.targets import choose_portals
    from newscrawler.config import make_backfill

    with name_options(ctx):
        portals = choose_portals(configuration, targets, **changes)
        if since is not None or until is not None:
            today = datetime.now(UTC).date()
            portals = [make_backfill(portal, since=since or date(1990, 1, 1), until=until or today) for portal in portals]

    console = CrawlConsole()
    summaries = run_crawls(configuration, portals, console, quiet=as_json, log=log, at_once=at_once)
    if as_json:
        for summary in summaries:
            click.echo(encode(summary.as_dict()), nl=False)
    elif not log:
        console.print(make_summary_table(summaries))
    for sentence in () if log else filter(None, map(describe_failure, summaries)):
        print_error(sentence)
    if console.abandoned:
        ctx.exit(BROKEN_PIPE)
    if console.outlet.failure is not None:
        raise ExportError(f"Cannot write the output: {console.outlet.failure.strerror}. What was crawled is kept.")
    ctx.exit(_exit_code(summaries))


def _exit_code(summaries: list[RunSummary]) -> int:
    if any(summary.is_interrupted for summary in summaries):
        return INTERRUPTED
    return 1 if any(summary.needs_attention for summary in summaries) else 0
