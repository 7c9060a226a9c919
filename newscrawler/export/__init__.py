"""Export articles to files: one module per format, and the table of them.

Every format writes article by article, so memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from newscrawler.export.csv_table import write_csv
from newscrawler.export.json_array import write_json
from newscrawler.export.json_lines import write_jsonl
from newscrawler.export.target import open_target
from newscrawler.store.records import StoredArticle

#: Writes articles to a stream of bytes and returns their number.
Format = Callable[[Iterable[StoredArticle], BinaryIO], int]

#: Every format by its name on the command line.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "csv": write_csv,
        "json": write_json,
        "jsonl": write_jsonl,
    }
)

__all__ = ["FORMATS", "Format", "export_articles", "write_csv", "write_json", "write_jsonl"]


def export_articles(articles: Iterable[StoredArticle], write: Format, path: Path | None) -> int:
    """Write articles to a file, or to standard output if there is no path; return their number.

    The file gets its name when it is complete; an older file of that name stays until then.

    Raises:
        ExportError: the file cannot be written; no part of it is left.
        BrokenPipeError: the reader of standard output stopped.
    """
    with open_target(path) as stream:
        return write(articles, stream)
