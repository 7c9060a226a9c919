"""Read single pages of WARC files by their places: HTML responses with status 200."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from newscrawler.errors import PageError, PageReason
from newscrawler.extraction.batch.sources import LARGEST_PAGE_BYTES, headers_of, holds_page, moment_of

#: The body is decompressed when it is read.
_PACKED = frozenset({"content-encoding", "transfer-encoding", "content-length"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place of a page in a WARC file."""

    path: Path
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedPage:
    """A page as it was archived."""

    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = field(repr=False)
    #: Aware; None if the archive does not state it.
    fetched_at: datetime | None


def places_of(path: Path, *, files: Collection[str] = ()) -> Iterator[tuple[str, Place]]:
    """Yield the URL and the place of each page of a WARC file.

    Args:
        path: of the WARC file.
        files: paths of URLs to include whatever their media type, such as /robots.txt.

    Raises:
        PageError: the file, or the rest of it, cannot be read.
    """
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    try:
        with path.open("rb") as stream:
            records = ArchiveIterator(stream)
            for record in records:
                url = (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")
                if url and (holds_page(record) or (_path_of(url) in files and _is_answer(record))):
                    yield url, Place(path=path, offset=records.get_record_offset())
    except (OSError, EOFError, ArchiveLoadFailed, zlib.error, ValueError) as error:
        raise PageError(PageReason.DAMAGED, f"{path} cannot be read any further: {str(error)[:100]}") from error


def _path_of(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def _is_answer(record: Any) -> bool:
    """Return whether a record is a response with status 200."""
    return record.rec_type == "response" and record.http_headers is not None and record.http_headers.get_statuscode() == "200"


def read_page(place: Place) -> ArchivedPage:
    """Read the page at a place.

    Raises:
        PageError: it is damaged.
    """
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    try:
        with place.path.open("rb") as stream:
            stream.seek(place.offset)
            record = next(iter(ArchiveIterator(stream)))
            body = record.content_stream().read(LARGEST_PAGE_BYTES)
    except (OSError, EOFError, StopIteration, ArchiveLoadFailed, zlib.error, ValueError) as error:
        raise PageError(PageReason.DAMAGED, f"{place.path}: {str(error)[:100]}") from error
    headers = tuple((name, value) for name, value in headers_of(record).headers if name.lower() not in _PACKED)
    url = record.rec_headers.get_header("WARC-Target-URI").strip("<>")
    return ArchivedPage(url=url, headers=headers, body=body, fetched_at=moment_of(record.rec_headers.get_header("WARC-Date")))
