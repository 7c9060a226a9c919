"""JSON: one article a line, or one array of all articles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from newscrawler.corpus.formats.json_record import as_json
from newscrawler.corpus.formats.options import Options, Written
from newscrawler.store.articles import StoredArticle


def write_jsonl(articles: Iterable[StoredArticle], stream: BinaryIO, _options: Options) -> Written:
    """Write one JSON object per line."""
    count = 0
    for count, stored in enumerate(articles, 1):  # noqa: B007  the last number is returned
        stream.write(as_json(stored) + b"\n")
    return Written(articles=count)


def write_json(articles: Iterable[StoredArticle], stream: BinaryIO, _options: Options) -> Written:
    """Write one JSON array with one article per line."""
    count = 0
    stream.write(b"[")
    for count, stored in enumerate(articles, 1):
        stream.write(b"\n" if count == 1 else b",\n")
        stream.write(as_json(stored))
    stream.write(b"\n]\n" if count else b"]\n")
    return Written(articles=count)
