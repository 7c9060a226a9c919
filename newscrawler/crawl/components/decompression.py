"""Decompress bodies as Scrapy does, but reject truncated ones, of which Scrapy keeps the beginning."""

from __future__ import annotations

import struct
import zlib
from typing import Any

from scrapy import Request
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.http import Response
from scrapy.utils._compression import brotli, zstd  # type: ignore[attr-defined]  # whichever of them it has found

from newscrawler.crawl.run.items import KIND
from newscrawler.store.vocabularies import FetchKind


class StrictCompressionMiddleware(HttpCompressionMiddleware):
    """Reject a compressed body that is truncated although Content-Length is right."""

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Request | Response:  # noqa: ARG002
        """Decompress a body.

        Raises:
            EOFError: it is truncated.
        """
        packed = response.body
        encodings = b",".join(response.headers.getlist("Content-Encoding")).lower().split(b",")  # before they are taken off
        unpacked = super().process_response(request, response)
        if unpacked is response or not packed or not isinstance(unpacked, Response) or request.meta.get(KIND) is FetchKind.ROBOTS:
            return unpacked  # we truncate a long robots.txt ourselves
        if len(encodings) == 1 and not is_whole(encodings[0].strip(), packed, unpacked.body):
            raise EOFError(f"the packed page breaks off after {len(packed)} bytes")
        return unpacked


def is_whole(encoding: bytes, packed: bytes, unpacked: bytes) -> bool:
    """Return whether a compressed body is complete; other damage does not count.

    Args:
        encoding: of the body (RFC 9110, section 8.4.1).
        packed: as received.
        unpacked: as far as it could be decompressed.
    """
    try:
        if encoding in {b"gzip", b"x-gzip"}:
            return _is_whole_gzip(packed, unpacked)
        if encoding == b"deflate":
            return _is_whole_deflate(packed)
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
    if not stream.eof:  # some servers leave sum and length out
        try:
            stream.decompress(struct.pack("<II", zlib.crc32(unpacked), length))
        except zlib.error:
            return False
    return stream.eof


def _is_whole_deflate(packed: bytes) -> bool:
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
