"""Decompress bodies as Scrapy does, but reject truncated ones, of which Scrapy keeps the beginning."""

from __future__ import annotations

import re
import struct
import zlib
from typing import Any

from scrapy import Request
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.http import Headers, Response
from scrapy.utils._compression import brotli, zstd  # type: ignore[attr-defined]  # whichever of them it has found

from newscrawler.crawl.run.items import KIND
from newscrawler.store.vocabularies import FetchKind

_LAST_TAG = re.compile(rb"</(?:html|rss|feed|rdf:rdf|urlset|sitemapindex)\s*>(?:\s|<!--(?s:.*?)-->)*\Z", re.IGNORECASE)
_TAIL_BYTES = 4_096


class StrictCompressionMiddleware(HttpCompressionMiddleware):
    """Reject a compressed body that is truncated although Content-Length is right."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Request | Response:  # noqa: ARG002
        """Decompress a body.

        Raises:
            EOFError: it is truncated.
        """
        packed = response.body
        encodings = get_encodings(response.headers)  # before they are taken off
        unpacked = super().process_response(request, response)
        if unpacked is response or not packed or not isinstance(unpacked, Response) or request.meta.get(KIND) is FetchKind.ROBOTS:
            return unpacked  # we truncate a long robots.txt ourselves
        if len(encodings) == 1 and not is_whole(encodings[0], packed, unpacked.body):
            raise EOFError(f"the packed page breaks off after {len(packed)} bytes")
        return unpacked


def get_encodings(headers: Headers) -> list[bytes]:
    """Return the codings of a body, in small letters, in the order in which they were applied."""
    found = map(bytes.strip, b",".join(headers.getlist("Content-Encoding")).lower().split(b","))
    return [coding for coding in found if coding]


def is_complete(body: bytes, encodings: list[bytes]) -> bool:
    """Return whether a body whose framing says that there is more is whole, by its last tag or the end of its packing."""
    if not encodings:
        return _LAST_TAG.search(body, max(0, len(body) - _TAIL_BYTES)) is not None
    if encodings != [b"gzip"]:
        return False
    stream = zlib.decompressobj(wbits=31)
    try:
        stream.decompress(body)
    except zlib.error:
        return False
    return stream.eof


def is_whole(encoding: bytes, packed: bytes, unpacked: bytes) -> bool:
    """Return whether a compressed body (`encoding`: RFC 9110, section 8.4.1) is complete; other damage does not count.

    `unpacked`: as far as it could be decompressed.
    """
    try:
        if encoding in {b"gzip", b"x-gzip"}:
            return _is_whole_gzip(packed, unpacked)
        if encoding == b"deflate":
            return _is_whole_deflate(packed, unpacked)
        if encoding == b"br":
            decompressor = brotli.Decompressor()
            decompressor.process(packed)
            return bool(decompressor.is_finished())
        if encoding == b"zstd":
            decompressor = zstd.ZstdDecompressor()
            decompressor.decompress(packed)
            return bool(decompressor.eof)
    except zlib.error as error:
        return "incorrect data check" in str(error) or "incorrect length check" in str(error)
    return True


def _is_whole_gzip(packed: bytes, unpacked: bytes) -> bool:
    """Compare the length in its trailer; if that is missing or differs, look for the end of the stream."""
    length = len(unpacked) & 0xFFFFFFFF
    if len(packed) >= 18 and struct.unpack("<I", packed[-4:])[0] == length:
        return True
    stream = zlib.decompressobj(wbits=31)
    stream.decompress(packed)
    return stream.eof or _is_whole_with(struct.pack("<II", zlib.crc32(unpacked), length), stream, packed)


def _is_whole_with(trailer: bytes, stream: Any, packed: bytes) -> bool:
    """Return whether a stream ends with its trailer; some servers leave sum and length out, or some of their bytes."""
    given = next(size for size in range(len(trailer), -1, -1) if packed.endswith(trailer[:size]))
    try:
        stream.decompress(trailer[given:])
    except zlib.error:
        return False
    return bool(stream.eof)


def _is_whole_deflate(packed: bytes, unpacked: bytes) -> bool:
    stream = zlib.decompressobj()
    try:
        stream.decompress(packed)
    except zlib.error as error:
        if "header" not in str(error):
            raise
        # raw deflate, without the zlib header
        stream = zlib.decompressobj(wbits=-15)
        stream.decompress(packed)
        return stream.eof
    return stream.eof or _is_whole_with(struct.pack(">I", zlib.adler32(unpacked)), stream, packed)
