"""A packed page that breaks off is told from a whole one, however it was packed and whatever else is wrong with it."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import pytest
from portal_server import story
from scrapy.utils._compression import brotli, zstd  # type: ignore[attr-defined]

from newscrawler.crawl.components.decompression import is_whole

PAGE = (story(1) * 30).encode()


def raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data)[2:-4]


PACKERS: list[tuple[bytes, Callable[[bytes], bytes]]] = [
    (b"gzip", gzip.compress),
    (b"deflate", zlib.compress),
    (b"deflate", raw_deflate),
    (b"br", brotli.compress),
    (b"zstd", zstd.compress),
]


@pytest.mark.parametrize(("encoding", "pack"), PACKERS)
def test_a_body_that_breaks_off_anywhere_is_not_whole(encoding: bytes, pack: Callable[[bytes], bytes]) -> None:
    packed = pack(PAGE)

    assert is_whole(encoding, packed, PAGE)
    for length in range(11, len(packed) - 12, 17):
        assert not is_whole(encoding, packed[:length], PAGE[: length * 3])


def test_wrong_sums_and_what_stands_behind_the_end_are_no_matter() -> None:
    packed = gzip.compress(PAGE)
    ends = zlib.compress(PAGE)

    assert is_whole(b"gzip", packed[:-8] + b"\0\0\0\0" + packed[-4:], PAGE)
    assert is_whole(b"gzip", packed[:-8] + b"\0" * 8, PAGE)
    assert is_whole(b"gzip", packed[:-8], PAGE)
    assert is_whole(b"gzip", packed + b"\n\n", PAGE)
    assert is_whole(b"gzip", packed + gzip.compress(b"more"), PAGE + b"more")
    assert is_whole(b"deflate", ends[:-4] + b"\0\0\0\0", PAGE)
    assert is_whole(b"compress", b"unknown", b"unknown")
