"""Print tables of figures. On a terminal, columns that do not fit are printed below, and no figure is cut."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence

import click

from newscrawler.cli.screen import harmless, print_rows

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
    texts = [[harmless("" if cell is None else cell) for cell in row] for row in rows]
    for number, block in enumerate(blocks(texts, heading, shutil.get_terminal_size().columns)):
        if number:
            click.echo()
        for line in block:
            click.echo(line)


def blocks(rows: Sequence[Sequence[str]], heading: Sequence[str], width: int) -> Iterator[list[str]]:
    """Yield the lines of one or more tables that each fit the width, all with the first column and others that name the row."""
    from rich.cells import cell_len, chop_cells

    cells = [list(heading), *rows]
    texts = [any(row[column][:1] not in _FIGURES for row in rows) for column in range(len(heading))]
    sizes = [max(cell_len(row[column]) for row in cells) for column in range(len(heading))]
    sizes[0] = min(sizes[0], _WIDEST_NAME)
    labels = _labels(texts, sizes, width)
    for group in _groups(sizes, labels, width):
        columns = [*range(1, labels), *group]
        lines = []
        for row in cells:
            names = chop_cells(row[0], sizes[0]) or [""]
            for part, name in enumerate(names):
                figures = [_aligned(row[column] if part == 0 else "", sizes[column], left=texts[column]) for column in columns]
                lines.append((" " * _GAP).join([name + " " * (sizes[0] - cell_len(name)), *figures]).rstrip())
        yield lines


def _labels(texts: Sequence[bool], sizes: Sequence[int], width: int) -> int:
    """Return how many of the first columns name the row: words, and together no wider than half of the width."""
    count = next((column for column in range(1, len(texts)) if not texts[column]), 1)
    return count if sum(sizes[:count]) + _GAP * (count - 1) <= width / 2 else 1


def _groups(sizes: Sequence[int], labels: int, width: int) -> Iterator[list[int]]:
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


def _aligned(text: str, size: int, *, left: bool) -> str:
    from rich.cells import cell_len

    space = " " * (size - cell_len(text))
    return text + space if left else space + text
