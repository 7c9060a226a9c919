"""Headers of every response, and the hosts under which the application may be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Scripts and styles are files of ours; nothing is loaded from elsewhere, and nobody may put us into a frame.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: A kept page has an origin of its own, runs nothing, sends nothing and loads nothing.
KEPT_PAGE_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
#: The same, but a click may lead the window around it to a page of ours: its links are ours alone.
PICKED_PAGE_POLICY = KEPT_PAGE_POLICY.replace("sandbox;", "sandbox allow-top-navigation-by-user-activation;")
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Cache-Control": "no-store",
}


class SecurityHeaders:
    """Adds the headers that a response does not set itself; refuses hosts of others while nobody has to log in.

    A page of another site whose name resolves to this machine (DNS rebinding) asks under that name, and is refused.
    """

    def __init__(self, app: ASGIApp, *, hosts: Collection[str], is_open: Callable[[], bool]) -> None:
        """Take the application, the hosts, and what says whether nobody has to log in."""
        self._app = app
        self._hosts = hosts
        self._is_open = is_open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if "\0" in scope["path"] or b"%00" in scope["query_string"]:  # no text of a database holds one
            refusal = PlainTextResponse("400 The address holds a null character.", status_code=400)
            await refusal(scope, receive, send_with_headers)
            return
        if not await self._is_known(scope):
            refusal = PlainTextResponse("This name is not known here. Ask for 127.0.0.1 or localhost.", status_code=421)
            await refusal(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    async def _is_known(self, scope: Scope) -> bool:
        named = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(named) == 1 and _name_of(named[0]) in self._hosts:
            return True
        return len(named) == 1 and not await asyncio.to_thread(self._is_open)


def _name_of(host: str) -> str:
    """Return a Host header without its port."""
    return (host.rpartition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]).lower()
