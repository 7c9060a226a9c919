"""Paragraphs from the trees in which publishing systems keep a text: lists of blocks, trees of nodes, strings of HTML.

No system is known by name. A node is a mapping; what it is says the word in one of a few keys (type, nodeType, tag, …), and its
text or its children stand in one of a few others. Words for paragraphs, headings, quotes and lists are nearly the same
everywhere; so are those for what is not text: pictures, advertisements, links to other articles.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import unescape
from itertools import chain
from typing import Any, NamedTuple

from lxml import etree

from newscrawler.limits import RICH_TEXT_CHARACTERS, RICH_TEXT_DEPTH, RICH_TEXT_NODES
from newscrawler.page.layout import read_layout
from newscrawler.page.names import Mark, MarksOnDemand

#: Keys that say what a node is, and those in which its text and its children stand.
_KINDS = ("type", "_type", "nodeType", "nodetype", "__typename", "kind", "blockType", "__component", "tag", "tagName", "component")
_CONTENTS = (
    "children", "content", "contents", "nodes", "blocks", "items", "text", "html", "value", "data", "body", "paragraphs",
    "paragraph", "elements", "components", "root", "document", "json", "attributes", "fields", "props", "rows", "cells",
    "innerBlocks", "innerHTML", "literal", "copy", "markup", "rendered", "raw",
)  # fmt: skip
_PARTS = frozenset({"blocks", "elements", "components", "nodes", "paragraphs"})
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_INLINE_WORDS = (
    "text span link hyperlink a strong b em i u bold italic underline mark entity mention string leaf inline sup sub small code "
    "hardbreak linebreak br autolink textnode anchor"
)
_INLINE = frozenset(_INLINE_WORDS.split())
_NOT_TEXT_WORDS = (
    "image images img picture photo photos figure media video audio gallery slideshow carousel embed embedded iframe oembed tweet "
    "twitter instagram facebook youtube tiktok vimeo ad ads advert advertisement banner promo promotion related recommended "
    "recommendation readmore newsletter signup subscribe paywall quiz poll podcast map chart graphic infographic caption credit "
    "atomic divider delimiter separator hr rule button cta teaser teasers social share comments script style svg pullquote "
    "form input noscript player"
)
_NOT_TEXT = frozenset(_NOT_TEXT_WORDS.split())
_HEADINGS_WORDS = "heading header subheading subheader headline title subtitle crosshead crossheading h1 h2 h3 h4 h5 h6"
_HEADINGS = frozenset(_HEADINGS_WORDS.split())
_LISTS = frozenset({"list", "ul", "ol", "lists"})
_ENDS = frozenset('.!?…。！？।؟”»“"')
_BLOCK_TAGS = re.compile(r"<(?:p|div|h[1-6]|ul|ol|li|blockquote|br|table|section|figure)\b", re.IGNORECASE)
_BESIDE = int(
    Mark.FIGURE | Mark.CAPTION | Mark.RELATED | Mark.PROMOTION | Mark.NAVIGATION | Mark.FOOTER | Mark.ASIDE | Mark.EMBED | Mark.FORM
    | Mark.HIDDEN | Mark.PULL_QUOTE
)  # fmt: skip


def _names_contents(key: str) -> bool:
    """Return whether a key of several words ends in a word for parts of a text: "story-elements"."""
    words = list(map(str.lower, _WORDS.findall(key)))
    return len(words) > 1 and words[-1] in _PARTS and _NOT_TEXT.isdisjoint(words)


class WrittenParagraph(NamedTuple):
    """A paragraph of a text."""

    text: str
    #: p, h2, li, blockquote, tr: as the kinds of blocks.
    kind: str


def paragraphs_of(value: Any) -> list[WrittenParagraph]:
    """Give the paragraphs of a text in whatever form; none where it is not text."""
    reader = _Reader()
    reader.read(value, None, 0)
    reader.flush("p")
    return reader.found


class _Reader:
    """What has been read so far; text is gathered in pieces until its paragraph ends."""

    def __init__(self) -> None:
        self.found: list[WrittenParagraph] = []
        self.pieces: list[str] = []
        self.left = RICH_TEXT_NODES
        #: Kind of a line that stands by itself.
        self.usual = "p"

    def flush(self, kind: str) -> None:
        text = " ".join("".join(self.pieces).split())
        self.pieces.clear()
        if text:
            self.found.append(WrittenParagraph(text, kind))

    def read(self, value: Any, inside: str | None, depth: int) -> None:
        """Read a value; `inside` is the kind of the paragraph in which it stands, None between paragraphs."""
        self.left -= 1
        if self.left < 0 or depth > RICH_TEXT_DEPTH:
            return
        if isinstance(value, str):
            self._read_string(value, inside)
        elif isinstance(value, list):
            self._read_list(value, inside, depth)
        elif isinstance(value, Mapping):
            self._read_node(value, inside, depth)

    def _read_list(self, values: Sequence[Any], inside: str | None, depth: int) -> None:
        if inside is None and _is_line(values):
            for value in values:
                self.read(value, "p", depth + 1)
            self.flush("p")
            return
        for value in values:
            self.read(value, inside, depth + 1)

    def _read_node(self, node: Mapping[str, Any], inside: str | None, depth: int) -> None:
        words = read_kind_words(node)
        if not words.isdisjoint(_NOT_TEXT) and "text" not in words:
            return
        if not words.isdisjoint(("hardbreak", "linebreak", "br")):
            self.pieces.append(" ")
            return
        kind = _find_kind(words, node)
        if inside is not None and (kind is None or kind == "p" or inside == "li"):
            # what stands in a line belongs to it, and so does the paragraph of a list's item
            self._read_contents(node, inside, depth)
        elif kind is None:
            usual, self.usual = self.usual, "p" if words.isdisjoint(_LISTS) else "li"
            self._read_contents(node, None, depth)
            self.usual = usual
        else:
            self.flush("p")
            self._read_contents(node, kind, depth)
            self.flush(kind)

    def _read_contents(self, node: Mapping[str, Any], inside: str | None, depth: int) -> None:
        """Read the first of the places in which a node may keep its text that holds any."""
        for key in chain(_CONTENTS, filter(_names_contents, node)):
            inner = node.get(key)
            if not inner or not isinstance(inner, (str, list, Mapping)):
                continue
            before = len(self.found), len(self.pieces)
            self.read(inner, inside, depth + 1)
            if (len(self.found), len(self.pieces)) != before:
                return

    def _read_string(self, text: str, inside: str | None) -> None:
        if re.search(r"<[a-zA-Z!/][^<>]*>|&(?:[a-zA-Z]{2,8}|#x?[\da-fA-F]{2,6});", text):
            if inside is None or _BLOCK_TAGS.search(text):
                written = read_paragraphs_of_html(text)
                if inside is not None and len(written) == 1:
                    self.pieces.append(written[0].text)
                    return
                self.flush(inside or "p")
                kind = None if inside == "p" else inside
                self.found += [WrittenParagraph(each.text, kind) for each in written] if kind else written
                return
            self.pieces.append(unescape(re.sub(r"<[^<>]*>", "", text)))
        elif inside is None:
            for line in text.splitlines():
                self.pieces.append(line)
                self.flush(self.usual)
        else:
            self.pieces.append(text)


def _is_line(values: Sequence[Any]) -> bool:
    """Tell pieces of one line, in a list between paragraphs, from paragraphs, which end as sentences do."""
    if not values or all(isinstance(value, str) for value in values) or not all(map(is_inline, values)):
        return False
    texts = [_find_text(value) if isinstance(value, Mapping) else value for value in values]
    return len(texts) == 1 or not all(isinstance(text, str) and text.rstrip()[-1:] in _ENDS for text in texts)


def _find_text(node: Mapping[str, Any]) -> str | None:
    return next((said for key in _CONTENTS if isinstance(said := node.get(key), str)), None)


def read_kind_words(node: Mapping[str, Any]) -> frozenset[str]:
    """The words that say what a node is, each alone and all joined, in small letters."""
    found: set[str] = set()
    for key in _KINDS:
        value = node.get(key)
        if isinstance(value, str) and len(value) <= 60:
            words = [word.lower() for word in _WORDS.findall(value)]
            found.update(words)
            found.add("".join(words))
    name = node.get("name")
    if isinstance(name, str) and len(name) <= 60 and ("innerBlocks" in node or "attributes" in node or "children" in node):
        found.update(word.lower() for word in _WORDS.findall(name))
    return frozenset(found)


def is_inline(value: Any) -> bool:
    """Return whether a value is a piece of a line: a string, or a node of text, a link or a style of letters."""
    if isinstance(value, str):
        return True
    if not isinstance(value, Mapping):
        return False
    words = read_kind_words(value)
    if words:
        return not words.isdisjoint(_INLINE) and words.isdisjoint(_NOT_TEXT) and "block" not in words and _is_piece(value)
    return isinstance(value.get("text"), str) and not any(isinstance(value.get(key), (list, Mapping)) for key in _CONTENTS)


def _is_piece(node: Mapping[str, Any]) -> bool:
    """Tell a piece of a line from a block of a page that is called "text"."""
    for key in _CONTENTS:
        inner = node.get(key)
        if isinstance(inner, str) and _BLOCK_TAGS.search(inner):
            return False
        if isinstance(inner, list) and not all(map(is_inline, inner)):
            return False
    return True


def _find_kind(words: frozenset[str], node: Mapping[str, Any]) -> str | None:
    """The kind of the paragraph that a node is; None where it only holds others, or is a piece of one."""
    style = node.get("style")
    if isinstance(style, str) and style in {"h1", "h2", "h3", "h4", "h5", "h6", "blockquote"}:
        return style
    if node.get("listItem") or not words.isdisjoint(("li", "listitem")) or {"list", "item"} <= words:
        return "li"
    if not words.isdisjoint(_HEADINGS):
        return "h2"
    if not words.isdisjoint(("quote", "blockquote", "quotation")):
        return "blockquote"
    if "row" in words or "tr" in words:
        return "tr"
    if not words.isdisjoint(_INLINE) and not any(isinstance(node.get(key), (list, Mapping)) for key in _CONTENTS):
        return None
    inner = next((node[key] for key in _CONTENTS if node.get(key)), None)
    if isinstance(inner, list) and words.isdisjoint(_LISTS) and inner and all(map(is_inline, inner)):
        return "p" if any(not isinstance(value, str) for value in inner) or "p" in words or "paragraph" in words else None
    if isinstance(inner, str) and words.isdisjoint(_INLINE) and not _BLOCK_TAGS.search(inner) and "\n" not in inner:
        return "p"
    return "p" if words & {"p", "paragraph", "unstyled"} else None


def read_paragraphs_of_html(text: str) -> list[WrittenParagraph]:
    """Give the paragraphs of a string of HTML, without what stands in pictures and boxes beside the text."""
    source = unescape(text) if "&lt;" in text and "<p" not in text else text
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(
            f"<html><body><div>{source[:RICH_TEXT_CHARACTERS]}</div></body></html>".encode("utf-8", "replace"), parser
        )
    except (etree.XMLSyntaxError, ValueError):
        return []
    body = root.find("body") if root is not None else None
    if body is None:
        return []
    layout = read_layout(body, MarksOnDemand())
    return [
        WrittenParagraph(block.text, block.kind if block.kind != "div" else "p")
        for block in layout.blocks
        if not layout.boxes[block.box].within & _BESIDE
    ]
