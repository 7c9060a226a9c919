"""Articles in, files out: one file a format, and the table of all of them.

Every format writes as it reads, so that a million articles take no more memory than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from newscrawler.export.csv_table import write_csv
from newscrawler.export.json_array import write_json
from newscrawler.export.json_lines import write_jsonl
from newscrawler.export.target import opened
from newscrawler.store.records import StoredArticle

#: Writes articles to a stream of bytes and answers how many there were.
Format = Callable[[Iterable[StoredArticle], BinaryIO], int]

#: Every format by the name that the command line knows it by.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "csv": write_csv,
        "json": write_json,
        "jsonl": write_jsonl,
    }
)

__all__ = ["FORMATS", "Format", "export_articles", "write_csv", "write_json", "write_jsonl"]


def export_articles(articles: Iterable[StoredArticle], write: Format, path: Path | None) -> int:
    """Write articles to a file, or to standard output where there is no path; answer how many.

    The file appears under its name when it is complete; what stood there before stays until then.

    Raises:
        ExportError: it cannot be written; nothing is left of it.
        BrokenPipeError: whoever reads standard output stopped.
    """
    with opened(path) as stream:
        return write(articles, stream)
