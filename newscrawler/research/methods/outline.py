"""A page flattened in reading order, so that methods compute over lists instead of walking a tree.

Elements are numbered in preorder: the descendants of element i have the numbers i + 1 to `last[i]`, and sums over subtrees take one
pass backwards. Invisible text (scripts, styles, templates, ...) is left out together with its elements.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

#: Elements whose content is not visible text.
UNSEEN = frozenset({
    "script", "style", "noscript", "template", "svg", "math", "head", "title", "iframe", "object", "textarea", "select", "datalist",
    "audio", "video", "canvas",
})  # fmt: skip
#: Elements that do not break a line; every other one does, unknown ones included.
INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
    "label", "mark", "nobr", "q", "ruby", "rb", "rt", "rp", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time",
    "tt", "u", "var", "wbr",
})  # fmt: skip
_CELLS = frozenset({"td", "th"})
#: Tags of a path, counted from its end; bounds pages with thousands of nested elements.
_LONGEST_PATH = 64
#: Elements without an end tag.
VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
})  # fmt: skip


class TextNode(NamedTuple):
    """A run of text between two tags that is not only white space."""

    #: As in the source; begins with a space if white space was skipped before it.
    text: str
    #: Number of the element that directly holds it.
    owner: int
    #: Nodes on the same line belong to the same paragraph.
    line: int
    #: Tags since the previous text node, end tags included, for each line of the source in between.
    gap: tuple[int, ...]

    @property
    def tags(self) -> int:
        """Return the number of tags since the previous text node."""
        return sum(self.gap)


@dataclass(frozen=True, slots=True)
class Outline:
    """Elements and text nodes in reading order; `elements[0]` is the body, or the root where there is none."""

    elements: list[etree._Element] = field(default_factory=list)
    #: Lower-case names.
    tags: list[str] = field(default_factory=list)
    #: Number of the element that each one lies in; -1 for the first.
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    #: The greatest number below each element, or its own.
    last: list[int] = field(default_factory=list)
    texts: list[TextNode] = field(default_factory=list)
    #: The text nodes below element i are `texts[first_text[i]:end_text[i]]`.
    first_text: list[int] = field(default_factory=list)
    end_text: list[int] = field(default_factory=list)

    def within(self, element: int) -> range:
        """Return the numbers of the text nodes below an element."""
        return range(self.first_text[element], self.end_text[element])

    def path(self, element: int) -> tuple[str, ...]:
        """Return the tags that lead to an element, its own first."""
        found: list[str] = []
        while element >= 0 and len(found) < _LONGEST_PATH:
            found.append(self.tags[element])
            element = self.parents[element]
        return tuple(found)

    def children(self) -> list[list[int]]:
        """Return the child elements of every element."""
        found: list[list[int]] = [[] for _ in self.elements]
        for number, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(number)
        return found

    def totals(self, own: list[int]) -> list[int]:
        """Sum a value of single elements over each element's subtree."""
        total = list(own)
        for number in range(len(total) - 1, 0, -1):
            total[self.parents[number]] += total[number]
        return total

    def own_characters(self) -> list[int]:
        """Count the characters directly in each element, without surrounding white space."""
        own = [0] * len(self.elements)
        for node in self.texts:
            own[node.owner] += len(node.text.strip())
        return own

    def nearest(self, names: frozenset[str]) -> list[int]:
        """Return for every element its nearest ancestor with one of these names, or itself; -1: none."""
        found: list[int] = []
        for number, tag in enumerate(self.tags):
            parent = self.parents[number]
            found.append(number if tag in names else found[parent] if parent >= 0 else -1)
        return found


def outline(root: etree._Element) -> Outline:
    """Flatten a subtree in linear time and without recursion."""
    return _OutlineWriter().write(root)


class _OutlineWriter:
    """Builds an outline in one walk; counts the tags between text nodes."""

    def __init__(self) -> None:
        self.out = Outline()
        self.line = 0
        self.gap = [0]
        self.blank = False

    def write(self, root: etree._Element) -> Outline:
        out = self.out
        open_elements: list[int] = []
        skipped: etree._Element | None = None
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if skipped is not None:
                if event == "end" and element is skipped:
                    skipped = None
                    if element is not root:
                        self.text(element.tail, open_elements[-1])
            elif event == "start":
                tag = element.tag
                if not isinstance(tag, str) or (tag in UNSEEN and element is not root):
                    skipped = element
                else:
                    self.start(element, tag, open_elements)
            else:
                number = open_elements.pop()
                out.last[number] = len(out.elements) - 1
                out.end_text[number] = len(out.texts)
                if out.tags[number] not in VOID:
                    self.boundary(out.tags[number])
                if element is not root:
                    self.text(element.tail, open_elements[-1])
        return out

    def start(self, element: etree._Element, tag: str, open_elements: list[int]) -> None:
        out = self.out
        number = len(out.elements)
        out.elements.append(element)
        out.tags.append(tag)
        out.parents.append(open_elements[-1] if open_elements else -1)
        out.depths.append(len(open_elements))
        out.last.append(number)
        out.first_text.append(len(out.texts))
        out.end_text.append(len(out.texts))
        open_elements.append(number)
        self.boundary(tag)
        self.text(element.text, number)

    def boundary(self, tag: str) -> None:
        """Count a start or end tag."""
        self.gap[-1] += 1
        if tag in _CELLS:
            self.blank = True
        elif tag not in INLINE:
            self.line += 1

    def text(self, text: str | None, owner: int) -> None:
        if not text:
            return
        if text.isspace():
            self.blank = True
            self.gap.extend([0] * text.count("\n"))
            return
        if self.blank:
            text = " " + text
        self.out.texts.append(TextNode(text, owner, self.line, tuple(self.gap)))
        self.blank = False
        self.gap = [0]
