"""The texts around a headline, in which a page shows its date: those behind it first, then those before it, nearest first.

A small element is read as a whole: "Published" and "3 May" in elements of their own are one text.
"""

from __future__ import annotations

from lxml import etree

SILENT = frozenset({"script", "style", "noscript", "template", "textarea", "select", "option", "title", "head", "button", "svg"})
#: Texts that are read behind a headline, and before it.
BEHIND, _BEFORE = 60, 12
_MOST_CHILDREN, _MOST_OPENED = 6, 400
_ENDS = frozenset({"body", "html"})


def texts_around(headline: etree._Element, most_behind: int) -> list[tuple[etree._Element, str]]:
    """Give the texts behind the headline in page order, then those before it, nearest first, then its own."""
    behind: list[tuple[etree._Element, str]] = []
    before: list[tuple[etree._Element, str]] = []
    node: etree._Element | None = headline
    while node is not None and node.tag not in _ENDS:
        parent = node.getparent()
        if len(behind) < most_behind:
            if text := _squeezed(node.tail):
                behind.append((node if parent is None else parent, text))
            for sibling in node.itersiblings(etree.Element):
                if len(behind) >= most_behind:
                    break
                _read_on(sibling, behind, most_behind)
        if len(before) < _BEFORE:
            for sibling in node.itersiblings(etree.Element, preceding=True):
                if len(before) >= _BEFORE:
                    break
                _read_back(sibling, before)
        node = parent
    own: list[tuple[etree._Element, str]] = []
    _read_on(headline, own, BEHIND)
    return behind[:most_behind] + before[:_BEFORE] + own


def _squeezed(text: str | None) -> str:
    return " ".join(text.split()) if text else ""


def _read_on(element: etree._Element, found: list[tuple[etree._Element, str]], most: int) -> None:
    """Read what an element says, in pieces, in page order; what stands between elements goes before what stands in them."""
    opened, most = 0, min(most, len(found) + BEHIND)
    stack = [element]
    while stack and len(found) < most and opened <= _MOST_OPENED:
        node = stack.pop()
        tag = node.tag
        if tag in SILENT or not isinstance(tag, str):
            continue
        children = list(node)
        if len(children) <= _MOST_CHILDREN and not any(map(len, children)):
            if text := _whole(node, children):
                found.append((node, text))
            continue
        found += [(node, text) for piece in (node.text, *(child.tail for child in children)) if (text := _squeezed(piece))]
        children.reverse()
        stack += children
        opened += 1


def _read_back(element: etree._Element, found: list[tuple[etree._Element, str]]) -> None:
    """Read what an element says, in pieces, the last first."""
    opened = 0
    stack: list[etree._Element | tuple[etree._Element, str]] = [element]
    while stack and len(found) < _BEFORE and opened <= _MOST_OPENED:
        node = stack.pop()
        if isinstance(node, tuple):
            found.append(node)
            continue
        tag = node.tag
        if tag in SILENT or not isinstance(tag, str):
            continue
        children = list(node)
        if len(children) <= _MOST_CHILDREN and not any(map(len, children)):
            if text := _whole(node, children):
                found.append((node, text))
            continue
        if text := _squeezed(node.text):
            stack.append((node, text))
        for child in children:
            stack.append(child)
            if text := _squeezed(child.tail):
                stack.append((node, text))
        opened += 1


def _whole(node: etree._Element, children: list[etree._Element]) -> str:
    """The text of an element whose children have none of their own; empty where one of them is not shown."""
    if not children:
        return _squeezed(node.text)
    if any(child.tag in SILENT for child in children):
        return ""
    pieces = [node.text, *(piece for child in children for piece in (child.text, child.tail))]
    return " ".join(" ".join(filter(None, pieces)).split())
