"""`newscrawler rights`: show what publishers reserve, and remove articles that they withdrew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from newscrawler.article import Reserved
from newscrawler.cli.group import LazyGroup
from newscrawler.cli.lines import encode
from newscrawler.cli.options import MOST, PortalName, Whole, add_configuration_options, open_known
from newscrawler.cli.screen import format_time, print_rows
from newscrawler.config import Configuration, format_user_agent
from newscrawler.corpus import (
    Withdrawals,
    Withdrawn,
    find_withdrawals,
    list_disregarded,
    remove_matching,
    report_transparency,
    write_letter,
)
from newscrawler.corpus import purge_articles as erase_withdrawn
from newscrawler.errors import ConfigError, counted
from newscrawler.politeness.rights import RESERVES, explain_reservation, read_tdm_file
from newscrawler.store import open_store
from newscrawler.store.articles import Selection
from newscrawler.store.vocabularies import OriginFileKind

if TYPE_CHECKING:
    from newscrawler.store.articles import OriginStatement, RightsCounts, StoredReservation
    from newscrawler.store.hosts import OriginFile

_MOST_SHOWN = 20
_LONGEST_PATTERN = 500

portal_option = click.option("--portal", type=PortalName(), metavar="NAME", help="Only this portal.")


@click.group("rights", cls=LazyGroup, invoke_without_command=True)
@portal_option
@click.option("--all", "everything", is_flag=True, help=f"List all articles, not the first {_MOST_SHOWN}.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all articles.")
@add_configuration_options
@click.pass_context
def rights_group(
    ctx: click.Context, /, *, portal: str | None, everything: bool, as_json: bool, configuration: Configuration
) -> None:
    """Show what publishers reserve.

    Shows the reservations in robots meta elements, X-Robots-Tag, the TDM Reservation Protocol, Content-Signal, Content-Usage
    and RSL licences: how often for each portal, what follows for the configured purposes, and which stored articles must be
    removed. `newscrawler rights purge` removes them. Reservations that a portal's setting `disregard` names are recorded and
    ignored.

    \b
    Example:
      newscrawler rights --portal example
      newscrawler rights purge --dry-run
    """
    if ctx.invoked_subcommand is not None:
        ctx.obj = portal
        return

    with open_known(configuration, Selection(portal=portal)) as store:
        counts, files = store.rights.counts(portal), store.hosts.files(kind=OriginFileKind.TDM)
        statements = store.rights.statements()
        found = find_withdrawals(
            store, partial(list_disregarded, configuration), portal, now=datetime.now(UTC), intent=configuration.intent
        )
    if as_json:
        click.echo(encode(_describe_rights(configuration, counts, files, statements, found)), nl=False)
        return
    _print(configuration, counts, statements, found, None if everything else _MOST_SHOWN)


@rights_group.command("purge")
@portal_option
@click.option("--dry-run", is_flag=True, help="Only list what would be removed.")
@add_configuration_options
@click.pass_obj
def purge_articles(of_group: str | None, *, portal: str | None, dry_run: bool, configuration: Configuration) -> None:
    """Remove the articles that were withdrawn.

    Their texts, earlier texts and kept pages are removed, and nothing from them stays in learned templates. A record remains
    that they existed, and of what was reserved when.
    Articles whose pages are gone from their portal (404, 410) are kept.

    \b
    Example:
      newscrawler rights purge --dry-run
      newscrawler rights purge --portal example
    """
    portal, now = portal or of_group, datetime.now(UTC)
    with open_known(configuration, Selection(portal=portal)) as store:
        withdrawn = find_withdrawals(
            store, partial(list_disregarded, configuration), portal, now=now, intent=configuration.intent
        ).withdrawn
        if dry_run:
            print_rows(map(_make_row, withdrawn), _HEADING)
            click.echo(f"{counted(len(withdrawn), 'article')} would be removed; nothing was changed", err=True)
            return
        removed = erase_withdrawn(store, configuration, withdrawn, now=now)
    click.echo(f"{counted(removed, 'article')} removed")
    if removed:
        click.echo("`newscrawler db vacuum` clears what the database file had set aside for them", err=True)


@rights_group.command("remove")
@click.argument("pattern", metavar="URL|PATTERN")
@click.option("--because", required=True, metavar="TEXT", help="Who requested it, when and why; kept in the record.")
@add_configuration_options
def remove(*, pattern: str, because: str, configuration: Configuration) -> None:
    """Remove articles at the request of a portal's operator.

    PATTERN is an address in which * matches anything. Its articles, earlier texts and kept pages are removed, and it is not
    fetched, stored, exported or extracted again.

    \b
    Example:
      newscrawler rights remove "https://www.example.org/people/*" --because "e-mail of the publisher, 2026-11-20"
    """
    if "://" not in pattern or len(pattern) > _LONGEST_PATTERN:
        raise ConfigError(f"{pattern[:80]} is not an address; write it as https://www.example.org/people/*, in quotes")
    with open_store(configuration.database_url, create=False) as store:
        done = remove_matching(store, configuration, pattern, because=because, now=datetime.now(UTC))
    click.echo(f"{counted(done.articles, 'article')} removed; {pattern} will not be fetched again")


@rights_group.command("removals")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@add_configuration_options
def removals(*, as_json: bool, configuration: Configuration) -> None:
    """List the removals that operators requested.

    \b
    Example:
      newscrawler rights removals
    """
    with open_store(configuration.database_url, create=False) as store:
        found = store.rights.removals()
    if as_json:
        click.echo(encode(found), nl=False)
        return
    print_rows(
        [(format_time(each.asked_at), each.pattern, each.articles, each.because) for each in found],
        ("asked", "address", "articles", "because"),
    )


@rights_group.command("report")
@click.option("--portal", type=PortalName(), metavar="NAME", required=True, help="Portal of the report.")
@click.option("--run", "run_id", type=Whole(1, MOST), metavar="N", help="Run of the report; by default the latest.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@add_configuration_options
def report(*, portal: str, run_id: int | None, as_json: bool, configuration: Configuration) -> None:
    """Write a report on the requests to a portal, for its operator.

    Lists requests by kind, gaps between them, bytes, errors, and what was skipped because of the publisher's rights.

    \b
    Example:
      newscrawler rights report --portal example
      newscrawler rights report --portal example --run 12 --json
    """
    with open_known(configuration, Selection(portal=portal)) as store:
        found = report_transparency(store, portal, run_id)
    if found is None:
        raise ConfigError(f"{portal} has no run {run_id}; `newscrawler runs --portal {portal}` lists those that were")
    agent = format_user_agent(configuration.contact, configuration.identity)
    if as_json:
        click.echo(encode(found.as_dict() | {"user_agent": agent, "contact": configuration.contact}), nl=False)
        return
    click.echo(write_letter(found, agent, configuration.contact), nl=False)


def describe_reservation(kept: StoredReservation, portal: str | None, configuration: Configuration) -> str:
    """Return a rights record as one line: its source, the rule that applies, the consequence, and the time."""
    words = list_disregarded(configuration, portal or "")
    line = (
        f"{explain_reservation(kept.reservation, words, datetime.now(UTC), configuration.intent)} {format_time(kept.first_said_at)}"
    )
    if kept.ended_at is not None:
        return f"{line}; no longer said {format_time(kept.ended_at)}"
    return line + (f" to {format_time(kept.last_said_at)}" if kept.last_said_at > kept.first_said_at else "")


_HEADING = ("id", "portal", "reserved", "said", "where", "since", "url")


def _make_row(each: Withdrawn) -> tuple[object, ...]:
    page, said = each.page, each.because
    return page.article_id, page.portal, str(said.word), said.said, said.place, format_time(each.since), page.url


def _print(
    configuration: Configuration,
    counts: list[RightsCounts],
    statements: list[OriginStatement],
    found: Withdrawals,
    most: int | None,
) -> None:
    rows = [(each.portal, each.word, each.pages, each.articles, _describe_consequence(configuration, each)) for each in counts]
    if rows:
        print_rows(rows, ("portal", "reserved", "pages", "stored articles", "what follows"))
    else:
        click.echo("No page that was fetched reserves anything.", err=True)
    for each in statements:
        until = f" until {format_time(each.ended_at)}" if each.ended_at else ""
        click.echo(f"{each.origin} ({each.place}) {each.said}, since {format_time(each.first_said_at)}{until}", err=True)
    _print_list(f"{counted(len(found.withdrawn), 'article')} withdrawn since stored; remove with `newscrawler rights purge`:",
                [_make_row(each) for each in found.withdrawn], _HEADING, most)  # fmt: skip
    gone = [(page.article_id, page.portal, page.http_status, format_time(page.fetched_at), page.url) for page in found.gone]
    _print_list(f"{counted(len(gone), 'article')} whose page is gone from the portal; kept:",
                gone, ("id", "portal", "status", "seen", "url"), most)  # fmt: skip


def _print_list(title: str, rows: Sequence[tuple[object, ...]], heading: tuple[str, ...], most: int | None) -> None:
    if not rows:
        return
    click.echo(f"\n{title}", err=True)
    print_rows(rows[:most], heading)
    if most is not None and len(rows) > most:
        click.echo(f"… and {len(rows) - most} more; --all lists them", err=True)


def _describe_consequence(configuration: Configuration, counts: RightsCounts) -> str:
    """Return the consequence of a reservation for the configured purposes."""
    word, intent = Reserved(counts.word), configuration.intent
    if word in list_disregarded(configuration, counts.portal):
        return "disregarded"
    bound = [purpose for purpose in RESERVES.get(word, ()) if intent.is_bound_by(word, purpose)]
    if set(bound) >= intent.purposes:
        return "not stored"
    return f"not exported for {', '.join(sorted(bound))}" if bound else "noted"


def _describe_rights(
    configuration: Configuration,
    counts: list[RightsCounts],
    files: list[OriginFile],
    statements: list[OriginStatement],
    found: Withdrawals,
) -> dict[str, Any]:
    return {
        "reserved": [asdict(each) | {"honoured": each.word not in list_disregarded(configuration, each.portal)} for each in counts],
        "tdmrep": [
            {
                "origin": file.origin,
                "rules": read_tdm_file(file.body or b"").rules,
                "status": file.status,
                "because": file.because,
                "asked_at": file.asked_at,
                "said_since": file.said_since,
            }
            for file in files
        ],
        "statements": statements,
        "withdrawn": [
            {
                "id": each.page.article_id,
                "portal": each.page.portal,
                "url": each.page.url,
                "word": each.because.word,
                "said": each.because.said,
                "place": each.because.place,
                "since": each.since,
            }
            for each in found.withdrawn
        ],
        "gone": [
            {"id": page.article_id, "portal": page.portal, "url": page.url, "status": page.http_status} for page in found.gone
        ],
    }
