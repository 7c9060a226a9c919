"""Takes a single page out of its WARC file: its place is filled with empty lines, so that every other record stays where it is."""

from __future__ import annotations

import struct
import zlib
from contextlib import suppress
from pathlib import Path

from newscrawler.pages.writer import OPEN
from newscrawler.store.pages import KeptPage

_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_MOST_STORED = 0xFFFF
#: A gzip member around one stored block, without content.
_LEAST = len(_HEAD) + 5 + 8


def erase(folder: Path, kept: KeptPage) -> bool:
    """Overwrite a record; what reads the file passes over the empty lines. False: its file is gone already.

    Raises:
        OSError: the file cannot be written.
    """
    path = folder / kept.warc
    for place in (path, path.with_name(path.name + OPEN)):
        with suppress(FileNotFoundError), place.open("r+b") as file:
            file.seek(kept.offset)
            file.write(blank_member(kept.length))
            return True
    return False


def blank_member(length: int) -> bytes:
    """A gzip member of exactly this many bytes that holds nothing but line breaks.

    Raises:
        ValueError: it is too short for one.
    """
    if length < _LEAST:
        raise ValueError(f"no gzip member has {length} bytes")
    left = length - len(_HEAD) - 8
    blocks, lines = [], 0
    while left:
        size = min(left - 5, _MOST_STORED)
        if 0 < left - 5 - size < 5:  # what is left has to hold the head of another block
            size -= 5
        left -= 5 + size
        blocks.append(struct.pack("<BHH", left == 0, size, size ^ 0xFFFF) + b"\n" * size)
        lines += size
    checksum = zlib.crc32(b"\n" * lines)
    return _HEAD + b"".join(blocks) + struct.pack("<II", checksum, lines & 0xFFFFFFFF)
