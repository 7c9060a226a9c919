"""A query of `newscrawler.text` as FTS5 and as PostgreSQL's text search write it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from sqlalchemy import Boolean, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from newscrawler.store.search_index import INDEX
from newscrawler.text import And, Near, Node, Not, Or, Phrase, Zone, parse


class HoldsWords(FunctionElement[Any]):
    """Whether a query finds the article of a row; its two clauses are the query for each store."""

    type = Boolean()
    inherit_cache = True


def holds_words(query: str) -> HoldsWords:
    """Return the condition that a query finds an article.

    Raises:
        ConfigError: the query cannot be read.
    """
    node = parse(query)
    return HoldsWords(bindparam(None, fts5(node), unique=True), bindparam(None, tsquery(node), unique=True))


@compiles(HoldsWords, "sqlite")
def _sqlite(element: Any, compiler: Any, **kwargs: Any) -> str:
    query, _ = element.clauses
    matching = f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH {compiler.process(query, **kwargs)}"  # noqa: S608  a bound value
    return f"article.id IN ({matching})"


@compiles(HoldsWords, "postgresql")
def _postgresql(element: Any, compiler: Any, **kwargs: Any) -> str:
    _, query = element.clauses
    asked = f"CAST({compiler.process(query, **kwargs)} AS tsquery)"
    return f"article.id IN (SELECT article_id FROM {INDEX} WHERE words @@ {asked})"  # noqa: S608  a bound value


def fts5(node: Node) -> str:
    """Write a query for FTS5; words hold neither quotes nor spaces."""
    match node:
        case Phrase(words=words, prefix=prefix, zone=zone):
            phrase = f'"{" ".join(words)}"{" *" if prefix else ""}'
            return f"{zone} : {phrase}" if zone else phrase
        case Near(left=left, right=right, distance=distance):
            pair = f"NEAR({fts5(_anywhere(left))} {fts5(_anywhere(right))}, {distance})"
            return f"{left.zone} : {pair}" if left.zone else pair
        case And(parts=parts):
            return "(" + " AND ".join(map(fts5, parts)) + ")"
        case Or(parts=parts):
            return "(" + " OR ".join(map(fts5, parts)) + ")"
        case Not(wanted=wanted, unwanted=unwanted):
            return f"({fts5(wanted)} NOT {fts5(unwanted)})"


def _anywhere(phrase: Phrase) -> Phrase:
    return Phrase(words=phrase.words, prefix=phrase.prefix)


def tsquery(node: Node) -> str:
    """Write a query in the text form of a tsquery."""
    match node:
        case Phrase():
            return f"({_lexemes(node)})"
        case Near(left=left, right=right, distance=distance):
            one, other = f"({_lexemes(left)})", f"({_lexemes(right)})"
            apart = ((f"{one} <{n}> {other}", f"{other} <{n}> {one}") for n in range(1, distance + 2))
            return "(" + " | ".join([*chain.from_iterable(apart), *map(tsquery, _overlaid(left, right))]) + ")"
        case And(parts=parts):
            return "(" + " & ".join(map(tsquery, parts)) + ")"
        case Or(parts=parts):
            return "(" + " | ".join(map(tsquery, parts)) + ")"
        case Not(wanted=wanted, unwanted=unwanted):
            return f"({tsquery(wanted)} & !{tsquery(unwanted)})"


def _lexemes(phrase: Phrase) -> str:
    weight = {None: "", Zone.TITLE: "A", Zone.BODY: "D"}[phrase.zone]
    last = len(phrase.words) - 1
    marks = [("*" if phrase.prefix and number == last else "") + weight for number in range(last + 1)]
    return " <-> ".join(f"'{word}'" + (f":{mark}" if mark else "") for word, mark in zip(phrase.words, marks, strict=True))


def _overlaid(left: Phrase, right: Phrase) -> Iterator[Phrase]:
    """Yield the phrases in which both stand one over the other, in part or whole: to FTS5 they are near as well."""
    for one, other in ((left, right), (right, left)):
        for start in range(len(one.words)):
            merged = _merged(one, other, start)
            if merged is not None:
                yield merged


def _merged(one: Phrase, other: Phrase, start: int) -> Phrase | None:
    """Lay a phrase over another one that begins at least as early; None where their words differ."""
    words: list[tuple[str, bool]] = []
    for number in range(max(len(one.words), start + len(other.words))):
        here = [found for found in (_at(one, number), _at(other, number - start)) if found is not None]
        best = max(here, key=lambda found: (not found[1], len(found[0])))
        if any(best[0] != word if not prefix else not best[0].startswith(word) for word, prefix in here):
            return None
        words.append(best)
    if any(prefix for _, prefix in words[:-1]):  # a word of which only the beginning is known can stand at the end alone
        return None
    return Phrase(words=tuple(word for word, _ in words), prefix=words[-1][1], zone=one.zone)


def _at(phrase: Phrase, number: int) -> tuple[str, bool] | None:
    if not 0 <= number < len(phrase.words):
        return None
    return phrase.words[number], phrase.prefix and number == len(phrase.words) - 1
