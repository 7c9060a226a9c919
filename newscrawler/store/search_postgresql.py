"""Queries of the full-text index on PostgreSQL: which characters a string of codes holds, and how they follow each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    Select,
    and_,
    cast,
    column,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
    table,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import Text

from newscrawler.store.search_codes import BETWEEN, FIRST_LEAD, LAST_LEAD, SEARCH_WORD, known_codes
from newscrawler.store.search_index import INDEX
from newscrawler.store.search_sqlite import TITLE_WEIGHT
from newscrawler.text import And, Near, Node, Not, Or, Phrase, Zone

_LEADS = f"{chr(FIRST_LEAD)}-{chr(LAST_LEAD)}"
#: Any word of a zone, as a regular expression.
_ANY_WORD = f"(?:[{_LEADS}].|[^{_LEADS}{BETWEEN}])"
_WORDS: ColumnElement[str] = literal_column(f"{INDEX}.words", Text())
#: As the index has it, letter by letter.
_CHARACTERS: ColumnElement[Any] = literal_column(f"string_to_array({INDEX}.words, NULL)", ARRAY(Text()))
#: Of BM25: how fast repetition counts for less, how much long texts are discounted, and the words of a text of middle length.
_SATURATION, _LENGTH, _MIDDLE = 1.2, 0.75, 400.0
#: So many of the latest articles are looked at, and this share of them must match, for a query to be frequent.
_SAMPLE, _FREQUENT = 500, 0.04


class PostgreSqlQuery:
    """A query as conditions of SQL; codes that were not looked up before are looked up by it."""

    key: ColumnElement[int] = literal_column(f"{INDEX}.article_id")
    #: What is looked at of an article that matches, to rank it.
    rankable: ColumnElement[Any] = _WORDS

    def __init__(self, node: Node, codes: Mapping[str, str] | None = None, *, is_frequent: bool = False) -> None:
        """Take a query, and what is known of it.

        Args:
            node: the query.
            codes: of its words.
            is_frequent: so many articles match that the latest are found sooner without the index.
        """
        self._node = node
        self._codes = codes or {}
        self._is_frequent = is_frequent

    @classmethod
    def prepare(cls, connection: Connection, node: Node) -> Self:
        """Look up the codes of a query's words, and whether many of the latest articles match it."""
        codes = known_codes(connection, {word for phrase in _phrases(node) for word in phrase.words})
        frequent = cls(node, codes, is_frequent=True)
        index = table(INDEX, column("article_id"), column("words"))
        latest = select(index.c.words).order_by(index.c.article_id.desc()).limit(_SAMPLE).subquery(INDEX)
        found: int = connection.execute(select(func.count()).select_from(latest).where(frequent.condition())).scalar_one()
        return frequent if found >= _FREQUENT * _SAMPLE else cls(node, codes)

    def condition(self) -> ColumnElement[bool]:
        """Return what holds for articles that match; NULL is false."""
        return self._condition(self._node)

    def _condition(self, node: Node) -> ColumnElement[bool]:
        match node:
            case Phrase():
                return self._phrase(node)
            case Near(left=left, right=right):
                return and_(self._held(left), self._held(right), _zone(left.zone).regexp_match(self._near(node)))
            case And(parts=parts):
                return and_(*map(self._condition, parts))
            case Or(parts=parts):
                return or_(*map(self._condition, parts))
            case Not(wanted=wanted, unwanted=unwanted):
                return and_(self._condition(wanted), not_(func.coalesce(self._condition(unwanted), literal_column("false"))))

    def _phrase(self, phrase: Phrase) -> ColumnElement[bool]:
        if phrase.prefix:
            return and_(self._held(phrase), _zone(phrase.zone).regexp_match(self._pattern(phrase)))
        is_one = phrase.zone is None and len(phrase.words) == 1 and len(self._codes.get(phrase.words[0], "")) == 1
        if is_one and not self._is_frequent:  # the index decides alone
            return self._held(phrase)
        return and_(self._held(phrase), func.strpos(_zone(phrase.zone), self._pattern(phrase)) > 0)

    def _held(self, phrase: Phrase) -> ColumnElement[bool]:
        """Return what the index decides: the text holds all characters of the words, and one of a beginning."""
        conditions: list[ColumnElement[bool]] = []
        if self._is_frequent:
            return true()
        if whole := _whole(phrase):
            conditions.append(_CHARACTERS.contains(_characters(self._joined(whole))))
        if phrase.prefix:
            last = func.string_agg(func.right(SEARCH_WORD.c.code, 1), literal_column("''"))
            conditions.append(_CHARACTERS.overlap(_characters(_beginning(phrase.words[-1], last).scalar_subquery())))
        return and_(*conditions)

    def _pattern(self, phrase: Phrase) -> ColumnElement[str]:
        """Return a phrase as a regular expression over codes, which without a beginning is the codes alone."""
        whole = _whole(phrase)
        if not phrase.prefix:
            return self._joined(whole)
        any_of = literal("(?:").concat(func.string_agg(SEARCH_WORD.c.code, literal_column("'|'"))).concat(")")
        beginning = _beginning(phrase.words[-1], any_of).scalar_subquery()
        return self._joined(whole).concat(beginning) if whole else beginning

    def _joined(self, words: tuple[str, ...]) -> ColumnElement[str]:
        if all(word in self._codes for word in words):
            return literal("".join(self._codes[word] for word in words), Text())
        codes = (select(SEARCH_WORD.c.code).where(SEARCH_WORD.c.word == word).scalar_subquery() for word in words)
        joined: ColumnElement[str] = literal("", Text())
        for code in codes:
            joined = joined.concat(code)
        return joined

    def _near(self, near: Near) -> ColumnElement[str]:
        """Return both phrases in either order as a regular expression, also where they share words, as FTS5 reads it."""
        one, other = self._pattern(near.left), self._pattern(near.right)
        apart = f"{_ANY_WORD}{{0,{near.distance}}}"
        pattern = one.concat(apart).concat(other).concat("|").concat(other).concat(apart).concat(one)
        for phrase in _overlaid(near.left, near.right):
            pattern = pattern.concat("|").concat(self._pattern(phrase))
        return pattern

    def score(self, rankable: ColumnElement[Any]) -> ColumnElement[Any]:
        """Return the number by which a match is ranked, the larger, the better: BM25 without the rarity of words."""
        discount = _SATURATION * (1 - _LENGTH + _LENGTH * cast(func.length(rankable), Float) / _MIDDLE)
        title = func.split_part(rankable, BETWEEN, 1)
        total: ColumnElement[Any] = literal(0.0)
        for phrase in dict.fromkeys(_phrases(self._node, wanted=True)):
            number, pattern = (_matches if phrase.prefix else _number), self._pattern(phrase)
            found = number(rankable, pattern) + (TITLE_WEIGHT - 1) * number(title, pattern)
            total += func.coalesce(found / (found + discount), 0.0)
        return total


def _whole(phrase: Phrase) -> tuple[str, ...]:
    return phrase.words[:-1] if phrase.prefix else phrase.words


def _characters(codes: ColumnElement[str]) -> ColumnElement[Any]:
    return func.string_to_array(codes, literal_column("NULL"), type_=ARRAY(Text()))


def _beginning(beginning: str, column: ColumnElement[Any]) -> Select[Any]:
    """Select an aggregate of all words that begin so."""
    behind = beginning[:-1] + chr(ord(beginning[-1]) + 1)
    return select(column).where((SEARCH_WORD.c.word >= beginning) & (SEARCH_WORD.c.word < behind))


def _number(words: ColumnElement[Any], codes: ColumnElement[str]) -> ColumnElement[Any]:
    """Return how often a phrase occurs."""
    return cast(func.cardinality(func.string_to_array(words, codes)) - 1, Float)


def _matches(words: ColumnElement[Any], pattern: ColumnElement[str]) -> ColumnElement[Any]:
    """Return how often a regular expression matches."""
    return cast(func.length(func.regexp_replace(words, pattern, f"\\&{BETWEEN}", "g")) - func.length(words), Float)


def _zone(zone: Zone | None) -> ColumnElement[str]:
    match zone:
        case None:
            return _WORDS
        case Zone.TITLE:
            return func.split_part(_WORDS, BETWEEN, 1)
        case Zone.BODY:
            return func.split_part(_WORDS, BETWEEN, 2)


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
