"""Takes a single page out of its WARC file: a record without content takes its place, so that every other one stays where it is."""

from __future__ import annotations

import struct
import zlib
from contextlib import suppress
from datetime import UTC
from io import BytesIO
from uuid import uuid4

from newscrawler.store.archive.folder import PagesFolder
from newscrawler.store.archive.object_folder import ObjectFolder
from newscrawler.store.archive.page_records import PageLocation
from newscrawler.store.archive.writer import OPEN, whole_members

_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_MOST_STORED = 0xFFFF
#: A gzip member around one stored block, without content.
_LEAST = len(_HEAD) + 5 + 8


def erase(folder: PagesFolder, kept: PageLocation) -> bool:
    """Overwrite a record, or remove an object that holds no other. False: its file is gone already.

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


def _erase_object(folder: ObjectFolder, kept: PageLocation) -> bool:
    """Objects hold one page each, but for files that were copied from a local folder."""
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
        if 0 < left - 5 - size < 5:  # what is left has to hold the head of another block
            size -= 5
        left -= 5 + size
        sizes.append(size)
    data = _blank_record(sum(sizes), date)
    blocks, at = [], 0
    for number, size in enumerate(sizes, 1):
        blocks.append(struct.pack("<BHH", number == len(sizes), size, size ^ 0xFFFF) + data[at : at + size])
        at += size
    return _HEAD + b"".join(blocks) + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def _blank_record(size: int, date: str) -> bytes:
    """A record of this size without a word of the page; where there is no room for one, empty lines."""
    head = (
        f"WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:uuid:{uuid4()}>\r\nWARC-Date: {date}\r\n"
        "Content-Type: text/plain\r\nContent-Length: "
    ).encode()
    content = size - len(head) - 10 - len(b"\r\n\r\n" * 2)
    if content < 0:
        return b"\n" * size
    return head + f"{content:010}".encode() + b"\r\n\r\n" + b"\n" * content + b"\r\n\r\n"
