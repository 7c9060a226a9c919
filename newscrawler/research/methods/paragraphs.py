"""Build the typed paragraphs of a body from text nodes: the last step of every published method."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from lxml import etree

from newscrawler.article import Body, Paragraph, ParagraphKind
from newscrawler.page import squeeze
from newscrawler.research.methods.outline import INLINE, Outline

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_KINDS = {
    **dict.fromkeys(HEADINGS, ParagraphKind.HEADING), "li": ParagraphKind.LIST_ITEM, "dd": ParagraphKind.LIST_ITEM,
    "dt": ParagraphKind.LIST_ITEM, "blockquote": ParagraphKind.QUOTE, "tr": ParagraphKind.TABLE_ROW,
}  # fmt: skip
#: The search upwards for a kind ends here: the content of a layout table is not a table row.
_PLAIN = frozenset({"div", "article", "section", "main", "body"})
#: A letter or digit.
_WORD = re.compile(r"[^\W_]")
#: Bounds the search where thousands of elements are nested.
_MOST_STEPS = 16


def body_of(outline: Outline, numbers: Iterable[int], *, containers: Iterable[int] = (), confidence: float = 0.5) -> Body | None:
    """Build a body from text nodes, by their numbers in reading order; `containers`: elements of the text, or the blocks.

    Returns:
        None if no text is left.
    """
    found = paragraphs_of(outline, numbers)
    if not found:
        return None
    elements = tuple(outline.elements[number] for number in containers) or blocks_of(outline, [block for _, block in found])
    return Body(paragraphs=tuple(paragraph for paragraph, _ in found), elements=elements, confidence=confidence)


def paragraphs_of(outline: Outline, numbers: Iterable[int]) -> list[tuple[Paragraph, int]]:
    """Join text nodes line by line; return each paragraph with the number of its block element."""
    found: list[tuple[Paragraph, int]] = []
    texts = outline.texts
    for _, line in groupby(numbers, key=lambda number: texts[number].line):
        nodes = list(line)
        text = texts[nodes[0]].text if len(nodes) == 1 else _joined(outline, nodes)
        if _WORD.search(text) is None:
            continue
        block = block_around(outline, texts[nodes[0]].owner)
        found.append((Paragraph(text=squeeze(text), kind=kind_of(outline, block)), block))
    return found


def _joined(outline: Outline, nodes: Sequence[int]) -> str:
    """Join the text nodes of a line; where others are left out between two, with a space."""
    pieces: list[str] = []
    for before, number in zip([nodes[0], *nodes], nodes, strict=False):
        if number - before > 1:
            pieces.append(" ")
        pieces.append(outline.texts[number].text)
    return "".join(pieces)


def block_around(outline: Outline, element: int) -> int:
    """Return the nearest block element, starting with the element itself."""
    while element > 0 and outline.tags[element] in INLINE:
        element = outline.parents[element]
    return element


def kind_of(outline: Outline, block: int) -> ParagraphKind:
    """Return the kind of a paragraph, by its ancestors."""
    for _ in range(_MOST_STEPS):
        if block < 0 or outline.tags[block] in _PLAIN:
            break
        if kind := _KINDS.get(outline.tags[block]):
            return kind
        block = outline.parents[block]
    return ParagraphKind.PARAGRAPH


def blocks_of(outline: Outline, blocks: Iterable[int]) -> tuple[etree._Element, ...]:
    """Return the elements with these numbers, each once."""
    return tuple(outline.elements[number] for number in dict.fromkeys(blocks))
