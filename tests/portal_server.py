"""A small portal on loopback whose pages, faults and pace a test decides; it notes everything that it is asked."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

SENTENCE = "Rada města ve středu rozhodla, že se most přes řeku {n} opraví ještě letos, a uvolnila na to {n} milionů korun. "


def story(number: int, *, links: str = "") -> str:
    """An article page."""
    paragraphs = "".join(f"<p>{number}-{part}. {(SENTENCE * 3).format(n=number)}</p>" for part in range(4))
    return (
        f"<html lang=cs><head><meta charset=utf-8><title>Most číslo {number} se letos dočká opravy | Deník</title>"
        f'<meta property="article:published_time" content="2026-11-{number % 19 + 1:02}T08:00:00+01:00"></head>'
        f"<body><nav><a href=/>Domů</a></nav><article><h1>Most číslo {number} se letos dočká opravy</h1>"
        f"{paragraphs}</article>{links}</body></html>"
    )


def listing(*links: str, title: str = "Deník") -> str:
    """A page of links."""
    rows = "".join(f"<li><a href='{link}'>Most číslo {link} se letos dočká opravy</a></li>" for link in links)
    return (
        f"<html lang=cs><head><meta charset=utf-8><title>{title}</title></head><body><h1>{title}</h1><ul>{rows}</ul></body></html>"
    )


def address(number: int) -> str:
    """Where the article of this number stands."""
    return f"/zpravy/most-cislo-{number}-se-letos-docka-opravy-{1000 + number}.html"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request."""

    at: float
    path: str
    agent: str
    status: int


@dataclass(slots=True)
class Answer:
    """What a path answers."""

    body: str | bytes = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "text/html; charset=utf-8"
    #: Writes the whole answer, head and all, as wrong as it likes; a client that goes away ends it.
    raw: Callable[[Write], None] | None = None


Write = Callable[[bytes], object]


def head(status: str = "200 OK", **fields: object) -> bytes:
    """The head of an answer, with a type of HTML."""
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html; charset=utf-8"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def drip(write: Write) -> None:
    """A page that comes in small pieces and would take a minute."""
    write(head(Content_Length=len(story(1).encode())))
    for piece in range(0, len(story(1).encode()), 60):
        write(story(1).encode()[piece : piece + 60])
        time.sleep(0.5)


def endless(write: Write) -> None:
    """A body that never ends."""
    write(head(Transfer_Encoding="chunked"))
    while True:
        write(b"10000\r\n" + b"<p>a line of it." * 4096 + b"\r\n")


def endless_head(write: Write) -> None:
    """Headers that never end."""
    write(b"HTTP/1.1 200 OK\r\n")
    number = 0
    while True:
        write(f"X-Header-{number}: {'a' * 1000}\r\n".encode())
        number += 1


def long_head(write: Write) -> None:
    """One header of a megabyte."""
    write(b"HTTP/1.1 200 OK\r\nX-Header: " + b"a" * 1_000_000 + b"\r\n\r\n")


def cut_short(write: Write) -> None:
    """Half of what its length promises."""
    data = story(1).encode()
    write(head(Content_Length=len(data), Connection="close") + data[: len(data) // 2])


def bomb(write: Write) -> None:
    """A few kilobytes that unpack to forty megabytes."""
    data = gzip.compress(b" " * 40_000_000)
    write(head(Content_Length=len(data), Content_Encoding="gzip") + data)


def no_gzip(write: Write) -> None:
    """Says that it is packed, and is not."""
    write(head(Content_Length=6, Content_Encoding="gzip") + b"<html>")


def packed_short(write: Write) -> None:
    """Two thirds of a packed page, and the length of just that."""
    data = gzip.compress((story(1) * 40).encode())
    data = data[: len(data) * 2 // 3]
    write(head(Content_Length=len(data), Content_Encoding="gzip") + data)


def two_lengths(write: Write) -> None:
    """Two lengths that contradict each other."""
    data = story(1).encode()
    write(head(Content_Length=len(data)).replace(b"\r\n\r\n", b"\r\nContent-Length: 10\r\n\r\n") + data)


def broken_chunk(write: Write) -> None:
    """A chunk whose length is no number."""
    write(head(Transfer_Encoding="chunked") + b"zz\r\nhello\r\n")


def lettered_status(write: Write) -> None:
    """A status that is no number."""
    write(b"HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n")


def no_http(write: Write) -> None:
    """Something, but not HTTP."""
    write(b"SSH-2.0-OpenSSH_9.2\r\n")


Route = str | bytes | Answer | Callable[["PortalServer"], "str | bytes | Answer | None"]


class PortalServer(ThreadingHTTPServer):
    """Serves `routes`; what is not in them is 404; a route that answers None drops the connection."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, routes: dict[str, Route] | None = None, *, port: int = 0, host: str = "127.0.0.1") -> None:
        super().__init__((host, port), _Handler)
        self.host = host
        self.routes: dict[str, Route] = {} if routes is None else routes
        self.asked: list[Asked] = []
        self.pause_seconds = 0.0
        #: Bodies of requests by POST.
        self.posted: list[bytes] = []
        #: The head of each request, where a test wants to see it.
        self.heads: list[str] | None = None

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.server_port}/"

    def times(self, path: str) -> int:
        return sum(item.path == path for item in self.asked)

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed goes away in the middle."""


class _Handler(BaseHTTPRequestHandler):
    server: PortalServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        """Answer with the route "POST path"; the body is the last of `posted`."""
        self.server.posted.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.path = f"POST {self.path}"
        self.do_GET()

    def do_GET(self) -> None:
        began = time.monotonic()
        if self.server.heads is not None:
            self.server.heads.append(str(self.headers).strip())
        time.sleep(self.server.pause_seconds)
        route: Route | None = self.server.routes.get(self.path)
        answer = route(self.server) if callable(route) else route
        if route is not None and answer is None:
            self.server.asked.append(Asked(began, self.path, self.headers["User-Agent"], 0))
            self.close_connection = True
            self.connection.close()
            return
        if answer is None:
            answer = Answer("not here", 404)
        if not isinstance(answer, Answer):
            answer = Answer(answer)
        self.server.asked.append(Asked(began, self.path, self.headers["User-Agent"], answer.status))
        if answer.raw is not None:
            self.close_connection = True
            answer.raw(self.wfile.write)
            return
        data = answer.body.encode() if isinstance(answer.body, str) else answer.body
        self.send_response(answer.status)
        for name, value in {"Content-Type": answer.kind, "Content-Length": str(len(data)), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
