"""`newscrawler pages`: list, show and export the pages that crawls have kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.group import LazyGroup
from newscrawler.cli.lines import encode
from newscrawler.cli.options import (
    MOST,
    Day,
    PortalName,
    Whole,
    add_configuration_options,
    find_article,
    find_permitted_article,
    json_option,
    require_known_selection,
)
from newscrawler.cli.screen import format_time, note_more, print_listing, sanitize
from newscrawler.corpus import open_target
from newscrawler.errors import ConfigError, PageError, PageReason, counted
from newscrawler.store import Store, open_store
from newscrawler.store.archive import PageSelection, StoredPage, read_page
from newscrawler.store.articles import Selection

if TYPE_CHECKING:
    from newscrawler.config import Configuration

OUTCOMES = ("article", "listing", "nothing", "part", "source")
_KILO = 1024
_MOST_MISSED = 20


@click.group("pages", cls=LazyGroup)
def pages_group() -> None:
    """List, show and export the pages that crawls have kept.

    Pages are kept as received, in WARC files (data folder, pages/PORTAL/), up to the limits keep_pages_days and
    keep_pages_megabytes of the portal. Set keep_pages = false to keep none.

    \b
    Example:
      newscrawler pages list --portal example --limit 5
    """


def _add_selection_options(command: Any) -> Any:
    """Add the options that select pages."""
    for option in (
        click.option(
            "--outcome", type=click.Choice(OUTCOMES), help="Only pages with this outcome; part: a further part of an article."
        ),
        click.option("--until", type=Day(), metavar="DAY", help="Fetched on this day (YYYY-MM-DD, UTC) or before."),
        click.option("--since", type=Day(), metavar="DAY", help="Fetched on this day (YYYY-MM-DD, UTC) or later."),
        click.option("--url", metavar="URL", help="Only pages of this address."),
        click.option("--article", type=Whole(1, MOST), metavar="ID", help="Only pages that show this article."),
        click.option("--portal", type=PortalName(), metavar="NAME", help="Only pages of this portal."),
    ):
        command = option(command)
    return command


@pages_group.command("list")
@_add_selection_options
@click.option("--limit", type=Whole(0, MOST), default=20, show_default=True, metavar="N", help="List at most N; 0: all.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one page per line.")
@add_configuration_options
def list_command(*, limit: int, as_json: bool, configuration: Configuration, **chosen: Any) -> None:
    """List kept pages, newest first.

    Each line shows the number, time of fetching, portal, size in KB, outcome, article and address.

    \b
    Example:
      newscrawler pages list --portal example --since 2026-02-01 --outcome listing
    """
    with open_store(configuration.database_url, create=False) as store:
        every = list(store.pages.select(_make_selection(store, limit=limit + 1 if limit else None, **chosen)))
        found = every[: limit or None]
        rows = (
            (p.id, format_time(p.kept.fetched_at), p.portal, _format_kilobytes(p.kept.size), p.outcome, p.article_id, p.kept.url)
            for p in found
        )
        heading = ("page", "fetched", "portal", "KB", "taken for", "article", "address")
        print_listing(map(_describe_page, found), rows, heading, as_json=as_json)
    note_more(limit or None, len(every))


@pages_group.command("files")
@click.option("--portal", type=PortalName(), metavar="NAME", help="Only files of this portal.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one file per line.")
@add_configuration_options
def files_command(*, portal: str | None, as_json: bool, configuration: Configuration) -> None:
    """List the WARC files, oldest first.

    Each line shows the day, portal, pages, size in KB, and path. Any tool for WARC reads the files.

    \b
    Example:
      newscrawler pages files --portal example
    """
    with open_store(configuration.database_url, create=False) as store:
        files = store.pages.files(_require_portal(store, portal))
    folder = configuration.pages_folder
    records = (
        {
            "portal": f.portal, "path": str(folder / f.path), "began_at": f.began_at.isoformat(), "pages": f.pages,
            "bytes": f.bytes, "reviewed": f.reviewed,
        }
        for f in files
    )  # fmt: skip
    rows = ((f"{f.began_at:%Y-%m-%d}", f.portal, f.pages, _format_kilobytes(f.bytes), folder / f.path) for f in files)
    print_listing(records, rows, ("day", "portal", "pages", "KB", "path"), as_json=as_json)


@pages_group.command("show")
@click.argument("what", metavar="ARTICLE_ID|URL")
@click.option("--page", "by_page", is_flag=True, help="The number is a page's, as `newscrawler pages list` prints it.")
@click.option("--body", is_flag=True, help="Print the page as received, byte for byte, and nothing else.")
@click.option("--html", "painted", type=click.Path(path_type=Path), metavar="FILE", help="Write the page with its parts marked.")
@json_option
@add_configuration_options
def show_command(
    what: str, *, by_page: bool, body: bool, painted: Path | None, as_json: bool, configuration: Configuration
) -> None:
    """Show metadata and headers of an article's newest kept page.

    --body prints the page itself; --html writes it with title, lead and body marked, as `newscrawler explain` does.

    \b
    Example:
      newscrawler pages show 12
      newscrawler pages show https://www.example.org/2026/02/title --body > page.html
      newscrawler pages show 12 --html marked.html
    """
    with open_store(configuration.database_url, create=False) as store:
        page = _find_page(store, what, by_page=by_page)
        if page.article_id is not None:
            find_permitted_article(store, page.article_id, configuration)
        raw = read_page(configuration.pages_folder, page.kept)
    if painted is not None:
        from newscrawler.cli.explain import mark_page  # loads the extractor
        from newscrawler.page import Document

        mark_page(Document.parse(raw.body, raw.url, content_type=raw.content_type), painted)
        return
    if body:
        click.echo(raw.body, nl=False)
        return
    if as_json:
        click.echo(encode(_describe_page(page) | {"status": raw.status, "headers": [list(pair) for pair in raw.headers]}), nl=False)
        return
    facts = _describe_page(page) | {"bytes": page.kept.size, "warc": configuration.pages_folder / page.kept.warc}
    for name in ("page", "url", "fetched_at", "portal", "taken_for", "reason", "article", "bytes", "digest", "warc", "offset"):
        if facts[name] not in {None, ""}:
            click.echo(f"{click.style(f'{name:<12}', dim=True)}{sanitize(facts[name])}")
    click.echo(f"\nHTTP/1.1 {raw.status}")
    for name, value in raw.headers:
        click.echo(sanitize(f"{name}: {value}"))


@pages_group.command("export")
@_add_selection_options
@click.option("--output", default="-", metavar="FILE", help="File to write; - or nothing: standard output.")
@click.option("--format", "name", type=click.Choice(["jsonl", "warc.gz"]), help="By default from the suffix of FILE, or jsonl.")
@click.option("--limit", type=Whole(1, MOST), metavar="N", help="Write at most N, the newest.")
@add_configuration_options
def export_command(*, output: str, name: str | None, limit: int | None, configuration: Configuration, **chosen: Any) -> None:
    """Write kept pages as JSON lines or as one WARC file.

    A line is {"id", "url", "html", "fetched_at", "portal", "outcome", "article", "section"}: `newscrawler extract --jsonl` and
    `newscrawler template learn --pages` read it. A missing or damaged page is named and skipped.

    \b
    Example:
      newscrawler pages export --portal example --outcome article --output pages.jsonl
      newscrawler pages export --since 2026-02-01 --output february.warc.gz
    """
    from newscrawler.store.archive import PAGE_FORMATS

    path = None if output == "-" else Path(output)
    form = PAGE_FORMATS[name or ("warc.gz" if output.endswith((".warc.gz", ".warc")) else "jsonl")]
    missed: list[PageError] = []
    with open_store(configuration.database_url, create=False) as store, open_target(path) as stream:
        wanted = _make_selection(store, limit=limit, newest_first=limit is not None, **chosen)
        pages = store.pages.select(replace(wanted, reserved=configuration.reserved_for()))
        count = form(pages, configuration.pages_folder, stream, missed.append)
    for error in missed[:_MOST_MISSED]:
        click.echo(f"skipped: {sanitize(error)}", err=True)
    if len(missed) > _MOST_MISSED:
        click.echo(f"skipped: {len(missed) - _MOST_MISSED} more", err=True)
    if path:
        click.echo(f"{counted(count, 'page')} written to {path}", err=True)


def _require_portal(store: Store, portal: str | None) -> str | None:
    return require_known_selection(store, Selection(portal=portal)).portal


def _make_selection(
    store: Store,
    *,
    portal: str | None,
    article: int | None,
    url: str | None,
    since: date | None,
    until: date | None,
    outcome: str | None,
    limit: int | None,
    newest_first: bool = True,
) -> PageSelection:
    return PageSelection(
        portal=_require_portal(store, portal), article_id=article, url=url, since=get_midnight(since),
        before=get_midnight(until + timedelta(days=1)) if until else None, outcome=outcome, limit=limit, newest_first=newest_first,
    )  # fmt: skip


def get_midnight(day: date | None) -> datetime | None:
    """Return when a day begins in UTC, by which the files are named."""
    return datetime.combine(day, time(), UTC) if day else None


def _find_page(store: Store, what: str, *, by_page: bool) -> StoredPage:
    """Return the page that a number or an address means."""
    number = int(what) if what.isdecimal() and int(what) <= MOST else None
    if number is None and "://" not in what:
        raise ConfigError(f"{what} is neither the number of an article nor an address; `newscrawler articles` lists the numbers")
    if by_page:
        page = store.pages.get(number) if number is not None else None
        if page is None:
            raise ConfigError(f"there is no page {what}; `newscrawler pages list` lists those that are kept")
        return page
    if number is not None:
        page = store.pages.of_article(find_article(store, number).id)
    else:
        page = next(store.pages.select(PageSelection(url=what, limit=1)), None)
    if page is None:
        why = "it was fetched with keep_pages = false, is older than the retention period, or its publisher reserves copies"
        raise PageError(PageReason.NOT_KEPT, f"{what}: {why}; `newscrawler pages list` lists those that are kept")
    return page


def _describe_page(page: StoredPage) -> dict[str, Any]:
    kept = page.kept
    return {
        "page": page.id, "url": kept.url, "fetched_at": kept.fetched_at.isoformat(), "portal": page.portal,
        "taken_for": page.outcome, "reason": page.reason, "article": page.article_id, "section": page.section,
        "bytes": kept.size, "digest": kept.digest, "warc": kept.warc, "offset": kept.offset, "length": kept.length,
        "reading": page.drift_note,
    }  # fmt: skip


def _format_kilobytes(size: int) -> str:
    return f"{size / _KILO:.1f}"
