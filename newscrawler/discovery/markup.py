"""Feeds as text and trees, and what sitemaps share with them: within bounds, and parsed so that no document can do harm.

Documents that declare entities are refused (they can grow without end or read files); everything else is read as far as it goes.
"""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, tzinfo
from email.utils import parsedate_to_datetime
from itertools import islice

from lxml import etree

from newscrawler.discovery.pieces import HARMLESS, Pieces, cleared, text_pieces

#: Unpacked; feeds hold the latest articles alone, and are held in memory as a whole.
MOST_BYTES = 10 * 1024 * 1024
#: What follows after so many is left out: each takes a hundred times its own length in memory.
MOST_TAGS = 400_000
#: The root element begins within so many characters.
HEAD_CHARACTERS = 20_000
_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]*:)?(rss|feed|RDF|channel|urlset|sitemapindex)(?=[\s>/])")
_HTML = re.compile(r"<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)
_TAG = re.compile(r"<[^>]{0,2000}>")
_FRACTION = re.compile(r"(\.\d{6})\d+")
#: Seconds, or milliseconds, from 2001 to 2033.
_UNIX_TIME = re.compile(r"1\d{9}(?:\d{3})?\Z")
_LOOSE = re.compile(
    r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?:[T ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))? ?(z|utc|gmt|[+-]\d\d:?\d\d)?)?\Z",
    re.IGNORECASE,
)
_OFFSET_BLANK = re.compile(r"\s+(?=[+-]\d\d:?\d\d$)")


def text_of(data: bytes, content_type: str | None) -> str:
    """Unpack and decode a document, cut at `MOST_BYTES`."""
    return "".join(text_pieces(Pieces(data, MOST_BYTES), content_type))


def root_of(text: str) -> tuple[re.Match[str] | None, str]:
    """Find where the root of a feed or sitemap begins.

    Returns:
        The beginning of its tag, whose group is its name; and "" or why there is none: "HTML page", "entities declared",
        "no feed or sitemap".
    """
    head = text[:HEAD_CHARACTERS]
    root = _ROOT.search(head)
    page = _HTML.search(head)
    if page is not None and (root is None or page.start() < root.start()):
        return None, "HTML page"
    if root is None:
        return None, "no feed or sitemap"
    if "<!ENTITY" in head[: root.start()]:
        return None, "entities declared"
    return root, ""


def tree_of(text: str) -> tuple[etree._Element | None, str]:
    """Parse a feed.

    Returns:
        The root, and "" or why there is none: as for `root_of`, or "broken XML".
    """
    root, problem = root_of(text)
    if root is None:
        return None, problem
    # Text before the root element (declaration, document type, warnings of a program) is skipped.
    body = text[root.start() :]
    if body.count("<") > MOST_TAGS:
        body = body[: next(islice(re.finditer("<", body), MOST_TAGS, None)).start()]
    parser = etree.XMLParser(huge_tree=False, **HARMLESS)
    try:
        found = etree.fromstring("".join(cleared([body])).encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None, "broken XML"
    return (found, "") if found is not None else (None, "broken XML")


def name_of(element: etree._Element) -> str:
    """Return the name of an element without its namespace, in small letters; "" for what is not an element."""
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
    """Read a time as feeds (RFC 822) and sitemaps (W3C) write it, or in seconds since 1970; aware; None where it is not a time.

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
        return _loosely(value)


def _loosely(value: str) -> datetime | None:
    """Read what programs write that put the parts of a time together by hand: `2026/11/20 8:00:00 utc`."""
    found = _LOOSE.match(value)
    if found is None:
        return None
    offset = "+00:00" if (found[7] or "").lower() in {"z", "utc", "gmt"} else found[7] or ""
    day = f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}"
    try:
        return datetime.fromisoformat(f"{day}T{int(found[4] or 0):02}:{found[5] or '00'}:{found[6] or '00'}{offset}")
    except ValueError:
        return None
