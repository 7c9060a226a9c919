"""`newscrawler template test` and `template override`: what a template or a selector does, tried on pages before it is used."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.options import MOST, PortalName, Whole, add_configuration_options, json_option, open_known
from newscrawler.cli.screen import sanitize
from newscrawler.cli.template import find_version, portal_argument, version_option
from newscrawler.cli.template_learn import read_pages
from newscrawler.config import find_settings
from newscrawler.corpus.templates import kept_documents, set_override, try_template
from newscrawler.errors import ConfigError
from newscrawler.extraction import ExtractionOptions, build_portal_options
from newscrawler.extraction.templates import read_template_file
from newscrawler.store.articles import Selection

if TYPE_CHECKING:
    from newscrawler.config import Configuration
    from newscrawler.page import Document


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
