"""The tree of a page, as browsers build it, made of lxml's elements.

libxml2 parses by HTML 4. Where it says that it ignored an end tag, left text behind the end of the body, put an element of the body
into the head, or gave up in the depth, the HTML5 parser Lexbor writes the page anew, with all end tags, and it is parsed again.
HTML5's rules open elements such as `font` again in every paragraph behind them: a source that would grow beyond bounds, or is
nested too deeply, loses tags before.
"""

from __future__ import annotations

import re
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy

from lxml import etree

from newscrawler.limits import PAGE_TAGS, TAG_ATTRIBUTES, TREE_DEPTH
from newscrawler.page.text import INVISIBLE_ENTITIES

_ENTITIES = re.compile(INVISIBLE_ENTITIES.pattern.encode())
_INVISIBLE = re.compile(rb"\xe2(?:\x80[\x8b\x8e\x8f\xaa-\xae]|\x81[\xa0\xa6-\xa9])")
#: The record of an end tag that was ignored because a `div` or a table is open inside its element.
_IGNORED_END = re.compile(
    "Opening and ending tag mismatch: (?:a|address|article|aside|blockquote|button|d[dlt]|details|dialog|fieldset|figcaption"
    "|figure|footer|form|h[1-6]|header|hgroup|li|main|menu|nav|noscript|ol|search|section|select|summary|template|ul) and "
)
_HEAD = frozenset(
    {"html", "head", "base", "basefont", "bgsound", "link", "meta", "title", "style", "script", "noscript", "template"}
)
_WITHOUT_TEXT = frozenset({"script", "style", "noscript", "link", "meta", "template"})

#: A tag this long is found, a shorter one has too few attributes to cost much.
_STEP = 8_192
_VALUE = rb"""=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+)?+"""
_ATTRIBUTES = rb"""[^>=]*+(?:="[^"]*+"[^>=]*+)*+(?:""" + _VALUE + rb"[^>=]*+)*+"
_ATTRIBUTE = rb"[\s/]++[^\s=/>]++(?:" + _VALUE + rb")?+"
_MANY_ATTRIBUTES = re.compile(rb"""<[a-zA-Z][\w:-]*+(?:\s++[^\s"'<>=/]++(?:""" + _VALUE + rb")?+){%d}" % TAG_ATTRIBUTES)
_TAG_OR_RAW = re.compile(
    rb"<!--(?s:.*?)(?:-->|\Z)|<(script|style|textarea|title)\b(?s:.*?)(?:</\1|\Z)|<(/?)([a-z][^\s/>]*+)"
    + _ATTRIBUTES
    + rb"(?:>|\Z)",
    re.IGNORECASE,
)
_FIRST_ATTRIBUTES = re.compile(rb"<[a-zA-Z][^\s/>]*+(?:" + _ATTRIBUTE + rb"){0,%d}+" % TAG_ATTRIBUTES)
#: Elements that HTML5's rules open again in the next paragraph if they are still open.
_REOPENED = frozenset(b"a b big code em font i nobr s small strike strong tt u".split())
#: Elements that end at the next one of their kind, or have no content.
_NOT_DEEP = frozenset(
    b"a p li dd dt tr td th tbody thead tfoot option optgroup button h1 h2 h3 h4 h5 h6 html head body area base basefont bgsound "
    b"br col embed frame hr image img input keygen link meta param rb rp rt rtc source track wbr".split()
)
#: Elements without content that libxml2 knows as such, and those of HTML5.
_KNOWN_AS_EMPTY = frozenset(b"area base br col frame hr img input link meta param".split())
_EMPTY = frozenset(b"basefont bgsound embed keygen source track wbr".split())
_PREFIX = "newscrawler-"
#: A tag, as the HTML5 parser writes it; comments, and elements whose content is no markup, as a whole.
_WRITTEN = re.compile(
    rb"<!--(?s:.*?)-->|<!DOCTYPE[^>]*>|<(script|style|textarea|title|xmp|iframe|noembed|noframes|plaintext)(?=[\s>])(?s:.*?)</\1>"
    rb"|<(/?)([a-z][^\s/>]*)((?:\s[^\s=>]*(?:=\"[^\"]*\")?)*>)",
    re.IGNORECASE,
)
_NOSCRIPT = re.compile(rb"<(/?)noscript(?=[\s/>])", re.IGNORECASE)
_WAS_NOSCRIPT = "was-noscript"


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
        (_has_ignored_end_tags() and encoded.count(b"<") <= PAGE_TAGS)
        or _has_text_behind_body(root)
        or _has_body_in_head(root)
        or _is_cut_off(root)
    ):
        root = _parse_as_browsers(encoded)
    return root if root is not None else etree.Element("html")


def _encode(source: str) -> bytes:
    """Return the bytes of a source without NUL and signs that nobody sees."""
    encoded = source.encode("utf-8", "replace").replace(b"\x00", b"")  # found in bytes ten times as fast
    if len(encoded) > len(source):
        encoded = _INVISIBLE.sub(b"", encoded)
        for sign in filter(source.__contains__, "\u00ad\ufeff"):  # the other signs of `text.INVISIBLE`
            encoded = encoded.replace(sign.encode(), b"")
    encoded = _ENTITIES.sub(b"", encoded)
    declaration = re.match(rb"\s*<\?xml[^>]*\?>", encoded)
    return encoded[declaration.end() :] if declaration else encoded


def _parse_as_browsers(source: bytes) -> etree._Element | None:
    """Return the tree of a page as an HTML5 parser builds it, the content of `noscript` apart, as where scripts run.

    The names of elements are written with a prefix, since libxml2 has no rules for names that it does not know.
    """
    from selectolax.lexbor import LexborHTMLParser

    limited = _NOSCRIPT.sub(lambda tag: b"</template" if tag[1] else f"<template {_WAS_NOSCRIPT}".encode(), _limit_nesting(source))
    written = (LexborHTMLParser(limited.decode("utf-8", "replace")).html or "").encode("utf-8", "replace")
    found = _parse(_WRITTEN.sub(_add_prefix, written))
    inner = None if found is None else next(found.iter(f"{_PREFIX}html"), None)
    if inner is None:
        return None
    root = deepcopy(inner)  # of one merely cut out of its document, lxml frees each element by a walk over the tree
    for element in root.iter():
        with suppress(ValueError):  # a name with signs that only parsers allow
            element.tag = str(element.tag).removeprefix(_PREFIX)
        if element.tag == "template" and _WAS_NOSCRIPT in element.attrib:
            element.tag = "noscript"
            del element.attrib[_WAS_NOSCRIPT]
    return root


def _add_prefix(tag: re.Match[bytes]) -> bytes:
    slash, name, rest = tag.group(2, 3, 4)
    if name is None or name in _KNOWN_AS_EMPTY:
        return tag[0]
    end = b"</%s%s>" % (_PREFIX.encode(), name) if name in _EMPTY else b""
    return b"<%s%s%s%s%s" % (slash, _PREFIX.encode(), name, rest, end)


def _limit_nesting(source: bytes) -> bytes:
    """Return a source without tags that nest too deeply, or that would be written again too often."""
    pieces, position, depth, opened, reopened = [], 0, 0, 0, 0
    skipped: Counter[bytes] = Counter()
    #: Lengths of the start tags of open elements that would be written again; `opened` is their sum.
    again: defaultdict[bytes, list[int]] = defaultdict(list)
    most = 4 * len(source) + 1_000_000  # bytes by which the source may grow
    for tag in _TAG_OR_RAW.finditer(source):
        is_end, name = tag[2], (tag[3] or b"").lower()
        if not name:
            continue
        is_left_out = False
        if is_end:
            is_left_out = skipped[name] > 0
            if is_left_out:
                skipped[name] -= 1
            elif again[name]:
                opened -= again[name].pop()
            depth -= not is_left_out and name not in _NOT_DEEP and depth > 0
        elif name in _REOPENED:
            if name == b"a":
                opened -= sum(again[name])
                again[name].clear()
            is_left_out = depth >= TREE_DEPTH or reopened > most
            if not is_left_out:
                again[name].append(len(tag.group()))
                opened += again[name][-1]
        else:
            reopened += opened
            is_left_out = depth >= TREE_DEPTH and name not in _NOT_DEEP
        if not is_end and name not in _NOT_DEEP:
            skipped[name] += is_left_out
            depth += not is_left_out
        if is_left_out:
            pieces += [source[position : tag.start()], b" "]
            position = tag.end()
        if reopened > most and opened:
            pieces.append(source[position : tag.end()])
            position = tag.end()
            pieces += [b"</%s>" % each for each, lengths in again.items() for _ in lengths]
            again.clear()
            opened = 0
    return b"".join([*pieces, source[position:]]) if pieces else source


def _parse(source: bytes) -> etree._Element | None:
    try:
        return etree.fromstring(source, _PARSERS.parser) if source and not source.isspace() else None
    except (etree.XMLSyntaxError, ValueError):
        return None


def _has_ignored_end_tags() -> bool:
    log = _PARSERS.parser.error_log  # of at most 100 errors; there may have been more
    return len(log) >= 100 or any(_IGNORED_END.match(record.message) for record in log)


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
    return depth >= 2_000


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
