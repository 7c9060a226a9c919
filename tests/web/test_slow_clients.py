"""Clients that send or read too slowly, or no HTTP at all, on a real server: they are cut off, and others are served meanwhile."""

from __future__ import annotations

import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
from web_site import Site

from newscrawler.article import Article, Paragraph
from newscrawler.config import load_configuration
from newscrawler.web import WebServer, server
from newscrawler.web.requests import forms


@contextmanager
def serving(site: Site) -> Iterator[int]:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        free: int = found.getsockname()[1]
    with WebServer(load_configuration(site.folder / "newscrawler.toml"), "127.0.0.1", free).running():
        yield free


@pytest.fixture
def port(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(server, "HEADER_SECONDS", 1.0)
    monkeypatch.setattr(forms, "MOST_SECONDS", 1.0)
    with serving(site) as free:
        yield free


def connect(port: int, sent: bytes) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=20)
    client.sendall(sent)
    return client


def received(client: socket.socket) -> bytes:
    """Return everything up to the end of the connection."""
    pieces = []
    with client:
        try:
            while piece := client.recv(65536):
                pieces.append(piece)
        except ConnectionResetError:
            pass
    return b"".join(pieces)


def test_slow_clients_are_cut_off_and_others_are_served_meanwhile(port: int) -> None:
    head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode()
    form = head.replace(b"GET", b"POST") + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\n"
    began = time.monotonic()
    silent = connect(port, b"")
    drip = connect(port, b"GET / HT")
    headers = connect(port, head + b"X: y\r\n")
    body = connect(port, form.replace(b"POST /", b"POST /login") + b"a=b")
    kept = connect(port, head + b"\r\n" + head)  # a second request whose headers do not end

    with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
        assert answer.status == 200
    with suppress(ConnectionError):  # a byte now and then changes nothing
        for _ in range(30):
            drip.sendall(b"T")
            time.sleep(0.05)
    answers = {name: received(client) for name, client in {
        "silent": silent, "drip": drip, "headers": headers, "body": body, "kept": kept,
    }.items()}  # fmt: skip

    assert time.monotonic() - began < 30
    assert answers["silent"] == answers["headers"] == b""
    assert answers["body"].startswith(b"HTTP/1.1 408 ")
    assert answers["drip"][:10] in {b"", b"HTTP/1.1 4"}
    assert answers["kept"].startswith(b"HTTP/1.1 200 ")
    assert answers["kept"].count(b"HTTP/1.1 ") == 1


def test_connections_that_ask_nothing_shut_nobody_out(site: Site) -> None:
    with serving(site) as port, ExitStack() as stack:
        idle = [stack.enter_context(connect(port, b"GET / HT")) for _ in range(230)]

        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
            assert answer.status == 200
        assert received(idle[0]) == b""
        idle[-1].settimeout(0.2)
        with pytest.raises(TimeoutError):
            idle[-1].recv(1)


def test_a_client_that_reads_nothing_is_cut_off(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        body = (Paragraph(text=f"The flood of {number} reached bridge {number}. " * 10_000),)
        url = f"https://x.example/{number}"
        site.store.articles.add("one", Article(title=f"Flood {number}", paragraphs=body, url=url, method="default", confidence=0.9))
    monkeypatch.setattr(server, "WRITE_SECONDS", 1.0)
    with serving(site) as port, socket.socket() as idle:
        idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        idle.connect(("127.0.0.1", port))
        idle.sendall(f"GET /api/v1/export HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        time.sleep(4)
        idle.settimeout(20)
        answer = received(idle)

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert not answer.endswith(b"0\r\n\r\n")


NO_REQUESTS = {
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00",
    "header without end": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 100_000,
    "two hosts": b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "smuggling": b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "negative length": b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    "other host": b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "null": b"GET /%00 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
}


def test_what_is_no_request_gets_a_clean_refusal(port: int) -> None:
    clients = {name: connect(port, sent) for name, sent in NO_REQUESTS.items()}
    answers = {name: received(client) for name, client in clients.items()}

    assert {name: answer[:10] for name, answer in answers.items()} == dict.fromkeys(NO_REQUESTS, b"HTTP/1.1 4")
    assert not [name for name, answer in answers.items() if b"Traceback" in answer]


def test_more_requests_than_are_answered_at_once_are_refused(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "REQUESTS_AT_ONCE", 0)
    with serving(site) as port, pytest.raises(urllib.error.HTTPError, match="503"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/")
