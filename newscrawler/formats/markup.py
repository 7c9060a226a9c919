"""Paragraphs with links and emphasis, in any markup: what HTML, TEI and Markdown share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby, pairwise

from newscrawler.article import Article, Image, Paragraph, ParagraphKind, Span

#: Characters that XML 1.0 cannot contain.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

#: Returns the markup before and after the text of a span.
SpanTags = Callable[[Span], tuple[str, str]]


def write_spans(paragraph: Paragraph, tag: SpanTags, escape_part: Callable[[str], str]) -> str:
    """Return the text of a paragraph with the markup of its spans, everything else escaped."""
    if not paragraph.spans:
        return escape_part(paragraph.text)
    spans = list(paragraph.spans)

    def write(start: int, end: int) -> str:
        parts, here = [], start
        while spans and spans[0].start < end:
            span = spans.pop(0)
            before, behind = tag(span)
            parts += [escape_part(paragraph.text[here : span.start]), before, write(span.start, span.end), behind]
            here = span.end
        return "".join([*parts, escape_part(paragraph.text[here:end])])

    return write(0, len(paragraph.text))


def clean_paragraph(paragraph: Paragraph) -> Paragraph:
    """Return a paragraph as extraction makes them: one line, no characters that XML cannot contain."""
    text = clean_text(paragraph.text)
    cells = tuple(map(clean_text, paragraph.cells))
    lines = tuple(FORBIDDEN.sub("", line) for each in paragraph.lines for line in each.splitlines() or [""])
    if text == paragraph.text and cells == paragraph.cells and lines == paragraph.lines:
        return paragraph
    # places in the text are no longer those of the spans
    return replace(paragraph, text=text, cells=cells, lines=lines, spans=paragraph.spans if text == paragraph.text else ())


def clean_text(text: str) -> str:
    """Return a text on one line, without the characters that XML 1.0 cannot contain."""
    return " ".join(FORBIDDEN.sub("", text).split())


def group_blocks(article: Article) -> Iterator[tuple[ParagraphKind, list[Paragraph]] | Image]:
    """Yield the paragraphs in order, list items and table rows that follow each other together, and the images between them."""
    images = sorted(article.images or (), key=lambda image: image.position)
    places = sorted({image.position for image in images} | {0, len(article.paragraphs)})
    yield from (image for image in images if image.position == 0)
    for first, last in pairwise(places):
        yield from group_paragraphs(article.paragraphs[first:last])
        yield from (image for image in images if image.position == last)


def group_paragraphs(paragraphs: Iterable[Paragraph]) -> Iterator[tuple[ParagraphKind, list[Paragraph]]]:
    """Yield clean paragraphs in order, list items and table rows that follow each other together."""
    for kind, run in groupby(map(clean_paragraph, paragraphs), key=lambda paragraph: paragraph.kind):
        if kind in (ParagraphKind.LIST_ITEM, ParagraphKind.TABLE_ROW):
            yield kind, list(run)
        else:
            yield from ((kind, [paragraph]) for paragraph in run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """Elements of HTML or TEI for the parts of an article."""

    #: Names of the elements for a list, its items, a numbered list, a table, its rows, its cells and those with headings.
    list_names: tuple[str, str]
    numbered_name: str
    table_names: tuple[str, str, str]
    header_cell: str
    #: The attribute of an item with its number, where that is not the next one.
    number_attribute: str
    #: Returns the markup around a heading of a level.
    heading: Callable[[int], tuple[str, str]]
    #: Markup around paragraphs of other kinds; `<p>` by default.
    around: Mapping[ParagraphKind, tuple[str, str]] = field(default_factory=dict)
    tag: SpanTags
    escape_part: Callable[[str], str]

    def write(self, kind: ParagraphKind, paragraphs: Sequence[Paragraph]) -> str:
        """Return a list, a table, or one paragraph."""
        if kind is ParagraphKind.TABLE_ROW:
            table, row, _ = self.table_names
            rows = ("".join(map(partial(self._write_cell, each), each.cells or (each.text,))) for each in paragraphs)
            return f"<{table}>" + "".join(f"<{row}>{cells}</{row}>" for cells in rows) + f"</{table}>"
        if kind is ParagraphKind.LIST_ITEM:
            return self._write_list(list(paragraphs), 1)
        if kind is ParagraphKind.PREFORMATTED:
            before, behind = self.around[kind]
            return "".join(before + self.escape_part("\n".join(each.lines or (each.text,))) + behind for each in paragraphs)
        written = ((self._get_around(each), write_spans(each, self.tag, self.escape_part)) for each in paragraphs)
        return "".join(f"{before}{text}{behind}" for (before, behind), text in written)

    def _write_cell(self, row: Paragraph, text: str) -> str:
        name = self.header_cell if row.is_header else self.table_names[2]
        return f"<{name}>{self.escape_part(text)}</{name.partition(' ')[0]}>"

    def _get_around(self, paragraph: Paragraph) -> tuple[str, str]:
        if paragraph.kind is ParagraphKind.HEADING:
            return self.heading(paragraph.level or 2)
        return self.around.get(paragraph.kind, ("<p>", "</p>"))

    def _write_list(self, items: list[Paragraph], depth: int) -> str:
        """Return lists of the items that are this deep or deeper, one for each run of the same sort; takes these off the items."""
        plain, item = self.list_names
        found: list[str] = []
        while items and (items[0].level or 1) >= depth:
            # an item that is deeper than the one before by two lies in a list without an item
            is_numbered = items[0].is_numbered and (items[0].level or 1) == depth
            rows: list[str] = []
            following = 1
            while items and (level := items[0].level or 1) >= depth:
                if level > depth:
                    rows[-1:] = [f"{rows[-1] if rows else f'<{item}>'}{self._write_list(items, depth + 1)}"]
                    continue
                if items[0].is_numbered != is_numbered:
                    break
                row = items.pop(0)
                if rows and row.number is not None and row.number == following - 1:
                    rows[-1] += f"<p>{write_spans(row, self.tag, self.escape_part)}</p>"
                    continue
                number = following if row.number is None else row.number
                is_counted = not is_numbered or number == following
                following = number + 1
                start = f"<{item}>" if is_counted else f'<{item} {self.number_attribute}="{number}">'
                rows.append(start + write_spans(row, self.tag, self.escape_part))
            whole, end = (self.numbered_name, self.numbered_name.partition(" ")[0]) if is_numbered else (plain, plain)
            found.append(f"<{whole}>" + "".join(f"{row}</{item}>" for row in rows) + f"</{end}>")
        return "".join(found)
