"""`newscrawler wrapper learn`: a template of saved pages, without a database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from newscrawler.cli.options import known_time_zone
from newscrawler.errors import ConfigError

if TYPE_CHECKING:
    from newscrawler.page import Document

#: More pages teach nothing new; they would only be held in memory.
_MOST_PAGES = 200
_LONGEST_LINE = 64 * 2**20


@click.command("learn")
@click.option(
    "--pages", type=click.File("rb"), required=True, metavar="FILE", help='JSON lines {"url","html"}; - for standard input.'
)
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE", help="Where the template goes.")
@click.option("--name", metavar="NAME", help="Name of the portal, to be kept in the template.")
@click.option("--language", metavar="CODE", help="Language of the portal, where its pages are to be in it.")
@click.option("--time-zone", metavar="NAME", default="UTC", show_default=True, help="Where the pages' times give no offset.")
def learn_command(pages: BinaryIO, out: Path, name: str | None, language: str | None, time_zone: str) -> None:
    """Learn from saved pages of one portal how its pages are laid out.

    Three articles or more are best, from all sections; listings among them teach what is no article. Pages that would teach the
    wrong thing (errors, walls, one text again and again, another language) are refused with the reason.

    \b
    Example:
      newscrawler wrapper learn --pages pages.jsonl --out wrapper.json
      newscrawler extract --jsonl --wrapper wrapper.json < other.jsonl
    """
    from newscrawler.export.target import opened
    from newscrawler.wrappers import Provenance, learn

    found = list(_pages(pages))
    provenance = Provenance(portal=name, learned_at=datetime.now(UTC))
    wrapper = learn(found, provenance=provenance, language=language, time_zone=known_time_zone(time_zone))
    with opened(out) as stream:
        stream.write(wrapper.to_json().encode("utf-8", "backslashreplace"))
    learned = sum(layout.pages for layout in wrapper.layouts if not layout.barren)
    click.echo(f"Learned from {learned} of {len(found)} pages; the template is in {out}", err=True)
    for reason in wrapper.provenance.left_out:
        click.echo(f"Left out: {reason}", err=True)


def _pages(stream: BinaryIO) -> Iterator[Document]:
    from newscrawler.page import Document

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
            raise ConfigError(f"{where} is no line of JSON: {error}") from error
        if not isinstance(value, dict) or not isinstance(value.get("html"), str):
            raise ConfigError(f'{where}: "html" is missing or not a string; a line is {{"url", "html"}}')
        if value.get("url") is not None and not isinstance(value["url"], str):
            raise ConfigError(f'{where}: "url" is not a string')
        count += 1
        if count > _MOST_PAGES:
            raise ConfigError(
                f"{name} has more than {_MOST_PAGES} pages; a portal is learned from fewer, taken evenly over sections and time"
            )
        yield Document.parse(value["html"], value.get("url") or None)
