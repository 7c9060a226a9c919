"""Kept pages out: as JSON lines, which `extract`, `template learn` and `evaluate` read, or as one WARC file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, BinaryIO

from newscrawler.errors import PageError
from newscrawler.page.encoding import decode
from newscrawler.store.archive.folder import PagesFolder
from newscrawler.store.archive.page_records import StoredPage
from newscrawler.store.archive.raw import RawPage
from newscrawler.store.archive.reader import read_page, record_bytes

#: Told of each page that could not be read.
Missed = Callable[[PageError], None]
#: Writes pages of a folder to a stream and answers how many there were.
PageFormat = Callable[[Iterable[StoredPage], PagesFolder, BinaryIO, Missed], int]


def as_line(page: StoredPage, raw: RawPage) -> dict[str, Any]:
    """The page as one line of JSON: text in place of bytes, its address, and when it was fetched."""
    return {
        "id": str(page.id),
        "url": page.kept.url,
        "html": decode(raw.body, raw.content_type),
        "fetched_at": page.kept.fetched_at.isoformat(),
        "portal": page.portal,
        "outcome": page.outcome,
        "article": page.article_id,
        "section": page.section,
    }


def write_lines(pages: Iterable[StoredPage], folder: PagesFolder, stream: BinaryIO, missed: Missed) -> int:
    """Write one line a page."""
    count = 0
    for page in pages:
        try:
            line = as_line(page, read_page(folder, page.kept))
        except PageError as error:
            missed(error)
            continue
        stream.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
        count += 1
    return count


def write_warc(pages: Iterable[StoredPage], folder: PagesFolder, stream: BinaryIO, missed: Missed) -> int:
    """Write the records as they stand, one after the other."""
    count = 0
    for page in pages:
        try:
            read_page(folder, page.kept)
            stream.write(record_bytes(folder, page.kept))
        except PageError as error:
            missed(error)
            continue
        count += 1
    return count


#: Every form by the ending of its files.
PAGE_FORMATS: Mapping[str, PageFormat] = MappingProxyType({"jsonl": write_lines, "warc.gz": write_warc})
