"""`newscrawler reextract`: extract kept pages again with today's extractor and template."""

from __future__ import annotations

from datetime import date
from typing import Any

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.options import METHOD, MOST, Day, PortalName, Whole, add_configuration_options, json_option, open_known
from newscrawler.cli.pages import get_midnight
from newscrawler.cli.screen import sanitize
from newscrawler.cli.template import find_version
from newscrawler.config import Configuration, find_settings
from newscrawler.corpus import ArticleChange, Replayer, Totals
from newscrawler.corpus.templates import find_template
from newscrawler.errors import ConfigError
from newscrawler.extraction import build_portal_options
from newscrawler.store.articles import Selection


@click.command("reextract")
@click.argument("portal", type=PortalName(), metavar="PORTAL")
@click.option(
    "--since", type=Day(), metavar="DAY", help="Only articles with a page fetched on this day (YYYY-MM-DD, UTC) or later."
)
@click.option("--apply", "is_applied", is_flag=True, help="Write the changes; earlier records are kept as revisions.")
@click.option("--limit", type=Whole(0, MOST), default=20, show_default=True, metavar="N", help="Show N changes; 0: all.")
@click.option("--method", type=METHOD, metavar="NAME", help="Block-detection method, in place of the configured one.")
@click.option("--language", metavar="CODE", help="Language of the portal, if an option set it for the crawl.")
@click.option("--time-zone", metavar="NAME", help="Time zone of the portal, if an option set it for the crawl.")
@click.option("--template", "version", type=Whole(1, MOST), metavar="VERSION", help="Template, in place of the one in use.")
@click.option("--no-template", is_flag=True, help="Read each page without a template.")
@json_option
@add_configuration_options
def reextract_command(
    portal: str,
    *,
    since: date | None,
    is_applied: bool,
    limit: int,
    version: int | None,
    no_template: bool,
    as_json: bool,
    configuration: Configuration,
    **changes: Any,
) -> None:
    """Extract the articles of PORTAL anew from its kept pages.

    Reads them with today's extractor and template, and shows what would change.
    Nothing is fetched, and nothing is written without --apply. An article whose page is no longer recognised as an article is
    reported and kept. With --json, each change is a line, and the totals are the last line.

    \b
    Example:
      newscrawler reextract example --since 2026-02-01
      newscrawler reextract example --no-template
      newscrawler reextract example --apply
    """
    if version is not None and no_template:
        raise click.UsageError("give --template VERSION or --no-template, not both")
    totals, shown = Totals(), 0
    with open_known(configuration, Selection(portal=portal)) as store:
        settings = find_settings(configuration, portal, **changes)
        used = None if no_template else find_template(store, settings)
        if version is not None or (used is None and not no_template and settings.learn and not changes["method"]):
            stored = store.templates.in_use(portal) if version is None else find_version(store, portal, version)
            used = stored.read() if stored is not None else None
        reading = build_portal_options(settings, used)
        replayer = Replayer.of(store, configuration.pages_folder, reading, reserved=configuration.reserved_for())
        for change in replayer.changes(since=get_midnight(since), why="read anew" if is_applied else None):
            totals.add(change)
            if change.kind != "same" and (as_json or not limit or shown < limit):
                shown += 1
                _print_change(change, as_json=as_json)
    if not totals.kinds:
        raise ConfigError(
            f"no page of an article of {portal} is kept{' since then' if since else ''}; see `newscrawler pages files`"
        )
    if as_json:
        click.echo(encode({"totals": totals.as_dict(), "applied": is_applied}), nl=False)
        return
    left = totals.kinds.total() - totals.kinds["same"] - shown
    if left:
        click.echo(f"… and {left} more; --limit 0 shows all\n")
    click.echo(totals.sentence(applied=is_applied))
    if totals.kinds["changed"] and not is_applied:
        click.echo("Nothing has been written; --apply does.", err=True)


def _print_change(change: ArticleChange, *, as_json: bool) -> None:
    if as_json:
        click.echo(encode(change.as_dict()), nl=False)
        return
    click.echo(click.style(sanitize(f"{change.stored.id}  {change.stored.article.title}"), bold=True))
    click.echo(sanitize(f"  {change.stored.article.url}"))
    for line in change.lines():
        colour = {"-": "red", "+": "green"}.get(line[4:5]) if line.startswith("    ") else None
        click.echo(click.style(sanitize(line), fg=colour))
    click.echo()
