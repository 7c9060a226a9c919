"""Feeds and sitemaps as text, trees and fields: unpacked, decoded, within bounds, and parsed so that no document can do harm.

Documents are read as far as they go, without their document types: entities declared there can grow without end or read files.
"""

from __future__ import annotations

import codecs
import html
import re
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from email.utils import parsedate_to_datetime
from itertools import chain, islice
from typing import Any

from lxml import etree

from newscrawler.discovery.source import LeadKind
from newscrawler.extraction.dates import read_zone
from newscrawler.limits import FEED_BYTES, GZIP_MEMBERS
from newscrawler.limits import FEED_TAGS as MOST_TAGS
from newscrawler.limits import SITEMAP_BYTES as MOST_SITEMAP_BYTES
from newscrawler.page import find_encoding

_PIECE_BYTES, _STEP_BYTES = 65_536, 1_024
_HELD_BACK = 40
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]{0,31});")
#: Stands for octets and entities that cannot be read; no address contains it.
UNREADABLE = "\ufffd"
_XML_NAMES = frozenset({"amp", "lt", "gt", "quot", "apos"})
_BARE = re.compile(r"&(?!#?\w{1,32};)")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
#: Unpacked; feeds contain only the latest articles, and are in memory as a whole.
MOST_BYTES = FEED_BYTES
#: The root element begins within so many characters.
HEAD_CHARACTERS = 20_000
_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?(rss|feed|rdf|channel|opml|urlset|sitemapindex)(?=[\s>/])", re.IGNORECASE)
_SITEMAP_ROOTS = frozenset({"urlset", "sitemapindex"})
_DOCTYPE = re.compile(r"<!DOCTYPE[^>\[]*+(?:\[(?:\"[^\"]*+\"|'[^']*+'|<!--(?s:.*?)-->|[^\]\"'])*+\]\s*+)?+>", re.IGNORECASE)
_PROLOGUE = re.compile(rf"(?:\s++|<\?(?s:.*?)\?>|<!--(?s:.*?)-->|{_DOCTYPE.pattern})*+", re.IGNORECASE)
#: The root of a page, or the DOCTYPE of one; some feeds have that, too.
_HTML = re.compile(r"<(?:!doctype\s+html\b(?![^>]*>\s*<(?:rss|feed|rdf|urlset|sitemapindex)\b)|html(?=[\s>]))", re.IGNORECASE)
#: How nearly all pages begin; not among them are those that begin with a comment.
_PAGE = re.compile(rf"\s*+(?:{_HTML.pattern}|<(?:head|meta|title)[\s>])".encode(), re.IGNORECASE)
#: How a list of addresses begins, and a JSON feed (jsonfeed.org).
_ADDRESS_LINE = re.compile(r"https?://[^\s<>]+(?:\s|\Z)", re.IGNORECASE)
_JSON_FEED = re.compile(r"\{(?s:.*)\"https?:\\?/\\?/(?:www\.)?jsonfeed\.org\\?/version")
_UPPER_TAG = re.compile(r"<(/?(?:[\w.-]+:)?)([\w.-]*[A-Z][\w.-]*)")
_TAG = re.compile(r"<[^>]{0,2000}>")
#: Faults of XML that HTML permits: tags without an end, and values without quotes.
_OF_HTML = frozenset({etree.ErrorTypes.ERR_TAG_NAME_MISMATCH, etree.ErrorTypes.ERR_ATTRIBUTE_NOT_STARTED})
_WITH_VALUES, _UNQUOTED = re.compile(r"<[\w:.-]+\s[^<>]*>"), re.compile(r"(?<=\s)([\w:.-]+=)([^\s\"'>][^\s\"'>]*?)(?=\s|/?>)")
#: A field of an entry that contains HTML beside text: the tags around it, and what is in it.
_TEXT_FIELD = re.compile(
    r"(<((?:content:)?encoded|description|summary|content)\b[^>]*(?<!/)>)(?!\s*<!\[CDATA\[)((?s:.*?))(</\2\s*>)"
)
_FRACTION = re.compile(r"(\.\d{6})\d+")
#: Seconds, or milliseconds, from 2001 to 2033.
_UNIX_TIME = re.compile(r"1\d{9}(?:\d{3})?\Z")
_LOOSE = re.compile(
    r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})"
    r"(?:[T ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))? ?\(?([+-]\d\d:?\d\d|[a-z]{1,5}(?:[+-]\d[\d:]*)?)?\)?)?\Z",
    re.IGNORECASE,
)
_ZONE = re.compile(r"[\d\s]\(?([A-Za-z]{1,5}(?:[+-]\d{1,2}(?::?\d\d)?)?)\)?\Z")
_OFFSET_BLANK = re.compile(r"\s+(?=[+-]\d\d:?\d\d$)")


#: How lxml reads XML of strangers: broken documents as far as possible, nothing from elsewhere, no entities.
HARMLESS: dict[str, Any] = {
    "recover": True, "resolve_entities": False, "no_network": True, "load_dtd": False, "remove_comments": True,
    "remove_pis": True,
}  # fmt: skip


class Pieces:
    """The bytes of a document, unpacked (gzip, twice at most) and cut off where there are too many.

    Attributes:
        cut: there were more.
    """

    def __init__(self, data: bytes, most_bytes: int | None = None) -> None:
        self._data = data
        self._most = MOST_SITEMAP_BYTES if most_bytes is None else most_bytes
        self.cut = False

    def __iter__(self) -> Iterator[bytes]:
        pieces: Iterable[bytes] = (self._data[at : at + _PIECE_BYTES] for at in range(0, len(self._data), _PIECE_BYTES))
        for _ in range(2):
            pieces = self._bounded(_unpack(pieces))
        yield from self._bounded(pieces)

    def _bounded(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        left = self._most
        for piece in pieces:
            if len(piece) > left:
                self.cut = True
                yield piece[:left]
                return
            left -= len(piece)
            yield piece


def _unpack(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack gzip; yield other documents unchanged."""
    source = iter(pieces)
    first = next(source, b"")
    if first[:2] != b"\x1f\x8b":
        yield first
        yield from source
        return
    # In small steps: of the step in which something is broken nothing comes out.
    source = (piece[at : at + _STEP_BYTES] for piece in chain([first], source) for at in range(0, len(piece), _STEP_BYTES))
    stream, members = zlib.decompressobj(wbits=31), 1
    waiting = next(source)
    while waiting:
        try:
            yield stream.decompress(waiting, _PIECE_BYTES)
        except zlib.error:
            return
        waiting = stream.unconsumed_tail
        if stream.eof:
            waiting = stream.unused_data
            while len(waiting) < 2 and (more := next(source, None)) is not None:
                waiting += more
            if waiting[:2] != b"\x1f\x8b" or members >= GZIP_MEMBERS:
                return
            stream, members = zlib.decompressobj(wbits=31), members + 1
        waiting = waiting or next(source, b"")


def decode_pieces(pieces: Iterable[bytes], content_type: str | None) -> Iterator[str]:
    """Decode a document: BOM, HTTP header, XML declaration, UTF-8; without its BOM and the blanks before its first letter."""
    source = iter(pieces)
    head = b""
    while len(head) < _PIECE_BYTES and (piece := next(source, None)) is not None:
        head += piece
    declaration = head if len(head) < _PIECE_BYTES else head[: head.rfind(b">") + 1] or head  # it may end within a letter
    decoder = codecs.getincrementaldecoder(find_encoding(declaration, content_type))("replace")
    text = decoder.decode(head).lstrip("\ufeff \t\r\n")
    yield text.replace("\x00", "")
    for piece in source:
        yield decoder.decode(piece).replace("\x00", "")
    yield decoder.decode(b"", final=True)


def clean_pieces(pieces: Iterable[str], *, lower: bool = True) -> Iterator[str]:
    """Decode HTML entities, keep other ampersands, remove control characters, and write the names of tags in small letters."""
    held = ""
    for piece in pieces:
        text = held + piece
        at = max(text.rfind(sign, max(0, len(text) - _HELD_BACK)) for sign in "&<")
        held = text[at:] if at >= 0 else ""
        yield _clean(text[:at] if at >= 0 else text, lower=lower)
    yield _clean(held, lower=lower)


def _clean(text: str, *, lower: bool) -> str:
    text = _BARE.sub("&amp;", _ENTITY.sub(_replace_entity, _CONTROL.sub("", text)))
    return _UPPER_TAG.sub(lambda tag: f"<{tag[1]}{tag[2].lower()}", text) if lower else text


def _replace_entity(match: re.Match[str]) -> str:
    """Return what HTML's entity stands for; one that only the document declares is unreadable."""
    if match.group(1) in _XML_NAMES:
        return match.group()
    said = html.unescape(match.group())
    return UNREADABLE if said == match.group() else said


def decode_text(data: bytes, content_type: str | None) -> str:
    """Unpack and decode a document, cut at `MOST_BYTES`."""
    return "".join(decode_pieces(Pieces(data, MOST_BYTES), content_type))


def find_root(text: str) -> tuple[re.Match[str] | None, str]:
    """Find where the root of a feed or sitemap begins.

    Returns:
        The beginning of its tag, whose group is its name; and "" or why there is none: "HTML page", "no feed or sitemap".
    """
    head = text[:HEAD_CHARACTERS]
    doctype = _DOCTYPE.search(head)
    root = _ROOT.search(head, doctype.end() if doctype else 0)
    page = _HTML.search(head)
    if page is not None and (root is None or page.start() < root.start()):
        return None, "HTML page"
    if root is None:
        return None, "no feed or sitemap"
    return root, ""


def find_list_kind(body: bytes, content_type: str | None, expected: LeadKind | None = None) -> LeadKind | None:
    """Return the kind of list that a document is, wherever it was found; None: a page.

    `expected` is returned for other documents.
    """
    if _PAGE.match(body):
        return None
    text = next(decode_pieces(Pieces(body), content_type), "")[:HEAD_CHARACTERS]
    prologue = _PROLOGUE.match(text)
    root = _ROOT.match(text, prologue.end() if prologue else 0)
    if root is not None:
        return LeadKind.SITEMAP if root[1].lower() in _SITEMAP_ROOTS else LeadKind.FEED
    if _ADDRESS_LINE.match(text) or _JSON_FEED.match(text):
        return LeadKind.SITEMAP if text[0] in "hH" else LeadKind.FEED
    return None if expected is None or find_root(text)[1] == "HTML page" else expected


def parse_tree(text: str) -> tuple[etree._Element | None, str]:
    """Parse a feed.

    Returns:
        The root, and "" or why there is none: as for `find_root`, or "broken XML".
    """
    root, problem = find_root(text)
    if root is None:
        return None, problem
    # Text before the root element (declaration, document type, warnings of a program) is skipped.
    body = text[root.start() :]
    if body.count("<") > MOST_TAGS:
        body = body[: next(islice(re.finditer("<", body), MOST_TAGS, None)).start()]
    cleaned = "".join(clean_pieces([body]))
    try:
        found = _parse_strictly_or_not(cleaned)
    except (etree.XMLSyntaxError, ValueError):
        return None, "broken XML"
    return (found, "") if found is not None else (None, "broken XML")


def _parse_strictly_or_not(text: str) -> etree._Element | None:
    """Parse a feed as far as possible; where tags do not match or values lack quotes, the HTML of its entries is text."""
    parser = etree.XMLParser(huge_tree=False, **HARMLESS)
    found = etree.fromstring(text.encode("utf-8", "replace"), parser)
    if any(error.type in _OF_HTML for error in parser.error_log):
        text = _WITH_VALUES.sub(lambda tag: _UNQUOTED.sub(r'\1"\2"', tag[0]), text)
        mended = _TEXT_FIELD.sub(lambda field: f"{field[1]}{html.escape(field[3])}{field[4]}", text)
        return etree.fromstring(mended.encode("utf-8", "replace"), etree.XMLParser(huge_tree=False, **HARMLESS))
    return found


def get_local_name(element: etree._Element) -> str:
    """Return the name of an element without its namespace, in small letters; "" for other nodes."""
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def clean_field(text: str | None, most: int) -> str:
    """Return the text of a field on one line, without markup that is escaped once or twice."""
    if not text:
        return ""
    text = text[: most * 20].replace(UNREADABLE, "")
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "&" in text:
        text = html.unescape(text)
        if "<" in text:
            text = _TAG.sub(" ", text)
    joined = " ".join(text.split())
    return joined if len(joined) <= most else joined[:most].rstrip()


#: The year of times that were never set, as Go and .NET write them: `Mon, 01 Jan 0001 00:00:00 +0000`.
_NO_YEAR = re.compile(r"(?<![+\d:-])0001\b(?!:)")


def parse_time(text: str | None, time_zone: tzinfo = UTC) -> datetime | None:
    """Read a time as feeds (RFC 822) and sitemaps (W3C) write it, or in seconds since 1970; aware; None where it is not a time."""
    value = " ".join((text or "").split())[:80]
    if not value or _NO_YEAR.search(value):
        return None
    moment: datetime | None = None
    if value[:4].isdigit():
        moment = _parse_w3c_time(value)
    if moment is None:
        try:
            moment = parsedate_to_datetime(value)
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
    if moment.tzinfo is None:
        named = _ZONE.search(value)
        moment = moment.replace(tzinfo=(read_zone(named[1].upper())[0] if named else None) or time_zone)
    try:
        moment.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
    return moment


def _parse_w3c_time(value: str) -> datetime | None:
    if _UNIX_TIME.match(value):
        return datetime.fromtimestamp(int(value[:10]), UTC)
    value = _OFFSET_BLANK.sub("", _FRACTION.sub(r"\1", value))
    if len(value) == 4:
        value += "-01-01"
    elif len(value) == 7:
        value += "-01"
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return _parse_loose_time(value)


def _parse_loose_time(value: str) -> datetime | None:
    """Read times that programs put together by hand: `2026/11/20 8:00:00 utc`."""
    found = _LOOSE.match(value)
    if found is None:
        return None
    offset = found[7] if found[7] and found[7][0] in "+-" else ""
    day = f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}"
    try:
        return datetime.fromisoformat(f"{day}T{int(found[4] or 0):02}:{found[5] or '00'}:{found[6] or '00'}{offset}")
    except ValueError:
        return None
