"""Concordances: each occurrence of a query with the words around it (KWIC)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from heapq import nsmallest
from html import escape
from typing import BinaryIO

from newscrawler.corpus.tables import write_table
from newscrawler.store.records import StoredArticle
from newscrawler.text import Node, Zone, fold_text, spans, tokens, words

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}td{padding:.1rem .4rem;vertical-align:top}"
    ".l{text-align:right}.h{font-weight:600;text-align:center;white-space:nowrap}.s{color:#555;white-space:nowrap}"
)


class Sorting(StrEnum):
    """By what lines are ordered."""

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
    """Yield the occurrences of a query, each with so many words on its left and right."""
    for stored in articles:
        article = stored.article
        body = " ".join(paragraph.text for paragraph in article.body)
        date = article.date.isoformat() if article.date else None
        for zone, text in ((Zone.HEADLINE, article.headline), (Zone.BODY, body)):
            for left, hit, right in _contexts(text, query, zone, width):
                yield Line(article_id=stored.id, portal=article.portal, date=date, zone=zone, left=left, hit=hit, right=right)


def _contexts(text: str, query: Node, zone: Zone, width: int) -> Iterator[tuple[str, str, str]]:
    found = list(tokens(text))
    hits = spans(query, found, zone)
    if not hits:
        return
    pieces = [(start, end) for start, end, is_word in words(text) if is_word]
    starts, ends = [start for start, _ in pieces], [end for _, end in pieces]
    for hit in hits:
        start, end = found[hit.first].start, found[hit.last].end
        before, behind = bisect_right(ends, start), bisect_left(starts, end)
        first = starts[max(0, before - width)] if before and width else start
        last = ends[min(len(ends), behind + width) - 1] if behind < len(starts) and width else end
        yield text[first:start].strip(), text[start:end], text[end:last].strip()


def ordered(lines: Iterable[Line], by: Sorting, most: int) -> list[Line]:
    """Return the first `most` lines of an order; no more than these are held in memory."""
    if by is Sorting.ARTICLE:
        return [line for _, line in zip(range(most), lines, strict=False)]
    return nsmallest(most, lines, key=_left_key if by is Sorting.LEFT else _right_key)


def _left_key(line: Line) -> tuple[list[str], int]:
    return fold_text(line.left)[::-1], line.article_id


def _right_key(line: Line) -> tuple[list[str], int]:
    return fold_text(line.right), line.article_id


def write_csv(lines: Iterable[Line], stream: BinaryIO) -> int:
    """Write one row a line, with a heading; return how many lines there were."""
    heading = ("article", "portal", "date", "zone", "left", "hit", "right")
    rows = ((line.article_id, line.portal, line.date, line.zone, line.left, line.hit, line.right) for line in lines)
    return write_table(heading, rows, stream)


def write_html(lines: Iterable[Line], stream: BinaryIO, *, title: str) -> int:
    """Write a page with a table; return how many lines there were."""
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
