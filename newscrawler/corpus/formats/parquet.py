"""Parquet, with a description of each column in its Arrow schema.

Written here and not by pyarrow, which takes 75 MB of memory for it: https://parquet.apache.org/docs/file-format/. Each column of a
row group is one page of plain values, compressed by gzip.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, BinaryIO

from newscrawler import __version__
from newscrawler.corpus.formats.arrow_schema import arrow_schema
from newscrawler.corpus.formats.fields import FIELDS
from newscrawler.corpus.formats.json_record import as_record
from newscrawler.corpus.formats.options import Options, Written
from newscrawler.corpus.formats.thrift import Kind, binary, integer, listed, structure, unsigned
from newscrawler.store.records import StoredArticle

_MAGIC = b"PAR1"
#: Articles of a row group, and bytes of their values after which it ends earlier.
_MOST_ROWS, _MOST_BYTES = 1_000, 8_000_000
_BOOLEAN, _INT64, _DOUBLE, _BYTE_ARRAY = 0, 2, 5, 6
_TYPES: Mapping[str, int] = {
    "integer": _INT64, "number": _DOUBLE, "boolean": _BOOLEAN, "text": _BYTE_ARRAY, "texts": _BYTE_ARRAY, "time": _BYTE_ARRAY,
    "day": _BYTE_ARRAY,
}  # fmt: skip
_OPTIONAL, _REPEATED = 1, 2
_IS_UTF8, _IS_LIST = 0, 3
_PLAIN, _RLE, _GZIP = 0, 3, 2
#: Definition levels of lists: the list is there and empty, or the text is there.
_EMPTY, _THERE = 1, 3
#: A header of gzip, and a level three times as fast as the default, at a tenth more bytes.
_GZIP_BITS, _GZIP_LEVEL = 31, 3


def write_parquet(articles: Iterable[StoredArticle], stream: BinaryIO, _options: Options) -> Written:
    """Write row groups of at most 1,000 articles."""
    stream.write(_MAGIC)
    place, count, groups = len(_MAGIC), 0, []
    columns = [_Column(name, kind) for name, (kind, _) in FIELDS.items()]
    rows = size = 0
    for stored in articles:
        record = as_record(stored)
        size += sum(column.add(record[column.name]) for column in columns)
        rows += 1
        if rows == _MOST_ROWS or size > _MOST_BYTES:
            place, group = _write_group(columns, rows, stream, place)
            groups.append(group)
            count, rows, size = count + rows, 0, 0
    if rows:
        _, group = _write_group(columns, rows, stream, place)
        groups.append(group)
    footer = _footer(groups, count + rows)
    stream.write(footer + struct.pack("<I", len(footer)) + _MAGIC)
    return Written(articles=count + rows)


class _Column:
    """The values of a column in a row group."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.type = _TYPES[kind]
        self.path = [name, "list", "element"] if kind == "texts" else [name]
        self._levels, self._repetitions = bytearray(), bytearray()
        self._values = bytearray()

    def add(self, value: Any) -> int:
        """Append the value of an article; return how many bytes it takes."""
        if isinstance(value, list):
            return self._add_list(value)
        self._levels.append(value is not None)
        return 0 if value is None else self._append(value)

    def _add_list(self, values: list[str]) -> int:
        self._levels.extend([_THERE] * len(values) or [_EMPTY])
        self._repetitions.extend([0, *[1] * (len(values) - 1)])
        return sum(map(self._append, values))

    def _append(self, value: Any) -> int:
        if self.type == _BYTE_ARRAY:
            encoded = value.encode("utf-8", "replace")  # a lone surrogate has no place in UTF-8
            self._values += len(encoded).to_bytes(4, "little")
            self._values += encoded
            return 4 + len(encoded)
        self._values += bytes([value]) if self.type == _BOOLEAN else struct.pack("<q" if self.type == _INT64 else "<d", value)
        return 8

    def write(self, stream: BinaryIO, place: int) -> tuple[int, bytes]:
        """Write the values as one page and forget them; return the bytes written and the metadata."""
        number = len(self._levels)
        is_list = len(self.path) > 1
        page = (_runs(self._repetitions) if is_list else b"") + _runs(self._levels)
        page += _bits(self._values) if self.type == _BOOLEAN else self._values
        packer = zlib.compressobj(_GZIP_LEVEL, wbits=_GZIP_BITS)
        packed = packer.compress(page) + packer.flush()
        head = _page_header(number, len(page), len(packed))
        stream.write(head)
        stream.write(packed)
        for each in (self._levels, self._repetitions, self._values):
            each.clear()
        metadata = structure({
            1: (Kind.I32, integer(self.type)),
            2: (Kind.LIST, listed(Kind.I32, [integer(_PLAIN), integer(_RLE)])),
            3: (Kind.LIST, listed(Kind.BINARY, list(map(binary, self.path)))),
            4: (Kind.I32, integer(_GZIP)),
            5: (Kind.I64, integer(number)),
            6: (Kind.I64, integer(len(head) + len(page))),
            7: (Kind.I64, integer(len(head) + len(packed))),
            9: (Kind.I64, integer(place)),
        })  # fmt: skip
        return len(head) + len(packed), structure({2: (Kind.I64, integer(place)), 3: (Kind.STRUCT, metadata)})


def _runs(levels: bytearray) -> bytes:
    """Return levels as runs of equal ones, after the number of bytes."""
    runs = b"".join(unsigned(sum(1 for _ in group) << 1) + bytes([level]) for level, group in groupby(levels))
    return struct.pack("<I", len(runs)) + runs


def _bits(flags: bytearray) -> bytes:
    """Return a bit for each flag, the first in the lowest place."""
    bits = sum(1 << place for place, flag in enumerate(flags) if flag)
    return bits.to_bytes((len(flags) + 7) // 8, "little")


def _page_header(number: int, size: int, packed: int) -> bytes:
    encodings = {2: (Kind.I32, integer(_PLAIN)), 3: (Kind.I32, integer(_RLE)), 4: (Kind.I32, integer(_RLE))}
    data = structure({1: (Kind.I32, integer(number)), **encodings})
    sizes = {2: (Kind.I32, integer(size)), 3: (Kind.I32, integer(packed))}
    return structure({1: (Kind.I32, integer(0)), **sizes, 5: (Kind.STRUCT, data)})


def _write_group(columns: list[_Column], rows: int, stream: BinaryIO, place: int) -> tuple[int, bytes]:
    """Write a row group; return where the next one begins, and the metadata."""
    start, chunks = place, []
    for column in columns:
        written, chunk = column.write(stream, place)
        place += written
        chunks.append(chunk)
    fields = {1: (Kind.LIST, listed(Kind.STRUCT, chunks)), 2: (Kind.I64, integer(place - start)), 3: (Kind.I64, integer(rows))}
    return place, structure(fields)


def _footer(groups: list[bytes], rows: int) -> bytes:
    schema = [structure({4: (Kind.BINARY, binary("schema")), 5: (Kind.I32, integer(len(FIELDS)))})]
    for name, (kind, _) in FIELDS.items():
        schema += _list_elements(name) if kind == "texts" else [_element(name, _TYPES[kind])]
    described = structure({1: (Kind.BINARY, binary("ARROW:schema")), 2: (Kind.BINARY, binary(arrow_schema(FIELDS)))})
    return structure({
        1: (Kind.I32, integer(2)),
        2: (Kind.LIST, listed(Kind.STRUCT, schema)),
        3: (Kind.I64, integer(rows)),
        4: (Kind.LIST, listed(Kind.STRUCT, groups)),
        5: (Kind.LIST, listed(Kind.STRUCT, [described])),
        6: (Kind.BINARY, binary(f"newscrawler version {__version__}")),
    })  # fmt: skip


def _element(name: str, of_type: int) -> bytes:
    is_text = (Kind.I32, integer(_IS_UTF8)) if of_type == _BYTE_ARRAY else None
    return structure({
        1: (Kind.I32, integer(of_type)), 3: (Kind.I32, integer(_OPTIONAL)), 4: (Kind.BINARY, binary(name)), 6: is_text,
    })  # fmt: skip


def _list_elements(name: str) -> list[bytes]:
    """Return the three levels of a list of texts."""
    one = (Kind.I32, integer(1))
    return [
        structure({3: (Kind.I32, integer(_OPTIONAL)), 4: (Kind.BINARY, binary(name)), 5: one, 6: (Kind.I32, integer(_IS_LIST))}),
        structure({3: (Kind.I32, integer(_REPEATED)), 4: (Kind.BINARY, binary("list")), 5: one}),
        _element("element", _BYTE_ARRAY),
    ]
