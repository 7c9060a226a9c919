"""Values in the compact protocol of Apache Thrift, in which Parquet writes its metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum


class Kind(IntEnum):
    """The types that we write."""

    I32 = 5
    I64 = 6
    BINARY = 8
    LIST = 9
    STRUCT = 12


#: Longer lists give their length in a number of its own, and longer gaps between fields their number.
_MOST_SHORT = 15


def unsigned(number: int) -> bytes:
    """Return a number, 0 or greater, in groups of seven bits, the lowest first."""
    groups = bytearray()
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number)
    return bytes(groups)


def integer(number: int) -> bytes:
    """Return an integer of at most 64 bits."""
    return unsigned(number << 1 ^ number >> 63)


def binary(text: str | bytes) -> bytes:
    """Return a text, or bytes."""
    data = text.encode() if isinstance(text, str) else text
    return unsigned(len(data)) + data


def listed(kind: Kind, values: Sequence[bytes]) -> bytes:
    """Return a list of encoded values of one type."""
    number = len(values)
    head = bytes([number << 4 | kind]) if number < _MOST_SHORT else bytes([0xF0 | kind]) + unsigned(number)
    return head + b"".join(values)


def structure(fields: Mapping[int, tuple[Kind, bytes] | None]) -> bytes:
    """Return a structure of encoded fields by number, in ascending order; absent ones are None."""
    parts, before = [], 0
    for number, field in fields.items():
        if field is not None:
            kind, value = field
            assert number - before <= _MOST_SHORT
            parts.append(bytes([number - before << 4 | kind]) + value)
            before = number
    return b"".join(parts) + b"\0"
