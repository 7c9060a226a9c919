"""The passage of an article that best shows why a query found it."""

from __future__ import annotations

from dataclasses import dataclass

from newscrawler.article import Article
from newscrawler.store.search import Node, WordSpan, WordToken, Zone, spans, tokens

#: Number of words in a snippet, and of those before its first hit.
_LENGTH, _BEFORE = 36, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a snippet."""

    text: str
    is_hit: bool


def snippet(article: Article, query: Node) -> tuple[Piece, ...]:
    """Return the passage of the body with the most hits; its beginning if all hits are in the title."""
    text = " ".join(paragraph.text for paragraph in article.paragraphs)
    found = list(tokens(text))
    hits = spans(query, found, Zone.BODY)
    first = max(0, _best(hits) - _BEFORE)
    last = min(len(found), first + _LENGTH) - 1
    if last < 0:
        return ()
    start, end = found[first].start if first else 0, found[last].end if last + 1 < len(found) else len(text)
    shown = [hit for hit in hits if first <= hit.first and hit.last <= last]
    pieces = _pieces(text, found, shown, start, end)
    before, behind = "… " if start else "", " …" if end < len(text) else ""
    edges = (Piece(text=before, is_hit=False), *pieces, Piece(text=behind, is_hit=False))
    return tuple(piece for piece in edges if piece.text)


def _best(hits: list[WordSpan]) -> int:
    """Return the first word of the hit that most others follow within a snippet."""
    best = most = 0
    for number, hit in enumerate(hits):
        count = sum(other.last < hit.first + _LENGTH - _BEFORE for other in hits[number:])
        if count > most:
            best, most = hit.first, count
    return best


def _pieces(text: str, found: list[WordToken], hits: list[WordSpan], start: int, end: int) -> list[Piece]:
    pieces, place = [], start
    for hit in hits:
        here, there = found[hit.first].start, found[hit.last].end
        if here >= place:
            pieces += [Piece(text=text[place:here], is_hit=False), Piece(text=text[here:there], is_hit=True)]
            place = there
    return [*pieces, Piece(text=text[place:end], is_hit=False)]
