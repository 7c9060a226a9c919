"""Queries of the full-text index on SQLite, in the language of FTS5."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, TextClause, literal_column, text

from newscrawler.store.search.index import INDEX
from newscrawler.store.search.query_language import And, Near, Node, Not, Or, Phrase

#: A word of the title counts as much as so many of the text.
TITLE_WEIGHT = 4.0


class SqliteQuery:
    """A query as conditions of SQL."""

    key: ColumnElement[int] = literal_column(f"{INDEX}.rowid")
    #: Orders matches, the newest last.
    recency = key
    #: What is looked at of an article that matches, to rank it.
    rankable: ColumnElement[Any] = literal_column(f"-bm25({INDEX}, {TITLE_WEIGHT}, 1.0)")

    #: All articles are searched at once.
    is_narrowed = False

    def __init__(self, node: Node) -> None:
        self._match = fts5(node)

    def narrow(self, _connection: Connection) -> None:
        """Do nothing."""

    def widen(self, _found: int, _wanted: int) -> bool:
        """Return False: all articles are searched."""
        return False

    def condition(self) -> TextClause:
        """Return the condition for articles that match."""
        return text(f"{INDEX} MATCH :query").bindparams(query=self._match)

    def score(self, rankable: ColumnElement[Any]) -> ColumnElement[Any]:
        """Return the number by which a match is ranked, the larger, the better (BM25)."""
        return rankable


def fts5(node: Node) -> str:
    """Write a query for FTS5; words contain neither quotes nor spaces."""
    match node:
        case Phrase(words=words, prefix=prefix, zone=zone):
            phrase = f'"{" ".join(words)}"{" *" if prefix else ""}'
            return f"{zone} : {phrase}" if zone else phrase
        case Near(left=left, right=right, distance=distance):
            pair = f"NEAR({fts5(_match_anywhere(left))} {fts5(_match_anywhere(right))}, {distance})"
            return f"{left.zone} : {pair}" if left.zone else pair
        case And(parts=parts):
            return "(" + " AND ".join(map(fts5, parts)) + ")"
        case Or(parts=parts):
            return "(" + " OR ".join(map(fts5, parts)) + ")"
        case Not(wanted=wanted, unwanted=unwanted):
            return f"({fts5(wanted)} NOT {fts5(unwanted)})"


def _match_anywhere(phrase: Phrase) -> Phrase:
    return Phrase(words=phrase.words, prefix=phrase.prefix)
