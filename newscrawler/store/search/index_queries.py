"""Queries of the full-text index: in the language of FTS5 on SQLite, as `tsquery` on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from math import ceil, sqrt
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Connection, TextClause, cast, func, literal_column, select, table, text
from sqlalchemy.dialects.postgresql import ARRAY, REAL, TSQUERY, TSVECTOR

from newscrawler.store.search.index import BAND, BANDS, INDEX, TITLE_LABEL, WIDE_BAND
from newscrawler.store.search.query_language import And, Near, Node, Not, Or, Phrase, Zone

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


_WORDS: ColumnElement[Any] = literal_column(f"{INDEX}.words", TSVECTOR())
#: Words without a label count as D.
_LABELS = {None: "", Zone.TITLE: TITLE_LABEL, Zone.BODY: "D"}
#: Of the labels D, C, B and A.
_WEIGHTS = cast([1 / TITLE_WEIGHT, 0.0, 0.0, 1.0], ARRAY(REAL))
#: Tells `ts_rank` to divide by the logarithm of the length.
_BY_LENGTH = 1
#: Bands that are searched first, as the newest has few articles at times.
_FIRST = 2


class PostgreSqlQuery:
    """A query as conditions of SQL, of all articles or of the newest bands."""

    key: ColumnElement[int] = literal_column(f"{INDEX}.article_id")
    #: Orders matches; an expression, as the planner would otherwise read all articles from the newest on, without the index.
    recency: ColumnElement[int] = literal_column(f"{INDEX}.article_id + 0")
    #: What is looked at of an article that matches, to rank it.
    rankable: ColumnElement[Any] = _WORDS

    def __init__(self, node: Node) -> None:
        self._node = node
        self._newest_band = 0
        #: How many of the newest bands are searched; None: all.
        self._bands: int | None = None

    @property
    def is_narrowed(self) -> bool:
        """Return whether only the newest bands are searched."""
        return self._bands is not None

    def narrow(self, connection: Connection) -> None:
        """Search only the newest bands, if there are more."""
        self._newest_band = (connection.execute(select(func.max(self.key)).select_from(table(INDEX))).scalar() or 0) // BAND
        self._bands = _FIRST if self._newest_band >= _FIRST else None

    def widen(self, found: int, wanted: int) -> bool:
        """Search more of the newest bands, as many as are likely to contain enough matches; return False if there is no need.

        `found`: matches in the bands that were searched; `wanted`: those that are enough.
        """
        if found >= wanted or self._bands is None:
            return False
        needed = self._bands * wanted / found * (1 + 2 / sqrt(found)) if found else self._newest_band
        self._bands = ceil(needed) if needed < self._newest_band else None
        return True

    def condition(self) -> ColumnElement[bool]:
        """Return the condition for articles that match."""
        loose = _loosen(self._node)
        is_found = _WORDS.bool_op("@@")(_write(loose, self._list_bands()))
        # a function, for which the index is not used: it would look up the words of NEAR once for each distance
        return is_found if loose == self._node else is_found & func.ts_match_vq(_WORDS, _write(self._node), type_=Boolean())

    def _list_bands(self) -> list[str]:
        """Return the names of the bands that are searched, wide ones as far as they are whole."""
        if self._bands is None:
            return []
        first, end, width = self._newest_band - self._bands + 1, self._newest_band + 1, WIDE_BAND // BAND
        first_wide = ceil(first / width)
        narrow = range(first, min(first_wide * width, end))
        return [f"'{BANDS[0]}{band}'" for band in narrow] + [f"'{BANDS[1]}{band}'" for band in range(first_wide, ceil(end / width))]

    def score(self, rankable: ColumnElement[Any]) -> ColumnElement[Any]:
        """Return the number by which a match is ranked, the larger, the better."""
        return func.ts_rank(_WEIGHTS, rankable, _write(_loosen(self._node, is_ranked=True)), _BY_LENGTH)


def _loosen(node: Node, *, is_ranked: bool = False) -> Node:
    """Return a query with both phrases of NEAR anywhere, which finds more; for `ts_rank`, also without what is not wanted."""
    match node:
        case Near(left=left, right=right):
            return And(parts=(left, right))
        case And(parts=parts) | Or(parts=parts):
            return replace(node, parts=tuple(_loosen(part, is_ranked=is_ranked) for part in parts))
        case Not(wanted=wanted, unwanted=unwanted):
            wanted = _loosen(wanted, is_ranked=is_ranked)
            return wanted if is_ranked or _loosen(unwanted) != unwanted else Not(wanted=wanted, unwanted=unwanted)
    return node


def _write(node: Node, bands: Sequence[str] = ()) -> ColumnElement[Any]:
    return cast(f"{tsquery(node)} & ({' | '.join(bands)})" if bands else tsquery(node), TSQUERY)


def tsquery(node: Node) -> str:
    """Write a query for PostgreSQL; words contain neither quotes nor backslashes."""
    match node:
        case Phrase():
            return f"({' <-> '.join(_list_lexemes(node))})"
        case Near():
            return f"({' | '.join(_list_nearnesses(node))})"
        case And(parts=parts):
            return f"({' & '.join(map(tsquery, parts))})"
        case Or(parts=parts):
            return f"({' | '.join(map(tsquery, parts))})"
        case Not(wanted=wanted, unwanted=unwanted):
            return f"({tsquery(wanted)} & !{tsquery(unwanted)})"


def _list_lexemes(phrase: Phrase) -> list[str]:
    label, last = _LABELS[phrase.zone], len(phrase.words) - 1
    flags = [f"*{label}" if phrase.prefix and number == last else label for number in range(last + 1)]
    return [f"'{word}':{flag}" if flag else f"'{word}'" for word, flag in zip(phrase.words, flags, strict=True)]


def _list_nearnesses(near: Near) -> Iterator[str]:
    """Yield both phrases in either order so many words apart, and laid over each other, which FTS5 finds, too."""
    for one, other in ((near.left, near.right), (near.right, near.left)):
        yield from (f"({tsquery(one)} <{apart}> {tsquery(other)})" for apart in range(1, near.distance + 2))
        for start in range(len(one.words)):
            places = zip_longest(_list_lexemes(one), [""] * start + _list_lexemes(other), fillvalue="")
            yield f"({' <-> '.join(' <0> '.join(filter(None, place)) for place in places)})"
