"""Tells from its first bytes what is not a page, whatever it was called: a picture, an archive, a program.

Signatures and binary bytes as the WHATWG's standard "MIME Sniffing" lists them (§6 and §7.1, read in 2026). A page may hold stray
control characters, and UTF-16 holds NULs by nature, so single ones decide nothing.
"""

from __future__ import annotations

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"Rar!\x1a\x07", "application/x-rar-compressed"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"OggS\x00", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"wOF2", "font/woff2"),
    (b"\x7fELF", "application/x-executable"),
)
#: RIFF files name their format behind their length.
_RIFF = {b"WEBP": "image/webp", b"AVI ": "video/avi", b"WAVE": "audio/wave"}
#: How much of a file the standard looks at.
_HEAD_BYTES = 1445
_TEXT_BYTES = bytes(sorted({*range(0x20, 0x100), 0x09, 0x0A, 0x0C, 0x0D, 0x1B}))
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
#: One byte in ten that no text holds.
_LARGEST_SHARE = 0.1


def binary_kind(body: bytes) -> str | None:
    """Name the media type of what is not text; `application/octet-stream` where that is all that can be said.

    Args:
        body: the beginning of a response body or file, decompressed.

    Returns:
        None for text of any kind.
    """
    head = body[:_HEAD_BYTES]
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return kind
    if head.startswith(b"RIFF") and head[8:12] in _RIFF:
        return _RIFF[head[8:12]]
    if head.startswith(_UTF16) or b"<\x00" in head or b"\x00<" in head:
        return None
    binary = len(head.translate(None, _TEXT_BYTES))
    return "application/octet-stream" if binary > _LARGEST_SHARE * len(head) else None
