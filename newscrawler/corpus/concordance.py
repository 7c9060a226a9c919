"""Concordances: each occurrence of a query with the words around it (KWIC)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from heapq import nsmallest
from html import escape
from typing import BinaryIO

from newscrawler.corpus.tables import write_table
from newscrawler.store.articles import StoredArticle
from newscrawler.store.search import Node, Zone, fold_text, spans, tokens, words

#: Generous length of a word with its space; longer words reduce the number of words in a context.
_LONGEST_WORD = 24
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}td{padding:.1rem .4rem;vertical-align:top}"
    ".l{text-align:right}.h{font-weight:600;text-align:center;white-space:nowrap}.s{color:#555;white-space:nowrap}"
)


class Sorting(StrEnum):
    """The order of lines."""

    ARTICLE = "article"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One occurrence."""

    article_id: int
    portal: str | None
    date: str | None
    zone: Zone
    left: str
    hit: str
    right: str


def concordance(articles: Iterable[StoredArticle], query: Node, *, width: int = 8) -> Iterator[Line]:
    """Yield the occurrences of a query, each with `width` words on its left and right."""
    for stored in articles:
        article = stored.article
        body = " ".join(paragraph.text for paragraph in article.paragraphs)
        date = article.date.isoformat() if article.date else None
        for zone, text in ((Zone.TITLE, article.title), (Zone.BODY, body)):
            for left, hit, right in _contexts(text, query, zone, width):
                yield Line(article_id=stored.id, portal=article.portal, date=date, zone=zone, left=left, hit=hit, right=right)


def _contexts(text: str, query: Node, zone: Zone, width: int) -> Iterator[tuple[str, str, str]]:
    found = list(tokens(text))
    hits = spans(query, found, zone)
    if not hits:
        return
    for hit in hits:
        start, end = found[hit.first].start, found[hit.last].end
        yield _left(text[:start], width), text[start:end], _right(text[end:], width)


def _left(text: str, width: int) -> str:
    """Return the last words of a text; segments only the part that is long enough in any language."""
    start = max(0, len(text) - _LONGEST_WORD * width)
    near = text[text.find(" ", start) + 1 if start else 0 :]
    firsts = [start for start, _, is_word in words(near) if is_word]
    return near[firsts[max(0, len(firsts) - width)] :].strip() if width and firsts else ""


def _right(text: str, width: int) -> str:
    """Return the first words of a text."""
    near = text[: _LONGEST_WORD * width]
    ends = [end for _, end, is_word in words(near) if is_word]
    if len(near) < len(text) and len(ends) <= width:
        ends = ends[:-1]  # the last may be cut
    return near[: ends[min(width, len(ends)) - 1]].strip() if width and ends else ""


def ordered(lines: Iterable[Line], by: Sorting, most: int) -> list[Line]:
    """Return the first `most` lines of an order; keeps only these in memory."""
    if by is Sorting.ARTICLE:
        return [line for _, line in zip(range(most), lines, strict=False)]
    return nsmallest(most, lines, key=_left_key if by is Sorting.LEFT else _right_key)


def _left_key(line: Line) -> tuple[list[str], int]:
    return fold_text(line.left)[::-1], line.article_id


def _right_key(line: Line) -> tuple[list[str], int]:
    return fold_text(line.right), line.article_id


def write_csv(lines: Iterable[Line], stream: BinaryIO) -> int:
    """Write one row per line, with a heading; return the number of lines."""
    heading = ("article", "portal", "date", "zone", "left", "hit", "right")
    rows = ((line.article_id, line.portal, line.date, line.zone, line.left, line.hit, line.right) for line in lines)
    return write_table(heading, rows, stream)


def write_html(lines: Iterable[Line], stream: BinaryIO, *, title: str) -> int:
    """Write a page with a table; return the number of lines."""
    count = 0
    head = f'<!doctype html><html><head><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head>'
    stream.write(f"{head}<body><h1>{escape(title)}</h1><table>\n".encode("utf-8", "replace"))
    for count, line in enumerate(lines, 1):  # noqa: B007  the last number is returned
        source = f"{line.article_id} {line.portal or ''} {line.date or ''}"
        cells = (("s", source), ("l", line.left), ("h", line.hit), ("r", line.right))
        row = "".join(f'<td class="{name}" dir="auto">{escape(text)}</td>' for name, text in cells)
        stream.write(f"<tr>{row}</tr>\n".encode("utf-8", "replace"))
    stream.write(b"</table></body></html>\n")
    return count
