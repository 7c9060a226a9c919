"""Bytes of a page to text, as browsers do it: BOM, HTTP header, meta declaration, detection.

Where browsers show nothing but question marks, for a page that only says that it is UTF-8, it is read as what it is.
"""

from __future__ import annotations

import re

from w3lib.encoding import html_to_unicode

from newscrawler.page.detect import detect

#: A page that could be read up to its declaration is not UTF-16, whatever it declares.
_WRONG_META = re.compile(rb"""(<meta\b[^>]{0,200}?charset\s*=\s*["']?\s*)(utf-?16(?:-?[lb]e)?|x-user-defined)""", re.IGNORECASE)
_HEAD_BYTES = 4096
#: What Python calls encodings as well, and what no browser reads pages by.
_NO_ENCODING = re.compile(
    rb"""(charset\s*=\s*["']?\s*)(idna|punycode|undefined|(?:raw[-_ ])?unicode[-_ ]escape)\b""", re.IGNORECASE
)
#: Places that cannot be read; fewer say nothing of the whole.
_LEAST_BROKEN = 3


def decode(body: bytes, content_type: str | None = None) -> str:
    """Decode a page.

    Args:
        body: the response body, decompressed.
        content_type: the Content-Type header, if there is one.

    Returns:
        Text without NUL characters; undecodable bytes become U+FFFD.
    """
    encoding, text = _decoded(body, content_type)
    return text.replace("\x00", "") if encoding != "utf-8" or b"\x00" in body else text


def encoding_of(beginning: bytes, content_type: str | None = None) -> str:
    """Name the encoding of a document by its beginning, for one that is decoded in pieces; Python knows it."""
    return _decoded(beginning, content_type)[0]


def _decoded(body: bytes, content_type: str | None) -> tuple[str, str]:
    if content_type and _NO_ENCODING.search(content_type.encode("latin-1", "replace")):
        content_type = None
    head = body[:_HEAD_BYTES]
    if _NO_ENCODING.search(head):
        body = _NO_ENCODING.sub(rb"\1", head) + body[_HEAD_BYTES:]
    if not body.startswith((b"\xff\xfe", b"\xfe\xff")):
        body = _WRONG_META.sub(lambda found: found[1] + b"utf-8", body[:_HEAD_BYTES]) + body[_HEAD_BYTES:]
    try:
        encoding, text = html_to_unicode(content_type, body, default_encoding="utf-8", auto_detect_fun=detect)
    except LookupError:  # "base64" and the like: a codec, but of no text
        encoding = detect(body)
        text = body.decode(encoding, "replace")
    if encoding == "utf-8" and "\ufffd" in text and _is_no_utf8(text):
        encoding = detect(body)
        text = body.decode(encoding, "replace")
    return encoding, text


def _is_no_utf8(text: str) -> bool:
    """Tell whether most of what is beyond ASCII could not be read: the page only says that it is UTF-8."""
    broken = text.count("\ufffd")
    return broken >= _LEAST_BROKEN and 2 * broken > sum(map("\x7f".__lt__, text))
