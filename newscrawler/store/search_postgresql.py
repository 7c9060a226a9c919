"""Queries of the full-text index on PostgreSQL: which characters a string of codes holds, and how they follow each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from sqlalchemy import ColumnElement, Connection, Float, and_, cast, false, func, literal, literal_column, not_, or_
from sqlalchemy.dialects.postgresql import ARRAY, array
from sqlalchemy.types import Text

from newscrawler.store.search_codes import BETWEEN, FIRST_LEAD, LAST_LEAD, codes_beginning, known_codes
from newscrawler.store.search_index import INDEX
from newscrawler.store.search_sqlite import HEADLINE_WEIGHT
from newscrawler.text import And, Near, Node, Not, Or, Phrase, Zone

_LEADS = f"{chr(FIRST_LEAD)}-{chr(LAST_LEAD)}"
#: Any word of a zone, as a regular expression.
_ANY_WORD = f"(?:[{_LEADS}].|[^{_LEADS}{BETWEEN}])"
_WORDS: ColumnElement[str] = literal_column(f"{INDEX}.words", Text())
#: As the index has it, letter by letter.
_CHARACTERS: ColumnElement[Any] = literal_column(f"string_to_array({INDEX}.words, NULL)", ARRAY(Text()))
#: Of BM25: how fast repetition counts for less, how much long texts are discounted, and the words of a text of middle length.
_SATURATION, _LENGTH, _MIDDLE = 1.2, 0.75, 400.0


class PostgreSqlQuery:
    """A query as conditions of SQL."""

    key: ColumnElement[int] = literal_column(f"{INDEX}.article_id")
    #: What is looked at of an article that matches, to rank it.
    rankable: ColumnElement[Any] = _WORDS

    def __init__(self, node: Node, codes: Mapping[str, str], beginnings: Mapping[str, Sequence[str]]) -> None:
        self._node = node
        self._codes = codes
        self._beginnings = beginnings

    @classmethod
    def prepare(cls, connection: Connection, node: Node) -> Self:
        """Look up the codes of a query's words."""
        phrases = list(_phrases(node))
        words = {word for phrase in phrases for word in phrase.words}
        beginnings = {phrase.words[-1] for phrase in phrases if phrase.prefix}
        return cls(node, known_codes(connection, words), {word: codes_beginning(connection, word) for word in beginnings})

    def condition(self) -> ColumnElement[bool]:
        """Return what holds for articles that match."""
        return self._condition(self._node)

    def _condition(self, node: Node) -> ColumnElement[bool]:
        match node:
            case Phrase():
                return self._phrase(node)
            case Near(left=left, right=right):
                pattern = self._near(node)
                if pattern is None:
                    return false()
                return and_(self._held(left), self._held(right), _zone(left.zone).regexp_match(pattern))
            case And(parts=parts):
                return and_(*map(self._condition, parts))
            case Or(parts=parts):
                return or_(*map(self._condition, parts))
            case Not(wanted=wanted, unwanted=unwanted):
                return and_(self._condition(wanted), not_(self._condition(unwanted)))

    def _phrase(self, phrase: Phrase) -> ColumnElement[bool]:
        pattern = self._pattern(phrase)
        if pattern is None:
            return false()
        if not phrase.prefix:
            exact = "".join(self._codes[word] for word in phrase.words)
            is_decided = len(exact) == 1 and phrase.zone is None
            return self._held(phrase) if is_decided else and_(self._held(phrase), func.strpos(_zone(phrase.zone), exact) > 0)
        if len(phrase.words) == 1 and phrase.zone is None and all(len(code) == 1 for code in self._beginnings[phrase.words[0]]):
            return self._held(phrase)
        return and_(self._held(phrase), _zone(phrase.zone).regexp_match(pattern))

    def _held(self, phrase: Phrase) -> ColumnElement[bool]:
        """Return what the index decides: the text holds all characters of the words, and one of each beginning."""
        whole = phrase.words[:-1] if phrase.prefix else phrase.words
        characters = sorted(set("".join(self._codes.get(word, "") for word in whole)))
        conditions: list[ColumnElement[bool]] = [_CHARACTERS.contains(_texts(characters))] if characters else []
        if phrase.prefix:
            conditions.append(_CHARACTERS.overlap(_texts(sorted({code[-1] for code in self._beginnings[phrase.words[-1]]}))))
        return and_(*conditions)

    def _pattern(self, phrase: Phrase) -> str | None:
        """Return a phrase as a regular expression over codes; None: one of its words is in no text."""
        whole = phrase.words[:-1] if phrase.prefix else phrase.words
        if any(word not in self._codes for word in whole):
            return None
        pattern = "".join(self._codes[word] for word in whole)
        if not phrase.prefix:
            return pattern
        codes = self._beginnings[phrase.words[-1]]
        return pattern + _any_of(codes) if codes else None

    def _near(self, near: Near) -> str | None:
        """Return both phrases in either order as a regular expression, also where they share words, as FTS5 reads it."""
        one, other = self._pattern(near.left), self._pattern(near.right)
        if one is None or other is None:
            return None
        apart = f"{_ANY_WORD}{{0,{near.distance}}}"
        shared = [pattern for phrase in _overlaid(near.left, near.right) if (pattern := self._pattern(phrase)) is not None]
        return "|".join([f"{one}{apart}{other}", f"{other}{apart}{one}", *shared])

    def score(self, rankable: ColumnElement[Any]) -> ColumnElement[Any]:
        """Return the number by which a match is ranked, the larger, the better: BM25 without the rarity of words."""
        discount = _SATURATION * (1 - _LENGTH + _LENGTH * cast(func.length(rankable), Float) / _MIDDLE)
        headline = func.split_part(rankable, BETWEEN, 1)
        total: ColumnElement[Any] = literal(0.0)
        for pattern in {self._pattern(phrase): None for phrase in _phrases(self._node, wanted=True)}:
            if pattern is not None:
                found = _number(rankable, pattern) + (HEADLINE_WEIGHT - 1) * _number(headline, pattern)
                total += found / (found + discount)
        return total


def _number(words: ColumnElement[Any], pattern: str) -> ColumnElement[Any]:
    """Return how often a phrase occurs."""
    return cast(func.length(func.regexp_replace(words, pattern, f"\\&{BETWEEN}", "g")) - func.length(words), Float)


def _texts(values: Sequence[str]) -> ColumnElement[Any]:
    return cast(array(values), ARRAY(Text())) if values else literal_column("'{}'::text[]")


def _zone(zone: Zone | None) -> ColumnElement[str]:
    match zone:
        case None:
            return _WORDS
        case Zone.HEADLINE:
            return func.split_part(_WORDS, BETWEEN, 1)
        case Zone.BODY:
            return func.split_part(_WORDS, BETWEEN, 2)


def _any_of(codes: Sequence[str]) -> str:
    """Return a regular expression of any of these codes."""
    singles = "".join(code for code in codes if len(code) == 1)
    trails: dict[str, str] = {}
    for code in codes:
        if len(code) > 1:
            trails[code[0]] = trails.get(code[0], "") + code[1]
    return "(?:" + "|".join([*([f"[{singles}]"] if singles else []), *(f"{lead}[{them}]" for lead, them in trails.items())]) + ")"


def _phrases(node: Node, *, wanted: bool = False) -> Iterator[Phrase]:
    """Yield the phrases of a query, all or those that a match may hold."""
    match node:
        case Phrase():
            yield node
        case Near(left=left, right=right):
            yield from (left, right)
            if not wanted:
                yield from _overlaid(left, right)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _phrases(part, wanted=wanted)
        case Not(wanted=asked, unwanted=unwanted):
            yield from _phrases(asked, wanted=wanted)
            if not wanted:
                yield from _phrases(unwanted)


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
