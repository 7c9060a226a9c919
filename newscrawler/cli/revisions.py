"""`newscrawler revisions`: show what a portal changed in an article, word by word."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.numbers import MOST, Whole
from newscrawler.cli.options import config_option, configuration_of, database_option, json_option
from newscrawler.cli.screen import harmless, local_time
from newscrawler.corpus.formats.revision_record import marked, revision_records
from newscrawler.errors import ConfigError
from newscrawler.store import open_store

#: Longer unchanged pieces between changes are shortened.
_LONGEST_SAME = 120


@click.command("revisions")
@click.argument("number", type=Whole(1, MOST), metavar="ID")
@json_option
@database_option
@config_option
def revisions_command(number: int, *, as_json: bool, database: str | None, config: Path | None) -> None:
    """Show the earlier texts of an article and what changed, word by word.

    Removed words are shown in [-…-], added ones in {+…+}. ID is the number that `newscrawler articles` lists.

    \b
    Example:
      newscrawler revisions 12
      newscrawler revisions 12 --json
    """
    with open_store(configuration_of(config, database).database_url, create=False) as store:
        stored = store.articles.get(number)
        revisions = store.articles.revisions(number)
    if stored is None:
        raise ConfigError(f"there is no article {number}; `newscrawler articles` lists those that are there")
    records = list(revision_records(stored, revisions))
    if as_json:
        for record in records:
            click.echo(encode({"id": number, **record}), nl=False)
        return
    if stored.gone_at is not None:
        click.echo(f"Gone since {local_time(stored.gone_at)} (HTTP {stored.http_status})")
    if not records:
        click.echo("Its text has not changed since it was first fetched.")
    for record in records:
        _print(record)


def _print(record: dict[str, Any]) -> None:
    fetched, changed = (local_time(datetime.fromisoformat(record[name])) for name in ("fetched_at", "changed_at"))
    click.echo(click.style(f"{fetched} → {changed}  {record['why']}", bold=True))
    for pieces in record["changes"]:
        click.echo(f"  {_coloured(pieces)}")


def _coloured(pieces: list[list[str]]) -> str:
    """Return a changed paragraph as wdiff writes it, with colours for a terminal."""
    colours = {"removed": "red", "added": "green"}
    shown = [marked([(edit, _shortened(harmless(text)) if edit == "same" else harmless(text))]) for edit, text in pieces]
    return " ".join(click.style(text, fg=colours.get(edit)) for (edit, _), text in zip(pieces, shown, strict=True))


def _shortened(text: str) -> str:
    half = _LONGEST_SAME // 2
    return text if len(text) <= _LONGEST_SAME else f"{text[:half].rstrip()} … {text[-half:].lstrip()}"
