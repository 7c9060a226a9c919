"""Writes pages into WARC files: one a portal, day and process.

A file that is being written ends in `.open` and is locked; a process that ends well renames it. One that was killed leaves a file
whose last record may be torn: `mend` cuts that off before the portal's next crawl. What was written before is never touched.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import secrets
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from newscrawler.store.archive.object_folder import ObjectFolder, PagesFolder
from newscrawler.store.archive.page_records import PageLocation, RawPage, RecordKind

logger = logging.getLogger(__name__)

#: A file that has grown larger is closed and the next begun, so that one can be moved and retention has small pieces to drop.
MOST_BYTES = 256 * 2**20
OPEN = ".open"
#: Content is kept decoded; these headers would contradict that.
_OF_THE_TRANSFER = frozenset({"content-encoding", "transfer-encoding", "content-length"})
_CHUNK = 1 << 16
_LEVEL = 1


class PageWriter:
    """Appends pages of one portal; for one thread at a time. No file is made before there is a page."""

    def __init__(self, folder: Path, portal: str, *, info: Mapping[str, str] | None = None, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._portal = portal
        self._info = dict(info or {})
        self._most_bytes = most_bytes
        self._day = ""
        self._path = Path()
        self._file: BinaryIO | None = None

    def write(self, page: RawPage) -> PageLocation:
        """Append a page and return where it is; a record that could not be written whole is taken back.

        Raises:
            OSError: the disk is full, or the folder cannot be written.
        """
        day = page.fetched_at.astimezone(UTC).date().isoformat()
        if self._file is None or day != self._day or self._file.tell() >= self._most_bytes:
            self.close()
            self._begin(day)
        assert self._file is not None
        record = _record(page)
        offset = self._file.tell()
        try:
            WARCWriter(_Member(self._file), gzip=False, warc_version="1.1").write_record(record)
        except OSError:
            with suppress(OSError):
                self._file.seek(offset)
                self._file.truncate()
            raise
        return _make_location(
            page, record, str(self._path.relative_to(self._folder)), offset=offset, length=self._file.tell() - offset
        )

    def close(self) -> None:
        """End the file under way; another page would begin the next."""
        if self._file is None:
            return
        self._file.close()
        self._file = None
        _write_open(self._path).replace(self._path)

    def _begin(self, day: str) -> None:
        folder = self._folder / self._portal
        folder.mkdir(parents=True, exist_ok=True)
        self._day = day
        self._path = folder / f"{self._portal}-{day}-{secrets.token_hex(4)}.warc.gz"
        self._file = _write_open(self._path).open("xb", buffering=_CHUNK)
        lock(self._file)
        writer = WARCWriter(_Member(self._file), gzip=False, warc_version="1.1")
        writer.write_record(writer.create_warcinfo_record(self._path.name, {"format": "WARC File Format 1.1", **self._info}))


class ObjectWriter:
    """Writes each page of a portal as an object, with its own description; workers do so side by side."""

    def __init__(self, folder: ObjectFolder, portal: str, *, info: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._portal = portal
        self._info = dict(info or {})

    def write(self, page: RawPage) -> PageLocation:
        """Write a page and return where it is.

        Raises:
            OSError: the store refuses, or cannot be reached; nothing of the page is there.
        """
        day = page.fetched_at.astimezone(UTC).date().isoformat()
        path = f"{self._portal}/{day}/{self._portal}-{day}-{secrets.token_hex(8)}.warc.gz"
        file, record = BytesIO(), _record(page)
        writer = WARCWriter(_Member(file), gzip=False, warc_version="1.1")
        about = {"format": "WARC File Format 1.1", **self._info}
        writer.write_record(writer.create_warcinfo_record(path.rpartition("/")[2], about))
        offset = file.tell()
        WARCWriter(_Member(file), gzip=False, warc_version="1.1").write_record(record)
        self._folder.write(path, file.getvalue())
        return _make_location(page, record, path, offset=offset, length=file.tell() - offset)

    def close(self) -> None:
        """Do nothing: every page is there already."""


def writer_for(folder: PagesFolder, portal: str, *, info: Mapping[str, str] | None = None) -> PageWriter | ObjectWriter:
    """Return what keeps the pages of a portal in a folder."""
    if isinstance(folder, ObjectFolder):
        return ObjectWriter(folder, portal, info=info)
    return PageWriter(folder, portal, info=info)


def _make_location(page: RawPage, record: Any, path: str, *, offset: int, length: int) -> PageLocation:
    digest = record.rec_headers.get_header("WARC-Payload-Digest") or ""
    return PageLocation(
        url=page.url, fetched_at=page.fetched_at, warc=path, offset=offset, length=length, size=len(page.body), digest=digest
    )


class _Member:
    """What warcio writes a record to: one gzip member, whose end is the record's.

    warcio's own compresses as hard as it can, which takes three times as long for 16 % fewer bytes (82 pages of 184 KB).
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> None:
        self._pieces.append(data)

    def flush(self) -> None:
        # in one go: each call that lets other threads run has to wait for the reactor's to let this one run again
        compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS | 16)
        self._file.write(compressor.compress(b"".join(self._pieces)) + compressor.flush())
        self._file.flush()


def _record(page: RawPage) -> Any:
    builder = WARCWriter(BytesIO(), gzip=True, warc_version="1.1")
    moment = page.fetched_at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    digest = "sha1:" + base64.b32encode(hashlib.sha1(page.body, usedforsecurity=False).digest()).decode("ascii")
    own = {"WARC-Date": moment, "WARC-Payload-Digest": digest}
    return builder.create_warc_record(
        page.url,
        str(page.record),
        payload=BytesIO(page.body),
        length=len(page.body),
        http_headers=_format_headers(page) if page.record is RecordKind.RESPONSE else None,
        warc_headers_dict=own,
        warc_content_type="" if page.record is RecordKind.RESPONSE else _join_lines(page.content_type or "text/html"),
    )


def _format_headers(page: RawPage) -> StatusAndHeaders:
    headers = [
        (f"X-Crawler-{name}" if name.lower() in _OF_THE_TRANSFER else name, _join_lines(value)) for name, value in page.headers
    ]
    headers.append(("Content-Length", str(len(page.body))))
    phrase = next((known.phrase for known in HTTPStatus if known == page.status), "Unknown")
    return StatusAndHeaders(f"{page.status} {phrase}", headers, protocol="HTTP/1.1")


def _join_lines(value: str) -> str:
    return " ".join(value.splitlines())


def mend(folder: PagesFolder, portal: str) -> list[Path]:
    """Cut off what processes that are gone left half written, and close their files.

    Only the process that crawls the portal may call it. A file whose writer lives (of another database, say) is not changed.

    Returns:
        the files that were closed.
    """
    mended: list[Path] = []
    if isinstance(folder, ObjectFolder):  # contains nothing that is half written
        return mended
    for path in sorted((folder / portal).glob(f"*.warc.gz{OPEN}")):
        with path.open("r+b") as file:
            if not lock(file):
                continue
            end = max(whole_members(file), default=0)
            file.truncate(end)
        closed = path.with_name(path.name.removesuffix(OPEN))
        path.replace(closed)
        mended.append(closed)
    return mended


def whole_members(file: BinaryIO) -> Iterator[int]:
    """Where each gzip member that is whole ends, read in constant memory."""
    file.seek(0)
    read, rest = 0, b""
    while True:
        member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while not member.eof:
            if not rest:
                rest = file.read(_CHUNK)
                read += len(rest)
            if not rest:
                return
            try:
                while rest and not member.eof:
                    member.decompress(rest, _CHUNK)
                    rest = member.unused_data if member.eof else member.unconsumed_tail
            except zlib.error:
                return
        yield read - len(rest)


def _write_open(path: Path) -> Path:
    return path.with_name(path.name + OPEN)


def lock(file: BinaryIO, *, wait: bool = False) -> bool:
    """Lock a file for as long as it is open; False: another process has it. Where there are no locks, nobody does."""
    try:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        logger.debug("%s cannot be locked", file.name)
    return True
