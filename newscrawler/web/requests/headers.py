"""Security headers of every response, and the host names that are served."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Scripts and styles are our own files. Nothing is loaded from elsewhere, and no other site may frame the application.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: A kept page has an opaque origin, runs nothing, sends nothing and loads nothing.
KEPT_PAGE_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
#: The same, but a click may open one of our pages in the window around it, since all its links are ours.
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
    """Adds security headers that a response lacks, and refuses unknown host names while no login is required.

    This refuses DNS rebinding: a page of another site whose name resolves to this machine sends that name as its host.
    """

    def __init__(self, app: ASGIApp, *, hosts: Collection[str], is_open: Callable[[], bool]) -> None:
        """Store the application, the host names, and the function that returns whether no login is required."""
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

        if not await self._is_known(scope):
            refusal = PlainTextResponse(
                "This host name is not served. Use 127.0.0.1 or localhost, or set public_url under [web].", status_code=421
            )
            await refusal(scope, receive, send_with_headers)
            return
        if scope["method"] == "HEAD":  # the server leaves out the body
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send_with_headers)

    async def _is_known(self, scope: Scope) -> bool:
        named = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(named) == 1 and _get_host_name(named[0]) in self._hosts:
            return True
        return len(named) == 1 and not await asyncio.to_thread(self._is_open)


def _get_host_name(host: str) -> str:
    """Return a Host header without its port."""
    return (host.rpartition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]).lower()
