"""The texts around a headline, in which a page shows its date: those behind it first, then those before it, nearest first.

A small element is read as a whole: "Published" and "3 May" in elements of their own are one text.
"""

from __future__ import annotations

from lxml import etree

SILENT = frozenset({"script", "style", "noscript", "template", "textarea", "select", "option", "title", "head", "button", "svg"})
#: Texts that are read behind a headline, and before it.
BEHIND, _BEFORE = 60, 12
_MOST_CHILDREN, _MOST_OPENED = 6, 400
_OF_LINES = frozenset({"span", "font", "b", "strong", "big", "small", "i", "em"})
_ENDS = frozenset({"body", "html"})


def texts_around(headline: etree._Element, most_behind: int) -> list[tuple[etree._Element, str]]:
    """Give the texts behind the headline in page order, then those before it, nearest first, then its own.

    What stands in one line with the headline, or in the line right above it, comes first of all.
    """
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
    before, first = (before[1:], before[:1]) if _runs_on(headline) else (before, [])
    own: list[tuple[etree._Element, str]] = []
    _read_on(headline, own, BEHIND)
    return first + behind[:most_behind] + before[:_BEFORE] + own


def _runs_on(headline: etree._Element) -> bool:
    """Tell whether the headline, and what stands before it, are elements of lines: "<span>3 May 2004</span><br><b>Headline</b>"."""
    above = headline.getprevious()
    while above is not None and above.tag == "br" and not _squeezed(above.tail):
        above = above.getprevious()
    return headline.tag in _OF_LINES and above is not None and above.tag in _OF_LINES


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
