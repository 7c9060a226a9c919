"""Serves the portal on loopback: HTTP/1.1 with validators, HEAD and gzip, and a log of requests."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC
from email.utils import format_datetime, parsedate_to_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from newscrawler.demo.portal import DemoAnswer, DemoPortal


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessEntry:
    """One request."""

    #: Seconds, on the clock of time.monotonic(): for the gaps between requests.
    at_seconds: float
    method: str
    #: Path and query as requested.
    path: str
    status: int
    user_agent: str


class RunningPortal:
    """A portal that is being served."""

    def __init__(self, portal: DemoPortal, base_url: str) -> None:
        self.base_url = base_url
        self._lock = threading.Lock()
        self._log: list[AccessEntry] = []
        self._stored: dict[str, DemoAnswer] = {}
        self.show(portal)

    def show(self, portal: DemoPortal) -> None:
        """Replace the served portal, such as its layout or anchor, at the same address."""
        with self._lock:
            self.portal = replace(portal, base_url=self.base_url)
            self._stored = {}

    @property
    def log(self) -> tuple[AccessEntry, ...]:
        """Return all requests so far, in order of arrival."""
        with self._lock:
            return tuple(sorted(self._log, key=lambda access: access.at_seconds))

    def find(self, target: str) -> DemoAnswer:
        """Return the response to a target; existing pages are generated once."""
        with self._lock:
            portal, stored = self.portal, self._stored
        found = stored.get(target)
        if found is None:
            found = portal.answer(target)
            if len(stored) < 5_000:  # the calendar never ends
                stored[target] = found
        return found

    def note(self, access: AccessEntry) -> None:
        """Add a request to the log."""
        with self._lock:
            self._log.append(access)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "Meridian"
    sys_version = ""
    timeout = 30
    #: Sends head and content in one piece and at once; otherwise a kept-alive connection waits 40 ms per request.
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def do_GET(self) -> None:
        """Answer from the portal."""
        came = time.monotonic()
        running = self.server.running
        answer, modified_at = running.find(self.path), running.portal.anchor
        unchanged = answer.status == HTTPStatus.OK and self._is_unchanged(answer)
        status = HTTPStatus.NOT_MODIFIED if unchanged else HTTPStatus(answer.status)
        running.note(
            AccessEntry(
                at_seconds=came, method=self.command, path=self.path, status=status, user_agent=self.headers.get("User-Agent", "")
            )
        )
        content = answer.content
        squeeze = len(content) > 500 and "gzip" in self.headers.get("Accept-Encoding", "")
        if squeeze:
            content = gzip.compress(content, compresslevel=1, mtime=0)
        self.send_response(status)
        if answer.status == HTTPStatus.OK:
            self.send_header("ETag", answer.etag)
            self.send_header("Last-Modified", format_datetime(modified_at.astimezone(UTC), usegmt=True))
            self.send_header("Vary", "Accept-Encoding")
        if answer.location:
            self.send_header("Location", answer.location)
        if not unchanged:
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(content)))
            if squeeze:
                self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        if self.command != "HEAD" and not unchanged:
            self.wfile.write(content)

    do_HEAD = do_GET  # noqa: N815 - the name is the base class's

    def _is_unchanged(self, answer: DemoAnswer) -> bool:
        """Return whether to send 304 (RFC 9110, section 13.2.2): If-None-Match takes precedence over If-Modified-Since."""
        known = self.headers.get("If-None-Match")
        if known is not None:
            return known.strip() == "*" or answer.etag in [tag.strip().removeprefix("W/") for tag in known.split(",")]
        since = self.headers.get("If-Modified-Since")
        if since is None:
            return False
        try:
            return self.server.running.portal.anchor.timestamp() // 1 <= parsedate_to_datetime(since).timestamp()
        except ValueError:
            return False

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128
    running: RunningPortal

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect."""


@contextmanager
def serve(portal: DemoPortal, port: int = 0, host: str = "127.0.0.1") -> Iterator[RunningPortal]:
    """Serve a portal from a thread; port 0 takes a free one.

    Raises:
        OSError: the port is taken.
    """
    with _Server((host, port), _Handler) as server:
        server.running = RunningPortal(portal, f"http://{host}:{server.server_address[1]}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, name="demo portal", daemon=True)
        thread.start()
        try:
            yield server.running
        finally:
            server.shutdown()
            thread.join()
