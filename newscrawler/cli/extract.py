"""`newscrawler extract`: one page, or one page a line."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from newscrawler.cli.lines import LineError, converse


@click.command("extract")
@click.argument("page", required=False, metavar="[URL|FILE]")
@click.option("--jsonl", "as_lines", is_flag=True, help='Read lines {"id","url","html"} and answer each with one line at once.')
@click.option("--method", default="default", show_default=True, metavar="NAME", help="Block-detection method.")
def extract_command(page: str | None, *, as_lines: bool, method: str) -> None:
    """Read the article of one page and show its record."""
    if as_lines:
        if page is not None:
            raise click.UsageError("--jsonl reads pages from standard input; give no URL or FILE")
        converse(lambda question: read_line(question, method))
        return
    raise click.UsageError("give a URL or a FILE, or --jsonl")


def read_line(question: dict[str, Any], method: str) -> dict[str, Any]:
    """Answer one line; the record also tells why a page holds no article.

    Raises:
        LineError: `html`, `url` or `fetched_at` is not what it should be.
    """
    from newscrawler.extract import DEFAULT_REQUIRED, Reading, read_record

    html, url = question.get("html"), question.get("url")
    if not isinstance(html, str):
        raise LineError('"html" is missing or not a string')
    if url is not None and not isinstance(url, str):
        raise LineError('"url" is not a string')
    required = DEFAULT_REQUIRED if url else DEFAULT_REQUIRED - {"source"}
    reading = Reading(method=method, required=required)
    return read_record(html, url or None, fetched_at=_moment(question.get("fetched_at")), reading=reading)


def _moment(value: object) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise LineError(f'"fetched_at" is no ISO 8601 time: {value}') from error
    if moment.tzinfo is None:
        raise LineError(f'"fetched_at" has no offset: {value}')
    return moment
