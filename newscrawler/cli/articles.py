"""`newscrawler articles`, `show` and `revisions`: the articles in the database, and what their portals changed."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from newscrawler.cli.lines import encode
from newscrawler.cli.options import (
    MOST,
    Whole,
    add_configuration_options,
    add_selection_options,
    find_article,
    find_permitted_article,
    is_withdrawn,
    json_option,
    restrict_selection,
)
from newscrawler.cli.screen import format_day, format_time, note_more, print_record, print_rows, sanitize
from newscrawler.store import open_store
from newscrawler.store.articles import Selection, StoredArticle

if TYPE_CHECKING:
    from newscrawler.config import Configuration


@click.command("articles")
@add_selection_options
@click.option("--title", metavar="WORDS", help="Only articles with this in their title, in any case.")
@click.option("--limit", type=Whole(0, MOST), default=20, show_default=True, metavar="N", help="List at most N; 0: all.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one article a line.")
@add_configuration_options
def articles_command(*, selection: Selection, title: str | None, limit: int, as_json: bool, configuration: Configuration) -> None:
    """List articles, newest first.

    Each line shows the number, day, portal, language, later changes and title.

    \b
    Example:
      newscrawler articles --portal example --since 2026-02-01 --title volby
    """
    selection = replace(selection, title=title, newest_first=True, limit=limit or None)
    with open_store(configuration.database_url, create=False) as store:
        selection = restrict_selection(store, selection, configuration)
        found = store.articles.stream(selection)
        total = store.articles.count(selection)
        if as_json:
            from newscrawler.corpus import export_articles, find_format

            export_articles(found, find_format(None), None)
        else:
            rows = (
                (s.id, s.article.date, s.article.portal, s.article.language, _describe_changes(s), s.article.title) for s in found
            )
            print_rows(rows, ("id", "day", "portal", "language", "since then", "title"))
    note_more(limit or None, total, total=total)


def _describe_changes(stored: StoredArticle) -> str:
    """Return what has happened to an article since it was first fetched."""
    if stored.gone_at is not None:
        return f"gone {format_day(stored.gone_at)}"
    return f"corrected {format_day(stored.corrected_at)}" if stored.corrections else ""


@click.command("show")
@click.argument("number", type=Whole(1, MOST), metavar="ID")
@json_option
@add_configuration_options
def show_command(number: int, *, as_json: bool, configuration: Configuration) -> None:
    """Show one article.

    ID is the number that `newscrawler articles` lists. Of an article that its publisher withdrew, the text is not shown.

    \b
    Example:
      newscrawler show 12
    """
    from newscrawler.cli.rights import describe_reservation as explanation_of
    from newscrawler.corpus.formats import make_metadata, make_record

    with open_store(configuration.database_url, create=False) as store:
        stored, said = find_article(store, number), store.rights.of_article(number)
        record = make_metadata(stored) | {"paragraphs": []} if is_withdrawn(store, number, configuration) else make_record(stored)
    if as_json:
        rights = []
        for each in said:
            kept = asdict(each)
            explanation = explanation_of(each, stored.article.portal, configuration)
            rights.append(kept.pop("reservation") | kept | {"explanation": explanation})
        click.echo(encode(record | {"rights": rights}), nl=False)
    else:
        print_record(record, rights=[explanation_of(each, stored.article.portal, configuration) for each in said])


#: Longer unchanged pieces between changes are shortened.
_LONGEST_SAME = 120


@click.command("revisions")
@click.argument("number", type=Whole(1, MOST), metavar="ID")
@json_option
@add_configuration_options
def revisions_command(number: int, *, as_json: bool, configuration: Configuration) -> None:
    """Show the earlier texts of an article, word by word.

    Removed words are shown in [-…-], added ones in {+…+}. ID is the number that `newscrawler articles` lists.

    \b
    Example:
      newscrawler revisions 12
      newscrawler revisions 12 --json
    """
    with open_store(configuration.database_url, create=False) as store:
        stored = find_permitted_article(store, number, configuration)
        revisions = store.articles.revisions(number)
    from newscrawler.corpus.formats import make_revision_records  # loads taggers and tokenizers

    records = list(make_revision_records(stored, revisions))
    if as_json:
        for record in records:
            click.echo(encode({"id": number, **record}), nl=False)
        return
    if stored.gone_at is not None:
        click.echo(f"Gone since {format_time(stored.gone_at)} (HTTP {stored.http_status})")
    if not records:
        click.echo("Its text has not changed since it was first fetched.")
    for record in records:
        _print(record)


def _print(record: dict[str, Any]) -> None:
    fetched, changed = (format_time(datetime.fromisoformat(record[name])) for name in ("fetched_at", "changed_at"))
    click.echo(click.style(f"{fetched} → {changed}  {record['why']}", bold=True))
    for pieces in record["changes"]:
        click.echo(f"  {_color_pieces(pieces)}")


def _color_pieces(pieces: list[list[str]]) -> str:
    """Return a changed paragraph as wdiff writes it, with colours for a terminal."""
    colours = {"removed": "red", "added": "green"}
    from newscrawler.corpus.formats import mark_edits

    shown = [mark_edits([(edit, _shorten(sanitize(text)) if edit == "same" else sanitize(text))]) for edit, text in pieces]
    return " ".join(click.style(text, fg=colours.get(edit)) for (edit, _), text in zip(pieces, shown, strict=True))


def _shorten(text: str) -> str:
    half = _LONGEST_SAME // 2
    return text if len(text) <= _LONGEST_SAME else f"{text[:half].rstrip()} … {text[-half:].lstrip()}"
