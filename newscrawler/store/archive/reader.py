"""Reads kept pages back from WARC files, and exports them."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from newscrawler.errors import PageError, PageReason
from newscrawler.limits import KEPT_PAGE_BYTES
from newscrawler.store.archive.object_folder import ObjectFolder, PagesFolder
from newscrawler.store.archive.page_records import PageLocation, RawPage, RecordKind, StoredPage
from newscrawler.store.archive.writer import OPEN, lock


def read_page(folder: PagesFolder, kept: PageLocation) -> RawPage:
    """Read a page that was kept, and check that it is what was written.

    Raises:
        PageError: its file is gone, or the record is damaged.
    """
    with BytesIO(record_bytes(folder, kept)) as stream:
        try:
            record = next(iter(ArchiveIterator(stream, check_digests=True)))
            body = _read_whole(record.content_stream())
        except (StopIteration, EOFError) as error:
            raise _report_damage(kept, "the file ends before it does") from error
        except (ArchiveLoadFailed, zlib.error, ValueError) as error:  # what these say contains the bytes themselves
            raise _report_damage(kept, "there is no WARC record") from error
        is_resource = record.rec_type == RecordKind.RESOURCE
        if record.digest_checker.passed is not True or (record.http_headers is None and not is_resource):
            raise _report_damage(kept, "it is torn, or its digest is another")
        if record.rec_headers.get_header("WARC-Target-URI") != kept.url:
            raise _report_damage(kept, "the record is of another address")
        written = record.rec_headers.get_header("WARC-Date") or ""
        fetched_at = kept.fetched_at
        with suppress(ValueError):
            fetched_at = datetime.fromisoformat(written)
        if is_resource:
            kind = record.rec_headers.get_header("Content-Type") or "text/html"
            headers = (("Content-Type", kind),)
            return RawPage(url=kept.url, fetched_at=fetched_at, headers=headers, body=body, record=RecordKind.RESOURCE)
        return RawPage(
            url=kept.url, fetched_at=fetched_at, status=int(record.http_headers.get_statuscode()),
            headers=tuple(record.http_headers.headers), body=body,
        )  # fmt: skip


def copy_record(folder: Path, kept: PageLocation, target: Path) -> tuple[int, int]:
    """Append the record of a page to another file of the same folder, byte for byte.

    Returns:
        where it begins there and its length.

    Raises:
        PageError: its file is gone, or the record is damaged.
        OSError: the other file cannot be written.
    """
    read_page(folder, kept)
    data = record_bytes(folder, kept)
    path = folder / target
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        lock(file, wait=True)
        offset = file.seek(0, os.SEEK_END)
        file.write(data)
    return offset, len(data)


def _read_whole(stream: BinaryIO) -> bytes:
    """Read to the end, which is where the digests are compared."""
    pieces, size = [], 0
    while piece := stream.read(1 << 16):
        size += len(piece)
        if size > KEPT_PAGE_BYTES:
            raise ValueError(f"it is larger than {KEPT_PAGE_BYTES} bytes")
        pieces.append(piece)
    return b"".join(pieces)


def record_bytes(folder: PagesFolder, kept: PageLocation) -> bytes:
    """The record as it is in its file, unchecked.

    Raises:
        PageError: the file is gone or cannot be read.
    """
    if isinstance(folder, ObjectFolder):
        return _read_object(folder, kept)
    path = folder / kept.warc
    for place in (path, path.with_name(path.name + OPEN)):
        try:
            with place.open("rb") as file:
                file.seek(kept.offset)
                return file.read(min(kept.length, KEPT_PAGE_BYTES))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise PageError(PageReason.NOT_KEPT, f"{kept.url}: the file {place} cannot be read: {error.strerror}") from error
    raise PageError(PageReason.NOT_KEPT, f"{kept.url}: the file {kept.warc} is gone from {folder}")


def _read_object(folder: ObjectFolder, kept: PageLocation) -> bytes:
    try:
        return folder.read(kept.warc, kept.offset, min(kept.length, KEPT_PAGE_BYTES))
    except FileNotFoundError as error:
        raise PageError(PageReason.NOT_KEPT, f"{kept.url}: the file {kept.warc} is gone from {folder}") from error
    except OSError as error:
        raise PageError(PageReason.NOT_KEPT, f"{kept.url}: {folder / kept.warc} cannot be read: {error.strerror}") from error


def _report_damage(kept: PageLocation, why: str) -> PageError:
    return PageError(PageReason.DAMAGED, f"{kept.url} in {kept.warc} at {kept.offset}: {why}")


#: Told of each page that could not be read.
Missed = Callable[[PageError], None]
#: Writes pages of a folder to a stream and answers how many there were.
PageFormat = Callable[[Iterable[StoredPage], PagesFolder, BinaryIO, Missed], int]


def as_line(page: StoredPage, raw: RawPage) -> dict[str, Any]:
    """The page as one line of JSON: text in place of bytes, its address, and when it was fetched."""
    from newscrawler.page import decode  # loads lxml, which commands that list pages do not need

    return {
        "id": str(page.id), "url": page.kept.url, "html": decode(raw.body, raw.content_type),
        "fetched_at": page.kept.fetched_at.isoformat(), "portal": page.portal, "outcome": page.outcome,
        "article": page.article_id, "section": page.section,
    }  # fmt: skip


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
    """Write the records as they are, one after the other."""
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
