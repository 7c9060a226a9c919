"""Feeds and sitemaps as text and trees: decoded, unpacked within bounds, and parsed so that no document can do harm.

Documents that declare entities are refused (they can grow without end or read files); everything else is read as far as it goes.
"""

from __future__ import annotations

import html
import re
import zlib
from datetime import UTC, datetime, tzinfo
from email.utils import parsedate_to_datetime

from lxml import etree

from newscrawler.page import decode

#: Unpacked; a sitemap may have 50 MB by its protocol.
MOST_BYTES = 52_428_800
_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?(?:rss|feed|RDF|channel|urlset|sitemapindex)(?=[\s>/])")
_HTML = re.compile(r"<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
_XML_NAMES = frozenset({"amp", "lt", "gt", "quot", "apos"})
_BARE = re.compile(r"&(?!#?\w{1,32};)")
_TAG = re.compile(r"<[^>]{0,2000}>")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_FRACTION = re.compile(r"(\.\d{6})\d+")
_OFFSET_BLANK = re.compile(r"\s+(?=[+-]\d\d:?\d\d$)")


def unpacked(data: bytes) -> bytes:
    """Unpack gzip, twice at most, cut at `MOST_BYTES`; what is broken gives what could be read before the break."""
    for _ in range(2):
        if data[:2] != b"\x1f\x8b":
            break
        stream = zlib.decompressobj(wbits=31)
        try:
            data = stream.decompress(data, MOST_BYTES)
        except zlib.error:
            data = _partly_unpacked(data)
    return data[:MOST_BYTES]


def _partly_unpacked(data: bytes) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    pieces: list[bytes] = []
    size = 0
    try:
        for start in range(0, len(data), 1024):
            pieces.append(stream.decompress(data[start : start + 1024], MOST_BYTES - size))
            size += len(pieces[-1])
            if size >= MOST_BYTES:
                break
    except zlib.error:
        pass
    return b"".join(pieces)


def text_of(data: bytes, content_type: str | None) -> str:
    """Decode a document: BOM, HTTP header, XML declaration, UTF-8."""
    return decode(unpacked(data), content_type)


def tree_of(text: str) -> tuple[etree._Element | None, str]:
    """Parse a feed or sitemap.

    Returns:
        The root, and "" or why there is none: "HTML page", "entities declared", "no feed or sitemap", "broken XML".
    """
    head = text[:20_000]
    root = _ROOT.search(head)
    page = _HTML.search(head)
    if page is not None and (root is None or page.start() < root.start()):
        return None, "HTML page"
    if root is None:
        return None, "no feed or sitemap"
    if "<!ENTITY" in text[: root.start()]:
        return None, "entities declared"
    # Whatever stands before the root (declaration, document type, notices of a broken program) is left out.
    body = _NAMED.sub(_named, _CONTROL.sub("", text[root.start() :]))
    parser = etree.XMLParser(
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        found = etree.fromstring(_BARE.sub("&amp;", body).encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None, "broken XML"
    return (found, "") if found is not None else (None, "broken XML")


def _named(match: re.Match[str]) -> str:
    name = match.group(1)
    return match.group() if name in _XML_NAMES else html.unescape(match.group())


def name_of(element: etree._Element) -> str:
    """The name of an element without its namespace, in small letters; "" for what is no element."""
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def plain(text: str | None, most: int) -> str:
    """Text of a field that may hold markup, escaped once or twice, on one line."""
    if not text:
        return ""
    text = text[: most * 20]
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "&" in text:
        text = html.unescape(text)
        if "<" in text:
            text = _TAG.sub(" ", text)
    joined = " ".join(text.split())
    return joined if len(joined) <= most else joined[:most].rstrip()


def time_of(text: str | None, time_zone: tzinfo = UTC) -> datetime | None:
    """Read a time as feeds (RFC 822) and sitemaps (W3C) write it; aware; None where it is no time.

    Args:
        text: the field.
        time_zone: counts where the field gives no offset.
    """
    value = " ".join((text or "").split())[:80]
    if not value:
        return None
    moment: datetime | None = None
    if value[:4].isdigit():
        moment = _w3c(value)
    if moment is None:
        try:
            moment = parsedate_to_datetime(value)
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=time_zone)
    try:
        moment.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
    return moment


def _w3c(value: str) -> datetime | None:
    value = _OFFSET_BLANK.sub("", _FRACTION.sub(r"\1", value))
    if len(value) == 4:
        value += "-01-01"
    elif len(value) == 7:
        value += "-01"
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None
