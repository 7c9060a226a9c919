"""JSONL: one article per line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from newscrawler.export.json_record import as_json
from newscrawler.store.records import StoredArticle


def write_jsonl(articles: Iterable[StoredArticle], stream: BinaryIO) -> int:
    """Write one JSON object per line; return the number of articles."""
    count = 0
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        stream.write(as_json(stored) + b"\n")
    return count
