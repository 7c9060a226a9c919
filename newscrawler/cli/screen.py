"""Print for commands: untrusted text made harmless, tables, and articles to read."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import click

from newscrawler.cli.lines import encode

#: Control characters could move the cursor or rename the window; bidirectional ones could reverse text.
_HARMFUL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_WIDEST = 100


def sanitize(text: object) -> str:
    """Return untrusted text without characters that control a terminal."""
    return _HARMFUL.sub("", str(text))


def print_rows(rows: Iterable[Sequence[object]], heading: Sequence[str], *, spare: Sequence[str] = ()) -> None:
    """Print a table, fitted to a terminal, or with tabs elsewhere; the first line names the columns. A narrow one lacks `spare`."""
    lines = [[sanitize("" if value is None else value).replace("\t", " ").replace("\n", " ") for value in row] for row in rows]
    if not sys.stdout.isatty():
        for line in [heading, *lines]:
            click.echo("\t".join(line))
        return
    first, *others = fit_columns([list(heading), *lines], shutil.get_terminal_size().columns, spare)
    click.echo("\n".join([click.style(first, bold=True), *others]))


#: Least columns of a cell that is cut, and of the last column, which names the row.
_LEAST_CELL, _LEAST_LAST = 4, 16


def fit_columns(rows: Sequence[Sequence[str]], width: int, spare: Sequence[str] = ()) -> list[str]:
    """Return the lines of a table, the first of which is the heading, in a width: cells that are too long end in an ellipsis.

    Where it is narrow, columns are as wide as their cells, empty ones are left out, then those that can be spared, one by one, as
    long as the last column, which may be cut, has no room; then the widest are cut.
    """
    from rich.cells import cell_len

    columns = list(range(len(rows[0])))
    sizes = [max(cell_len(row[column]) for row in rows) for column in columns]
    if sum(sizes) + _GAP * (len(columns) - 1) > width and len(rows) > 1:
        sizes = [max(cell_len(row[column]) for row in rows[1:]) for column in columns]
        columns = [column for column in columns if sizes[column]] or columns[-1:]
        for name in spare:
            *others, last = columns
            if sum(sizes[each] for each in others) + min(sizes[last], _LEAST_LAST) + _GAP * len(others) > width:
                columns = [column for column in columns if rows[0][column] != name]
        *others, last = columns
        room = width - _GAP * len(others)
        while (excess := sum(sizes[each] for each in columns) - room) > 0:
            widest = max(others, key=sizes.__getitem__, default=last)
            if sizes[last] > _LEAST_LAST or sizes[widest] <= _LEAST_CELL:
                least = _LEAST_LAST if sizes[last] > _LEAST_LAST else 1
                sizes[last], spent = max(least, sizes[last] - excess), sizes[last]
                if sizes[last] == spent:
                    break
            else:
                sizes[widest] -= 1
        for column in columns:  # the rest goes to the heading
            more = max(0, min(-excess, cell_len(rows[0][column]) - sizes[column]))
            sizes[column], excess = sizes[column] + more, excess + more
    gap = " " * _GAP
    return [gap.join(_fit(row[column], sizes[column]) for column in columns).rstrip() for row in rows]


def _fit(text: str, size: int) -> str:
    """Return a text in exactly so many columns."""
    from rich.cells import cell_len, set_cell_size

    return set_cell_size(text, size) if cell_len(text) <= size else set_cell_size(set_cell_size(text, size - 1) + "…", size)


def note_more(limit: int | None, number: int, *, total: int | None = None) -> None:
    """Say on standard error that only so many of the rows of a list are printed, where there are more; None: all are."""
    if limit is not None and number > limit:
        listed = f"{limit} of {total}" if total is not None else f"The first {limit}"
        click.echo(f"{listed} are listed; --limit N lists more.", err=True)


def print_listing(
    records: Iterable[dict[str, Any]], rows: Iterable[Sequence[object]], heading: Sequence[str], *, as_json: bool,
    spare: Sequence[str] = (),
) -> None:  # fmt: skip
    """Print records as JSON, a line each, or as the rows of a table."""
    if not as_json:
        print_rows(rows, heading, spare=spare)
        return
    for record in records:
        click.echo(encode(record), nl=False)


def make_articles_progress() -> Callable[[int], None] | None:
    """Return what shows on a terminal how many articles were read; None: there is no terminal."""
    if not sys.stderr.isatty():
        return None
    return lambda count: click.echo(f"\r  {count} articles", nl=False, err=True)


def print_record(record: dict[str, Any], *, rights: Sequence[str] = ()) -> None:
    """Print an article to read: its title, metadata and paragraphs."""
    width = min(_WIDEST, shutil.get_terminal_size().columns) if sys.stdout.isatty() else _WIDEST
    click.echo(click.style(_wrap(record["title"] or "(no title)", width), bold=True))
    click.echo()
    for name, value in (*_list_facts(record), *(("rights", line) for line in rights)):
        click.echo(f"{click.style(f'{name:<12}', dim=True)}{sanitize(value)}")
    post = None
    for paragraph in record["paragraphs"]:
        click.echo()
        if paragraph.get("post") != post and (post := paragraph.get("post")) is not None:
            click.echo(click.style(f"— post {post} —", dim=True))
        click.echo(_format_paragraph(paragraph["kind"], paragraph["text"], width))


def _list_facts(record: dict[str, Any]) -> Iterable[tuple[str, object]]:
    published = record["published_at"]
    if published and record["published_precision"] == "day":
        published = record["date"]
    facts = {
        "id": record.get("id"),
        "url": record["url"],
        "portal": record["portal"],
        "published": published and f"{published}  (from: {record['published_source']})",
        "modified": record["modified_at"],
        "authors": ", ".join(record["authors"]),
        "section": record["section"],
        "language": record["language"],
        "description": None if record["description_is_lead"] else record["description"],
        "fetched": record["fetched_at"],
        "corrected": f"{record['corrected_at']}  ({record['corrections']} ×)" if record.get("corrections") else None,
        "gone": f"{record['gone_at']}  (HTTP {record['http_status']})" if record.get("gone_at") else None,
        "method": f"{record['method']}, confidence {record['confidence']:.2f}",
        "words": record["word_count"],
    }
    return ((name, value) for name, value in facts.items() if value not in {None, ""})


def _format_paragraph(kind: str, text: str, width: int) -> str:
    if kind == "heading":
        return click.style(_wrap(text, width), bold=True)
    before = {"list item": "  - ", "quote": "  > "}.get(kind, "")
    return _wrap(text, width, before)


def _wrap(text: str, width: int, before: str = "") -> str:
    after = before if ">" in before else " " * len(before)
    return textwrap.fill(sanitize(text), width, initial_indent=before, subsequent_indent=after, break_long_words=False)


def format_time(moment: datetime | None) -> str:
    """Return a time in this machine's time zone, to the minute, with its offset."""
    return moment.astimezone().isoformat(sep=" ", timespec="minutes") if moment else ""


def format_duration(seconds: float) -> str:
    """Return minutes and seconds, with hours where there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def format_day(moment: datetime | None) -> str:
    """Return the day of a time in this machine's time zone."""
    return f"{moment.astimezone():%Y-%m-%d}" if moment else ""


_GAP = 2
#: Matches the beginning of a figure, or an empty cell.
_FIGURES = ("", *"0123456789+-–.")
#: Names in the first column are broken into lines of this width.
_WIDEST_NAME = 28


def print_figures(rows: Sequence[Sequence[object]], heading: Sequence[str]) -> None:
    """Print a table whose first column is a name; with tabs for anything but a terminal."""
    if not sys.stdout.isatty():
        print_rows(rows, heading)
        return
    texts = [[sanitize("" if cell is None else cell) for cell in row] for row in rows]
    for number, block in enumerate(split_blocks(texts, heading, shutil.get_terminal_size().columns)):
        if number:
            click.echo()
        for line in block:
            click.echo(line)


def split_blocks(rows: Sequence[Sequence[str]], heading: Sequence[str], width: int) -> Iterator[list[str]]:
    """Yield the lines of one or more tables that each fit the width, all with the first column and others that name the row."""
    from rich.cells import cell_len, chop_cells

    cells = [list(heading), *rows]
    texts = [any(row[column][:1] not in _FIGURES for row in rows) for column in range(len(heading))]
    sizes = [max(cell_len(row[column]) for row in cells) for column in range(len(heading))]
    sizes[0] = min(sizes[0], _WIDEST_NAME)
    labels = _count_labels(texts, sizes, width)
    for group in _group_columns(sizes, labels, width):
        columns = [*range(1, labels), *group]
        lines = []
        for row in cells:
            names = chop_cells(row[0], sizes[0]) or [""]
            for part, name in enumerate(names):
                figures = [_align(row[column] if part == 0 else "", sizes[column], left=texts[column]) for column in columns]
                lines.append((" " * _GAP).join([name + " " * (sizes[0] - cell_len(name)), *figures]).rstrip())
        yield lines


def _count_labels(texts: Sequence[bool], sizes: Sequence[int], width: int) -> int:
    """Return how many of the first columns name the row: words, and together no wider than half of the width."""
    count = next((column for column in range(1, len(texts)) if not texts[column]), 1)
    return count if sum(sizes[:count]) + _GAP * (count - 1) <= width / 2 else 1


def _group_columns(sizes: Sequence[int], labels: int, width: int) -> Iterator[list[int]]:
    """Divide the columns after those that name the row into groups that fit to the right of these."""
    group: list[int] = []
    begin = used = sum(sizes[:labels]) + _GAP * (labels - 1)
    for column, size in enumerate(sizes[labels:], labels):
        if group and used + _GAP + size > width:
            yield group
            group, used = [], begin
        group.append(column)
        used += _GAP + size
    yield group


def _align(text: str, size: int, *, left: bool) -> str:
    from rich.cells import cell_len

    space = " " * (size - cell_len(text))
    return text + space if left else space + text
