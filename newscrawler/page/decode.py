"""Bytes of a page to text, as browsers do it: BOM, HTTP header, meta declaration, detection."""

from __future__ import annotations

from w3lib.encoding import html_to_unicode


def _detect(body: bytes) -> str:
    """Name the encoding of an undeclared page: UTF-8 if it decodes, else the Western default of browsers."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def decode(body: bytes, content_type: str | None = None) -> str:
    """Decode a page.

    Args:
        body: the response body, decompressed.
        content_type: the Content-Type header, if there is one.

    Returns:
        Text without NUL characters; undecodable bytes become U+FFFD.
    """
    _, text = html_to_unicode(content_type, body, default_encoding="utf-8", auto_detect_fun=_detect)
    return text.replace("\x00", "")
