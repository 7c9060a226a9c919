"""A document in pieces: unpacked, decoded and cleared of what breaks XML, within bounds, however large it is.

What is broken gives what could be read before the break.
"""

from __future__ import annotations

import codecs
import html
import re
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypedDict

from newscrawler.page.decode import encoding_of

#: Unpacked; a sitemap may have 50 MB by its protocol.
MOST_BYTES = 52_428_800
_PIECE_BYTES, _STEP_BYTES = 65_536, 1_024
#: A gzip file may consist of several, but not of thousands of empty ones.
_MOST_MEMBERS = 1_000
_HELD_BACK = 40
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
_XML_NAMES = frozenset({"amp", "lt", "gt", "quot", "apos"})
_BARE = re.compile(r"&(?!#?\w{1,32};)")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


class _Options(TypedDict):
    recover: bool
    resolve_entities: bool
    no_network: bool
    load_dtd: bool
    remove_comments: bool
    remove_pis: bool


#: How lxml reads XML of strangers: what is broken as far as it goes, nothing from elsewhere, no entities.
HARMLESS: _Options = {
    "recover": True,
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "remove_comments": True,
    "remove_pis": True,
}


class Pieces:
    """The bytes of a document, unpacked (gzip, twice at most) and cut off where there are too many.

    Attributes:
        cut: there were more.
    """

    def __init__(self, data: bytes, most_bytes: int | None = None) -> None:
        self._data = data
        self._most = MOST_BYTES if most_bytes is None else most_bytes
        self.cut = False

    def __iter__(self) -> Iterator[bytes]:
        pieces: Iterable[bytes] = (self._data[at : at + _PIECE_BYTES] for at in range(0, len(self._data), _PIECE_BYTES))
        for _ in range(2):
            pieces = self._bounded(_unpacked(pieces))
        yield from self._bounded(pieces)

    def _bounded(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        left = self._most
        for piece in pieces:
            if len(piece) > left:
                self.cut = True
                yield piece[:left]
                return
            left -= len(piece)
            yield piece


def _unpacked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack what is packed, and leave the rest as it is."""
    source = iter(pieces)
    first = next(source, b"")
    if first[:2] != b"\x1f\x8b":
        yield first
        yield from source
        return
    # In small steps: of the step in which something is broken nothing comes out.
    source = (piece[at : at + _STEP_BYTES] for piece in chain([first], source) for at in range(0, len(piece), _STEP_BYTES))
    stream, members = zlib.decompressobj(wbits=31), 1
    waiting = next(source)
    while waiting:
        try:
            yield stream.decompress(waiting, _PIECE_BYTES)
        except zlib.error:
            return
        waiting = stream.unconsumed_tail
        if stream.eof:
            waiting = stream.unused_data
            while len(waiting) < 2 and (more := next(source, None)) is not None:
                waiting += more
            if waiting[:2] != b"\x1f\x8b" or members >= _MOST_MEMBERS:
                return
            stream, members = zlib.decompressobj(wbits=31), members + 1
        waiting = waiting or next(source, b"")


def text_pieces(pieces: Iterable[bytes], content_type: str | None) -> Iterator[str]:
    """Decode a document: BOM, HTTP header, XML declaration, UTF-8; without its BOM and the blanks before its first letter."""
    source = iter(pieces)
    head = b""
    while len(head) < _PIECE_BYTES and (piece := next(source, None)) is not None:
        head += piece
    declaration = head if len(head) < _PIECE_BYTES else head[: head.rfind(b">") + 1] or head  # it may end within a letter
    decoder = codecs.getincrementaldecoder(encoding_of(declaration, content_type))("replace")
    text = decoder.decode(head).lstrip("\ufeff \t\r\n")
    yield text.replace("\x00", "")
    for piece in source:
        yield decoder.decode(piece).replace("\x00", "")
    yield decoder.decode(b"", final=True)


def cleared(pieces: Iterable[str]) -> Iterator[str]:
    """Decode HTML entities, keep other ampersands, and remove control characters."""
    held = ""
    for piece in pieces:
        text = held + piece
        at = text.rfind("&", max(0, len(text) - _HELD_BACK))
        held = text[at:] if at >= 0 else ""
        yield _cleared(text[:at] if at >= 0 else text)
    yield _cleared(held)


def _cleared(text: str) -> str:
    return _BARE.sub("&amp;", _NAMED.sub(_named, _CONTROL.sub("", text)))


def _named(match: re.Match[str]) -> str:
    name = match.group(1)
    return match.group() if name in _XML_NAMES else html.unescape(match.group())
