"""The Arrow schema of a Parquet file, which describes the columns: a message of Arrow IPC, as a FlatBuffer.

https://arrow.apache.org/docs/format/Columnar.html and https://flatbuffers.dev/internals/; Parquet has it in base64 as the value of
`ARROW:schema`.
"""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_VERSION_5, _IS_SCHEMA = 4, 1
#: Numbers of types in Arrow's union.
_INT, _FLOAT, _UTF8, _BOOL, _LIST = 2, 3, 5, 6, 12
_SLOT = 8


@dataclass(frozen=True, slots=True)
class _Scalar:
    """A number in the format of `struct`."""

    form: str
    value: int


@dataclass(frozen=True, slots=True)
class _Table:
    """Fields by number; absent ones are None."""

    fields: Sequence[_Scalar | _Table | list[_Table] | str | None] = ()


_ELEMENT = "element"
_TYPES: Mapping[str, tuple[int, _Table]] = {
    "integer": (_INT, _Table([_Scalar("<i", 64), _Scalar("<?", 1)])),
    "number": (_FLOAT, _Table([_Scalar("<h", 2)])),
    "boolean": (_BOOL, _Table()),
    "text": (_UTF8, _Table()),
    "texts": (_LIST, _Table()),
    "time": (_UTF8, _Table()),
    "day": (_UTF8, _Table()),
}


def arrow_schema(fields: Mapping[str, tuple[str, str]]) -> str:
    """Return the schema of columns, each with its type and its description, in base64."""
    columns = [_field(name, kind, description) for name, (kind, description) in fields.items()]
    schema = _Table([_Scalar("<h", 0), columns])
    message = _buffer(_Table([_Scalar("<h", _VERSION_5), _Scalar("<B", _IS_SCHEMA), schema, _Scalar("<q", 0)]))
    return b64encode(struct.pack("<Ii", 0xFFFFFFFF, len(message)) + message).decode()


def _field(name: str, kind: str, description: str | None = None) -> _Table:
    number, of_type = _TYPES[kind]
    children = [_field(_ELEMENT, "text")] if kind == "texts" else []
    notes = None if description is None else [_Table(["description", description])]
    return _Table([name, _Scalar("<?", 1), _Scalar("<B", number), of_type, None, children, notes])


def _buffer(root: _Table) -> bytes:
    """Return a FlatBuffer; every field of a table has eight bytes, so that each is aligned."""
    data = bytearray(4)

    def pad(size: int, rest: int = 0) -> None:
        data.extend(bytes((rest - len(data)) % size))

    def refer(place: int, node: _Table | list[_Table] | str) -> None:
        data[place : place + 4] = struct.pack("<I", write(node) - place)

    def write(node: _Table | list[_Table] | str) -> int:
        if isinstance(node, _Table):
            return write_table(node)
        pad(4)
        start = len(data)
        if isinstance(node, str):
            encoded = node.encode()
            data.extend(struct.pack("<I", len(encoded)) + encoded + b"\0")
        else:
            data.extend(struct.pack("<I", len(node)) + bytes(4 * len(node)))
            for number, each in enumerate(node):
                refer(start + 4 + 4 * number, each)
        return start

    def write_table(node: _Table) -> int:
        pad(2)
        layout, slots = len(data), [4 + _SLOT * number if field is not None else 0 for number, field in enumerate(node.fields)]
        data.extend(struct.pack(f"<HH{len(slots)}H", 4 + 2 * len(slots), 4 + _SLOT * len(slots), *slots))
        pad(_SLOT, 4)
        start = len(data)
        data.extend(struct.pack("<i", start - layout) + bytes(_SLOT * len(slots)))
        for slot, field in zip(slots, node.fields, strict=True):
            if isinstance(field, _Scalar):
                struct.pack_into(field.form, data, start + slot, field.value)
            elif field is not None:
                refer(start + slot, field)
        return start

    refer(0, root)
    pad(_SLOT)
    return bytes(data)
