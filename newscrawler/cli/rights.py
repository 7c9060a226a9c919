"""`newscrawler rights`: what publishers reserve, which stored articles they withdrew, and the purge of these."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.group import LazyGroup, complain
from newscrawler.cli.lines import encode
from newscrawler.cli.options import PortalName, config_option, configuration_of, database_option
from newscrawler.cli.screen import local_time, print_rows
from newscrawler.cli.withdrawals import Standing, Withdrawn, disregarded, standing

if TYPE_CHECKING:
    from newscrawler.config import Configuration
    from newscrawler.store import Store
    from newscrawler.store.rights_records import KeptReservation, OriginStatement, RightsCounts, StoredPageRights, TdmFile

_MOST_SHOWN = 20

portal_option = click.option("--portal", type=PortalName(), metavar="NAME", help="Only this portal.")


@click.group("rights", cls=LazyGroup, invoke_without_command=True)
@portal_option
@click.option("--all", "everything", is_flag=True, help=f"List all articles, not the first {_MOST_SHOWN}.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all articles.")
@database_option
@config_option
@click.pass_context
def rights_group(
    ctx: click.Context, *, portal: str | None, everything: bool, as_json: bool, database: str | None, config: Path | None
) -> None:
    """Show what publishers reserve.

    What robots meta elements, X-Robots-Tag, the TDM Reservation Protocol, Content-Signal, Content-Usage and RSL licences
    say: how often for each portal, what follows for the purposes of the configuration, and which stored articles are not
    to be kept any more. `newscrawler rights purge` removes these. What a portal's setting `disregard` names is kept as a
    record and does not count.

    \b
    Example:
      newscrawler rights --portal example
      newscrawler rights purge --dry-run
    """
    if ctx.invoked_subcommand is not None:
        ctx.obj = (portal, database, config)
        return
    from newscrawler.store import open_store

    configuration = configuration_of(config, database)
    with open_store(configuration.database_url, create=False) as store:
        known_portal(store, portal)
        counts, files = store.rights.counts(portal), store.rights.tdm_files()
        statements = store.rights.statements()
        found = standing(store, configuration, portal, now=datetime.now(UTC))
    if as_json:
        click.echo(encode(_as_dict(configuration, counts, files, statements, found)), nl=False)
        return
    _print(configuration, counts, statements, found, None if everything else _MOST_SHOWN)


@rights_group.command("purge")
@portal_option
@click.option("--dry-run", is_flag=True, help="Only tell what would be removed.")
@database_option
@config_option
@click.pass_obj
def purge(
    before: tuple[str | None, str | None, Path | None],
    *,
    portal: str | None,
    dry_run: bool,
    database: str | None,
    config: Path | None,
) -> None:
    """Remove the articles that were withdrawn.

    Their texts, earlier texts and kept pages are removed, and what was learned holds nothing of them any more; that they
    were there, and what was reserved when, stays known.
    Pages that are gone from their portal (404, 410) keep their articles.

    \b
    Example:
      newscrawler rights purge --dry-run
      newscrawler rights purge --portal example
    """
    from newscrawler.store import open_store

    portal, database, config = portal or before[0], database or before[1], config or before[2]
    configuration = configuration_of(config, database)
    now = datetime.now(UTC)
    with open_store(configuration.database_url, create=False) as store:
        known_portal(store, portal)
        withdrawn = standing(store, configuration, portal, now=now).withdrawn
        if dry_run:
            print_rows(map(_row, withdrawn), _HEADING)
            click.echo(f"{_articles(len(withdrawn))} would be removed; nothing was changed", err=True)
            return
        forget_in_wrappers(store, withdrawn)
        _erase_pages(store, configuration, withdrawn)
        removed = store.rights.purge({each.page.article_id: each.because for each in withdrawn}, now=now)
    click.echo(f"{_articles(removed)} removed")
    if removed:
        click.echo("`newscrawler db vacuum` clears what the database file had set aside for them", err=True)


def known_portal(store: Store, portal: str | None) -> None:
    """Refuse a name that the database does not know.

    Raises:
        ConfigError: there is no such portal.
    """
    from newscrawler.cli.options import known_selection
    from newscrawler.store import Selection

    known_selection(store, Selection(portal=portal))


def told(kept: KeptReservation, portal: str | None, configuration: Configuration) -> str:
    """A rights record in one line: who said what where, which rule applies, what follows, and when it was said."""
    from newscrawler.rights import explain

    words = disregarded(configuration, portal or "")
    line = f"{explain(kept.reservation, words, datetime.now(UTC), configuration.intent)} {local_time(kept.first_said_at)}"
    if kept.ended_at is not None:
        return f"{line}; no longer said {local_time(kept.ended_at)}"
    return line + (f" to {local_time(kept.last_said_at)}" if kept.last_said_at > kept.first_said_at else "")


def _erase_pages(store: Store, configuration: Configuration, withdrawn: tuple[Withdrawn, ...]) -> None:
    """Before the articles: a purge that is broken off is done again."""
    from newscrawler.pages import erase
    from newscrawler.store.page_records import PageSelection

    folder = configuration.pages_folder
    for each in withdrawn:
        for page in list(store.pages.select(PageSelection(article_id=each.page.article_id))):
            try:
                erase(folder, page.kept)
            except OSError as error:
                complain(f"the kept page {page.kept.url} in {folder / page.kept.warc} cannot be erased: {error.strerror or error}")


def forget_in_wrappers(store: Store, withdrawn: tuple[Withdrawn, ...]) -> None:
    """Take the articles out of what was learned of their portals, all versions of it."""
    from newscrawler.store.page_records import PageSelection
    from newscrawler.wrappers.portal.forget import forget_article

    for each in withdrawn:
        stored = store.articles.get(each.page.article_id)
        if stored is None:
            continue
        texts = [stored.article.headline, stored.article.lead or "", *(paragraph.text for paragraph in stored.article.body)]
        for _, headline, paragraphs in store.articles.revisions(each.page.article_id):
            texts += [headline, *(paragraph.text for paragraph in paragraphs)]
        kept = store.pages.select(PageSelection(article_id=each.page.article_id))
        urls = [url for url in (each.page.url, stored.article.url, stored.article.canonical_url) if url]
        urls += [page.kept.url for page in kept]
        for version in store.wrappers.versions(each.page.portal):
            document = forget_article(version.document, urls, texts)
            if document is not None:
                store.wrappers.rewrite(version.portal, version.version, document)


_HEADING = ("id", "portal", "reserved", "said", "where", "since", "url")


def _row(each: Withdrawn) -> tuple[object, ...]:
    page, said = each.page, each.because
    return page.article_id, page.portal, str(said.word), said.said, said.place, local_time(each.since), page.url


def _gone_row(page: StoredPageRights) -> tuple[object, ...]:
    return page.article_id, page.portal, page.http_status, local_time(page.fetched_at), page.url


def _articles(number: int) -> str:
    return "1 article" if number == 1 else f"{number} articles"


def _print(
    configuration: Configuration, counts: list[RightsCounts], statements: list[OriginStatement], found: Standing, most: int | None
) -> None:
    rows = [(each.portal, each.word, each.pages, each.articles, _follows(configuration, each)) for each in counts]
    if rows:
        print_rows(rows, ("portal", "reserved", "pages", "stored articles", "what follows"))
    else:
        click.echo("No page that was fetched reserves anything.", err=True)
    for each in statements:
        until = f" until {local_time(each.ended_at)}" if each.ended_at else ""
        click.echo(f"{each.origin} ({each.place}) {each.said}, since {local_time(each.first_said_at)}{until}", err=True)
    _print_list(f"{_articles(len(found.withdrawn))} withdrawn since stored; remove with `newscrawler rights purge`:",
                [_row(each) for each in found.withdrawn], _HEADING, most)  # fmt: skip
    _print_list(f"{_articles(len(found.gone))} whose page is gone from the portal; kept:",
                [_gone_row(page) for page in found.gone], ("id", "portal", "status", "seen", "url"), most)  # fmt: skip


def _print_list(title: str, rows: list[tuple[object, ...]], heading: tuple[str, ...], most: int | None) -> None:
    if not rows:
        return
    click.echo(f"\n{title}", err=True)
    print_rows(rows[:most], heading)
    if most is not None and len(rows) > most:
        click.echo(f"… and {len(rows) - most} more; --all lists them", err=True)


def _follows(configuration: Configuration, counted: RightsCounts) -> str:
    """Return what a word means for the purposes of the configuration."""
    from newscrawler.article import Reserved
    from newscrawler.rights.purposes import RESERVES

    word, intent = Reserved(counted.word), configuration.intent
    if word in disregarded(configuration, counted.portal):
        return "disregarded"
    bound = [purpose for purpose in RESERVES.get(word, ()) if intent.is_bound_by(word, purpose)]
    if set(bound) >= intent.purposes:
        return "not stored"
    return f"not exported for {', '.join(sorted(bound))}" if bound else "noted"


def _as_dict(
    configuration: Configuration,
    counts: list[RightsCounts],
    files: list[TdmFile],
    statements: list[OriginStatement],
    found: Standing,
) -> dict[str, Any]:
    return {
        "reserved": [
            {
                "portal": each.portal,
                "word": each.word,
                "pages": each.pages,
                "articles": each.articles,
                "honoured": each.word not in disregarded(configuration, each.portal),
            }
            for each in counts
        ],
        "tdmrep": [
            {
                "origin": file.origin,
                "rules": [
                    {"location": location, "reserved": reserved, "policy": policy} for location, reserved, policy in file.rules
                ],
                "status": file.status,
                "because": file.because,
                "asked_at": file.asked_at.isoformat(),
                "said_since": file.said_since.isoformat(),
            }
            for file in files
        ],
        "statements": [
            {
                "origin": each.origin,
                "place": each.place,
                "said": each.said,
                "first_said_at": each.first_said_at.isoformat(),
                "last_said_at": each.last_said_at.isoformat(),
                "ended_at": each.ended_at.isoformat() if each.ended_at else None,
            }
            for each in statements
        ],
        "withdrawn": [
            {
                "id": each.page.article_id,
                "portal": each.page.portal,
                "url": each.page.url,
                "word": str(each.because.word),
                "said": each.because.said,
                "place": each.because.place,
                "since": each.since.isoformat() if each.since else None,
            }
            for each in found.withdrawn
        ],
        "gone": [
            {"id": page.article_id, "portal": page.portal, "url": page.url, "status": page.http_status} for page in found.gone
        ],
    }
