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
    """Yield the lines of one or more tables that each fit the width, all with the first column."""
    from rich.cells import cell_len, chop_cells

    cells = [list(heading), *rows]
    texts = [any(row[column][:1] not in _FIGURES for row in rows) for column in range(len(heading))]
    sizes = [max(cell_len(row[column]) for row in cells) for column in range(len(heading))]
    sizes[0] = min(sizes[0], _WIDEST_NAME)
    for columns in _groups(sizes, width):
        lines = []
        for row in cells:
            names = chop_cells(row[0], sizes[0]) or [""]
            for part, name in enumerate(names):
                figures = [_aligned(row[column] if part == 0 else "", sizes[column], left=texts[column]) for column in columns]
                lines.append((" " * _GAP).join([name + " " * (sizes[0] - cell_len(name)), *figures]).rstrip())
        yield lines


def _groups(sizes: Sequence[int], width: int) -> Iterator[list[int]]:
    """Divide the columns after the first into groups that fit to the right of it."""
    group: list[int] = []
    used = sizes[0]
    for column, size in enumerate(sizes[1:], 1):
        if group and used + _GAP + size > width:
            yield group
            group, used = [], sizes[0]
        group.append(column)
        used += _GAP + size
    yield group


def _aligned(text: str, size: int, *, left: bool) -> str:
    from rich.cells import cell_len

    space = " " * (size - cell_len(text))
    return text + space if left else space + text
