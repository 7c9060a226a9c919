"""Messages between a crawl and its browser's process: a head of JSON and a body of bytes, each with its length before it."""

from __future__ import annotations

import asyncio
import json
import struct
from typing import Any, NamedTuple

_LENGTHS = struct.Struct(">II")
#: Neither a page nor what it asks for is larger; what claims to be ends the process.
MOST_HEAD_BYTES, MOST_BODY_BYTES = 4 * 2**20, 64 * 2**20


class Message(NamedTuple):
    """One message; `head["type"]` says what it is."""

    head: dict[str, Any]
    body: bytes = b""

    @property
    def type(self) -> str:
        """Return what the message is."""
        return str(self.head.get("type", ""))


def encoded(head: dict[str, Any], body: bytes = b"") -> bytes:
    """Return a message as it is sent."""
    written = json.dumps(head).encode("ascii")
    return _LENGTHS.pack(len(written), len(body)) + written + body


async def read_message(reader: asyncio.StreamReader) -> Message | None:
    """Return the next message; None: the other side has gone, or sends what is no message."""
    try:
        head_size, body_size = _LENGTHS.unpack(await reader.readexactly(_LENGTHS.size))
        if head_size > MOST_HEAD_BYTES or body_size > MOST_BODY_BYTES:
            return None
        head = json.loads(await reader.readexactly(head_size))
        body = await reader.readexactly(body_size)
    except (asyncio.IncompleteReadError, OSError, ValueError):
        return None
    return Message(head, body) if isinstance(head, dict) else None
