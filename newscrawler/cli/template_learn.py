"""`newscrawler template learn`, `test` and `override`: learn a template, and try one, or a selector, before it is used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.options import (
    MOST,
    Method,
    PortalName,
    Whole,
    add_configuration_options,
    json_option,
    open_known,
    require_time_zone,
)
from newscrawler.cli.page_input import parse_page
from newscrawler.cli.screen import sanitize
from newscrawler.cli.template import find_version, portal_argument, version_option
from newscrawler.config import Configuration, find_settings
from newscrawler.corpus import open_target
from newscrawler.corpus.templates import (
    PageChoice,
    choose_pages,
    kept_documents,
    learn_by_hand,
    learn_site_template,
    set_override,
    try_template,
)
from newscrawler.errors import ConfigError
from newscrawler.extraction import ExtractionOptions, build_portal_options
from newscrawler.extraction.templates import TemplateProvenance, learn_template, read_template_file, write_template
from newscrawler.page import Document
from newscrawler.plugins import PluginGroup, find_site_method, load_methods
from newscrawler.store.archive import PageSelection, read_page
from newscrawler.store.articles import Selection

Labelled = dict[Document, dict[str, Any] | None]
#: More pages teach nothing new; they would only be held in memory.
_MOST_PAGES = 200
_LONGEST_LINE = 64 * 2**20


@click.command("learn")
@click.argument("portal", type=PortalName(), metavar="[PORTAL]", required=False)
@click.option("--pages", type=click.File("rb"), metavar="FILE", help='JSON lines {"url","html","gold"}; - for standard input.')
@click.option("--url", "urls", multiple=True, metavar="URL", help="Learn from this page, kept or fetched; may be given often.")
@click.option(
    "--output", "out", type=click.Path(path_type=Path), metavar="FILE", help="Where the template goes; no database is used."
)
@click.option(
    "--method",
    type=Method("name", lambda: [name for name in load_methods(PluginGroup.SITE_METHODS) if name != "portal_template"]),
    metavar="NAME[…]",
    help="A published method that learns from several pages; with parameters: NAME[PARAMETER=VALUE, …].",
)
@click.option(
    "--share", type=click.FloatRange(0, 1), default=1.0, metavar="N", help="With --method: part of the pages to learn from."
)
@click.option(
    "--choice", type=click.Choice([each.value for each in PageChoice]), default="evenly", help="With --share: which part."
)
@click.option("--force", is_flag=True, help="Take the template of PORTAL into use whatever it is measured at.")
@click.option("--name", metavar="NAME", help="Name of the portal, to be kept in the template.")
@click.option("--language", metavar="CODE", help="Language of the portal, where its pages are to be in it.")
@click.option("--time-zone", metavar="NAME", help="Where the pages' times give no offset; by default the portal's, or UTC.")
@add_configuration_options
def learn_command(
    portal: str | None,
    *,
    pages: BinaryIO | None,
    urls: tuple[str, ...],
    out: Path | None,
    method: str | None,
    share: float,
    choice: str,
    force: bool,
    name: str | None,
    language: str | None,
    time_zone: str | None,
    configuration: Configuration,
) -> None:
    """Learn from pages of one portal how its pages are laid out.

    For PORTAL of the database: from its kept pages, or from those that --pages and --url name. One part of them is held out; the
    new template is taken into use if it reads them better than the one before. With --output it is written to a file instead.

    A line may hold "gold", what is right of the page, as `newscrawler evaluate` reads it: one such page teaches more than many
    others.

    Three articles or more are best, from all sections. Pages that would teach the wrong thing (errors, walls, one text again and
    again, another language) are refused with the reason.

    \b
    Example:
      newscrawler template learn example
      newscrawler template learn example --url https://www.example.org/2026/02/title --force
      newscrawler template learn --pages pages.jsonl --output template.json
      newscrawler extract --jsonl --template template.json < other.jsonl
      newscrawler template learn --method trinity --share 0.2 --pages pages.jsonl --output trinity.json
      newscrawler template learn --method "trinity[strict=true]" --pages pages.jsonl --output trinity.json
      newscrawler template learn example --method modified_ttr_wrapper
    """
    if (out is None) == (portal is None):
        raise click.UsageError("name a PORTAL of the database to learn, or --output FILE to write a template")
    if out is not None and pages is None and not urls:
        raise click.UsageError("--output needs pages to learn from: --pages FILE, or --url URL")
    found = dict(read_labelled(pages)) if pages is not None else {}
    found |= dict.fromkeys(_load_page(url, configuration, portal) for url in urls)
    if method is not None:
        _learn_method(configuration, portal, list(found), out, method, share=share, choice=choice)
        return
    if out is not None:
        _write(found, out, name, language, time_zone or "UTC")
        return
    assert portal is not None
    _learn_into_use(configuration, portal, found, force=force, language=language, time_zone=time_zone)


def _learn_method(
    configuration: Configuration,
    portal: str | None,
    pages: list[Document],
    out: Path | None,
    method: str,
    *,
    share: float,
    choice: str,
) -> None:
    learner = find_site_method(method)
    if out is not None:
        chosen = choose_pages(pages, share=share, least=learner.least_pages, choice=PageChoice(choice), parse=lambda page: page)
        template = learner.learn(chosen)
        with open_target(out) as stream:
            stream.write(write_template(template).encode("utf-8", "backslashreplace"))
        click.echo(f"{method} learned from {len(chosen)} of {len(pages)} pages; the template is in {out}", err=True)
        return

    assert portal is not None
    if pages:
        raise click.UsageError("--method learns from the portal's kept pages, or from --pages into --output FILE")
    with open_known(configuration, Selection(portal=portal)) as store:
        folder, now = configuration.pages_folder, datetime.now(UTC)
        outcome = learn_site_template(store, folder, portal, method, now=now, share=share, choice=PageChoice(choice))
    click.echo(sanitize(f'{portal}: {outcome}. With method = "{method}" in its configuration, crawls read pages by it.'))


def _learn_into_use(
    configuration: Configuration, portal: str, found: Labelled, *, force: bool, language: str | None, time_zone: str | None
) -> None:
    with open_known(configuration, Selection(portal=portal)) as store:
        reading = build_portal_options(find_settings(configuration, portal, language=language, time_zone=time_zone))
        folder = configuration.pages_folder
        outcome = learn_by_hand(store, folder, reading, now=datetime.now(UTC), pages=found, force=force)
    click.echo(sanitize(f"{portal}: {outcome}"))


def _load_page(url: str, configuration: Configuration, portal: str | None) -> Document:
    """Take a page of the portal from those that are kept, or fetch it once, as `newscrawler extract` does."""
    from newscrawler.crawl import fetch_page

    if portal is not None:
        with open_known(configuration, Selection()) as store:
            kept = next(store.pages.select(PageSelection(portal=portal, url=url, limit=1)), None)
        if kept is not None:
            return read_page(configuration.pages_folder, kept.kept).parse()
    return parse_page(fetch_page(url, configuration))


def _write(found: Labelled, out: Path, name: str | None, language: str | None, time_zone: str) -> None:
    provenance = TemplateProvenance(portal=name, learned_at=datetime.now(UTC))
    golds = {page: gold for page, gold in found.items() if gold}
    template = learn_template(
        list(found), golds=golds, provenance=provenance, language=language, time_zone=require_time_zone(time_zone)
    )
    with open_target(out) as stream:
        stream.write(template.to_json().encode("utf-8", "backslashreplace"))
    learned = sum(layout.pages for layout in template.layouts)
    click.echo(f"Learned from {learned} of {len(found)} pages; the template is in {out}", err=True)
    for reason in template.provenance.left_out:
        click.echo(f"Left out: {reason}", err=True)


def read_pages(stream: BinaryIO) -> Iterator[Document]:
    """Yield the pages of a file of JSON lines."""
    return (page for page, _ in read_labelled(stream))


def read_labelled(stream: BinaryIO) -> Iterator[tuple[Document, dict[str, Any] | None]]:
    """Yield the pages of a file of JSON lines, each with what a person says of it."""
    name = getattr(stream, "name", "the pages")
    number = count = 0
    while line := stream.readline(_LONGEST_LINE):
        number += 1
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{where} is not a line of JSON: {error}") from error
        if not isinstance(value, dict) or not isinstance(value.get("html"), str):
            raise ConfigError(f'{where}: "html" is missing or not a string; a line is {{"url", "html"}}')
        if value.get("url") is not None and not isinstance(value["url"], str):
            raise ConfigError(f'{where}: "url" is not a string')
        count += 1
        if count > _MOST_PAGES:
            raise ConfigError(
                f"{name} has more than {_MOST_PAGES} pages; a portal is learned from fewer, taken evenly over sections and time"
            )
        gold = value.get("gold")
        if gold is not None and not isinstance(gold, dict):
            raise ConfigError(f'{where}: "gold" is not a table; see `newscrawler evaluate --help`')
        yield Document.parse(value["html"], value.get("url") or None), gold


@click.command("test")
@click.argument("portal", type=PortalName(), metavar="[PORTAL]", required=False)
@version_option
@click.option("--file", type=click.Path(path_type=Path), metavar="FILE", help="A template file, in place of a stored version.")
@click.option("--pages", type=click.File("rb"), metavar="FILE", help='JSON lines {"url","html"}, in place of kept pages.')
@click.option("-n", "count", type=Whole(1, MOST), default=100, show_default=True, metavar="N", help="Kept pages.")
@json_option
@add_configuration_options
def test_command(
    portal: str | None,
    *,
    version: int | None,
    file: Path | None,
    pages: BinaryIO | None,
    count: int,
    as_json: bool,
    configuration: Configuration,
) -> None:
    """Try a template on pages, and show what it would change. Nothing is written.

    Pages of PORTAL are also read as they are read now; what would change is counted against that. Without PORTAL, a template file
    is tried on pages of a file, which are also read one by one; no database is used.

    \b
    Example:
      newscrawler template test example --version 3
      newscrawler template test example --file edited.json
      newscrawler template test --file template.json --pages pages.jsonl
    """
    if portal is None and (file is None or pages is None):
        raise click.UsageError("name a PORTAL of the database, or give --file TEMPLATE and --pages PAGES")
    if portal is not None and portal.endswith(".json"):
        raise click.UsageError(f"{portal} is no name of a portal. To try a template file, write --file {portal}")
    if portal is None or pages is not None:
        documents: Iterator[Document] = iter(())
        now = ExtractionOptions(required=frozenset())
    else:
        documents, now = _read_kept(configuration, portal, count, None if file is not None else version or 0)
    if pages is not None:
        documents = read_pages(pages)
    if file is not None:
        new = now.add_template(read_template_file(file))
    else:
        assert portal is not None
        with open_known(configuration, Selection(portal=portal)) as store:
            new = now.add_template(find_version(store, portal, version).read())
    found = try_template(documents, new, now)
    if not found.pages:
        raise ConfigError("there is no page to try the template on; crawl the portal, or give --pages")
    if as_json:
        click.echo(encode(found.as_dict()), nl=False)
        return
    for sentence in found.sentences():
        click.echo(sanitize(sentence))
    for url, fields in found.changed:
        click.echo(sanitize(f"{url}: {', '.join(fields)}"))


def _read_kept(
    configuration: Configuration, portal: str, count: int, tested: int | None
) -> tuple[Iterator[Document], ExtractionOptions]:
    """Return kept pages, and how they are read now: by the version in use, but one by one if it is this that is tried (0)."""
    with open_known(configuration, Selection(portal=portal)) as store:
        documents = kept_documents(store, configuration.pages_folder, portal, count)
        used = store.templates.in_use(portal)
        used = None if used is None or tested in (0, used.version) else used
        return documents, build_portal_options(find_settings(configuration, portal), used.read() if used else None)


@click.command("override")
@portal_argument
@click.argument("field", metavar="FIELD")
@click.argument("selector", required=False, metavar="[SELECTOR]")
@click.option("--remove", is_flag=True, help="Take the field from where it was learned again.")
@click.option("--force", is_flag=True, help="Take the selector though no kept page has what it selects.")
@add_configuration_options
def override_command(
    portal: str, field: str, selector: str | None, *, remove: bool, force: bool, configuration: Configuration
) -> None:
    """Set where a field is: a CSS selector or an XPath.

    An XPath begins with / or (.
    FIELD is title, lead, body, date, modified, authors, section, description, keywords, image or canonical_url. The selector is
    tried on kept pages first, and refused if it finds nothing on any of them. It becomes a new version; versions that are learned
    later keep it, and each crawl checks that it still finds something.

    \b
    Example:
      newscrawler template override example lead ".perex > p"
      newscrawler template override example lead --remove
    """
    if remove == (selector is not None):
        raise click.UsageError("give a SELECTOR, or --remove")
    placed = prefix_selector(selector) if selector is not None else None
    with open_known(configuration, Selection(portal=portal)) as store:
        used = find_version(store, portal, None)
        stored = set_override(
            store, configuration.pages_folder, used, field, placed, now=datetime.now(UTC), force=force,
            advice="; --force takes it all the same",
        )  # fmt: skip
    click.echo(sanitize(f"{portal}: version {stored.version} is in use ({stored.note})"))


def prefix_selector(selector: str) -> str:
    """Say which language a selector is written in, as templates do."""
    if selector.startswith(("css:", "xpath:")):
        return selector
    return f"xpath: {selector}" if selector.startswith(("/", "(", "./")) else f"css: {selector}"
