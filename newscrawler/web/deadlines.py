"""HTTP/1.1 with deadlines: a client that sends its request or reads its answer too slowly is disconnected.

uvicorn waits for headers and for readers without limit, so 200 connections that send a byte now and then would block all others.
The time for a body is limited where it is read (`requests.forms`).
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

#: From the connection, or from the end of the previous answer, to the end of the headers.
HEADER_SECONDS = 20.0
#: How long a client may read nothing of an answer.
WRITE_SECONDS = 60.0
_ANSWER = b"408 The request took too long."


class DeadlineProtocol(H11Protocol):
    """One connection."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Set the timer; all arguments are passed to uvicorn's protocol."""
        super().__init__(*arguments, **options)
        self._header_deadline: asyncio.TimerHandle | None = None
        self._write_deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Start the timer for a request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Stop the timer once the headers are complete."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Start the timer for the next request."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Start the timer for a client that does not read."""
        super().pause_writing()
        if self._write_deadline is None:
            self._write_deadline = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timer, since the client reads again."""
        super().resume_writing()
        self._stop_write_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_header_timer()
        self._stop_write_timer()
        super().connection_lost(exc)

    def _watch(self) -> None:
        is_waiting = self.cycle is None or self.cycle.response_complete
        if not is_waiting or self.transport.is_closing():
            self._stop_header_timer()
        elif self._header_deadline is None:
            self._header_deadline = self.loop.call_later(HEADER_SECONDS, self._cut)

    def _cut(self) -> None:
        """Close the connection, after an answer that the request took too long where its state allows one."""
        self._header_deadline = None
        if self.transport.is_closing():
            return
        if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            headers = [
                ("content-type", "text/plain; charset=utf-8"),
                ("content-length", str(len(_ANSWER))),
                ("connection", "close"),
            ]
            for event in (h11.Response(status_code=408, headers=headers), h11.Data(data=_ANSWER), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _stop_header_timer(self) -> None:
        if self._header_deadline is not None:
            self._header_deadline.cancel()
            self._header_deadline = None

    def _stop_write_timer(self) -> None:
        if self._write_deadline is not None:
            self._write_deadline.cancel()
            self._write_deadline = None
