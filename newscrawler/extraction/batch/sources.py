"""Read the pages that a command names: HTML files, folders of them, and WARC files."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from newscrawler.errors import ConfigError, PageError, PageReason

#: A saved page larger than this is refused, as a fetched one is.
LARGEST_PAGE_BYTES = 50 * 1024 * 1024
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
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    try:
        with path.open("rb") as stream:
            records = ArchiveIterator(stream)
            for record in records:
                if not holds_page(record):
                    continue
                page_id = f"{path}#{records.offset}"  # get_record_offset would read the record to its end
                if page_id not in done:
                    yield _read_record(record, page_id)
    except (OSError, EOFError, ArchiveLoadFailed, zlib.error, ValueError) as error:
        detail = f"the WARC file cannot be read any further: {str(error)[:100]}"
        yield InputPage(id=str(path), html=b"", error=PageError(PageReason.DAMAGED, detail))


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
                if url and (holds_page(record) or (_get_path(url) in files and _is_answer(record))):
                    yield url, WarcPosition(path=path, offset=records.get_record_offset())
    except (OSError, EOFError, ArchiveLoadFailed, zlib.error, ValueError) as error:
        raise PageError(PageReason.DAMAGED, f"{path} cannot be read any further: {str(error)[:100]}") from error


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
            record = next(iter(ArchiveIterator(stream)))
            body = record.content_stream().read(LARGEST_PAGE_BYTES)
    except (OSError, EOFError, StopIteration, ArchiveLoadFailed, zlib.error, ValueError) as error:
        raise PageError(PageReason.DAMAGED, f"{place.path}: {str(error)[:100]}") from error
    headers = tuple((name, value) for name, value in get_headers(record).headers if name.lower() not in _PACKED)
    url = record.rec_headers.get_header("WARC-Target-URI").strip("<>")
    return ArchivedPage(url=url, headers=headers, body=body, fetched_at=parse_time(record.rec_headers.get_header("WARC-Date")))
