"""Answers of servers whose framing is odd: data, each a way to write a page, and whether a browser shows it whole."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

TYPE = b"Content-Type: text/html; charset=utf-8\r\n"
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


def sized(data: bytes, *, head: bytes = OK + TYPE, more: bytes = b"", length: int | None = None) -> bytes:
    """A page with its length."""
    return head + more + b"Content-Length: %d\r\n\r\n" % (len(data) if length is None else length) + data


def closed(data: bytes, *, head: bytes = OK + TYPE, more: bytes = b"") -> bytes:
    """A page that ends with its connection."""
    return head + more + b"Connection: close\r\n\r\n" + data


def chunked(
    data: bytes, *, size: str = "{:x}", end: bytes = b"0\r\n\r\n", more: bytes = b"Transfer-Encoding: chunked\r\n"
) -> bytes:
    """A page in two chunks."""
    parts = data[: len(data) // 2], data[len(data) // 2 :]
    return OK + TYPE + more + b"\r\n" + b"".join(size.format(len(part)).encode() + b"\r\n" + part + b"\r\n" for part in parts) + end


def packed(data: bytes, *, leave_out: int = 0, coding: bytes = b"gzip", twice: bool = False) -> bytes:
    """A page in gzip."""
    made = gzip.compress(gzip.compress(data) if twice else data)
    made = made[: len(made) - leave_out]
    return sized(made, more=b"Content-Encoding: " + coding + b"\r\n")


Framing = Callable[[bytes], bytes]
#: Browsers show these as a whole.
WHOLE: dict[str, Framing] = {
    "plain": sized,
    "line-20k": lambda data: sized(data, more=b"Content-Security-Policy: " + b"a" * 20_000 + b"\r\n"),
    "line-63k": lambda data: sized(data, more=b"Content-Security-Policy: " + b"a" * 63_000 + b"\r\n"),
    "many-lines": lambda data: sized(data, more=b"".join(b"Set-Cookie: c%d=%s\r\n" % (n, b"a" * 900) for n in range(60))),
    "te-identity": lambda data: closed(data, more=b"Transfer-Encoding: identity\r\n"),
    "te-identity-length": lambda data: sized(data, more=b"Transfer-Encoding: identity\r\n"),
    "te-capitals": lambda data: chunked(data, more=b"Transfer-Encoding: Chunked\r\n"),
    "te-and-length": lambda data: chunked(data, more=b"Transfer-Encoding: chunked\r\nContent-Length: 10\r\n"),
    "te-twice": lambda data: chunked(data, more=b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
    "chunk-blanks": lambda data: chunked(data, size="{:x}   "),
    "chunk-blank-before": lambda data: chunked(data, size=" {:x}"),
    "chunk-zeros": lambda data: chunked(data, size="{:08X}"),
    "chunk-extension": lambda data: chunked(data, size='{:x} ; a="b"'),
    "chunk-trailer": lambda data: chunked(data, end=b"0\r\nX-Sum: 1\r\n\r\n"),
    "chunk-line-feeds": lambda data: chunked(data).replace(b"\r\n", b"\n"),
    "colon-blank": lambda data: closed(data, head=OK + b"Content-Type : text/html; charset=utf-8\r\n"),
    "colon-blank-length": lambda data: sized(data, head=OK + b"Content-Type\t: text/html; charset=utf-8\r\nServer : x\r\n"),
    "empty-first-line": lambda data: b"\r\n" + sized(data),
    "empty-length": lambda data: closed(data, more=b"Content-Length: \r\n"),
    "length-twice": lambda data: sized(data, more=b"Content-Length: %d\r\n" % len(data)),
    "length-list": lambda data: closed(data, more=b"Content-Length: %d, %d\r\n" % (len(data), len(data))),
    "length-negative": lambda data: closed(data, more=b"Content-Length: -1\r\n"),
    "length-words": lambda data: closed(data, more=b"Content-Length: unknown\r\n"),
    "no-reason": lambda data: sized(data, head=b"HTTP/1.1 200\r\n" + TYPE),
    "no-reason-blank": lambda data: sized(data, head=b"HTTP/1.1 200 \r\n" + TYPE),
    "reason-utf8": lambda data: sized(data, head="HTTP/1.1 200 Děkujeme\r\n".encode() + TYPE),
    "status-blanks": lambda data: sized(data, head=b"HTTP/1.1  200  OK\r\n" + TYPE),
    "version-10": lambda data: closed(data, head=b"HTTP/1.0 200 OK\r\n" + TYPE),
    "version-20": lambda data: closed(data, head=b"HTTP/2.0 200 OK\r\n" + TYPE),
    "line-feeds": lambda data: sized(data).replace(b"\r\n", b"\n"),
    "folded": lambda data: sized(data, more=b"X-A: b,\r\n c\r\n"),
    "no-colon": lambda data: sized(data, more=b"Set-Cookie\r\nX\r\n"),
    "octets": lambda data: sized(data, more="X-Město: Brno\r\nX-B: \u017elu\u0165\r\n".encode()),
    "empty-name": lambda data: sized(data, more=b": x\r\n"),
    "continue": lambda data: b"HTTP/1.1 100 Continue\r\n\r\n" + sized(data),
    "early-hints": lambda data: b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n" + sized(data),
    "gzip": packed,
    "gzip-x": lambda data: packed(data, coding=b"x-gzip"),
    "gzip-twice": lambda data: packed(data, coding=b"gzip, gzip", twice=True),
    "gzip-capitals": lambda data: packed(data, coding=b"GZIP"),
    "deflate-raw": lambda data: sized(zlib.compress(data)[2:-4], more=b"Content-Encoding: deflate\r\n"),
    "deflate-no-trailer": lambda data: sized(zlib.compress(data)[:-4], more=b"Content-Encoding: deflate\r\n"),
    "coding-none": lambda data: sized(data, more=b"Content-Encoding: none\r\n"),
    "coding-utf8": lambda data: sized(data, more=b"Content-Encoding: UTF-8\r\n"),
    "type-twice": lambda data: sized(data, head=OK + b"Content-Type: text/plain\r\n" + TYPE),
    "type-list": lambda data: sized(data, head=OK + b"Content-Type: text/html; charset=utf-8, text/html\r\n"),
    "type-empty": lambda data: sized(data, head=OK + b"Content-Type: \r\n"),
    "type-none": lambda data: sized(data, head=OK),
    "type-half": lambda data: sized(data, head=OK + b"Content-Type: html\r\n"),
    "type-charset": lambda data: sized(data, head=OK + b"Content-Type: charset=utf-8\r\n"),
    "type-stars": lambda data: sized(data, head=OK + b"Content-Type: */*\r\n"),
    "type-unknown": lambda data: sized(data, head=OK + b"Content-Type: application/unknown\r\n"),
    "type-quoted": lambda data: sized(data, head=OK + b'Content-Type: "text/html"; charset=utf-8\r\n'),
    "type-comma": lambda data: sized(data, head=OK + b"Content-Type: text/html,charset=utf-8\r\n"),
    "type-semicolons": lambda data: sized(data, head=OK + b"Content-Type: ;text/html; charset=utf-8\r\n"),
    # taken by their own evidence
    "length-long": lambda data: sized(data, length=len(data) + 500),
    "chunks-without-end": lambda data: chunked(data, end=b""),
    "chunks-half-end": lambda data: chunked(data, end=b"0\r\n"),
    "gzip-no-trailer": lambda data: packed(data, leave_out=8),
    "gzip-half-trailer": lambda data: packed(data, leave_out=5),
    "gzip-length-long": lambda data: sized(gzip.compress(data), more=b"Content-Encoding: gzip\r\n", length=len(data) + 9_000),
}
#: A part of the page is missing, or is not what is declared: it is refused.
CUT: dict[str, Framing] = {
    "coding-untrue": lambda data: sized(data, more=b"Content-Encoding: gzip\r\n"),
    "cut-length": lambda data: sized(data[: len(data) // 2], length=len(data)),
    "cut-chunks": lambda data: chunked(data[: len(data) // 2], end=b""),
    "cut-gzip": lambda data: packed(data, leave_out=len(gzip.compress(data)) // 3),
    "cut-behind-text": lambda data: sized(data[: data.rfind(b"</p>")], length=len(data)),
}
