"""Tables as CSV for spreadsheets: UTF-8 with a byte order mark, no cell that is executed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

from newscrawler.corpus.formats.csv_table import cell


def write_table(heading: Sequence[str], rows: Iterable[Sequence[Any]], stream: BinaryIO) -> int:
    """Write a heading and rows; return the number of rows."""
    count = 0
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow([cell(name) for name in heading])
    stream.write(b"\xef\xbb\xbf")
    for count, row in enumerate(rows, 1):  # noqa: B007  the last number is returned
        writer.writerow([cell(value) for value in row])
        stream.write(buffer.getvalue().encode("utf-8"))
        buffer.seek(0)
        buffer.truncate()
    stream.write(buffer.getvalue().encode("utf-8"))
    return count
