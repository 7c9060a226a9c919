"""JSON: one array of all articles, one article per line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from newscrawler.export.json_record import as_json
from newscrawler.store.records import StoredArticle


def write_json(articles: Iterable[StoredArticle], stream: BinaryIO) -> int:
    """Write one JSON array; return the number of articles."""
    count = 0
    stream.write(b"[")
    for count, stored in enumerate(articles, 1):
        stream.write(b"\n" if count == 1 else b",\n")
        stream.write(as_json(stored))
    stream.write(b"\n]\n" if count else b"]\n")
    return count
