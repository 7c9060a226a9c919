"""Removes kept pages: those beyond the limits, and the content of pages that must not be kept; reviewed pages stay."""

from __future__ import annotations

import os
import secrets
import struct
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from newscrawler.store.archive.object_folder import ObjectFolder, PagesFolder
from newscrawler.store.archive.page_records import PageLocation, StoredPage, WarcFile
from newscrawler.store.archive.pages import Pages
from newscrawler.store.archive.reader import copy_record, read_page
from newscrawler.store.archive.writer import OPEN, lock, whole_members

_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_MOST_STORED = 0xFFFF
#: A gzip member around one stored block, without content.
_LEAST = len(_HEAD) + 5 + 8


def erase(folder: PagesFolder, kept: PageLocation) -> bool:
    """Overwrite a record, or remove an object that contains no other. False: its file is gone already.

    Raises:
        OSError: the file cannot be written, or the object not be removed.
    """
    if isinstance(folder, ObjectFolder):
        return _erase_object(folder, kept)
    path = folder / kept.warc
    for place in (path, path.with_name(path.name + OPEN)):
        with suppress(FileNotFoundError), place.open("r+b") as file:
            file.seek(kept.offset)
            file.write(blank_member(kept.length, f"{kept.fetched_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"))
            return True
    return False


def remove_files(folder: PagesFolder, names: Iterable[str]) -> None:
    """Remove files with all their records; those that are gone already are passed over.

    Raises:
        OSError: a file cannot be removed.
    """
    if isinstance(folder, ObjectFolder):
        folder.remove(sorted(names))
        return
    for path in map(folder.joinpath, names):
        path.unlink(missing_ok=True)
        path.with_name(path.name + OPEN).unlink(missing_ok=True)


def _erase_object(folder: ObjectFolder, kept: PageLocation) -> bool:
    """Objects contain one page each, but for files that were copied from a local folder."""
    try:
        data = folder.read(kept.warc, 0, None)
    except FileNotFoundError:
        return False
    end = kept.offset + kept.length
    if end == len(data) and next(whole_members(BytesIO(data)), 0) == kept.offset:
        folder.remove([kept.warc])
        return True
    blank = blank_member(kept.length, f"{kept.fetched_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}")
    folder.write(kept.warc, data[: kept.offset] + blank + data[end:])
    return True


def blank_member(length: int, date: str) -> bytes:
    """A gzip member of exactly this many bytes: a WARC record that says nothing.

    Raises:
        ValueError: it is too short for one.
    """
    if length < _LEAST:
        raise ValueError(f"no gzip member has {length} bytes")
    sizes = []
    left = length - len(_HEAD) - 8
    while left:
        size = min(left - 5, _MOST_STORED)
        if 0 < left - 5 - size < 5:  # what is left has to contain the head of another block
            size -= 5
        left -= 5 + size
        sizes.append(size)
    data = _make_blank_record(sum(sizes), date)
    blocks, at = [], 0
    for number, size in enumerate(sizes, 1):
        blocks.append(struct.pack("<BHH", number == len(sizes), size, size ^ 0xFFFF) + data[at : at + size])
        at += size
    return _HEAD + b"".join(blocks) + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def _make_blank_record(size: int, date: str) -> bytes:
    """A record of this size without a word of the page; where there is no room for one, empty lines."""
    head = (
        f"WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:uuid:{uuid4()}>\r\nWARC-Date: {date}\r\n"
        "Content-Type: text/plain\r\nContent-Length: "
    ).encode()
    content = size - len(head) - 10 - len(b"\r\n\r\n" * 2)
    if content < 0:
        return b"\n" * size
    return head + f"{content:010}".encode() + b"\r\n\r\n" + b"\n" * content + b"\r\n\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveLimits:
    """What may stay, for one portal."""

    days: int
    megabytes: int

    def outlived(self, files: Sequence[WarcFile], sizes: dict[int, int], *, now: datetime) -> list[WarcFile]:
        """Choose the files of one portal (oldest first) that are to go, oldest first; `sizes`: in bytes, by the files' ids."""
        may_go = [file for file in files if not file.reviewed]
        oldest = now - timedelta(days=self.days)
        gone = [file for file in may_go if file.began_at < oldest]
        left = [file for file in may_go if file.began_at >= oldest]
        total = sum(sizes.get(file.id, 0) for file in left)
        while len(left) > 1 and total > self.megabytes * 2**20:  # the newest file stays, whatever its size
            total -= sizes.get(left[0].id, 0)
            gone.append(left.pop(0))
        return gone


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanedUp:
    """What was dropped."""

    files: int
    pages: int
    bytes: int


def clean_up(pages: Pages, folder: PagesFolder, portal: str, retention: ArchiveLimits, *, now: datetime) -> CleanedUp:
    """Drop a portal's pages that have outlived their time, from the database first, so that nothing points into nowhere.

    Raises:
        OSError: an object store fails.
    """
    if isinstance(folder, ObjectFolder):
        return _clean_up_objects(pages, folder, portal, retention, now=now)
    known = pages.files(portal)
    sizes = {file.id: _sum_sizes(folder / file.path) for file in known}
    gone = retention.outlived([file for file in known if not _is_open(folder / file.path)], sizes, now=now)
    forgotten = pages.forget([file.id for file in gone])
    scrub(pages, folder, portal)
    strangers = _find_unknown(folder, portal, {file.path for file in known}, now - timedelta(days=retention.days))
    freed = sum(sizes[file.id] for file in gone) + sum(_sum_sizes(path) for path in strangers)
    for path in [*(folder / file.path for file in gone), *strangers]:
        with suppress(OSError):
            path.unlink()
    return CleanedUp(files=len(gone) + len(strangers), pages=forgotten, bytes=freed)


def scrub(pages: Pages, folder: PagesFolder, portal: str) -> int:
    """Write files anew that contain records which the database does not know; answers how many files that were.

    A file that is being written is left for another time. Whatever happens on the way, a known record is in a file that is there.

    Raises:
        OSError: an object store fails.
    """
    if isinstance(folder, ObjectFolder):
        return len(_forget_empty(pages, folder, pages.files(portal)))
    count = 0
    for file in pages.files(portal):
        path = folder / file.path
        if _is_open(path) or not path.exists():
            continue
        if not file.pages:
            pages.forget([file.id])
            path.unlink()
            count += 1
            continue
        with path.open("rb") as old:
            about = next(whole_members(old), 0) if file.first else 0
            whole = file.first == about and file.end - file.first == file.bytes and file.end == _sum_sizes(path)
            if whole or not lock(old):
                continue
            fresh = path.with_name(f"{path.name.rpartition('-')[0]}-{secrets.token_hex(4)}.warc.gz")
            places = _copy_members(old, fresh, about, pages.records(file.id))
        pages.rewritten(file.id, str(fresh.relative_to(folder)), places)
        path.unlink(missing_ok=True)
        count += 1
    return count


def _clean_up_objects(pages: Pages, folder: ObjectFolder, portal: str, retention: ArchiveLimits, *, now: datetime) -> CleanedUp:
    known = pages.files(portal)
    oldest = now - timedelta(days=retention.days)
    strangers = {path for path, written_at in folder.files(portal) if written_at < oldest} - {file.path for file in known}
    empty = _forget_empty(pages, folder, known)
    left = [file for file in known if file not in empty]
    gone = retention.outlived(left, {file.id: file.bytes for file in left}, now=now)
    forgotten = pages.forget([file.id for file in gone])
    folder.remove([*(file.path for file in gone), *sorted(strangers)])
    return CleanedUp(files=len(empty) + len(gone) + len(strangers), pages=forgotten, bytes=sum(file.bytes for file in gone))


def _forget_empty(pages: Pages, folder: ObjectFolder, known: Sequence[WarcFile]) -> list[WarcFile]:
    """Remove files whose pages the database does not know any more: their articles were removed."""
    empty = [file for file in known if not file.pages]
    folder.remove([file.path for file in empty])
    pages.forget([file.id for file in empty])
    return empty


def _copy_members(old: BinaryIO, fresh: Path, about: int, records: Sequence[tuple[int, int, int]]) -> dict[int, int]:
    """Copy what describes the file, and the records that are known; answers where they are then."""
    places = {}
    with fresh.open("xb") as new:
        old.seek(0)
        new.write(old.read(about))
        for page, offset, length in records:
            places[page] = new.tell()
            old.seek(offset)
            new.write(old.read(length))
        new.flush()
        os.fsync(new.fileno())
    return places


def _find_unknown(folder: Path, portal: str, known: set[str], oldest: datetime) -> list[Path]:
    found = []
    for path in (folder / portal).glob("*.warc.gz"):
        with suppress(OSError):
            if str(path.relative_to(folder)) not in known and path.stat().st_mtime < oldest.timestamp():
                found.append(path)
    return found


def _is_open(path: Path) -> bool:
    return path.with_name(path.name + OPEN).exists()


def _sum_sizes(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


def keep_for_good(pages: Pages, folder: PagesFolder, page: StoredPage) -> None:
    """Move a page into its portal's file of reviewed pages.

    Raises:
        PageError: the page is gone or damaged.
        OSError: the file cannot be written.
    """
    if isinstance(folder, ObjectFolder):  # its file contains no other page, and retention drops no file with a reviewed page
        read_page(folder, page.kept)
        return
    target = Path(page.portal) / f"{page.portal}-reviewed.warc.gz"
    if page.kept.warc == str(target):
        return
    offset, length = copy_record(folder, page.kept, target)
    pages.move(page.id, warc=str(target), offset=offset, length=length)
