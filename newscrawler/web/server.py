"""The server of the application, alone or in a thread of the service."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from newscrawler.config import Configuration
from newscrawler.errors import ConfigError
from newscrawler.limits import HEADERS_SECONDS as HEADER_SECONDS
from newscrawler.limits import REQUEST_HEADER_BYTES, REQUESTS_AT_ONCE, WAITING_CONNECTIONS, WRITE_SECONDS
from newscrawler.politeness import is_this_machine
from newscrawler.service import RequestedJobs
from newscrawler.store import Store, open_store
from newscrawler.web.application import create_app
from newscrawler.web.requests.context import WebContext, is_public


class DeadlineProtocol(H11Protocol):
    """A connection with the deadlines that a proxy sets and uvicorn does not, for installations without a proxy.

    Connections without a complete request are counted by address, the others together: those who open many and ask nothing
    shut out nobody else.
    """

    _stall: asyncio.TimerHandle | None = None
    is_proxy: Callable[[str], bool] = staticmethod(lambda _: False)
    #: Connections of each address that wait for a request, the oldest first.
    _waiting: ClassVar[defaultdict[str, dict[DeadlineProtocol, None]]] = defaultdict(dict)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Wait for a request."""
        super().connection_made(transport)
        self._wait_for_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Read what came; refuse a request where as many as allowed are being answered, whatever other connections are open."""
        before = self.cycle
        self.limit_concurrency = 0 if len(self.tasks) >= REQUESTS_AT_ONCE else None
        super().handle_events()
        if self.cycle is not before:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._wait_for_headers()

    def pause_writing(self) -> None:
        """Wait for a client that does not read."""
        super().pause_writing()
        self._stall = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on, since the client reads again."""
        super().resume_writing()
        if self._stall is not None:
            self._stall.cancel()

    def _wait_for_headers(self) -> None:
        address = self.client[0] if self.client else ""
        waiting = self._waiting[address]
        waiting[self] = None
        if len(waiting) > WAITING_CONNECTIONS and not self.is_proxy(address):  # a proxy keeps many open
            oldest = next(iter(waiting))
            del waiting[oldest]
            oldest.transport.abort()
        self.loop.call_later(HEADER_SECONDS, self._close_without_request, self.cycle)

    def _close_without_request(self, previous: RequestResponseCycle | None) -> None:
        """Close the connection if no request has followed the previous one."""
        if self.cycle is previous and (previous is None or previous.response_complete):
            self.transport.close()

    def _stop_waiting(self) -> None:
        address = self.client[0] if self.client else ""
        self._waiting[address].pop(self, None)
        if not self._waiting[address]:
            del self._waiting[address]


_KEEP_ALIVE_SECONDS = 15
_LONGEST_START_SECONDS = 20.0


class WebServer:
    """The application with its own connection to the database."""

    def __init__(
        self, configuration: Configuration, host: str, port: int, *, user_header: str | None = None, proxies: Sequence[str] = (),
        listener: socket.socket | None = None,
    ) -> None:  # fmt: skip
        """Open the database.

        Args:
            configuration: names the database.
            host: the address to listen on.
            port: its port.
            user_header: the header in which a proxy names the user; None: there is no proxy.
            proxies: the networks of proxies; empty: as the configuration says.
            listener: the socket of the address, if it is bound already.

        Raises:
            ConfigError: the port is in use, or other machines have access and no login is possible.
            StoreError: the database cannot be opened.
        """
        self._host, self._port = host, port
        self._socket = listener or bind_address(host, port)
        try:
            self._store = open_store(configuration.database_url, migrate=False)
            if (not is_this_machine(host) or is_public(configuration)) and user_header is None:
                _require_account(self._store, configuration.web.public_url or host)
            context = WebContext.of(
                self._store, configuration, needs_login=not is_this_machine(host), user_header=user_header,
                proxies=proxies,
            )  # fmt: skip
            self._context = context
            self._server = uvicorn.Server(_configure_uvicorn(context, host, port))
        except BaseException:
            self.close()
            raise

    @property
    def url(self) -> str:
        """Return the address of the overview, for others if it is declared."""
        if self._context.public_url:
            return f"{self._context.public_url}/"
        return f"http://[{self._host}]:{self._port}/" if ":" in self._host else f"http://{self._host}:{self._port}/"

    def run(self) -> None:
        """Serve until a signal ends it, and carry out requested jobs while no service runs."""
        self._prepare()
        try:
            self._context.runs_jobs.set()
            with RequestedJobs(self._store, self._context.file.read).running():
                self._server.run(sockets=[self._socket])
        finally:
            self.close()

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Serve in a thread inside a `with` block.

        Raises:
            ConfigError: the port cannot be opened.
        """
        self._prepare()
        thread = threading.Thread(target=self._run_quietly, name="web", daemon=True)
        thread.start()
        ends_at = time.monotonic() + _LONGEST_START_SECONDS
        while thread.is_alive() and not self._server.started and time.monotonic() < ends_at:
            time.sleep(0.05)
        if not self._server.started:
            self._server.should_exit = True
            raise ConfigError(f"{self.url} cannot be served")
        try:
            yield
        finally:
            self._server.should_exit = True
            thread.join(timeout=5)
            self.close()

    def close(self) -> None:
        """Close the socket and the database of a server that does not run."""
        self._socket.close()
        if hasattr(self, "_store"):
            self._store.close()

    def _prepare(self) -> None:
        """Compute the health of all portals in the background, so that the first page does not wait for it."""
        threading.Thread(target=self._context.overviews.assess_all, name="web-overview", daemon=True).start()

    def _run_quietly(self) -> None:
        with contextlib.suppress(SystemExit):
            self._server.run(sockets=[self._socket])


def bind_address(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address.

    Raises:
        ConfigError: the port is in use, or the address is not of this machine.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ConfigError(
                f"port {port} of {host} is in use by another program, perhaps another newscrawler web. End it, or choose another "
                f"port: newscrawler web --address {host}:{port + 1}"
            ) from error
        raise ConfigError(f"{host}:{port} cannot be served: {error.strerror or error}") from error


def _require_account(store: Store, host: str) -> None:
    if not store.accounts.count():
        raise ConfigError(
            f"{host} can be reached from other machines, and there is no account yet. Add one with `newscrawler web account add "
            "NAME --role operator`, name the header of a proxy with --behind-proxy, or serve 127.0.0.1"
        )


def _configure_uvicorn(context: WebContext, host: str, port: int) -> uvicorn.Config:
    return uvicorn.Config(
        create_app(context),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=REQUEST_HEADER_BYTES,
        lifespan="off",
        http=type("Protocol", (DeadlineProtocol,), {"is_proxy": staticmethod(context.is_proxy)}),
        ws="none",
    )
