"""JSONL: one article a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from newscrawler.export.json_record import as_json
from newscrawler.store.records import StoredArticle


def write_jsonl(articles: Iterable[StoredArticle], stream: BinaryIO) -> int:
    """Write one JSON object a line; answer how many."""
    count = 0
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is the answer
        stream.write(as_json(stored) + b"\n")
    return count
