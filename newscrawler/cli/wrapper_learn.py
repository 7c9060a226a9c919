"""`newscrawler wrapper learn`: what a portal's pages look like, from pages that someone names or from those that are kept."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.options import PortalName, config_option, configuration_of, database_option, known_selection
from newscrawler.cli.screen import harmless
from newscrawler.errors import ConfigError

if TYPE_CHECKING:
    from newscrawler.config import Configuration
    from newscrawler.page import Document


@click.command("learn")
@click.argument("portal", type=PortalName(), metavar="[PORTAL]", required=False)
@click.option("--pages", type=click.Path(path_type=Path), metavar="FILE", help='Learn from these: JSON lines {"url","html"}.')
@click.option("--url", "urls", multiple=True, metavar="URL", help="Learn from this page, kept or fetched; may be given often.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the template there; no database is used.")
@click.option("--force", is_flag=True, help="Take it into use whatever it is measured at.")
@click.option("--language", metavar="CODE", help="Language of the portal, such as cs.")
@click.option("--time-zone", metavar="NAME", help="Time zone of the portal, such as Europe/Prague.")
@database_option
@config_option
def learn_command(
    portal: str | None,
    *,
    pages: Path | None,
    urls: tuple[str, ...],
    out: Path | None,
    force: bool,
    database: str | None,
    config: Path | None,
    **changes: Any,
) -> None:
    """Learn how the pages of a portal are laid out.

    For PORTAL of the database: from its kept pages, or from those that --pages and --url name. One part of the pages is held out;
    the new wrapper is taken into use if it reads them better than the one before. With --out it is written to a file instead.

    \b
    Example:
      newscrawler wrapper learn example
      newscrawler wrapper learn example --url https://www.example.org/2026/02/title --url https://www.example.org/2026/02/other
      newscrawler wrapper learn --pages pages.jsonl --out wrapper.json
    """
    if out is None and portal is None:
        raise click.UsageError("name a PORTAL of the database, or give --pages FILE and --out FILE")
    if out is not None and (pages is None and not urls):
        raise click.UsageError("--out needs --pages FILE or --url URL to learn from")
    configuration = configuration_of(config, database)
    documents = _documents(pages) if pages is not None else []
    documents += [_fetched(url, configuration, portal, out) for url in urls]
    if out is not None:
        _write(out, documents, portal, changes)
        return
    assert portal is not None
    from newscrawler.cli.reading import reading_of, settings_of
    from newscrawler.drift import learn_by_hand
    from newscrawler.store import Selection, open_store

    with open_store(configuration.database_url, create=False) as store:
        known_selection(store, Selection(portal=portal))
        reading = reading_of(settings_of(configuration, portal, **changes))
        folder = configuration.pages_folder
        told = learn_by_hand(store, folder, reading, now=datetime.now(UTC), pages=documents, force=force)
    click.echo(harmless(f"{portal}: {told}"))


def _write(out: Path, documents: list[Document], portal: str | None, changes: dict[str, Any]) -> None:
    from newscrawler.export.target import opened
    from newscrawler.wrappers.portal.model import Provenance
    from newscrawler.wrappers.portal.wrapper import learn

    provenance = Provenance(portal=portal, learned_at=datetime.now(UTC))
    wrapper = learn(documents, provenance=provenance, language=changes["language"], time_zone=changes["time_zone"] or "UTC")
    with opened(out) as stream:
        stream.write(wrapper.to_json().encode("utf-8", "backslashreplace") + b"\n")
    left_out = wrapper.provenance.left_out
    for line in left_out:
        click.echo(f"left out: {harmless(line)}", err=True)
    click.echo(f"learned from {len(documents) - len(left_out)} of {len(documents)} pages, written to {out}", err=True)


def _documents(path: Path) -> list[Document]:
    """Read pages from JSON lines.

    Raises:
        ConfigError: the file cannot be read, or a line is none.
    """
    from newscrawler.page import Document

    found = []
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                page = json.loads(line)
                if not isinstance(page, dict) or not isinstance(page.get("html"), str):
                    raise ConfigError(f'{path}, line {number}: "html" is missing or no text')
                found.append(Document.parse(page["html"], page.get("url")))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}, line {number}: no JSON: {error}") from error
    if not found:
        raise ConfigError(f"{path} holds no page")
    return found


def _fetched(url: str, configuration: Configuration, portal: str | None, out: Path | None) -> Document:
    """Take a page from those that are kept, or fetch it once, as `newscrawler extract` does."""
    from newscrawler.cli.fetch import fetch
    from newscrawler.page import Document

    if portal is not None and out is None:
        from newscrawler.pages import read_page
        from newscrawler.store import PageSelection, open_store

        with open_store(configuration.database_url, create=False) as store:
            kept = next(store.pages.select(PageSelection(portal=portal, url=url, limit=1)), None)
        if kept is not None:
            raw = read_page(configuration.pages_folder, kept.kept)
            return Document.parse(raw.body, raw.url, content_type=raw.content_type)
    page = fetch(url, configuration)
    return Document.parse(page.body, page.url, content_type=page.content_type)
