"""Read the pages that a command names: HTML files, folders of them, and WARC files."""

from __future__ import annotations

import logging
import mmap
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from urllib.parse import urlsplit

from newscrawler.errors import ConfigError, PageError, PageReason
from newscrawler.limits import SINGLE_PAGE_BYTES, WARC_HEADER_BYTES

logger = logging.getLogger(__name__)
_T = TypeVar("_T")

#: A saved page larger than this is refused, as a fetched one is.
LARGEST_PAGE_BYTES = SINGLE_PAGE_BYTES
_PAGE_ENDINGS = (".html", ".htm", ".xhtml")
_WARC_ENDINGS = (".warc", ".warc.gz")
_PAGE_TYPES = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True, kw_only=True)
class InputPage:
    """One page to read."""

    #: Its id among all pages of a run: the path of its file, its record in a WARC file, or its address.
    id: str
    html: bytes = field(repr=False)
    url: str | None = None
    content_type: str | None = None
    fetched_at: datetime | None = None
    #: Why there is nothing to read; None if there is.
    error: PageError | None = None


def find_pages(paths: Sequence[Path], *, skip: Iterable[str] = ()) -> Iterator[InputPage]:
    """Yield the pages of files, folders (with all below them, by name) and WARC files.

    A file that cannot be read is yielded with its `error`.

    Args:
        paths: HTML files of any name; folders, of which the files named .html, .htm, .xhtml, .warc and .warc.gz are read.
        skip: ids of pages to skip.

    Raises:
        ConfigError: a path does not exist.
    """
    done = frozenset(skip)
    for path in paths:
        if not path.exists():
            raise ConfigError(f"There is no file or folder {path}.")
    for path in paths:
        for file in _find_files(path):
            if is_warc(file):
                yield from _read_warc(file, done)
            elif str(file) not in done:
                yield _read_file(file)


def is_warc(path: Path) -> bool:
    """Return whether a file is a WARC file by its name."""
    return path.name.lower().endswith(_WARC_ENDINGS)


def _find_files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for file in sorted(path.rglob("*")):
        if file.name.lower().endswith((*_PAGE_ENDINGS, *_WARC_ENDINGS)) and file.is_file():
            yield file


def _read_file(path: Path) -> InputPage:
    try:
        with path.open("rb") as file:
            html = file.read(LARGEST_PAGE_BYTES + 1)
    except OSError as error:
        return InputPage(id=str(path), html=b"", error=PageError(PageReason.FAULT, error.strerror or str(error)))
    return InputPage(id=str(path), html=html, error=_check_html(html))


def _check_html(html: bytes) -> PageError | None:
    if len(html) > LARGEST_PAGE_BYTES:
        return PageError(PageReason.TOO_LARGE, f"more than {LARGEST_PAGE_BYTES // 1024 // 1024} MB")
    return None


def _read_warc(path: Path, done: frozenset[str]) -> Iterator[InputPage]:
    """Yield the pages of a WARC file: HTML responses with status 200, or HTML that was built from responses."""

    def read(record: Any, offset: int) -> InputPage | None:
        page_id = f"{path}#{offset}"  # get_record_offset would read the record to its end
        return _read_record(record, page_id) if holds_page(record) and page_id not in done else None

    for found in _read_records(path, read):
        yield InputPage(id=str(path), html=b"", error=found) if isinstance(found, PageError) else found


def _read_records(path: Path, read: Callable[[Any, int], _T | None]) -> Iterator[_T | PageError]:
    """Yield the results of `read` for each record of a WARC file and its offset; for a broken one the error, and go on."""
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    start: int | None = 0
    is_said = False
    try:
        with path.open("rb") as stream:
            while start is not None:
                stream.seek(start)
                records, last = ArchiveIterator(stream), start
                records.reader.__class__ = _make_reader()
                try:
                    for record in records:
                        last = records.offset
                        if (made := read(record, last)) is not None:
                            yield made
                        records.reader.header_bytes = 0
                except (EOFError, ArchiveLoadFailed, zlib.error, ValueError) as error:
                    if not is_said or records.record is not None:
                        detail = f"a record of the WARC file at {last} or behind it cannot be read: {str(error)[:100]}"
                        yield PageError(PageReason.DAMAGED, detail)
                    is_said = records.record is not None  # the search finds the broken record itself first
                    start = _find_record(stream, last + 1)
                else:
                    return
    except OSError as error:
        yield PageError(PageReason.DAMAGED, f"the WARC file cannot be read any further: {error.strerror or error}")


@cache
def _make_reader() -> Any:
    """Return the class of a reader that refuses records with large headers: a line of 30 MB takes 22 s to put together."""
    from warcio.bufferedreaders import DecompressingBufferedReader
    from warcio.exceptions import ArchiveLoadFailed

    class BoundedReader(DecompressingBufferedReader):  # type: ignore[misc]
        header_bytes = 0

        def readline(self, length: int | None = None) -> bytes:
            line: bytes = super().readline(min(length or WARC_HEADER_BYTES, WARC_HEADER_BYTES))
            self.header_bytes += len(line)
            if self.header_bytes > WARC_HEADER_BYTES / 2:
                raise ArchiveLoadFailed("its headers do not end")
            return line

    return BoundedReader


#: The beginning of a packed record, and of one that is not packed.
_PACKED_RECORD, _PLAIN_RECORD = re.compile(rb"\x1f\x8b\x08"), re.compile(rb"WARC/1\.\d\r\n(?=[A-Z])")
#: Beginnings that are tried.
_MOST_TRIED = 10_000


def _find_record(stream: BinaryIO, start: int) -> int | None:
    """Return where the next record of a WARC file begins from an offset on; None: there is none."""
    with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        is_packed = data[:2] == b"\x1f\x8b"
        for found in islice((_PACKED_RECORD if is_packed else _PLAIN_RECORD).finditer(data, start), _MOST_TRIED):
            with suppress(zlib.error):
                place = found.start()
                if not is_packed or zlib.decompressobj(31).decompress(data[place : place + 512], 5) == b"WARC/":
                    return place
    return None


def holds_page(record: Any) -> bool:
    """Return whether a record of a WARC file is a page: an HTML response with status 200, or HTML built by a browser."""
    headers = get_headers(record)
    if record.rec_type not in {"response", "resource"} or headers is None:
        return False
    if record.rec_type == "response" and headers.get_statuscode() != "200":
        return False
    kind = (headers.get_header("Content-Type") or "text/html").partition(";")[0].strip().lower()
    return kind in _PAGE_TYPES


def get_headers(record: Any) -> Any:
    """Return the headers that describe the content of a record: those of HTTP, or, of a resource, the record's own."""
    return record.rec_headers if record.rec_type == "resource" else record.http_headers


def _read_record(record: Any, page_id: str) -> InputPage:
    html = record.content_stream().read(LARGEST_PAGE_BYTES + 1)
    return InputPage(
        id=page_id,
        html=html,
        url=record.rec_headers.get_header("WARC-Target-URI"),
        content_type=get_headers(record).get_header("Content-Type"),
        fetched_at=parse_time(record.rec_headers.get_header("WARC-Date")),
        error=_check_length(record, html) or _check_html(html),
    )


def _check_length(record: Any, html: bytes) -> PageError | None:
    """Refuse a page whose record is shorter than its declared length, which warcio ignores."""
    if len(html) > LARGEST_PAGE_BYTES:
        return None
    rest = record.raw_stream
    while rest.limit > 0 and rest.read(1 << 16):
        pass
    return PageError(PageReason.DAMAGED, "the WARC file ends within the page") if rest.limit > 0 else None


def parse_time(text: str | None) -> datetime | None:
    """Return the aware time that a WARC record states, or None."""
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


#: The body is decompressed when it is read.
_PACKED = frozenset({"content-encoding", "transfer-encoding", "content-length"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcPosition:
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


def find_warc_pages(path: Path, *, files: Collection[str] = ()) -> Iterator[tuple[str, WarcPosition]]:
    """Yield the URL and the place of each page of a WARC file.

    Args:
        path: of the WARC file.
        files: paths of URLs to include whatever their media type, such as /robots.txt.

    A record that cannot be read is left out with a warning.

    Raises:
        PageError: the file cannot be read, or nothing in it can.
    """

    def read(record: Any, offset: int) -> tuple[str, WarcPosition] | None:
        url = (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")
        is_wanted = url and (holds_page(record) or (_get_path(url) in files and _is_answer(record)))
        return (url, WarcPosition(path=path, offset=offset)) if is_wanted else None

    count, error = 0, None
    for found in _read_records(path, read):
        if isinstance(found, PageError):
            error = found
            logger.warning("%s: %s", path, found.detail)
        else:
            count += 1
            yield found
    if error is not None and not count:
        raise PageError(PageReason.DAMAGED, f"{path}: {error.detail}")


def _get_path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def _is_answer(record: Any) -> bool:
    """Return whether a record is a response with status 200."""
    return record.rec_type == "response" and record.http_headers is not None and record.http_headers.get_statuscode() == "200"


def read_warc_page(place: WarcPosition) -> ArchivedPage:
    """Read the page at a place.

    Raises:
        PageError: it is damaged.
    """
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    try:
        with place.path.open("rb") as stream:
            stream.seek(place.offset)
            records = ArchiveIterator(stream)
            records.reader.__class__ = _make_reader()
            record = next(iter(records))
            body = record.content_stream().read(LARGEST_PAGE_BYTES)
    except (OSError, EOFError, StopIteration, ArchiveLoadFailed, zlib.error, ValueError) as error:
        raise PageError(PageReason.DAMAGED, f"{place.path}: {str(error)[:100]}") from error
    headers = tuple((name, value) for name, value in get_headers(record).headers if name.lower() not in _PACKED)
    url = record.rec_headers.get_header("WARC-Target-URI").strip("<>")
    return ArchivedPage(url=url, headers=headers, body=body, fetched_at=parse_time(record.rec_headers.get_header("WARC-Date")))
