"""Messages between a crawl and its browser's process: a head of JSON and a body of bytes, each with its length before it."""

from __future__ import annotations

import asyncio
import json
import struct
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

from newscrawler.limits import BROWSER_BODY_BYTES, BROWSER_HEAD_BYTES

_LENGTHS = struct.Struct(">II")


class BrowserMessage(NamedTuple):
    """One message; `head["type"]` is its type."""

    head: dict[str, Any]
    body: bytes = b""

    @property
    def type(self) -> str:
        """Return its type."""
        return str(self.head.get("type", ""))


def encode_message(head: dict[str, Any], body: bytes = b"") -> bytes:
    """Return a message as it is sent."""
    written = json.dumps(head).encode("ascii")
    return _LENGTHS.pack(len(written), len(body)) + written + body


async def read_message(reader: asyncio.StreamReader) -> BrowserMessage | None:
    """Return the next message; None: the other side has gone, or sends something else."""
    try:
        head_size, body_size = _LENGTHS.unpack(await reader.readexactly(_LENGTHS.size))
        if head_size > BROWSER_HEAD_BYTES or body_size > BROWSER_BODY_BYTES:
            return None
        head = json.loads(await reader.readexactly(head_size))
        body = await reader.readexactly(body_size)
    except (asyncio.IncompleteReadError, OSError, ValueError):
        return None
    return BrowserMessage(head, body) if isinstance(head, dict) else None


class CrawlConnection:
    """The other side of the socket, as a page's builder sees it."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[BrowserMessage]] = {}

    def send(self, head: dict[str, Any], body: bytes = b"") -> None:
        """Send a message that needs no answer."""
        self._writer.write(encode_message(head, body))

    async def ask(self, head: dict[str, Any], body: bytes = b"") -> BrowserMessage:
        """Send a message, and return its answer."""
        number = next(self._numbers)
        future: asyncio.Future[BrowserMessage] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        self.send(head | {"number": number}, body)
        return await future

    def answered(self, message: BrowserMessage) -> None:
        """Take in an answer."""
        future = self._waiting.pop(int(message.head["number"]), None)
        if future is not None and not future.done():
            future.set_result(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserOptions:
    """How the browser's process is started."""

    #: Path of Chromium.
    executable: str
    user_agent: str
    #: False: Chromium runs without its sandbox.
    sandbox: bool = True
    #: Of all processes of the browser together; beyond that they are killed.
    memory_megabytes: int = 1500
    #: For one page, the time in which its requests wait left out.
    deadline_seconds: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderJob:
    """A page to be built."""

    url: str
    #: As the server sent it.
    body: bytes = field(repr=False)
    content_type: str
    #: Words of buttons that the operator allows to be pressed, where a visitor is offered them in plain sight.
    consent: tuple[str, ...] = ()
    #: Words of buttons that offer more of a listing, in small letters; empty: the page is not a listing.
    more: tuple[str, ...] = ()
    #: Characters of the largest page that is taken.
    most_characters: int = 5 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Subrequest:
    """A request of a page that is being built."""

    url: str
    #: script, xhr, fetch or stylesheet.
    kind: str
    #: Sent by POST; None: the request is a GET.
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subanswer:
    """The answer to it."""

    status: int
    content_type: str
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A page as the browser has built it."""

    html: str = field(repr=False)
    #: Kinds and addresses that were refused without asking, each once; at most 50.
    refused: tuple[str, ...] = ()
    #: The button of consent that was pressed.
    consented: str | None = None


class BrowserError(Exception):
    """The page could not be built: its browser was killed or has failed."""


class PageTooCostlyError(BrowserError):
    """The page takes too long or too much memory, or is too large; another try would cost the same."""


class BrowserUnavailableError(Exception):
    """No browser can be used; the message gives the remedy."""
