"""`newscrawler explain`: why a page was read as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from newscrawler.cli.extract import add_extraction_options, contact_option, url_option
from newscrawler.cli.lines import encode
from newscrawler.cli.options import config_option
from newscrawler.cli.page_input import load_page, parse_page
from newscrawler.cli.screen import sanitize
from newscrawler.corpus import open_target
from newscrawler.extraction.explain import explain_page, render_html, render_text
from newscrawler.page import Document


@click.command("explain")
@click.argument("page", metavar="URL|FILE")
@click.option(
    "--html",
    "painted",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the page to FILE, with title, lead, body, date, authors and boilerplate marked.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@url_option
@add_extraction_options
@contact_option
@config_option
def explain_command(
    page: str, *, painted: Path | None, as_json: bool, url: str | None, options: dict[str, Any], contact: str | None,
    config: Path | None,
) -> None:  # fmt: skip
    """Show why a page gives this text, title, date and authors.

    A URL is fetched once, if its robots.txt allows it. Each block has its class, its probability to be part of the text, and the
    cues that decided most. Each candidate for a field has its source, its probability and the reason why it was chosen or lost.

    \b
    Example:
      newscrawler explain https://www.example.org/2026/02/title --contact you@your.domain
      newscrawler explain saved.html --html marked.html
      newscrawler explain saved.html --template template.json
    """
    found = load_page((page,), url=url, config=config, contact=contact)
    explanation = explain_page(parse_page(found), fetched_at=found.fetched_at, **options)
    if painted is not None:
        write_marked_page(render_html(explanation), painted)
    if as_json:
        click.echo(encode(explanation.as_dict()), nl=False)
    else:
        click.echo(sanitize(render_text(explanation)))


def mark_page(page: Document, painted: Path) -> None:
    """Write a page with its parts marked."""
    write_marked_page(render_html(explain_page(page)), painted)


def write_marked_page(html: str, painted: Path) -> None:
    """Write a page whose parts are marked, and print where it is."""
    with open_target(painted) as stream:
        stream.write(html.encode("utf-8", "xmlcharrefreplace"))
    click.echo(f"The page with its parts marked is in {painted}", err=True)
