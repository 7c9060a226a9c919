"""The texts around a headline, in which a page shows its date: those behind it first, then those before it, nearest first.

A small element is read as a whole: "Published" and "3 May" in elements of their own are one text.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

SILENT = frozenset({"script", "style", "noscript", "template", "textarea", "select", "option", "title", "head", "button", "svg"})
#: Texts that are read behind a headline, and before it.
BEHIND, _BEFORE = 60, 12
_MOST_CHILDREN, _MOST_OPENED = 6, 400
_ENDS = frozenset({"body", "html"})


def texts_around(headline: etree._Element, most_behind: int) -> Iterator[tuple[etree._Element, str]]:
    """Yield the texts behind the headline in page order, then those before it, nearest first, then its own."""
    yield from _first(_behind(headline), most_behind)
    yield from _first(_before(headline), _BEFORE)
    yield from _texts_in(headline)


def _first(texts: Iterator[tuple[etree._Element, str]], most: int) -> Iterator[tuple[etree._Element, str]]:
    return (said for _, said in zip(range(most), texts, strict=False))


def _behind(headline: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    node: etree._Element | None = headline
    while node is not None and node.tag not in _ENDS:
        parent = node.getparent()
        if text := _squeezed(node.tail):
            yield node if parent is None else parent, text
        for sibling in node.itersiblings(etree.Element):
            yield from _texts_in(sibling)
        node = parent


def _before(headline: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    node: etree._Element | None = headline
    while node is not None and node.tag not in _ENDS:
        for sibling in node.itersiblings(etree.Element, preceding=True):
            yield from _texts_backwards(sibling)
        node = node.getparent()


def _squeezed(text: str | None) -> str:
    return " ".join(text.split()) if text else ""


def _texts_in(element: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    """Yield what an element says, in pieces, in page order; what stands between elements goes before what stands in them."""
    opened = pieces = 0
    stack = [element]
    while stack and pieces < BEHIND and opened <= _MOST_OPENED:
        node = stack.pop()
        if node.tag in SILENT or not isinstance(node.tag, str):
            continue
        children = list(node)
        if len(children) <= _MOST_CHILDREN and not any(map(len, children)):
            if text := _whole(node, children):
                yield node, text
                pieces += 1
            continue
        for text in map(_squeezed, (node.text, *(child.tail for child in children))):
            if text:
                yield node, text
                pieces += 1
        stack.extend(reversed(children))
        opened += 1


def _texts_backwards(element: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    """Yield what an element says, in pieces, the last first."""
    opened = 0
    stack: list[etree._Element | tuple[etree._Element, str]] = [element]
    while stack and opened <= _MOST_OPENED:
        node = stack.pop()
        if isinstance(node, tuple):
            yield node
            continue
        if node.tag in SILENT or not isinstance(node.tag, str):
            continue
        children = list(node)
        if len(children) <= _MOST_CHILDREN and not any(map(len, children)):
            if text := _whole(node, children):
                yield node, text
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
