"""A mail server on loopback that keeps what it is sent."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope


class Mailbox:
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.mails: list[Envelope] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:  # noqa: N802  aiosmtpd calls it so
        self.mails.append(envelope)
        return "250 taken"


@contextlib.contextmanager
def mail_server() -> Iterator[tuple[Mailbox, int]]:
    """Yield a mailbox and its port; who logs in is `user` with the password `secret`."""
    box = Mailbox()

    def login(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        return AuthResult(success=(data.login, data.password) == (b"user", b"secret"), handled=False)

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=port, authenticator=login, auth_require_tls=False, ready_timeout=60)
    controller.start()
    try:
        yield box, port
    finally:
        controller.stop()
