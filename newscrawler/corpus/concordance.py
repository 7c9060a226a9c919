"""Concordances: each occurrence of a query with the words around it (KWIC)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from heapq import nsmallest
from html import escape
from typing import BinaryIO

from newscrawler.article import Article
from newscrawler.store.articles import StoredArticle
from newscrawler.store.search import Node, WordSpan, WordToken, Zone, fold_text, spans, tokens, words

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
class ConcordanceLine:
    """One occurrence."""

    article_id: int
    portal: str | None
    date: str | None
    zone: Zone
    left: str
    hit: str
    right: str


def find_lines(articles: Iterable[StoredArticle], query: Node, *, width: int = 8) -> Iterator[ConcordanceLine]:
    """Yield the occurrences of a query, each with `width` words on its left and right."""
    for stored in articles:
        article = stored.article
        body = " ".join(paragraph.text for paragraph in article.paragraphs)
        date = article.date.isoformat() if article.date else None
        for zone, text in ((Zone.TITLE, article.title), (Zone.BODY, body)):
            for left, hit, right in _find_contexts(text, query, zone, width):
                yield ConcordanceLine(
                    article_id=stored.id, portal=article.portal, date=date, zone=zone, left=left, hit=hit, right=right
                )


def _find_contexts(text: str, query: Node, zone: Zone, width: int) -> Iterator[tuple[str, str, str]]:
    found = list(tokens(text))
    hits = spans(query, found, zone)
    if not hits:
        return
    for hit in hits:
        start, end = found[hit.first].start, found[hit.last].end
        yield _read_left(text[:start], width), text[start:end], _read_right(text[end:], width)


def _read_left(text: str, width: int) -> str:
    """Return the last words of a text; segments only the part that is long enough in any language."""
    start = max(0, len(text) - _LONGEST_WORD * width)
    near = text[text.find(" ", start) + 1 if start else 0 :]
    firsts = [start for start, _, is_word in words(near) if is_word]
    return near[firsts[max(0, len(firsts) - width)] :].strip() if width and firsts else ""


def _read_right(text: str, width: int) -> str:
    """Return the first words of a text."""
    near = text[: _LONGEST_WORD * width]
    ends = [end for _, end, is_word in words(near) if is_word]
    if len(near) < len(text) and len(ends) <= width:
        ends = ends[:-1]  # the last may be cut
    return near[: ends[min(width, len(ends)) - 1]].strip() if width and ends else ""


def sort_lines(lines: Iterable[ConcordanceLine], by: Sorting, most: int) -> list[ConcordanceLine]:
    """Return the first `most` lines of an order; keeps only these in memory."""
    if by is Sorting.ARTICLE:
        return [line for _, line in zip(range(most), lines, strict=False)]
    if by is Sorting.LEFT:
        return nsmallest(most, lines, key=lambda line: (fold_text(line.left)[::-1], line.article_id))
    return nsmallest(most, lines, key=lambda line: (fold_text(line.right), line.article_id))


def write_lines_html(lines: Iterable[ConcordanceLine], stream: BinaryIO, *, title: str) -> None:
    """Write a page with a table."""
    head = f'<!doctype html><html><head><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head>'
    stream.write(f"{head}<body><h1>{escape(title)}</h1><table>\n".encode("utf-8", "replace"))
    for line in lines:
        source = f"{line.article_id} {line.portal or ''} {line.date or ''}"
        cells = (("s", source), ("l", line.left), ("h", line.hit), ("r", line.right))
        row = "".join(f'<td class="{name}" dir="auto">{escape(text)}</td>' for name, text in cells)
        stream.write(f"<tr>{row}</tr>\n".encode("utf-8", "replace"))
    stream.write(b"</table></body></html>\n")


#: Number of words in a snippet, and of those before its first hit.
_LENGTH, _BEFORE = 36, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetPart:
    """A part of a snippet."""

    text: str
    is_hit: bool


def find_snippet(article: Article, query: Node) -> tuple[SnippetPart, ...]:
    """Return the passage of the body with the most hits; its beginning if all hits are in the title."""
    text = " ".join(paragraph.text for paragraph in article.paragraphs)
    found = list(tokens(text))
    hits = spans(query, found, Zone.BODY)
    first = max(0, _choose_first_word(hits) - _BEFORE)
    last = min(len(found), first + _LENGTH) - 1
    if last < 0:
        return ()
    start, end = found[first].start if first else 0, found[last].end if last + 1 < len(found) else len(text)
    shown = [hit for hit in hits if first <= hit.first and hit.last <= last]
    pieces = _split_at_hits(text, found, shown, start, end)
    before, behind = "… " if start else "", " …" if end < len(text) else ""
    edges = (SnippetPart(text=before, is_hit=False), *pieces, SnippetPart(text=behind, is_hit=False))
    return tuple(piece for piece in edges if piece.text)


def _choose_first_word(hits: list[WordSpan]) -> int:
    """Return the first word of the hit that most others follow within a snippet."""
    best = most = 0
    for number, hit in enumerate(hits):
        count = sum(other.last < hit.first + _LENGTH - _BEFORE for other in hits[number:])
        if count > most:
            best, most = hit.first, count
    return best


def _split_at_hits(text: str, found: list[WordToken], hits: list[WordSpan], start: int, end: int) -> list[SnippetPart]:
    pieces, place = [], start
    for hit in hits:
        here, there = found[hit.first].start, found[hit.last].end
        if here >= place:
            pieces += [SnippetPart(text=text[place:here], is_hit=False), SnippetPart(text=text[here:there], is_hit=True)]
            place = there
    return [*pieces, SnippetPart(text=text[place:end], is_hit=False)]
