"""The tree of a page, as browsers build it, made of lxml's elements.

libxml2 parses by HTML 4. Where it says that it ignored an end tag, left text behind the end of the body, or put an element of the
body into the head, the page is written anew with the end tags that HTML5's rules give it, and parsed again; others are parsed once.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

from lxml import etree

from newscrawler.page.elements import ATTRIBUTES, HEAD, VALUE, WRAPPER
from newscrawler.page.end_tags import add_end_tags
from newscrawler.page.text import INVISIBLE, INVISIBLE_ENTITIES

_XML_DECLARATION = re.compile(rb"\s*<\?xml[^>]*\?>")
_ENTITIES = re.compile(INVISIBLE_ENTITIES.pattern.encode())
#: libxml2 records as many errors; there may have been more.
_FULL_LOG = 100
#: The record of an end tag that was ignored because a `div` or a table is open inside its element.
_IGNORED_END = re.compile(
    "Opening and ending tag mismatch: (?:a|address|article|aside|blockquote|button|d[dlt]|details|dialog|fieldset|figcaption"
    "|figure|footer|form|h[1-6]|header|hgroup|li|main|menu|nav|noscript|ol|search|section|select|summary|template|ul) and "
)
#: A tree this deep was cut off by the parser.
_CUT_OFF = 2_000
#: Pages of more tags are not parsed twice for an end tag.
_MOST_TAGS = 200_000
_HEAD = frozenset(name.decode() for name in HEAD)
_WITHOUT_TEXT = frozenset({"script", "style", "noscript", "link", "meta", "template"})

#: A tag this long is found, a shorter one has too few attributes to cost much.
_STEP = 8_192
_MOST_ATTRIBUTES = 500
_ATTRIBUTE = rb"[\s/]++[^\s=/>]++(?:" + VALUE + rb")?+"
_MANY_ATTRIBUTES = re.compile(rb"""<[a-zA-Z][\w:-]*+(?:\s++[^\s"'<>=/]++(?:""" + VALUE + rb")?+){%d}" % _MOST_ATTRIBUTES)
_TAG_OR_RAW = re.compile(
    rb"<!--(?s:.*?)(?:-->|\Z)|<(script|style|textarea|title)\b(?s:.*?)(?:</\1|\Z)|<[a-z][^\s/>]*+" + ATTRIBUTES + rb"(?:>|\Z)",
    re.IGNORECASE,
)
_FIRST_ATTRIBUTES = re.compile(rb"<[a-zA-Z][^\s/>]*+(?:" + _ATTRIBUTE + rb"){0,%d}+" % _MOST_ATTRIBUTES)


class _Parsers(threading.local):
    """One parser a thread: making one costs as much as parsing a small page."""

    def __init__(self) -> None:
        self.parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=False)


_PARSERS = _Parsers()


def parse_tree(source: str) -> etree._Element:
    """Return the root of the page's tree; never raises: an empty or broken page gives an empty tree."""
    encoded = _encode(source)
    if _may_have_long_tag(encoded):
        encoded = b"".join(_remove_excess_attributes(encoded))
    root = _parse(encoded)
    if root is not None and (
        (_has_ignored_end_tags() and encoded.count(b"<") <= _MOST_TAGS)
        or _has_text_behind_body(root)
        or _has_body_in_head(root)
        or _is_cut_off(root)
    ):
        root = _parse(add_end_tags(encoded))
        if root is not None:
            etree.strip_tags(root, WRAPPER)
    return root if root is not None else etree.Element("html")


def _encode(source: str) -> bytes:
    """Return the bytes of a source without NUL and signs that nobody sees."""
    encoded = source.encode("utf-8", "replace").replace(b"\x00", b"")  # found in bytes ten times as fast
    if len(encoded) > len(source):
        for sign in filter(source.__contains__, INVISIBLE):  # found in a text ten times as fast as in bytes
            encoded = encoded.replace(sign.encode(), b"")
    encoded = _ENTITIES.sub(b"", encoded)
    declaration = _XML_DECLARATION.match(encoded)
    return encoded[declaration.end() :] if declaration else encoded


def _parse(source: bytes) -> etree._Element | None:
    try:
        return etree.fromstring(source, _PARSERS.parser) if source and not source.isspace() else None
    except (etree.XMLSyntaxError, ValueError):
        return None


def _has_ignored_end_tags() -> bool:
    log = _PARSERS.parser.error_log
    return len(log) >= _FULL_LOG or any(_IGNORED_END.match(record.message) for record in log)


def _has_text_behind_body(root: etree._Element) -> bool:
    """Return whether words stand behind the end of the body, where libxml2 begins a second tree."""
    body = next(root.iterchildren("body"), None)
    behind = [*root.itersiblings(), *(body.itersiblings() if body is not None else ())]
    return any(map(_has_text, behind))


def _has_body_in_head(root: etree._Element) -> bool:
    """Return whether the head contains an element that HTML5's rules put into the body, whose start tag the page leaves out."""
    head = next(root.iterchildren("head"), None)
    return head is not None and any(isinstance(child.tag, str) and child.tag not in _HEAD for child in head)


def _has_text(element: etree._Element) -> bool:
    return any(
        (node.tail and not node.tail.isspace()) or (node.tag not in _WITHOUT_TEXT and node.text and not node.text.isspace())
        for node in element.iter()
    )


def _is_cut_off(root: etree._Element) -> bool:
    """Return whether the parser gave up: the last element it made is as deep as it goes."""
    depth = 0
    while len(root):
        root = root[-1]
        depth += 1
    return depth >= _CUT_OFF


def _may_have_long_tag(source: bytes) -> bool:
    """Look at one place in 8,192 bytes: a longer tag is the last that begins before it."""
    for at in range(_STEP, len(source), _STEP):
        begin = source.rfind(b"<", at - _STEP, at)
        if begin >= 0 and _MANY_ATTRIBUTES.match(source, begin):
            return True
    return False


def _remove_excess_attributes(source: bytes) -> Iterator[bytes]:
    """Yield the pieces of a source, all but the first 500 attributes of very long tags left out."""
    position = 0
    for tag in _TAG_OR_RAW.finditer(source):
        if tag.end() - tag.start() < _STEP or tag[1] or tag.group().startswith(b"<!"):
            continue
        kept = _FIRST_ATTRIBUTES.match(tag.group())
        if kept is not None and kept.end() < len(tag.group()) - 2:
            yield source[position : tag.start()]
            yield kept.group() + b">"
            position = tag.end()
    yield source[position:]
