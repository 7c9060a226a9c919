"""Links, emphasis and table cells of paragraphs, read from the blocks that they were made of."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from lxml import etree

from newscrawler.article import Paragraph, ParagraphKind, Span, SpanKind
from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.document import visible_text
from newscrawler.page.layout import SILENT

_KINDS: Mapping[str, SpanKind] = {
    "a": SpanKind.LINK, "b": SpanKind.STRONG, "strong": SpanKind.STRONG, "i": SpanKind.EMPHASIS, "em": SpanKind.EMPHASIS,
}  # fmt: skip
_ADDRESSES = ("http://", "https://", "mailto:")


def blocks_of(page: Document, paragraphs: Iterable[Paragraph]) -> list[Block | None]:
    """Return for each paragraph the block of the same text; None: the text stands only in the data of the page, or was changed."""
    waiting: dict[str, deque[Block]] = {}
    for block in page.layout.blocks:
        waiting.setdefault(block.text, deque()).append(block)
    return [found.popleft() if (found := waiting.get(paragraph.text)) else None for paragraph in paragraphs]


def with_cells(paragraphs: Iterable[Paragraph], blocks: Sequence[Block | None]) -> Iterator[Paragraph]:
    """Yield the paragraphs, rows of tables with their cells."""
    for paragraph, block in zip(paragraphs, blocks, strict=True):
        if paragraph.kind is ParagraphKind.TABLE_ROW and block is not None:
            cells = tuple(visible_text(cell) for cell in block.element.iterchildren("td", "th"))
            yield replace(paragraph, cells=cells)
        else:
            yield paragraph


def with_spans(page: Document, paragraphs: Iterable[Paragraph], blocks: Sequence[Block | None]) -> Iterator[Paragraph]:
    """Yield the paragraphs with their links and emphasis."""
    lines: dict[etree._Element, _Line] = {}
    for paragraph, block in zip(paragraphs, blocks, strict=True):
        if block is None:
            yield paragraph
            continue
        if block.element not in lines:
            lines[block.element] = _Line.of(page, block.element)
        yield replace(paragraph, spans=lines[block.element].spans_of(paragraph.text))


@dataclass(slots=True, kw_only=True)
class _Line:
    """The text of an element without white space, in which places do not depend on how that is joined."""

    text: str
    spans: Sequence[Span]
    #: Where the search for the next block of the element begins.
    searched: int = 0

    @classmethod
    def of(cls, page: Document, element: etree._Element) -> _Line:
        pieces: list[str] = []
        spans: list[Span | None] = []
        here = 0
        open_elements: list[tuple[etree._Element, int, int]] = []
        for event, text, node in _walk(element):
            if event == "text":
                bare = "".join(text.split())
                pieces.append(bare)
                here += len(bare)
            elif event == "start":
                open_elements.append((node, here, len(spans)))
                spans.append(None)  # outer spans come first
            else:
                _, start, number = open_elements.pop()
                spans[number] = _span(page, node, start, here)
        return cls(text="".join(pieces), spans=[span for span in spans if span is not None])

    def spans_of(self, text: str) -> tuple[Span, ...]:
        """Return the spans of a block with this text; none where the text of the element reads otherwise."""
        places = [place for place, sign in enumerate(text) if not sign.isspace()]
        bare = "".join(text.split())
        begin = self.text.find(bare, self.searched)
        if begin < 0 or not bare:
            return ()
        self.searched = end = begin + len(bare)
        return tuple(
            replace(span, start=places[max(span.start, begin) - begin], end=places[min(span.end, end) - begin - 1] + 1)
            for span in self.spans
            if span.start < end and span.end > begin
        )


def _span(page: Document, node: etree._Element, start: int, end: int) -> Span | None:
    kind = _KINDS[str(node.tag)]
    if end == start:
        return None
    if kind is not SpanKind.LINK:
        return Span(kind=kind, start=start, end=end)
    url = page.resolve(node.get("href") or "")
    if not node.get("href") or url is None or not url.startswith(_ADDRESSES):
        return None
    return Span(kind=kind, start=start, end=end, url=url)


def _walk(element: etree._Element) -> Iterator[tuple[str, str, etree._Element]]:
    """Yield the texts below an element, and beginnings and ends of what marks them; scripts and the like are left out."""
    skipped: etree._Element | None = None
    for event, node in etree.iterwalk(element, events=("start", "end")):
        is_marked = node.tag in _KINDS and node is not element
        if event == "start":
            if skipped is None and (not isinstance(node.tag, str) or node.tag in SILENT):
                skipped = node
            if skipped is None:
                if is_marked:
                    yield "start", "", node
                yield "text", node.text or "", node
            continue
        if skipped is None and is_marked:
            yield "end", "", node
        if skipped is node:
            skipped = None
        if skipped is None and node is not element:
            yield "text", node.tail or "", node


def orders(page: Document) -> dict[etree._Element, int]:
    """Return the place of each element of the body in page order."""
    number = count()
    return {element: next(number) for element in page.body.iter()}
